"""Sizes that data decides: how an estimator adapts its parameters to rows and columns.

Some hyperparameters only make sense for given data: a forest's ``max_features`` as a power of the
number of columns, at most as many components as columns, at most as many neighbours as rows. They
are resolved when `fit` sees the data, and only for as long as `fit` runs: the constructor's
parameters stay as they were set, so that a clone fitted on other data resolves anew.

What would not fit into memory is refused before anything is allocated.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np

# Two gibibytes of float64 numbers: beyond it a single fit would choke an ordinary machine.
MOST_NUMBERS = 2**28
BYTES = 8


def shape_of(X: Any) -> tuple[int, int] | None:
    """Give the number of rows and columns; None if X is no table, which `fit` will then say.

    Examples
    --------
    >>> shape_of([[1, 2, 3], [4, 5, 6]]), shape_of([1, 2])
    ((2, 3), None)
    """
    shape = getattr(X, "shape", None)
    if shape is None:
        try:
            shape = np.asarray(X).shape
        except ValueError:
            return None
    return (int(shape[0]), int(shape[1])) if len(shape) == 2 else None


@contextmanager
def for_now(estimator: Any, **values: Any) -> Iterator[None]:
    """Let an estimator have other parameters for the time of a block.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> svc = SVC(C=1)
    >>> with for_now(svc, C=2):
    ...     svc.C
    2
    >>> svc.C
    1
    """
    before = {
        name: getattr(estimator, name)
        for name, value in values.items()
        if getattr(estimator, name) is not value
    }
    for name in before:
        setattr(estimator, name, values[name])
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(estimator, name, value)


def at_most(value: Any, limit: int) -> Any:
    """Limit a number; what is no whole number stays as it is, for scikit-learn to judge.

    Examples
    --------
    >>> at_most(100, 8), at_most(5, 8), at_most(None, 8)
    (8, 5, None)
    """
    limit = max(1, limit)
    return limit if isinstance(value, int | np.integer) and value > limit else value


def refuse_if_too_large(what: str, *sizes: int, most: int = MOST_NUMBERS) -> None:
    """Raise before something is allocated that would not fit into memory.

    Examples
    --------
    >>> refuse_if_too_large("The kernel matrix", 50_000, 50_000)
    Traceback (most recent call last):
    ...
    ValueError: The kernel matrix would have 50,000 x 50,000 numbers (18.6 GiB); at most 2 GiB are
    allowed.
    """
    n = prod(sizes)
    if n > most:
        shown = " x ".join(f"{size:,}" for size in sizes)
        raise ValueError(
            f"{what} would have {shown} numbers ({n * BYTES / 2**30:.1f} GiB); "
            f"at most {most * BYTES / 2**30:.2g} GiB are allowed."
        )
