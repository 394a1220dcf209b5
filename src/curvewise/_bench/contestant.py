"""What is compared: a policy, its knobs, and whether it knows all candidates in advance.

Written as text: ``race``, ``race:price=0.001``, ``lccv:max_width=0.05:interval=t``,
``race-stream`` (candidates come one after the other, none known in advance).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, fields

from curvewise.core._policies import POLICIES
from curvewise.core._policy import Policy
from curvewise.errors import InvalidParameterError

STREAM = "-stream"


@dataclass(frozen=True, slots=True)
class Contestant:
    """A policy under the name by which tables show it.

    Examples
    --------
    >>> Contestant.parse("race-stream:price=0.001").policy.price
    0.001
    >>> Contestant.parse("rase")
    Traceback (most recent call last):
    ...
    curvewise.errors.InvalidParameterError: There is no policy 'rase'; choose from kfold, ...
    """

    label: str
    policy: Policy
    streaming: bool = False

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Read a policy and its knobs from text."""
        name, *settings = text.strip().split(":")
        base = name.removesuffix(STREAM)
        if base not in POLICIES:
            raise InvalidParameterError(
                f"There is no policy {name!r}; choose from {', '.join(POLICIES)}."
            )
        kind = POLICIES[base]
        known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
        pairs = [_setting(setting, base, known) for setting in settings]
        knobs = dict(pairs)
        if len(knobs) < len(pairs):
            raise InvalidParameterError(f"{text!r} sets a knob twice.")
        try:
            policy = kind(**knobs)
        except TypeError as error:
            raise InvalidParameterError(f"{text!r}: {error}.") from None
        streaming = name.endswith(STREAM)
        policy.opening(listed=not streaming)
        return cls(text.strip(), policy, streaming)


def parse_contestants(text: str) -> list[Contestant]:
    """Read several, separated by commas.

    Examples
    --------
    >>> [contestant.label for contestant in parse_contestants("kfold, race")]
    ['kfold', 'race']
    """
    names = [part for part in text.split(",") if part.strip()]
    if not names:
        raise InvalidParameterError(f"Name at least one policy: {', '.join(POLICIES)}.")
    contestants = [Contestant.parse(name) for name in names]
    labels = [contestant.label for contestant in contestants]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise InvalidParameterError(f"The policy {twice!r} is named twice.")
    return contestants


def _setting(text: str, policy: str, known: list[str]) -> tuple[str, object]:
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
