"""Tables of whatever kind, asked column by column or in blocks.

Arrays, sparse matrices, pandas and polars frames answer the same questions: what the columns are
called, of which kinds they are, and what they hold as numbers, dates or coded values. Columns are
known by position. pandas and polars are recognised by what they can do, and imported only if they
are there.

A file, a frame and an array of objects that hold the same are typed the same, because all of them
are typed by `find_kinds`: when `curvewise.automl.read_table` reads a file, and when
`curvewise.automl.TablePreparation` gets a frame. A type that says enough decides; of objects and
text the values do (`values.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from curvewise.automl._components.values import (
    MICROSECONDS,
    SECOND,
    as_dates,
    as_numbers,
    coded,
    kind_of_values,
    order_of,
)

# What numpy's type codes mean; all else has to be looked at.
KINDS = {
    "b": "boolean",
    "f": "number",
    "i": "number",
    "u": "number",
    "M": "date",
    "m": "duration",
}
POLARS_KINDS = {
    "Boolean": "boolean",
    "Categorical": "category",
    "Date": "date",
    "Datetime": "date",
    "Duration": "duration",
    "Enum": "category",
    "Time": "duration",
}
ONE_BLOCK = {"number", "boolean"}
# What the calendar and the clock say comes again; the days since 1970 let a model see time go by.
PARTS = ("year", "month", "day", "weekday", "hour", "days")
MANY = 1000
COMPLEX = "Complex data not supported: give real and imaginary part apart."


def open_frame(X: Any) -> Frame:
    """Give a frame that can be asked, whatever it is made of."""
    if sparse.issparse(X):
        return SparseFrame(X)
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        return PandasFrame(X)
    if hasattr(X, "columns") and hasattr(X, "to_series"):
        return PolarsFrame(X)
    return Frame(X)


class Frame:
    """An array, and what every frame can be asked."""

    def __init__(self, X: Any) -> None:
        self._X: Any = np.asarray(X)
        if self._X.dtype.kind == "c":
            raise ValueError(COMPLEX)
        if self._X.ndim != 2:
            raise ValueError(
                f"Expected a table with rows and columns, got {self._X.ndim} dimension(s). "
                f"Reshape your data with X.reshape(-1, 1) if it has a single column."
            )
        kind = KINDS.get(self._X.dtype.kind, "object")
        self._describe(None, self._X.shape[0], [kind] * self._X.shape[1])

    def _describe(self, names: list[str] | None, n_rows: int, kinds: list[str]) -> None:
        self.names = names
        self.n_rows = n_rows
        self.kinds = kinds
        self._coded: dict[int, tuple[np.ndarray, list[Any]]] = {}

    def block(self, columns: Sequence[int]) -> np.ndarray:
        """Give columns of numbers and truth values as numbers."""
        if len(columns) == len(self.kinds):
            return np.array(self._X, dtype=float)
        return self._X[:, columns].astype(float)

    def durations(self, column: int) -> np.ndarray:
        """Give a column of durations in seconds."""
        return self._column(column) / SECOND

    def dates(self, column: int) -> np.ndarray:
        """Give a column of dates in UTC."""
        return self._column(column).astype(MICROSECONDS)

    def values(self, column: int) -> tuple[np.ndarray, list[Any]]:
        """Give a column as codes, -1 for missing, and what they stand for."""
        if column not in self._coded:
            self._coded[column] = self._code(column)
        return self._coded[column]

    def _column(self, column: int) -> Any:
        return self._X[:, column]

    def _code(self, column: int) -> tuple[np.ndarray, list[Any]]:
        return coded(self._column(column).tolist())


class SparseFrame(Frame):
    """A sparse matrix: all of it are numbers, and stay sparse."""

    def __init__(self, X: Any) -> None:
        if X.dtype.kind == "c":
            raise ValueError(COMPLEX)
        self._X = sparse.csc_array(X, dtype=float, copy=True)
        self._X.sum_duplicates()
        self._describe(None, X.shape[0], ["number"] * X.shape[1])

    def block(self, columns: Sequence[int]) -> Any:
        return self._X if len(columns) == len(self.kinds) else self._X[:, columns]


class PandasFrame(Frame):
    """A pandas frame."""

    def __init__(self, X: Any) -> None:
        if not X.columns.is_unique:
            name = X.columns[X.columns.duplicated()][0]
            raise ValueError(f"Columns need different names; {name!r} comes more than once.")
        self._X = X
        kinds = {dtype: _pandas_kind(dtype) for dtype in X.dtypes.unique()}
        self._describe(list(map(str, X.columns)), len(X), [kinds[dtype] for dtype in X.dtypes])
        # Taking a column out of a frame takes longer than looking at a few hundred values.
        is_wide = self.kinds.count("object") > max(self.n_rows, MANY)
        self._wide = X.to_numpy(dtype=object) if is_wide else None

    def block(self, columns: Sequence[int]) -> np.ndarray:
        part = self._X if len(columns) == len(self.kinds) else self._X.iloc[:, list(columns)]
        return np.array(part.to_numpy(dtype=float, na_value=np.nan))

    def durations(self, column: int) -> np.ndarray:
        return self._X.iloc[:, column].to_numpy(dtype="timedelta64[ns]") / SECOND

    def dates(self, column: int) -> np.ndarray:
        series = self._X.iloc[:, column]
        if hasattr(series.dtype, "freq"):
            series = series.dt.to_timestamp()
        elif getattr(series.dt, "tz", None) is not None:
            series = series.dt.tz_convert("UTC").dt.tz_localize(None)
        return series.to_numpy(dtype=MICROSECONDS)

    def _code(self, column: int) -> tuple[np.ndarray, list[Any]]:
        if self._wide is not None and self.kinds[column] == "object":
            return coded(self._wide[:, column].tolist())
        series = self._X.iloc[:, column]
        if hasattr(series, "cat"):
            return np.asarray(series.cat.codes, dtype=np.intp), list(series.cat.categories)
        try:
            codes, distinct = series.factorize()
        except TypeError:
            return coded(series.tolist())
        # An index of arrow's texts is slow to walk through.
        return np.asarray(codes, dtype=np.intp), np.asarray(distinct, dtype=object).tolist()


class PolarsFrame(Frame):
    """A polars frame."""

    def __init__(self, X: Any) -> None:
        self._X = X
        self._describe(list(X.columns), X.height, [_polars_kind(dtype) for dtype in X.dtypes])

    def block(self, columns: Sequence[int]) -> np.ndarray:
        import polars as pl

        return np.array(self._X[:, list(columns)].cast(pl.Float64).to_numpy(), dtype=float)

    def _column(self, column: int) -> Any:
        series = self._X.to_series(column)
        if str(series.dtype) == "Time":
            import polars as pl

            nanoseconds = series.cast(pl.Int64).cast(pl.Float64).to_numpy()
            return nanoseconds * np.timedelta64(1, "ns")
        return series.to_numpy()

    def _code(self, column: int) -> tuple[np.ndarray, list[Any]]:
        return coded(self._X.to_series(column).to_list())


def find_kinds(frame: Frame) -> list[str]:
    """Say of each column: ``number``, ``boolean``, ``duration``, ``date`` or ``category``."""
    return [
        kind_of_values(frame.values(column)[1]) if kind == "object" else kind
        for column, kind in enumerate(frame.kinds)
    ]


def read_numbers(frame: Frame, columns: Sequence[int]) -> np.ndarray:
    """Read columns as numbers, whatever they are now; what is none is missing."""
    kinds = [frame.kinds[column] for column in columns]
    if all(kind in ONE_BLOCK for kind in kinds):
        return frame.block(columns)
    numbers = np.empty((frame.n_rows, len(columns)))
    block = [place for place, kind in enumerate(kinds) if kind in ONE_BLOCK]
    if block:
        numbers[:, block] = frame.block([columns[place] for place in block])
    for place, kind in enumerate(kinds):
        if kind == "duration":
            numbers[:, place] = frame.durations(columns[place])
        elif kind not in ONE_BLOCK:
            codes, values = frame.values(columns[place])
            numbers[:, place] = np.append(as_numbers(values), np.nan)[codes]
    return numbers


def date_order(frame: Frame, column: int) -> str:
    """Give the order in which a column has day and month, "" if there is only one."""
    return order_of(frame.values(column)[1]) if frame.kinds[column] == "object" else ""


def read_dates(frame: Frame, column: int, order: str = "") -> np.ndarray:
    """Read a column as dates in UTC, written ones in their order; what is none is missing."""
    if frame.kinds[column] == "date":
        return frame.dates(column)
    codes, values = frame.values(column)
    return np.append(as_dates(values, order), np.datetime64("NaT"))[codes]


def read_date_parts(frame: Frame, column: int, order: str = "") -> np.ndarray:
    """Read a column as dates, and give a column for each part; missing dates have missing parts."""
    dates = read_dates(frame, column, order)
    missing = np.isnat(dates)
    known = np.where(missing, np.datetime64(0, "us"), dates)
    days = known.astype("datetime64[D]")
    months = known.astype("datetime64[M]")
    years = known.astype("datetime64[Y]")
    parts = np.column_stack(
        [
            years.astype(int) + 1970,
            months.astype(int) % 12 + 1,
            (days - months).astype(int) + 1,
            (days.astype(int) + 3) % 7,  # 1970 began on a Thursday.
            (known - days) / np.timedelta64(1, "h"),
            known.astype(int) / 86_400e6,
        ]
    ).astype(float)
    parts[missing] = np.nan
    return parts


def _pandas_kind(dtype: Any) -> str:
    if hasattr(dtype, "categories"):
        return "category"
    if hasattr(dtype, "freq"):
        return "date"
    if dtype.kind == "c":
        raise ValueError(COMPLEX)
    return KINDS.get(dtype.kind, "object")


def _polars_kind(dtype: Any) -> str:
    name = str(dtype).partition("(")[0]
    return "number" if dtype.is_numeric() else POLARS_KINDS.get(name, "object")
