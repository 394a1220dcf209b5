"""A pipeline that was drawn and not built yet: what fills its slots, and whether that can work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from curvewise.automl._space.component import Component, applies


class Choice(NamedTuple):
    """A slot as it was filled.

    Examples
    --------
    >>> Choice("data", Component(name="N", target="sklearn.preprocessing.Normalizer"), {}).slot
    'data'
    """

    slot: str
    component: Component
    drawn: Mapping[str, Any]


def impossible(choices: Iterable[Choice]) -> bool:
    """Whether a pipeline is bound to fail: something that takes no negative numbers gets some.

    Examples
    --------
    >>> scaler = Component(name="scaler", target="x.Scaler", gives_negative=True)
    >>> bayes = Component(name="bayes", target="x.Bayes", needs_nonnegative=True)
    >>> impossible([Choice("data", scaler, {}), Choice("classifier", bayes, {})])
    True
    """
    negative = False
    for _, component, drawn in choices:
        if negative and applies(component.needs_nonnegative, drawn):
            return True
        if component.gives_negative is not None:
            negative = applies(component.gives_negative, drawn)
    return False
