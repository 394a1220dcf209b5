"""Kinds of columns: what a table must have in common with the rows that are predicted later.

===========  ==============================================================
``number``   integers and floats; durations in seconds
``boolean``  bool, or pandas' nullable ``boolean`` if cells are missing
``date``     datetime64, in UTC and without a zone
``text``     text, and categories of text
===========  ==============================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.automl._components.column_kinds import read_numbers
from curvewise.automl._components.frames import KINDS, open_frame
from curvewise.automl._components.values import as_text
from curvewise.automl._tables.packages import require

if TYPE_CHECKING:
    import pandas as pd

_EMPTY = {"text": object, "date": "datetime64[us]"}


def kind_of(dtype: Any) -> str:
    """Name the kind of a tidy column by its type."""
    return KINDS.get(getattr(dtype, "kind", "O"), "text")


def as_kind(column: pd.Series, kind: str) -> Any:
    """Bring a tidy column to the kind that it had in another table; None if it cannot be."""
    own = kind_of(column.dtype)
    if own == kind or {own, kind} == {"boolean", "number"}:
        return column
    if column.isna().all():
        nothing = require("pandas").Series([None] * len(column), index=column.index, dtype=object)
        return nothing.astype(_EMPTY.get(kind, "float64"))
    if kind == "text":
        return as_texts(column)
    if kind == "date" or own == "date":
        return None
    numbers = read_numbers(open_frame(column.to_frame()), [0])[:, 0]
    if (np.isnan(numbers) & column.notna().to_numpy()).any():
        return None
    return require("pandas").Series(numbers, index=column.index)


def as_texts(column: pd.Series) -> Any:
    """Make texts of a column's values; whole numbers look whole even if they became floats."""
    values = column.astype(object)
    return values.where(values.isna(), values.map(as_text)).where(values.notna(), None)
