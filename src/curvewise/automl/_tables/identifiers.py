"""Identifiers: columns that name rows and say nothing about them.

A column is one if it has another value in each of at least ten rows, and

- is text, of fewer than three words on average: more are real text, which is used; or
- is whole numbers in rising or falling order that are most of the numbers between the first and the
  last, as counters give them; but a year is none; or
- is whole numbers in any order, and is called so: id, uuid, key and the like.

Decimal numbers, dates and booleans never are. A column that is all there is stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from curvewise.automl._components.table_plan import FEWEST_ROWS, FEWEST_WORDS
from curvewise.automl._tables.columns import kind_of

if TYPE_CHECKING:
    import pandas as pd

NAMES = frozenset({"id", "ids", "uuid", "guid", "identifier", "index", "key", "oid", "pk", "rowid"})
# Of the numbers between the first and the last, so many are there in what counts.
FEWEST_COUNTED = 2 / 3
YEARS = (1500, 2200)
# A column has to be looked at as a whole only if its beginning has no value twice.
_LOOKED_AT = 1000
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def find_identifiers(X: pd.DataFrame) -> dict[str, str]:
    """Name the columns that identify rows, each with what it was seen by."""
    found: dict[str, str] = {}
    if len(X) < FEWEST_ROWS:
        return found
    for name, column in X.items():
        kind = kind_of(column.dtype)
        if kind not in ("number", "text"):
            continue
        if (kind == "number" and not _are_whole(column)) or not _differ(column):
            continue
        reason = _text(column) if kind == "text" else _numbers(column.to_numpy(), str(name))
        if reason:
            found[str(name)] = reason
    return found


def _are_whole(column: pd.Series) -> bool:
    """Whether numbers are whole, without gaps; files of some kinds have them as floats."""
    if column.dtype.kind != "f":
        return True
    values = column.to_numpy()
    return bool((values[:_LOOKED_AT] % 1 == 0).all() and (values % 1 == 0).all())


def _differ(column: pd.Series) -> bool:
    """Whether every known value is another one."""
    if not column.iloc[:_LOOKED_AT].dropna().is_unique:
        return False
    known = column.dropna()
    return len(known) >= FEWEST_ROWS and bool(known.is_unique)


def _text(column: pd.Series) -> str:
    n_words = np.mean([len(str(text).split()) for text in column.dropna()])
    return "" if n_words >= FEWEST_WORDS else "another value in every row"


def _numbers(values: np.ndarray, name: str) -> str:
    if NAMES & {word.lower() for word in _WORD.findall(name)}:
        return "another number in every row, and its name"
    steps = np.diff(values.astype(float))
    in_order = bool((steps > 0).all() or (steps < 0).all())
    low, high = float(values.min()), float(values.max())
    counts = len(values) >= FEWEST_COUNTED * (high - low + 1)
    are_years = low >= YEARS[0] and high <= YEARS[1]
    return "numbers that count the rows" if in_order and counts and not are_years else ""
