"""Values of a column that no type describes: what they are, and what they mean.

A column of objects or text is looked at through its distinct values. Rules:

1. All truth values: a boolean. All numbers, or text that reads as numbers: a number; ``"01234"``
   with its leading zero is a code, though. All dates, or text in ISO form: a date.
2. Anything else, and any mixture, is a category; its levels are the values as text.
3. None, NaN, NaT and pandas' NA are missing, never values.
"""

from __future__ import annotations

import datetime
import re
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

BOOLEANS = (bool, np.bool_)
NUMBERS = (bool, int, float, Decimal, np.bool_, np.integer, np.floating)
DATES = (datetime.date, np.datetime64)
NUMBER = re.compile(r"\s*[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*", re.ASCII)
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?", re.ASCII)
MICROSECONDS = "datetime64[us]"


def coded(values: Iterable[Any]) -> tuple[np.ndarray, list[Any]]:
    """Number the distinct values in the order in which they come; missing ones get -1.

    Examples
    --------
    >>> codes, values = coded(["b", None, "a", "b"])
    >>> codes.tolist(), values
    ([0, -1, 1, 0], ['b', 'a'])
    """
    values = list(values)
    nothing = getattr(sys.modules.get("pandas"), "NA", None)
    try:
        return _numbered(values, nothing)
    except (TypeError, ValueError):  # Lists, arrays and the like.
        return _numbered([None if one is None else str(one) for one in values], nothing)


def kind_of(values: Sequence[Any]) -> str:
    """Say what values are: ``boolean``, ``number``, ``date`` or ``category``.

    Examples
    --------
    >>> kind_of([1, 2.5]), kind_of(["1", "2.5"]), kind_of(["01", "02"]), kind_of([1, "a"])
    ('number', 'number', 'category', 'category')
    >>> kind_of(["2024-02-29", "2024-03-01 12:30"])
    'date'
    """
    types = set(map(type, values))
    if not types:
        return "category"
    for kind, known in (("boolean", BOOLEANS), ("number", NUMBERS), ("date", DATES)):
        if all(issubclass(one, known) for one in types):
            return kind
    if not all(issubclass(one, str) for one in types):
        return "category"
    if all(NUMBER.fullmatch(one) for one in values):
        return "number"
    if all(DATE.fullmatch(one) for one in values) and not np.isnat(as_dates(values)).any():
        return "date"
    return "category"


def as_numbers(values: Sequence[Any]) -> np.ndarray:
    """Read values as numbers; what is none becomes missing.

    Examples
    --------
    >>> as_numbers(["1.5", True, "many"])
    array([1.5, 1. , nan])
    """
    return np.array([_number(one) for one in values], dtype=float)


def as_dates(values: Sequence[Any]) -> np.ndarray:
    """Read values as dates by the wall clock; what is none becomes missing.

    Examples
    --------
    >>> as_dates(["2024-02-29", "2024-02-30"])
    array(['2024-02-29T00:00:00.000000',                        'NaT'], dtype='datetime64[us]')
    """
    return np.array([_date(one) for one in values], dtype=MICROSECONDS)


def as_text(value: Any) -> str:
    """Give a level its name; a whole number reads the same whatever its type.

    Examples
    --------
    >>> as_text(3.0), as_text(3), as_text("3")
    ('3', '3', '3')
    """
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
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
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def _date(value: Any) -> np.datetime64:
    try:
        if isinstance(value, datetime.datetime):
            value = value.replace(tzinfo=None)
        elif isinstance(value, str) and not DATE.fullmatch(value):
            return np.datetime64("NaT")
        return np.datetime64(value).astype(MICROSECONDS)
    except (TypeError, ValueError, OverflowError):
        return np.datetime64("NaT")
