"""The kinds of tables there are: arrays, pandas frames and polars frames.

All answer the questions of `curvewise.automl._components.table_blocks.Table`. pandas and polars are
imported only if they are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curvewise.automl._components.values import MICROSECONDS, coded

# What numpy's type codes mean; all else has to be looked at.
KINDS = {
    "b": "boolean",
    "f": "number",
    "i": "number",
    "u": "number",
    "M": "date",
    "m": "duration",
}
MANY = 1000
SECOND = np.timedelta64(1, "s")


class ArrayTable:
    """A table that is an array.

    Examples
    --------
    >>> table = ArrayTable(np.array([[1, "a"], [None, "b"]], dtype=object))
    >>> table.kinds, table.values(1)[1]
    (['object', 'object'], ['a', 'b'])
    """

    def __init__(self, X: Any) -> None:
        self._X = np.asarray(X)
        if self._X.dtype.kind == "c":
            raise ValueError("Complex data not supported: give real and imaginary part apart.")
        if self._X.ndim != 2:
            raise ValueError(
                f"Expected a table with rows and columns, got {self._X.ndim} dimension(s). "
                f"Reshape your data with X.reshape(-1, 1) if it has a single column."
            )
        self.names: list[str] | None = None
        self.n_rows, n_columns = self._X.shape
        self.kinds = [KINDS.get(self._X.dtype.kind, "object")] * n_columns

    def block(self, columns: Sequence[int]) -> np.ndarray:
        """Give columns as numbers."""
        if len(columns) == len(self.kinds):
            return np.array(self._X, dtype=float)
        return self._X[:, columns].astype(float)

    def durations(self, column: int) -> np.ndarray:
        """Give a column in seconds."""
        return _seconds(self._X[:, column])

    def dates(self, column: int) -> np.ndarray:
        """Give a column of dates."""
        return self._X[:, column].astype(MICROSECONDS)

    def values(self, column: int) -> tuple[np.ndarray, list[Any]]:
        """Give a column as codes and what they stand for."""
        return coded(self._X[:, column].tolist())


class PandasTable:
    """A table that is a pandas frame.

    Examples
    --------
    >>> import pandas as pd
    >>> table = PandasTable(pd.DataFrame({"age": [30, 40], "sex": ["f", None]}))
    >>> table.kinds, table.values(1)
    (['number', 'object'], (array([ 0, -1]), ['f']))
    """

    def __init__(self, X: Any) -> None:
        self._X = X
        if not X.columns.is_unique:
            name = X.columns[X.columns.duplicated()][0]
            raise ValueError(f"Columns need different names; {name!r} comes more than once.")
        self.names: list[str] | None = [str(name) for name in X.columns]
        self.n_rows = len(X)
        kinds = {dtype: _pandas_kind(dtype) for dtype in X.dtypes.unique()}
        self.kinds = [kinds[dtype] for dtype in X.dtypes]
        # Taking a column out of a frame takes longer than looking at a few hundred values.
        is_wide = self.kinds.count("object") > max(self.n_rows, MANY)
        self._wide = X.to_numpy(dtype=object) if is_wide else None

    def block(self, columns: Sequence[int]) -> np.ndarray:
        """Give columns as numbers."""
        part = self._X if len(columns) == len(self.kinds) else self._X.iloc[:, list(columns)]
        return np.array(part.to_numpy(dtype=float, na_value=np.nan))

    def durations(self, column: int) -> np.ndarray:
        """Give a column in seconds."""
        return _seconds(self._X.iloc[:, column].to_numpy())

    def dates(self, column: int) -> np.ndarray:
        """Give a column of dates."""
        series = self._X.iloc[:, column]
        if hasattr(series.dtype, "freq"):
            series = series.dt.to_timestamp()
        elif getattr(series.dt, "tz", None) is not None:
            series = series.dt.tz_localize(None)
        return series.to_numpy(dtype=MICROSECONDS)

    def values(self, column: int) -> tuple[np.ndarray, list[Any]]:
        """Give a column as codes and what they stand for."""
        if self._wide is not None and self.kinds[column] == "object":
            return coded(self._wide[:, column].tolist())
        series = self._X.iloc[:, column]
        if hasattr(series, "cat"):
            return np.asarray(series.cat.codes, dtype=np.intp), list(series.cat.categories)
        try:
            codes, distinct = series.factorize()
        except TypeError:
            return coded(series.tolist())
        return np.asarray(codes, dtype=np.intp), list(distinct)


class PolarsTable:
    """A table that is a polars frame.

    Examples
    --------
    >>> import polars as pl
    >>> table = PolarsTable(pl.DataFrame({"age": [30, 40], "sex": ["f", None]}))
    >>> table.kinds, table.values(1)
    (['number', 'object'], (array([ 0, -1]), ['f']))
    """

    def __init__(self, X: Any) -> None:
        self._X = X
        self.names: list[str] | None = list(X.columns)
        self.n_rows = X.height
        self.kinds = [_polars_kind(dtype) for dtype in X.dtypes]

    def block(self, columns: Sequence[int]) -> np.ndarray:
        """Give columns as numbers."""
        import polars as pl

        part = self._X[:, list(columns)]
        return np.array(part.with_columns(pl.all().cast(pl.Float64)).to_numpy(), dtype=float)

    def durations(self, column: int) -> np.ndarray:
        """Give a column in seconds."""
        import polars as pl

        series = self._X.to_series(column)
        if series.dtype == pl.Time:
            return series.cast(pl.Int64).cast(pl.Float64).to_numpy() / 1e9
        return series.dt.total_microseconds().cast(pl.Float64).to_numpy() / 1e6

    def dates(self, column: int) -> np.ndarray:
        """Give a column of dates."""
        import polars as pl

        series = self._X.to_series(column)
        if getattr(series.dtype, "time_zone", None):
            series = series.dt.replace_time_zone(None)
        return series.cast(pl.Datetime("us")).to_numpy().astype(MICROSECONDS)

    def values(self, column: int) -> tuple[np.ndarray, list[Any]]:
        """Give a column as codes and what they stand for."""
        return coded(self._X.to_series(column).to_list())


def _seconds(durations: np.ndarray) -> np.ndarray:
    return durations / SECOND


def _pandas_kind(dtype: Any) -> str:
    if hasattr(dtype, "categories"):
        return "category"
    if hasattr(dtype, "freq"):
        return "date"
    if dtype.kind == "c":
        raise ValueError("Complex data not supported: give real and imaginary part apart.")
    return KINDS.get(dtype.kind, "object")


def _polars_kind(dtype: Any) -> str:
    name = str(dtype).partition("(")[0]
    if dtype.is_numeric():
        return "number"
    known = {
        "Boolean": "boolean",
        "Categorical": "category",
        "Date": "date",
        "Datetime": "date",
        "Duration": "duration",
        "Enum": "category",
        "Time": "duration",
    }
    return known.get(name, "object")
