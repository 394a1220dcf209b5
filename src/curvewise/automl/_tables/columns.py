"""Columns: each gets the type of its kind, whichever format it came from.

Infinite values become missing, decimals and durations (in seconds) floats, booleans with missing
cells 1.0, 0.0 and missing; texts become dates if all of them are ISO 8601 dates, and dates lose
their zone. A text column of numbers with a few exceptions, as ``unknown`` amid ages, stays text: a
note names one of them. Lists, structures and raw bytes are left out.
"""

from __future__ import annotations

import decimal
import re
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.automl._tables.column_names import listed, quoted
from curvewise.automl._tables.dialect import is_number
from curvewise.automl._tables.kinds import as_text, kind_of, text_of
from curvewise.automl._tables.packages import require

if TYPE_CHECKING:
    import pandas as pd

_LOOKED_AT = 20
_WIDE = 1_000
_ISO_DATE = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_NESTED = (list, tuple, set, dict, np.ndarray, bytes, bytearray, memoryview)


def tidy(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Give every column the type of its kind.

    Examples
    --------
    >>> import pandas as pd
    >>> frame, notes = tidy(pd.DataFrame({"day": ["2024-01-31", "2024-02-01"], "x": [[1], [2]]}))
    >>> [kind_of(dtype) for dtype in frame.dtypes]
    ['date']
    >>> print(notes[0])
    Left out, because no numbers, dates or text can be made of it: 'x'.
    """
    changed: dict[int, Any] = {}
    notes = []
    left_out, mixed = [], []
    for i, dtype in enumerate(frame.dtypes):
        if getattr(dtype, "kind", "O") in "biuf" and isinstance(dtype, np.dtype):
            continue
        column = frame.iloc[:, i]
        new = _convert(column)
        if new is None:
            left_out.append(i)
        elif new is not column:
            changed[i] = new
        if new is not None and dtype.name != "category" and kind_of(new.dtype) == "text":
            stray = _stray(new)
            if stray:
                mixed.append(f"Column {quoted(frame.columns[i])} is text, but {stray}.")
    infinite = _infinite(frame)
    changed |= infinite
    if infinite:
        names = listed(frame.columns[sorted(infinite)])
        notes.append(f"Infinite values are taken as missing: {names}.")
    if left_out:
        names = listed(frame.columns[left_out])
        what = "them" if len(left_out) > 1 else "it"
        notes.append(f"Left out, because no numbers, dates or text can be made of {what}: {names}.")
    notes += mixed[:5] + ([f"So are {len(mixed) - 5} more columns."] if len(mixed) > 5 else [])
    return assemble(frame, changed, left_out=set(left_out)), notes


def assemble(
    frame: pd.DataFrame, changed: Mapping[int, Any], *, left_out: Set[int] = frozenset()
) -> pd.DataFrame:
    """Put other columns in place of some, at once: one by one is slow if there are many.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [1], "b": [2], "c": [3]})
    >>> assemble(frame, {0: pd.Series(["x"])}, left_out={1}).to_dict("list")
    {'a': ['x'], 'c': [3]}
    """
    if not changed and not left_out:
        return frame
    kept = [i for i in range(frame.shape[1]) if i not in left_out]
    arrays = {i: (changed[i] if i in changed else frame.iloc[:, i]).array for i in kept}
    new = require("pandas").DataFrame(arrays, index=frame.index, copy=False)
    new.columns = frame.columns[kept]
    return new


def _convert(column: pd.Series) -> Any:
    """Return the column, or one of a better type, or None if there is none."""
    pandas = require("pandas")
    types = pandas.api.types
    dtype = column.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return _text_categories(column)
    if isinstance(dtype, pandas.SparseDtype):
        return _convert(column.sparse.to_dense())
    if types.is_datetime64_any_dtype(dtype):
        return column if dtype.kind == "M" and not hasattr(dtype, "tz") else _without_zone(column)
    if types.is_timedelta64_dtype(dtype):
        return column.dt.total_seconds()
    if types.is_bool_dtype(dtype):
        return column.astype("float64" if column.isna().any() else bool)
    if types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype):
        whole = types.is_integer_dtype(dtype) and not column.isna().any()
        return column.astype("int64" if whole else "float64")
    if dtype.kind == "O" and isinstance(dtype, np.dtype):
        return _convert_objects(column)
    return _dates(column)


def _convert_objects(column: pd.Series) -> Any:
    pandas = require("pandas")
    values = column[column.notna()]
    if not len(values):
        return column.astype("float64")
    found = pandas.api.types.infer_dtype(values, skipna=True)
    if found == "string":
        return _dates(column)
    if found == "boolean":
        return column.astype("float64" if len(values) < len(column) else bool)
    if found in {"date", "datetime", "datetime64"}:
        return _without_zone(pandas.to_datetime(column, errors="coerce", utc=True))
    types = set(map(type, values))
    if types <= {int, float, bool, decimal.Decimal} or all(
        issubclass(kind, (np.integer, np.floating)) for kind in types
    ):
        return pandas.to_numeric(column.astype("float64"))
    if any(issubclass(kind, _NESTED) for kind in types):
        return None
    return as_text(column)


def _text_categories(column: pd.Series) -> Any:
    categories = column.cat.categories
    if all(isinstance(category, str) for category in categories):
        return column
    texts = [text_of(category) for category in categories]
    return column.cat.rename_categories(texts) if len(set(texts)) == len(texts) else as_text(column)


def _dates(column: pd.Series) -> Any:
    head = _head(column)
    if not head or not all(map(_ISO_DATE.fullmatch, head)):
        return column
    dates = require("pandas").to_datetime(column, format="ISO8601", errors="coerce", utc=True)
    return _without_zone(dates) if dates.notna().eq(column.notna()).all() else column


def _head(column: pd.Series) -> list[str]:
    """Return the first texts: enough to tell that a column is not worth a closer look."""
    values = column.array[: 10 * _LOOKED_AT].tolist()
    return [value for value in values if isinstance(value, str)][:_LOOKED_AT]


def _without_zone(dates: pd.Series) -> Any:
    return dates.dt.tz_convert("UTC").dt.tz_localize(None) if dates.dt.tz is not None else dates


def _stray(column: pd.Series) -> str:
    """Say which text stands amid numbers; "" if the column is text all along."""
    head = _head(column)
    if 2 * sum(map(is_number, head)) <= len(head):
        return ""
    values = column.dropna()
    strays = values[require("pandas").to_numeric(values, errors="coerce").isna()]
    if not len(strays):
        return "all of its values are numbers"
    return (
        f"{len(values) - len(strays):,} of its {len(values):,} values are numbers; "
        f"{quoted(strays.iloc[0])} is not"
    )


def _infinite(frame: pd.DataFrame) -> dict[int, Any]:
    floats = [i for i, dtype in enumerate(frame.dtypes) if getattr(dtype, "kind", "") == "f"]
    if len(floats) > _WIDE:
        found = np.isinf(frame.iloc[:, floats].to_numpy()).any(axis=0)
        floats = [i for i, infinite in zip(floats, found, strict=True) if infinite]
    changed = {}
    for i in floats:
        infinite = np.isinf(frame.iloc[:, i].to_numpy(dtype="float64"))
        if infinite.any():
            changed[i] = frame.iloc[:, i].where(~infinite)
    return changed
