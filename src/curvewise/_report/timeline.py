"""The leader over time: who led after how many seconds of evaluations, and with what score.

Outcomes carry no clock that could be compared between workers, so time is the sum of their seconds
in the order in which they came back: on one worker the time since the search began, on several the
work done by then.

A candidate takes the lead if it has at least as many folds at the target as the leader has, and the
smaller mean loss on those that both have: the rule of the race, which also fits policies that
evaluate one candidate after the other. Who failed in the end never led.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from curvewise.core._outcome import Candidate, Observation, Outcome


class Moment(NamedTuple):
    """A change at the top: another leader, or another fold of the same one."""

    seconds: float
    n_fits: int
    candidate: Candidate
    loss: float
    n_folds: int


def who_led(
    outcomes: Iterable[Outcome], *, target: int, without: Collection[Candidate] = ()
) -> list[Moment]:
    """Find who led when.

    Examples
    --------
    >>> from curvewise.core._outcome import Task
    >>> told = [("svc", 0, 0.2), ("tree", 0, 0.3), ("forest", 0, 0.1)]
    >>> outcomes = [
    ...     Observation(Task(name, 900, fold), loss, seconds=2.0) for name, fold, loss in told
    ... ]
    >>> [(moment.seconds, moment.candidate) for moment in who_led(outcomes, target=900)]
    [(2.0, 'svc'), (6.0, 'forest')]
    """
    moments: list[Moment] = []
    losses: defaultdict[Candidate, dict[int, float]] = defaultdict(dict)
    leader: Candidate = None
    seconds = 0.0
    for n_fits, outcome in enumerate(outcomes, start=1):
        seconds += outcome.seconds
        candidate, anchor, fold = outcome.task
        if not isinstance(outcome, Observation) or anchor != target or candidate in without:
            continue
        own = losses[candidate]
        own[fold] = outcome.loss
        if not moments or candidate == leader or _overtakes(own, losses[leader]):
            leader = candidate
            mean = math.fsum(own.values()) / len(own)
            moments.append(Moment(seconds, n_fits, candidate, mean, len(own)))
    return moments


def _overtakes(own: dict[int, float], leader: dict[int, float]) -> bool:
    common = own.keys() & leader.keys()
    if len(own) < len(leader) or not common:
        return False
    return math.fsum(own[fold] for fold in common) < math.fsum(leader[fold] for fold in common)
