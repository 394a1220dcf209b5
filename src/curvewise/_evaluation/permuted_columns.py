"""What each column of a table is worth to a model: how much it scores less when it is shuffled.

An executor may be given a `PermutedColumns` in the place of a candidate: then the candidate is
fitted on the training rows of a fold, and its test rows are scored with one column after the other
in a random order (permutation importance; Breiman 2001). Rules:

1. The columns are those of the table as it was handed over, before any pre-processing.
2. Those that tell most of the target by themselves come first, by their mutual information on the
   training rows: if the time runs out, the columns that are missing are the least interesting.
3. It ends when its seconds are over, with the columns that were done. The first is always done.
4. What is shuffled how depends on the seed, the fold and the column alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from curvewise._evaluation.rows import copied, is_square
from curvewise.core._checks import whole_number
from curvewise.core._outcome import Observation, Task

Array = np.ndarray[Any, Any]

# More test rows than these make it slower, and hardly more certain.
MOST_TEST_ROWS = 2_000
# So many training rows say which columns come first.
MOST_TRAINING_ROWS = 1_000
N_BINS = 8


@dataclass(frozen=True, slots=True)
class ColumnsPermuted(Observation):
    """What shuffling columns gave.

    Parameters
    ----------
    score
        That of the test rows as they are.
    drops
        For each column that was done its place, and by how much the score is lower with it
        shuffled.
    n_columns
        How many columns there are.
    """

    score: float = 0.0
    drops: tuple[tuple[int, float], ...] = ()
    n_columns: int = 0

    def __post_init__(self) -> None:
        drops = tuple((int(place), float(drop)) for place, drop in self.drops)
        object.__setattr__(self, "drops", drops)
        whole_number("n_columns", self.n_columns, at_least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutedColumns:
    """A candidate whose columns are to be shuffled.

    Parameters
    ----------
    candidate
        The unfitted estimator.
    seconds
        What it may take, the fit included.
    seed
        What is shuffled how.
    """

    candidate: Any
    seconds: float
    seed: int = 0

    @staticmethod
    def fitted(shared: Any, candidate: Any, X: Any, y: Any, params: dict[str, Any]) -> Any:
        """Fit the candidate behind the pre-processing that it shares, if there is any."""
        target = () if y is None else (y,)
        estimator = clone(candidate)
        if shared is None:
            return estimator.fit(X, *target, **params)
        first = clone(shared)
        if hasattr(first, "fit_transform"):
            rows = first.fit_transform(X, *target)
        else:
            rows = first.fit(X, *target).transform(X)
        estimator.fit(rows, *target, **params)
        return Pipeline([("shared", first), ("model", estimator)])

    def measure(
        self, task: Task, X: Any, score: Callable[[Any], float], order: list[int], started: float
    ) -> ColumnsPermuted:
        """Shuffle one column of the test rows after the other, and score them."""
        whole = score(copied(X))
        drops: list[tuple[int, float]] = []
        for column in order:
            if drops and perf_counter() - started >= self.seconds:
                break
            rng = np.random.default_rng([self.seed, task.fold, column])
            shuffled = with_column_permuted(X, column, rng.permutation(len(X)))
            drops.append((column, whole - score(shuffled)))
        return ColumnsPermuted(
            task,
            0.0,
            seconds=perf_counter() - started,
            n_test=len(X),
            score=whole,
            drops=tuple(drops),
            n_columns=len(order),
        )


def why_not(X: Any) -> str | None:
    """Say why the columns of data cannot be shuffled; None if they can."""
    if sparse.issparse(X) or not hasattr(X, "shape") or len(X.shape) != 2:
        return "The columns of such data cannot be shuffled one by one."
    if is_square(X):
        return "The data may be a matrix of pairs, which has no columns of its own."
    known = isinstance(X, np.ndarray) or hasattr(X, "isetitem") or hasattr(X, "replace_column")
    return None if known else f"Columns of a {type(X).__name__} cannot be shuffled."


def column_names(X: Any) -> list[str]:
    """Name the columns; those of an array as scikit-learn does."""
    names = getattr(X, "columns", None)
    return [f"x{i}" for i in range(X.shape[1])] if names is None else [str(name) for name in names]


def with_column_permuted(X: Any, column: int, order: Array) -> Any:
    """Copy rows with one column in another order."""
    rows = copied(X)
    if isinstance(rows, np.ndarray):
        rows[:, column] = X[order, column]
    elif hasattr(rows, "isetitem"):
        values = rows.iloc[:, column].take(order)
        rows.isetitem(column, values.set_axis(rows.index))
    else:
        rows.replace_column(column, X.to_series(column).gather(order))
    return rows


def telling_first(X: Any, y: Any, *, until: float) -> list[int]:
    """Order the columns by what they tell of the target, as far as there is time (rule 2)."""
    n_columns = X.shape[1]
    if y is None or np.ndim(y) != 1:
        return list(range(n_columns))
    rows = np.linspace(0, len(X) - 1, min(len(X), MOST_TRAINING_ROWS)).astype(np.int64)
    target = _codes(np.asarray(y)[rows])
    told = np.zeros(n_columns)
    for column in range(n_columns):
        if perf_counter() > until:
            break
        told[column] = _mutual_information(_codes(_column(X, column, rows)), target)
    return np.argsort(-told, kind="stable").tolist()


def _column(X: Any, column: int, rows: Array) -> Array:
    if isinstance(X, np.ndarray):
        return np.asarray(X[rows, column])
    if hasattr(X, "iloc"):
        return np.asarray(X.iloc[rows, column])
    return np.asarray(X.to_series(column).gather(rows))


def _codes(values: Array) -> Array:
    """Number values: numbers by their quantiles, with gaps apart, and all else by what it is."""
    if values.dtype.kind in "mM":
        values = values.astype("int64")
    if values.dtype.kind not in "fiu":
        text = np.array([str(value) for value in values])
        return np.asarray(np.unique(text, return_inverse=True)[1])
    numbers = values.astype(np.float64)
    known = np.isfinite(numbers)
    distinct = np.unique(numbers[known])
    if len(distinct) > N_BINS:
        inner = np.linspace(0, 1, N_BINS + 1)[1:-1]
        distinct = np.unique(np.quantile(numbers[known], inner))
    codes = np.searchsorted(distinct, numbers)
    codes[~known] = len(distinct) + 1
    return codes


def _mutual_information(one: Array, other: Array) -> float:
    """Give what two numberings tell of each other, less what chance alone would tell."""
    _, one = np.unique(one, return_inverse=True)
    _, other = np.unique(other, return_inverse=True)
    n_one, n_other = int(one.max()) + 1, int(other.max()) + 1
    joint = np.bincount(one * n_other + other, minlength=n_one * n_other).reshape(n_one, n_other)
    shares = joint / joint.sum()
    expected = shares.sum(axis=1, keepdims=True) * shares.sum(axis=0, keepdims=True)
    seen = shares > 0
    told = float((shares[seen] * np.log(shares[seen] / expected[seen])).sum())
    return told - (n_one - 1) * (n_other - 1) / (2 * len(one))
