"""Kinds of columns: what a table must have in common with the rows that are predicted later.

===========  ==========================================================
``number``   integers and floats
``boolean``  bool; with missing cells it is a ``number``
``date``     datetime64, without a zone
``text``     text, and categories of text
===========  ==========================================================
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.automl._tables.packages import require

if TYPE_CHECKING:
    import pandas as pd


def kind_of(dtype: Any) -> str:
    """Name the kind of a column by its type.

    Examples
    --------
    >>> kind_of(np.dtype("float32")), kind_of(np.dtype("bool")), kind_of(np.dtype("O"))
    ('number', 'boolean', 'text')
    """
    letter = getattr(dtype, "kind", "O")
    return {"b": "boolean", "i": "number", "u": "number", "f": "number", "M": "date"}.get(
        letter, "text"
    )


def as_kind(column: pd.Series, kind: str) -> pd.Series | None:
    """Bring a tidy column to the kind that it had in another table; None if it cannot be.

    Examples
    --------
    >>> import pandas as pd
    >>> as_kind(pd.Series([1.0, None]), "text").tolist()[0]
    '1'
    >>> as_kind(pd.Series(["a"]), "number") is None
    True
    """
    pandas = require("pandas")
    own = kind_of(column.dtype)
    if own == kind or {own, kind} == {"boolean", "number"}:
        return column
    if column.isna().all():
        target = {"number": "float64", "boolean": "float64", "date": "datetime64[ns]"}
        return pandas.Series([None] * len(column), index=column.index).astype(
            target.get(kind, object)
        )
    if kind == "text":
        return as_text(column)
    if kind == "date" or own == "date":
        return None
    numbers = pandas.to_numeric(column.astype(object), errors="coerce")
    return numbers if numbers.notna().eq(column.notna()).all() else None


def as_text(column: pd.Series) -> Any:
    """Make texts of a column's values; whole numbers look whole even if they became floats.

    Examples
    --------
    >>> import pandas as pd
    >>> as_text(pd.Series([1.0, 2.5])).tolist()
    ['1', '2.5']
    """
    values = column.astype(object)
    return values.where(values.isna(), values.map(text_of)).where(values.notna(), None)


def text_of(value: Any) -> str:
    """Show one value as text.

    Examples
    --------
    >>> text_of(3.0), text_of(datetime.datetime(2024, 1, 31))
    ('3', '2024-01-31T00:00:00')
    """
    if isinstance(value, (float, np.floating)) and np.isfinite(value) and value == int(value):
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return str(value)
