"""Who led when: each change at the top of a search, from its outcomes in the order they came.

1. Only evaluations at the target count, and who failed in the end never led.
2. The first candidate that answers leads. Another takes over if it has at least as many folds as
   the leader, and the smaller loss on those that both have: the rule of the race, which also fits
   policies that evaluate one candidate after the other.
3. Who has its score is overtaken only by one that has its score too, and a smaller one (among
   equals, by the one that came first), whatever the number of their folds.
4. Who has its score takes over from a leader that never gets one, because it was pruned or stopped
   later on. So the last leader is always the best of the search, unless partial results compete:
   one from smaller anchors says nothing about the target.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from curvewise.core._outcome import Candidate, Observation, Outcome
from curvewise.core._portfolio import Status
from curvewise.core._scale import Scale

# Who ended so has no score, and will not get one.
WITHOUT_SCORE = (Status.PRUNED, Status.STOPPED)


class LeaderChange(NamedTuple):
    """Another leader, or another fold of the same one.

    Parameters
    ----------
    seconds
        When, in the seconds that came with the outcomes.
    n_fits
        How many evaluations had answered by then, the failed ones included.
    training_rows
        The training rows of the successful ones together.
    candidate
        Who leads.
    score
        Its mean score over the folds that it had by then: greater is better.
    n_folds
        How many folds these were.

    Examples
    --------
    >>> LeaderChange(1.5, n_fits=4, training_rows=400, candidate="svc", score=0.9, n_folds=1).score
    0.9
    """

    seconds: float
    n_fits: int
    training_rows: int
    candidate: Candidate
    score: float
    n_folds: int


def who_led(
    told: Iterable[tuple[float, Outcome]],
    *,
    target: int,
    scale: Scale,
    statuses: Mapping[Candidate, Status],
) -> list[LeaderChange]:
    """Find who led when.

    ``told`` are the outcomes, each with the seconds at which it came; ``statuses`` say how the
    candidates ended, in the order in which they came.
    """
    told = list(told)
    seen = {outcome.task for _, outcome in told if _counts(outcome, target)}
    state = _State(Counter(task.candidate for task in seen), statuses)
    changes: list[LeaderChange] = []
    rows = 0
    for n_fits, (seconds, outcome) in enumerate(told, start=1):
        if isinstance(outcome, Observation):
            rows += outcome.task.anchor
            if _counts(outcome, target) and state.record(outcome):
                score, n_folds = scale.score(state.mean(state.leader)), state.n(state.leader)
                changes.append(LeaderChange(seconds, n_fits, rows, state.leader, score, n_folds))
    return changes


def _counts(outcome: Outcome, target: int) -> bool:
    at_target = outcome.task.anchor == target
    return at_target and isinstance(outcome, Observation) and math.isfinite(outcome.loss)


class _State:
    """The losses so far, and who leads."""

    def __init__(
        self, n_in_the_end: Mapping[Candidate, int], statuses: Mapping[Candidate, Status]
    ) -> None:
        self.leader: Candidate = None
        self._losses: defaultdict[Candidate, dict[int, float]] = defaultdict(dict)
        self._complete: set[Candidate] = set()
        self._n_in_the_end = n_in_the_end
        self._statuses = statuses
        self._places = {candidate: place for place, candidate in enumerate(statuses)}

    def n(self, candidate: Candidate) -> int:
        return len(self._losses[candidate])

    def mean(self, candidate: Candidate) -> float:
        losses = self._losses[candidate].values()
        return math.fsum(losses) / len(losses)

    def record(self, observation: Observation) -> bool:
        """Take a loss at the target; tell whether there is something new at the top."""
        candidate, _, fold = observation.task
        status = self._statuses.get(candidate)
        if status is Status.FAILED:
            return False
        self._losses[candidate][fold] = observation.loss
        if status is Status.COMPLETED and self.n(candidate) == self._n_in_the_end[candidate]:
            self._complete.add(candidate)
        leads = self.leader is None or candidate == self.leader
        if leads and candidate in self._complete:
            self.leader = min(self._complete, key=self._rank)
        elif leads or self._overtakes(candidate):
            self.leader = candidate
        return leads or self.leader == candidate

    def _rank(self, candidate: Candidate) -> tuple[float, int]:
        return self.mean(candidate), self._places[candidate]

    def _overtakes(self, candidate: Candidate) -> bool:
        """Compare a candidate with the leader (rules 2 to 4)."""
        complete = candidate in self._complete
        if self.leader in self._complete:
            return complete and self._rank(candidate) < self._rank(self.leader)
        if complete and self._statuses.get(self.leader) in WITHOUT_SCORE:
            return True
        own, other = self._losses[candidate], self._losses[self.leader]
        common = own.keys() & other.keys()
        if len(own) < len(other) or not common:
            return False
        return math.fsum(own[fold] for fold in common) < math.fsum(other[fold] for fold in common)
