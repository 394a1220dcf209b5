"""Columns: each gets the type of its kind, whichever format it came from.

What a column is, `curvewise.automl._components.frames` says, as it does for a frame that is
handed over in Python. Infinite values become missing. A text column of numbers with a few
exceptions, as ``unknown`` amid ages, stays text, and so do codes with leading zeros: a note says
it. The types of columns, which a table must have in common with the rows that are predicted later:

===========  ==============================================================
``number``   integers and floats; durations in seconds
``boolean``  bool, or pandas' nullable ``boolean`` if cells are missing
``date``     datetime64, in UTC and without a zone
``text``     text, and categories of text
===========  ==============================================================
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from curvewise._packages import require
from curvewise.automl._components.frames import (
    KINDS,
    Frame,
    find_kinds,
    open_frame,
    read_dates,
    read_numbers,
)
from curvewise.automl._components.values import NUMBER, as_text
from curvewise.automl._tables.column_names import listed, quoted
from curvewise.automl._tables.date_columns import NO_DATES, DatesAsked, find_orders
from curvewise.automl._tables.dialect import is_number
from curvewise.automl._tables.warning_note import WarningNote, first_warnings

if TYPE_CHECKING:
    import pandas as pd

_LOOKED_AT = 20
_EMPTY = {"text": object, "date": "datetime64[us]"}


class Tidied(NamedTuple):
    """Columns of their kinds, what there is to say of them, and the orders of written dates."""

    frame: pd.DataFrame
    notes: list[str]
    date_orders: dict[str, str]


def tidy(
    frame: pd.DataFrame,
    *,
    verbatim: Container[str] = (),
    target: str | None = None,
    dates: DatesAsked = NO_DATES,
) -> Tidied:
    """Give every column the type of its kind; text stays text in the columns `verbatim`.

    Whoever wrote the values of the target as text means classes, even if they read as numbers.
    """
    asked = open_frame(frame)
    kinds = find_kinds(asked)
    if target is not None and _is_label(asked, kinds, place := frame.columns.get_loc(target)):
        kinds[place] = "category"
    orders, date_notes = find_orders(asked, kinds, dates, verbatim=verbatim)
    changed: dict[int, Any] = {}
    for i, (kind, dtype) in enumerate(zip(kinds, frame.dtypes, strict=True)):
        if isinstance(dtype, np.dtype) and dtype.kind in "biufM" and i not in orders:
            continue
        column = frame.iloc[:, i]
        is_text = frame.columns[i] in verbatim and asked.kinds[i] == "object"
        order = orders.get(i, "")
        new = as_texts(column) if is_text else _typed(column, asked, i, kind, order)
        if new is not column:
            changed[i] = new
    typed = assemble(frame, changed)
    infinite = _infinite(typed)
    notes = [*date_notes, *_notes_on_text(asked, kinds)]
    if infinite:
        which = listed(frame.columns[sorted(infinite)])
        notes = [WarningNote(f"Infinite values are taken as missing: {which}."), *notes]
    names = {str(frame.columns[i]): order for i, order in orders.items() if order}
    return Tidied(assemble(typed, infinite), notes, names)


def assemble(frame: pd.DataFrame, changed: Mapping[int, Any]) -> pd.DataFrame:
    """Put other columns in place of some, at once: one by one is slow if there are many."""
    if not changed:
        return frame
    arrays = {
        i: (changed[i] if i in changed else frame.iloc[:, i]).array for i in range(frame.shape[1])
    }
    new = require("pandas").DataFrame(arrays, index=frame.index, copy=False)
    new.columns = frame.columns
    return new


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


def _typed(column: pd.Series, asked: Frame, position: int, kind: str, order: str) -> Any:
    """Give a column of objects, or of a type that only pandas knows, the type of its kind."""
    if kind == "category":
        return _text(column, asked.values(position)[1])
    if kind == "date":
        return _series(read_dates(asked, position, order), column)
    if kind == "number" and column.dtype.kind in "iu" and not column.isna().any():
        return column.astype("int64")
    numbers = _series(read_numbers(asked, [position])[:, 0], column)
    if kind == "boolean":
        return numbers.astype("boolean" if numbers.isna().any() else bool)
    return numbers


def _is_label(asked: Frame, kinds: list[str], position: int) -> bool:
    """Tell text that reads as numbers."""
    if kinds[position] != "number" or asked.kinds[position] != "object":
        return False
    return all(isinstance(value, str) for value in asked.values(position)[1])


def _text(column: pd.Series, values: list[Any]) -> Any:
    if not values:
        return column if hasattr(column, "cat") else column.astype("float64")
    if all(isinstance(value, str) for value in values):
        return column
    texts = list(map(as_text, values))
    if hasattr(column, "cat") and len(set(texts)) == len(texts):
        return column.cat.rename_categories(texts)
    return as_texts(column)


def _series(values: np.ndarray, column: pd.Series) -> Any:
    return require("pandas").Series(values, index=column.index)


def _notes_on_text(asked: Frame, kinds: list[str]) -> list[str]:
    notes = []
    for i, name in enumerate(asked.names or []):
        if kinds[i] == "category" and asked.kinds[i] == "object":
            stray = _stray(*asked.values(i))
            notes += [f"Column {quoted(name)} is text, {stray}."] if stray else []
    return first_warnings(notes, "So are {} more columns")


def _stray(codes: np.ndarray, values: list[Any]) -> str:
    """Say what keeps a column of numbers from being one; "" if it is text all along."""
    known = codes[codes >= 0]
    head = [is_number(str(values[code])) for code in known[:_LOOKED_AT]]
    if 2 * sum(head) <= len(head):
        return ""
    are_numbers = np.array([is_number(str(value)) for value in values])
    if are_numbers.all():
        odd = [value for value in map(str, values) if not NUMBER.fullmatch(value)]
        reason = f"because some have leading zeros, as codes do: {quoted(odd[0])}" if odd else ""
        return reason or "though all of its values are numbers"
    stray = quoted(values[int(np.argmin(are_numbers))])
    n_numbers = np.count_nonzero(are_numbers[known])
    return f"but {n_numbers:,} of its {len(known):,} values are numbers; {stray} is not"


def _infinite(frame: pd.DataFrame) -> dict[int, Any]:
    floats = [i for i, dtype in enumerate(frame.dtypes) if getattr(dtype, "kind", "") == "f"]
    infinite = np.isinf(frame.iloc[:, floats].to_numpy(dtype="float64"))
    return {
        floats[place]: frame.iloc[:, floats[place]].where(~infinite[:, place])
        for place in np.flatnonzero(infinite.any(axis=0))
    }
