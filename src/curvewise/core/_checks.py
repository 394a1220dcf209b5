"""Checks of parameters: one uniform sentence for each value that cannot work."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from curvewise.errors import InvalidParameterError


def whole_number(name: str, value: Any, *, at_least: int | None = None) -> int:
    """Return a value as an int, or say that it is none."""
    try:
        number = index(value)
    except TypeError:
        raise InvalidParameterError(f"{name} must be a whole number, got {value!r}.") from None
    if at_least is not None and number < at_least:
        raise InvalidParameterError(f"{name} must be at least {at_least}, got {number}.")
    return number


def real_number(
    name: str, value: Any, *, at_least: float | None = None, above: float | None = None
) -> float:
    """Return a value as a finite float, or say that it is none."""
    if isinstance(value, str | bool) or not _is_finite(value):
        raise InvalidParameterError(f"{name} must be a finite number, got {value!r}.")
    if at_least is not None and value < at_least:
        raise InvalidParameterError(f"{name} must be at least {at_least:g}, got {value}.")
    if above is not None and value <= above:
        raise InvalidParameterError(f"{name} must be above {above:g}, got {value}.")
    return float(value)


def share(name: str, value: Any) -> float:
    """Return a value as a float between 0 and 1, both excluded, or say that it is none."""
    number = real_number(name, value, above=0)
    if number >= 1:
        raise InvalidParameterError(f"{name} must be below 1, got {value}.")
    return number


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def finite_or_none(value: Any) -> float | None:
    """Return a number that a stranger wrote as a finite float; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        return None
    return float(value)


def one_of(name: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse what is none of the choices."""
    if value not in choices:
        shown = " or ".join(map(repr, choices))
        raise InvalidParameterError(f"{name} must be {shown}, got {value!r}.")


def known_keys(entry: Any, where: str, known: set[str]) -> None:
    """Refuse whatever is no table, or has entries that mean nothing."""
    if not isinstance(entry, Mapping):
        raise InvalidParameterError(f"{where} must be a table, got {entry!r}.")
    unknown = sorted(entry.keys() - known)
    if unknown:
        raise InvalidParameterError(
            f"{where} has {unknown[0]!r}, which means nothing; known are "
            f"{', '.join(sorted(known))}."
        )
