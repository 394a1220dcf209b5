"""What is compared: a policy, and whether it knows all candidates in advance.

Written as text: ``race:price=0.001`` (`curvewise.core._policies.policy_text`), or
``race-stream:price=0.001``, where candidates come one after the other, none known in advance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curvewise._bench.optuna_pruner import OptunaWilcoxon
from curvewise._plug_ins import policy_of
from curvewise.core._policies import POLICIES
from curvewise.core._policy import Policy
from curvewise.errors import InvalidParameterError

STREAM = "-stream"
# Ours, and those of other packages, which the core does not know.
KNOWN: Mapping[str, type[Policy]] = {**POLICIES, OptunaWilcoxon.name: OptunaWilcoxon}


@dataclass(frozen=True, slots=True)
class Contestant:
    """A policy under the name by which tables show it."""

    label: str
    policy: Policy
    streaming: bool = False

    @classmethod
    def parse(cls, text: str) -> Contestant:
        """Read a policy and its knobs from text."""
        name, colon, knobs = text.strip().partition(":")
        streaming = name.endswith(STREAM)
        policy = policy_of(name.removesuffix(STREAM) + colon + knobs, KNOWN)
        policy.opening(listed=not streaming)
        return cls(text.strip(), policy, streaming)


def parse_contestants(text: str) -> list[Contestant]:
    """Read several, separated by commas."""
    names = [part for part in text.split(",") if part.strip()]
    if not names:
        raise InvalidParameterError(f"Name at least one policy: {', '.join(KNOWN)}.")
    contestants = [Contestant.parse(name) for name in names]
    labels = [contestant.label for contestant in contestants]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise InvalidParameterError(f"The policy {twice!r} is named twice.")
    return contestants
