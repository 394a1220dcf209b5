"""Reading what a store notes, field by field, and refusing what has another form.

A store may come from a stranger: nothing is taken over but finite numbers in their bounds, short
text on one line, and lists that are no longer than they should be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from curvewise._text import cut, one_line

LONGEST = 60
LONGEST_SENTENCE = 400
LARGEST = 1e300

Value = TypeVar("Value")


class UnexpectedNoteError(ValueError):
    """What was noted does not have the form that it should have."""


def mapping(value: Any) -> Mapping[str, Any]:
    """Give a dictionary."""
    if not isinstance(value, Mapping):
        raise UnexpectedNoteError
    return value


def items(value: Any, read: Callable[[Any], Value], *, most: int, fewest: int = 0) -> list[Value]:
    """Give the items of a list, each as it is read."""
    if not isinstance(value, list) or not fewest <= len(value) <= most:
        raise UnexpectedNoteError
    return [read(item) for item in value]


def numbers(value: Any, n: int) -> list[float]:
    """Give so many numbers."""
    return items(value, number, most=n, fewest=n)


def number(value: Any) -> float:
    """Give a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnexpectedNoteError
    try:
        found = float(value)
    except OverflowError:
        raise UnexpectedNoteError from None
    if not math.isfinite(found) or abs(found) > LARGEST:
        raise UnexpectedNoteError
    return found


def optional(value: Any) -> float | None:
    """Give a number, or None if there is none."""
    return None if value is None else number(value)


def share(value: Any) -> float:
    """Give a number from 0 to 1."""
    found = number(value)
    if not 0 <= found <= 1:
        raise UnexpectedNoteError
    return found


def optional_share(value: Any) -> float | None:
    """Give a number from 0 to 1, or None if there is none."""
    return None if value is None else share(value)


def count(value: Any) -> int:
    """Give a number of things."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise UnexpectedNoteError
    return value


def text(value: Any) -> str:
    """Give short text on one line."""
    if not isinstance(value, str):
        raise UnexpectedNoteError
    return cut(one_line(value), LONGEST)


def sentence(value: Any) -> str:
    """Give a sentence or two."""
    if not isinstance(value, str):
        raise UnexpectedNoteError
    return cut(one_line(value), LONGEST_SENTENCE)


def fields(value: Any, **readers: Callable[[Any], Any]) -> dict[str, Any]:
    """Give some fields of a dictionary, each as it is read; what else it has is left out."""
    found = mapping(value)
    return {name: read(found.get(name)) for name, read in readers.items()}


def or_none(read: Callable[[Any], Value], value: Any) -> Value | None:
    """Read something that need not be there; None if it has another form."""
    try:
        return read(value)
    except UnexpectedNoteError:
        return None


def same_length(*lists: Sequence[Any] | None) -> None:
    """Refuse lists that belong together and have different lengths."""
    if len({len(each) for each in lists if each is not None}) > 1:
        raise UnexpectedNoteError
