"""Sizes that data decides: what rows and columns make of an algorithm's parameters.

Some parameters only make sense for given data: at most as many components as columns, at most as
many neighbours as rows, columns per split as a power of all columns. What holds for which algorithm
stands in one table, `RULES`; what would not fit into memory is refused before it is allocated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod
from typing import Any

import numpy as np
from scipy import sparse

# Two gibibytes of float64 numbers: beyond it a single fit would choke an ordinary machine.
MOST_NUMBERS = 2**28
BYTES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How data bounds an algorithm; sizes are rows, columns, longer side, or a parameter's name."""

    # A parameter, and the sizes of which it is at most the smallest.
    parameter: str | None = None
    at_most: tuple[str, ...] = ()
    # What takes most memory, and the sizes that multiply to how many numbers that has.
    largest: str = ""
    numbers: tuple[str, ...] = ()


RULES = {
    "FastICA": Rule(parameter="n_components", at_most=("rows", "columns")),
    "FeatureAgglomeration": Rule(
        parameter="n_clusters",
        at_most=("columns",),
        largest="The distances between columns",
        numbers=("columns", "columns"),
    ),
    "KernelPCA": Rule(largest="The kernel matrix", numbers=("rows", "rows")),
    "KNeighborsClassifier": Rule(parameter="n_neighbors", at_most=("rows",)),
    "KNeighborsRegressor": Rule(parameter="n_neighbors", at_most=("rows",)),
    "Nystroem": Rule(
        parameter="n_components",
        at_most=("rows",),
        largest="The approximated kernel",
        numbers=("rows", "n_components"),
    ),
    "PolynomialFeatures": Rule(largest="The polynomial expansion", numbers=("rows", "monomials")),
    "QuantileTransformer": Rule(parameter="n_quantiles", at_most=("rows",)),
    "RBFSampler": Rule(largest="The random features", numbers=("longer side", "n_components")),
}


def sizes_for(estimator: Any, X: Any, shape: tuple[int, int]) -> dict[str, int]:
    """Give the parameters that X limits; an error if something would not fit into memory."""
    kinds = (kind.__name__ for kind in type(estimator).__mro__)
    rule = next((RULES[kind] for kind in kinds if kind in RULES), None)
    if rule is None:
        return {}
    known = estimator.get_params(deep=False)
    known.update({"rows": shape[0], "columns": shape[1], "longer side": max(shape)})
    sizes = {}
    if rule.parameter is not None:
        limit = max(1, min(known[size] for size in rule.at_most))
        if _whole(known[rule.parameter]) and known[rule.parameter] > limit:
            known[rule.parameter] = sizes[rule.parameter] = limit
    if "monomials" in rule.numbers and _whole(estimator.degree):
        refuse_if_too_large(rule.largest, *expansion(estimator, X, shape))
    elif all(_whole(known.get(size)) for size in rule.numbers):
        refuse_if_too_large(rule.largest, *(int(known[size]) for size in rule.numbers))
    return sizes


def _whole(value: Any) -> bool:
    """Whether this is a size; what is none is for scikit-learn to judge."""
    return isinstance(value, int | np.integer) and int(value) >= 0


def expansion(polynomials: Any, X: Any, shape: tuple[int, int]) -> tuple[int, ...]:
    """Give the sizes of a polynomial expansion: rows and columns, or its numbers if sparse."""
    if not sparse.issparse(X):
        return shape[0], n_monomials(polynomials, shape[1])
    # Only what is not zero takes memory: monomials of each row's non-zero columns.
    filled, n_rows = np.unique(np.diff(X.tocsr().indptr), return_counts=True)
    sizes = [n_monomials(polynomials, int(n)) for n in filled]
    return (sum(size * int(n) for size, n in zip(sizes, n_rows, strict=True)),)


def n_monomials(polynomials: Any, n_columns: int) -> int:
    """How many columns scikit-learn's PolynomialFeatures makes of so many."""
    degree = polynomials.degree
    if polynomials.interaction_only:
        n = sum(comb(n_columns, k) for k in range(degree + 1))
    else:
        n = comb(n_columns + degree, degree)
    return n if polynomials.include_bias else n - 1


def shape_of(X: Any) -> tuple[int, int] | None:
    """Give the number of rows and columns; None if X is no table, which `fit` will then say."""
    shape = getattr(X, "shape", None)
    if shape is None:
        try:
            shape = np.asarray(X).shape
        except ValueError:
            return None
    return (int(shape[0]), int(shape[1])) if len(shape) == 2 else None


def refuse_if_too_large(what: str, *sizes: int) -> None:
    """Raise before something is allocated that would not fit into memory."""
    n = prod(sizes)
    if n > MOST_NUMBERS:
        shown = " x ".join(f"{size:,}" for size in sizes)
        raise ValueError(
            f"{what} would have {shown} numbers ({n * BYTES / 2**30:.1f} GiB); "
            f"at most {MOST_NUMBERS * BYTES / 2**30:.2g} GiB are allowed."
        )
