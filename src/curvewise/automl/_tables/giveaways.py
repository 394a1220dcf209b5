"""Columns that give the target away: the same under another name, a code for it, a copy of it.

Such a column is often known only when the target is, and a model that leans on it is worth nothing
on new rows. It may be legitimate as well, so it is only told. Rules:

1. A sample of rows is looked at, of which half teaches and half tests. A column gives classes away
   if it alone tells all but a fiftieth of what always guessing the commonest class would get wrong:
   text by what its levels went with, numbers and dates by their nearest neighbour. A gap is a level
   too: what is known for one class only gives it away.
2. It gives numbers away if they follow from it by a line, in their order, or from their nearest
   neighbours, with hardly any rest; text if the means of its levels do.
3. So that this stays quick on any table, columns beyond the first thousand are not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.automl._tables.column_names import quoted
from curvewise.automl._tables.columns import kind_of
from curvewise.automl._tables.warning_note import first_warnings

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 2000
MOST_COLUMNS = 1000
# Fewer rows in a half, or in it of other classes than the commonest, tell nothing.
FEWEST_ROWS = 10
FEWEST_OTHERS = 5
# What may be left of the errors, or of the variance.
ERRORS_LEFT = 0.02
VARIANCE_LEFT = 0.002
# The share of rows whose level taught nothing that is passed over.
MOST_UNSEEN = 0.05


def find_giveaways(X: pd.DataFrame, y: pd.Series, target: str, *, task: str) -> list[str]:
    """Say which columns give the target away."""
    rows = np.arange(len(y))
    if len(rows) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ROWS])
    # Rows may alternate in any rhythm, so halves are drawn too.
    halves = np.array_split(np.random.default_rng(1).permutation(len(rows)), 2)
    if len(halves[1]) < FEWEST_ROWS:
        return []
    X, y = X.iloc[rows, :MOST_COLUMNS], y.iloc[rows]
    judge = _gives_numbers if task == "regression" else _gives_classes
    targets = y.to_numpy(dtype=float) if task == "regression" else y.factorize()[0]
    texts = y.astype(str).to_numpy()
    notes = []
    for position in range(X.shape[1]):
        column = X.iloc[:, position]
        values = _values(column)
        if judge(values, targets, halves):
            name = quoted(X.columns[position])
            how = _how(column, y, texts)
            notes.append(
                f"Column {name} {how} the target {quoted(target)}: if it is not known before the "
                "target is, drop it."
            )
    return first_warnings(notes, "So do {} more columns")


def _how(column: pd.Series, y: pd.Series, texts: np.ndarray) -> str:
    if kind_of(column.dtype) == kind_of(y.dtype) == "number":
        same = np.array_equal(column.to_numpy(dtype=float), y.to_numpy(dtype=float))
    else:
        same = np.array_equal(column.astype(str).to_numpy(), texts)
    return "equals" if same else "nearly gives away"


def _values(column: pd.Series) -> np.ndarray:
    """Give a column as floats, text as codes in whole numbers; gaps are NaN, or -1."""
    kind = kind_of(column.dtype)
    if kind == "text":
        return np.asarray(column.factorize()[0])
    if kind == "date":
        numbers = column.to_numpy(dtype="datetime64[us]")
        return np.where(np.isnat(numbers), np.nan, numbers.astype("int64").astype(float))
    return column.to_numpy(dtype=float, na_value=np.nan)


def _gives_classes(values: np.ndarray, classes: np.ndarray, halves: list[Any]) -> bool:
    taught, tested = halves
    counts = np.bincount(classes[taught])
    by_guess = classes[tested] != counts.argmax()
    if by_guess.sum() < FEWEST_OTHERS:
        return False
    if values.dtype.kind == "f":
        gaps = np.isnan(values)
        if gaps.any():
            known = values[~gaps]
            below = known.min() - np.ptp(known) - 1 if len(known) else 0.0
            values = np.where(gaps, below, values)
        told = classes[taught][_neighbours(values[taught], values[tested])]
    else:
        # A level that was not seen tells nothing: the last entry is nobody's class.
        table = np.zeros((values.max() + 2, len(counts)), dtype=int)
        np.add.at(table, (values[taught], classes[taught]), 1)
        told = np.where(table.any(axis=1), table.argmax(axis=1), -1)[values[tested]]
    return bool((told != classes[tested]).sum() <= ERRORS_LEFT * by_guess.sum())


def _gives_numbers(values: np.ndarray, numbers: np.ndarray, halves: list[Any]) -> bool:
    known = ~np.isnan(values) if values.dtype.kind == "f" else values >= 0
    taught, tested = (half[known[half]] for half in halves)
    if 2 * known.sum() < len(known) or min(len(taught), len(tested)) < FEWEST_ROWS:
        return False
    spread = numbers[tested].var()
    if spread <= 0 or not values[taught].std() > 0:
        return False
    if values.dtype.kind != "f":
        sums = np.bincount(values[taught], numbers[taught], minlength=values.max() + 1)
        seen = np.bincount(values[taught], minlength=values.max() + 1)
        errors = (sums / np.maximum(seen, 1))[values[tested]] - numbers[tested]
        taught_too = seen[values[tested]] > 0
        few_new = np.mean(~taught_too) <= MOST_UNSEEN
        return bool(few_new and np.mean(errors[taught_too] ** 2) <= VARIANCE_LEFT * spread)
    left = 1 - np.corrcoef(values[known], numbers[known])[0, 1] ** 2
    if left <= VARIANCE_LEFT:
        return True
    ranks = np.corrcoef(_ranks(values[known]), _ranks(numbers[known]))[0, 1] ** 2
    if 1 - ranks <= VARIANCE_LEFT:
        return True
    told = numbers[taught][_neighbours(values[taught], values[tested])]
    return bool(np.mean((told - numbers[tested]) ** 2) <= VARIANCE_LEFT * spread)


def _neighbours(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Give for each of the others the place of the value that is nearest."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    above = np.clip(np.searchsorted(ordered, others), 1, len(ordered) - 1)
    nearer = others - ordered[above - 1] <= ordered[above] - others
    return order[np.where(nearer, above - 1, above)]


def _ranks(values: np.ndarray) -> np.ndarray:
    """Give ranks; equal values share one."""
    return np.unique(values, return_inverse=True)[1].astype(float)
