"""Values of a column that no type describes: what they are, and what they mean.

A column of objects or text is looked at through its distinct values. Rules, for files and for
frames alike:

1. All truth values, or the words true and false: a boolean.
2. All numbers, or text that reads as numbers: a number. ``"01234"`` with its leading zero is a
   code, though, not a number.
3. All dates, or text in ISO form (``2024-01-31``, ``2024-01-31T10:00Z``), or all in one of the
   forms in which people write dates (`written_dates.py`): a date. Those with a zone become UTC,
   those without are taken as they are.
4. All durations or times of the day: a duration, in seconds.
5. Anything else, and any mixture, is a category; its levels are the values as text.
6. None, NaN, NaT and pandas' NA are missing, never values.
"""

from __future__ import annotations

import datetime
import re
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from curvewise.automl._components.written_dates import (
    COMPACT,
    as_compact,
    find_writing,
    read_date,
)

BOOLEANS = (bool, np.bool_)
NUMBERS = (bool, int, float, Decimal, np.bool_, np.integer, np.floating)
DATES = (datetime.date, np.datetime64)
DURATIONS = (datetime.timedelta, datetime.time, np.timedelta64)
KINDS = {"boolean": BOOLEANS, "number": NUMBERS, "date": DATES, "duration": DURATIONS}
WORDS = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0}
NUMBER = re.compile(
    r"\s*[+-]?(?:(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?)\s*",
    re.ASCII | re.IGNORECASE,
)
DATE = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?:[ T]\d\d(?::\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
SECOND = np.timedelta64(1, "s")
MICROSECONDS = "datetime64[us]"


def coded(values: Iterable[Any]) -> tuple[np.ndarray, list[Any]]:
    """Number the distinct values in the order in which they come; missing ones get -1."""
    values = list(values)
    nothing = getattr(sys.modules.get("pandas"), "NA", None)
    try:
        return _numbered(values, nothing)
    except (TypeError, ValueError):  # Lists, arrays and the like.
        return _numbered([None if one is None else str(one) for one in values], nothing)


def kind_of_values(values: Sequence[Any]) -> str:
    """Say what values are: ``boolean``, ``number``, ``date``, ``duration`` or ``category``."""
    types = set(map(type, values))
    if not types:
        return "category"
    for kind, known in KINDS.items():
        if all(issubclass(one, known) for one in types):
            return kind
    if not all(issubclass(one, str) for one in types):
        return "category"
    if all(one in WORDS for one in values):
        return "boolean"
    if all(NUMBER.fullmatch(one) for one in values):
        return "number"
    if all(DATE.fullmatch(one) for one in values) and not np.isnat(as_dates(values)).any():
        return "date"
    return "category" if find_writing(values) is None else "date"


def as_numbers(values: Sequence[Any]) -> np.ndarray:
    """Read values as numbers, durations in seconds; what is none becomes missing."""
    return np.array([_number(one) for one in values], dtype=float)


def as_dates(values: Sequence[Any], order: str = "") -> np.ndarray:
    """Read values as dates in UTC, written ones in their order; what is none becomes missing."""
    return np.array([_date(one, order) for one in values], dtype=MICROSECONDS)


def order_of(values: Sequence[Any]) -> str:
    """Give the order in which day and month are written, "" if there is only one."""
    texts = [one for one in values if isinstance(one, str)]
    writing = find_writing(texts) if len(texts) == len(values) else None
    return "" if writing is None else writing.order


def as_text(value: Any) -> str:
    """Give a level its name; a whole number reads the same whatever its type."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return str(value)


def _numbered(values: list[Any], nothing: Any) -> tuple[np.ndarray, list[Any]]:
    seen: dict[Any, int] = {}
    codes = [
        # Only NaN and its kin differ from themselves.
        -1 if one is None or one is nothing or one != one else seen.setdefault(one, len(seen))
        for one in values
    ]
    return np.array(codes, dtype=np.intp), list(seen)


def _number(value: Any) -> float:
    if isinstance(value, datetime.time):
        minutes = 60 * value.hour + value.minute
        return 60 * minutes + value.second + value.microsecond / 1e6
    if isinstance(value, datetime.timedelta | np.timedelta64):
        return float(value / SECOND)
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return WORDS.get(value, np.nan) if isinstance(value, str) else np.nan


def _date(value: Any, order: str = "") -> np.datetime64:
    try:
        if order == COMPACT and not isinstance(value, datetime.date | np.datetime64):
            value = as_compact(value)
        elif isinstance(value, str):
            iso = DATE.fullmatch(value)
            value = datetime.datetime.fromisoformat(value) if iso else read_date(value, order)
        if isinstance(value, datetime.datetime) and value.tzinfo is not None:
            value = value.astimezone(datetime.UTC).replace(tzinfo=None)
        return np.datetime64(value).astype(MICROSECONDS)
    except (TypeError, ValueError, OverflowError):
        return np.datetime64("NaT")
