"""A policy as text: its name, and its knobs after colons.

``race``, ``race:price=0.001``, ``lccv:max_width=0.05:interval=t``. A value is read as Python would
read it, and is the text itself where that means nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import fields

from curvewise.core._policies import POLICIES
from curvewise.core._policy import Policy
from curvewise.errors import InvalidParameterError


def parse_policy(text: str, known: Mapping[str, type[Policy]] = POLICIES) -> Policy:
    """Read a policy and its knobs from text; by default one of ours."""
    name, *settings = text.strip().split(":")
    if name not in known:
        raise InvalidParameterError(f"There is no policy {name!r}; choose from {', '.join(known)}.")
    kind = known[name]
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    pairs = [_setting(setting, name, names) for setting in settings]
    knobs = dict(pairs)
    if len(knobs) < len(pairs):
        raise InvalidParameterError(f"{text!r} sets a knob twice.")
    try:
        return kind(**knobs)
    except TypeError as error:
        raise InvalidParameterError(f"{text!r}: {error}.") from None


def _setting(text: str, policy: str, known: Sequence[str]) -> tuple[str, object]:
    """Read one knob and its value."""
    name, equals, value = text.partition("=")
    if not equals or name not in known:
        choices = ", ".join(known) or "none"
        raise InvalidParameterError(
            f"{text!r} is no setting of {policy}: write knob=value; its knobs are {choices}."
        )
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
