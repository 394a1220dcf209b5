"""Tables of whatever kind, read column by column or in blocks.

Arrays, pandas and polars frames answer the same questions: what the columns are called, what their
types say, and what they hold as numbers, dates or coded values. Columns are known by position.
pandas and polars are recognised by what they can do (`frames.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from curvewise.automl._components.frames import ArrayTable, PandasTable, PolarsTable
from curvewise.automl._components.values import as_dates, as_numbers

ONE_BLOCK = {"number", "boolean"}


class Table(Protocol):
    """What a table can be asked."""

    names: list[str] | None
    kinds: list[str]
    n_rows: int

    def block(self, columns: Sequence[int]) -> np.ndarray:
        """Give columns of numbers and truth values as numbers."""

    def durations(self, column: int) -> np.ndarray:
        """Give a column of durations in seconds."""

    def dates(self, column: int) -> np.ndarray:
        """Give a column of dates by the wall clock."""

    def values(self, column: int) -> tuple[np.ndarray, list[Any]]:
        """Give a column as codes, -1 for missing, and what they stand for."""


def open_table(X: Any) -> Table:
    """Give a table that can be asked, whatever it is made of.

    Examples
    --------
    >>> open_table([[1.0, 2.0]]).kinds
    ['number', 'number']
    """
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        return PandasTable(X)
    if hasattr(X, "columns") and hasattr(X, "to_series"):
        return PolarsTable(X)
    return ArrayTable(X)


def read_numbers(table: Table, columns: Sequence[int]) -> np.ndarray:
    """Read columns as numbers, whatever they are now; what is none is missing.

    Examples
    --------
    >>> read_numbers(open_table(np.array([["1.5", "x"]], dtype=object)), [0, 1])
    array([[1.5, nan]])
    """
    kinds = [table.kinds[column] for column in columns]
    if all(kind in ONE_BLOCK for kind in kinds):
        return table.block(columns)
    numbers = np.empty((table.n_rows, len(columns)))
    block = [place for place, kind in enumerate(kinds) if kind in ONE_BLOCK]
    if block:
        numbers[:, block] = table.block([columns[place] for place in block])
    for place, kind in enumerate(kinds):
        if kind == "duration":
            numbers[:, place] = table.durations(columns[place])
        elif kind not in ONE_BLOCK:
            codes, values = table.values(columns[place])
            numbers[:, place] = np.append(as_numbers(values), np.nan)[codes]
    return numbers


def read_dates(table: Table, column: int) -> np.ndarray:
    """Read a column as dates; what is none is missing.

    Examples
    --------
    >>> read_dates(open_table([["2024-02-29"]]), 0)
    array(['2024-02-29T00:00:00.000000'], dtype='datetime64[us]')
    """
    if table.kinds[column] == "date":
        return table.dates(column)
    codes, values = table.values(column)
    return np.append(as_dates(values), np.datetime64("NaT"))[codes]
