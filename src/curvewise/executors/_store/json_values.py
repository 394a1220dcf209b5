"""Values as JSON text, and back.

Nothing in a store is pickled: what is read back are numbers, text, lists and dictionaries, so
opening a stranger's store executes nothing.

Rules:

1. Finite floats are written with all their digits and come back bit by bit. JSON has no word for
   the others: they become ``{"$float": "nan"}``, ``"inf"`` or ``"-inf"``.
2. A float in a column of its own is an SQL number. SQLite would turn NaN into NULL, which means
   "none": NaN is the text ``nan`` there.
3. A candidate's key is text, a number, None, or a tuple of these; lists cannot be keys, so an array
   in a key is a tuple.
4. A dataclass among the settings, such as a policy, becomes its fields and the name of its type.
5. What is read is at most so deep: whoever goes through it need not fear for the stack.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

from curvewise.core._outcome import Candidate
from curvewise.errors import StoreError
from curvewise.executors._store.checked_values import damaged, shown

Word = TypeVar("Word", bound=Enum)

DEEPEST = 100
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def to_json(value: Any, *, what: str = "value") -> str:
    """Write a value as JSON text; the same value always gives the same text."""
    return json.dumps(plain(value, what=what), sort_keys=True)


def from_json(text: Any) -> Any:
    """Read what `to_json` wrote; arrays become lists."""
    if not isinstance(text, str):
        raise damaged(f"{shown(text)} is not JSON.")
    try:
        value = json.loads(text, object_hook=_restore, parse_constant=_refuse)
    except (TypeError, ValueError, RecursionError):
        raise damaged(f"{shown(text)} is not JSON.") from None
    if text.count("[") + text.count("{") > DEEPEST and _is_deep(value):
        raise damaged(f"{shown(text)} is nested more than {DEEPEST} times.")
    return value


def _refuse(constant: str) -> Any:
    """JSON has no word for what is not finite, but Python reads some (rule 1)."""
    raise ValueError(constant)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        inner = [each for each in level if isinstance(each, list | dict)]
        if not inner:
            return False
        level = [
            part for each in inner for part in (each.values() if isinstance(each, dict) else each)
        ]
    return True


def plain(value: Any, *, what: str = "value") -> Any:
    """Reduce a value to what JSON knows."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Enum):
        return plain(value.value, what=what)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        return number if math.isfinite(number) else {"$float": str(number)}
    if isinstance(value, Mapping):
        return {str(key): plain(item, what=f"{what}[{key!r}]") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, what=f"{what}[{i}]") for i, item in enumerate(value)]
    if is_dataclass(value) and not isinstance(value, type):
        kept = {field.name: getattr(value, field.name) for field in fields(value)}
        return {"type": type(value).__name__, **plain(kept, what=what)}
    raise StoreError(
        f"{what} cannot be stored: it is of type {type(value).__name__}; a store holds text, "
        f"numbers, lists and dictionaries."
    )


def frozen(value: Any) -> Any:
    """Turn lists into tuples, at every depth."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value


def encode_key(candidate: Candidate) -> str:
    """Write a candidate's key as text."""
    _check_key(candidate, candidate)
    return to_json(candidate, what=f"the candidate {candidate!r}")


def decode_key(text: Any) -> Candidate:
    """Read what `encode_key` wrote."""
    return as_key(frozen(from_json(text)))


def as_key(value: Any) -> Candidate:
    """Give a value that may be the key of a candidate."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, dict) or part != part:
            raise damaged(f"{shown(value)} is not the key of a candidate.")
    return value  # type: ignore[no-any-return]


def to_column(value: float) -> float | str:
    """Prepare a float for a column of its own."""
    return "nan" if math.isnan(value) else float(value)


def from_column(value: Any) -> float:
    """Read what `to_column` wrote."""
    if isinstance(value, float):
        return value
    if value == "nan":
        return math.nan
    raise damaged(f"{shown(value)} stands where a number should.")


def named(kind: type[Word], name: Any) -> Word:
    """Find a member of an enumeration by the word that stands in the store."""
    try:
        return kind(name)
    except ValueError:
        raise damaged(f"{shown(name)} is no {kind.__name__}.") from None


def _check_key(part: Any, candidate: Candidate) -> None:
    if isinstance(part, tuple):
        for item in part:
            _check_key(item, candidate)
        return
    if not (part is None or isinstance(part, str | Integral | Real)):
        raise StoreError(
            f"The candidate {candidate!r} cannot be stored: its key must be text, a number or a "
            f"tuple of these, got {type(part).__name__}."
        )
    if part != part:
        raise StoreError(
            f"The candidate {candidate!r} cannot be stored: NaN does not equal itself, so it would "
            f"not be found again."
        )


def _restore(item: dict[str, Any]) -> Any:
    """Turn ``{"$float": "nan"}`` into the float that it stands for."""
    if len(item) == 1:
        name = item.get("$float")
        if isinstance(name, str) and name in NOT_FINITE:
            return NOT_FINITE[name]
    return item
