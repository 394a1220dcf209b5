"""Values of a store, checked where they are read.

A store may be damaged, or made by a stranger: SQLite keeps text and bytes in columns of numbers,
and JSON has any shape. What a `StoredRun` gives has passed through here: numbers are numbers and
within bounds, counts are not negative, texts are text, and candidates exist. Everything else is a
`StoreError` in one sentence that names the table and the row.

Whoever wrote a run may have measured whatever it likes, so that a loss can be NaN or infinite. What
cannot be in a store that curvewise wrote is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from curvewise._text import LONGEST_VALUE, cut
from curvewise.core._outcome import Candidate, Failure
from curvewise.errors import StoreError

T = TypeVar("T")

DAMAGED = "The store is damaged: "
# SQLite has no larger ones.
LARGEST_WHOLE = 2**63 - 1
# Squares of what is larger are not finite.
LARGEST_NUMBER = 1e150


def damaged(what: str) -> StoreError:
    """Make the error that a value is not what it should be."""
    return StoreError(f"{DAMAGED}{what}")


def shown(value: Any) -> str:
    """Write a value for a message: briefly, and without what a terminal would obey."""
    if isinstance(value, str | bytes):
        value = value[:LONGEST_VALUE]
    return cut(repr(value), LONGEST_VALUE)


def checked_rows(table: str, rows: Iterable[Sequence[Any]], read: Callable[..., T]) -> list[T]:
    """Read rows of a table, whose first value says which row it is."""
    found = []
    for which, *values in rows:
        try:
            found.append(read(*values))
        except StoreError as error:
            raise in_row(table, which, error) from None
    return found


def in_row(table: str, which: Any, error: StoreError) -> StoreError:
    """Say in which row a value stands that is not what it should be."""
    what = str(error).removeprefix(DAMAGED)
    return damaged(f"row {shown(which)} of {table}: {what}")


def whole(name: str, value: Any, *, at_least: int = 0) -> int:
    """Give a whole number that is one."""
    if type(value) is int and at_least <= value <= LARGEST_WHOLE:
        return value
    raise damaged(f"{name} is {shown(value)}, and should be a whole number of at least {at_least}.")


def amount(name: str, value: Any) -> float:
    """Give a number that is finite and not negative, such as seconds."""
    if type(value) is float and 0.0 <= value < LARGEST_NUMBER:
        return value
    raise damaged(f"{name} is {shown(value)}, and should be a number of at least 0.")


def text(name: str, value: Any) -> str:
    """Give a text that is one."""
    if isinstance(value, str):
        return value
    raise damaged(f"{name} is {shown(value)}, and should be text.")


def moment(name: str, value: Any) -> datetime:
    """Give the time that a text says."""
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        found = None
    if found is None or found.tzinfo is None:
        raise damaged(f"{name} is {shown(value)}, and should be a time with its zone.")
    return found


def table_of(name: str, value: Any) -> dict[str, Any]:
    """Give values by name."""
    if isinstance(value, dict):
        return value
    raise damaged(f"{name} is {shown(value)}, and should be values by name.")


def field_checks(kind: type[Any]) -> dict[str, Callable[[Any], bool]]:
    """Give for each field of a dataclass what tells whether a value of JSON may stand there."""
    hints = get_type_hints(kind)
    return {name: _check_of(hints[name]) for name in kind.__dataclass_fields__}


def _check_of(hint: Any) -> Callable[[Any], bool]:
    if hint is Failure or hint == Candidate:
        return lambda _: True  # Made of its parts, which are checked.
    simple = {int: _is_whole, float: _is_number, str: _is_text, type(None): _is_nothing}
    if hint in simple:
        return simple[hint]
    parts = get_args(hint)
    if get_origin(hint) is tuple and parts[-1] is Ellipsis:
        one = _check_of(parts[0])
        return lambda value: isinstance(value, tuple) and all(map(one, value))
    checks = [_check_of(part) for part in parts]
    if get_origin(hint) is tuple:
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(checks)
            and all(check(each) for check, each in zip(checks, value, strict=True))
        )
    return lambda value: any(check(value) for check in checks)


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_WHOLE


def _is_number(value: Any) -> bool:
    if type(value) is int:
        return abs(value) <= LARGEST_WHOLE
    return type(value) is float and (abs(value) < LARGEST_NUMBER or not math.isfinite(value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_nothing(value: Any) -> bool:
    return value is None
