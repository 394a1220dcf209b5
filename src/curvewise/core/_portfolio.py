"""The state of a search: every contender's curve, who leads, and what target folds cost.

Only `Search` changes it, by recording outcomes and carrying out decisions; a policy reads it. The
rule "what has to be beaten" stands here: the leader, its losses by fold, and its mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Decision
from curvewise.core._outcome import Candidate, Failure, Observation, Reason, Task
from curvewise.core._scale import Scale, spread
from curvewise.core._schedule import Schedule

# Nothing is pending: the same object for all contenders, most of which wait for nothing.
NONE: frozenset[tuple[int, int]] = frozenset()


class Status(Enum):
    """Where a candidate stands."""

    RUNNING = "running"
    COMPLETED = "completed"
    PRUNED = "pruned"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(slots=True, eq=False)
class Contender:
    """One candidate in a search.

    ``anchor`` is where the last decision sent it, None before the first. ``pending`` holds the
    evaluations (anchor, fold) that it was promised and that have not answered yet, ``withdrawn``
    those that no longer matter, ``granted`` the seconds that evaluations may take.
    """

    candidate: Candidate
    order: int
    curve: LearningCurve = field(default_factory=LearningCurve)
    anchor: int | None = None
    pending: frozenset[tuple[int, int]] = NONE
    failures: tuple[Failure, ...] = ()
    withdrawn: set[tuple[int, int]] | None = None
    granted: dict[tuple[int, int], float] | None = None
    trace: list[Decision] = field(default_factory=list)
    status: Status = Status.RUNNING
    seconds_at_target: float | None = None
    seconds_spent: float = 0.0

    def failed_folds(self, anchor: int) -> set[int]:
        """The folds at an anchor on which the learner raised an error."""
        return {
            failure.task.fold
            for failure in self.failures
            if failure.reason is Reason.ERROR and failure.task.anchor == anchor
        }

    @property
    def alive(self) -> bool:
        """Whether it may still be given tasks."""
        return self.status is Status.RUNNING


@dataclass(frozen=True, slots=True)
class Leader:
    """What has to be beaten.

    ``losses`` are its losses by fold at the target, ``loss`` is their mean, ``complete`` says that
    no more are to come. If only a threshold was given, there are neither a curve nor losses.
    """

    candidate: Candidate | None
    order: int
    curve: LearningCurve | None
    losses: Mapping[int, float]
    loss: float
    complete: bool


class Portfolio:
    """All contenders of a search.

    Parameters
    ----------
    schedule
        The anchors.
    n_folds
        How many folds there are.
    scale
        How losses are to be read.
    n_listed
        How many candidates there are, if they are known in advance.
    count_rows
        Whether the cost of an evaluation is its training rows instead of its seconds.
    one_of
        How many candidates there are in all, if there are more than this search has.
    """

    def __init__(
        self,
        schedule: Schedule,
        n_folds: int,
        *,
        scale: Scale,
        n_listed: int | None = None,
        count_rows: bool = False,
        one_of: int | None = None,
    ) -> None:
        self.schedule = schedule
        self.target = schedule.target
        self.n_folds = n_folds
        self.scale = scale
        self.n_listed = n_listed
        self.contenders: dict[Candidate, Contender] = {}
        self.leader: Leader | None = None
        self.best: Contender | None = None
        self.count_rows = count_rows
        self.n_workers = 1
        self.n_alive = 0
        self._one_of = one_of
        self.version = 0
        self._n_priced = 0
        self._sum_of_seconds = 0.0
        self._seen: set[int] = set()
        self._unit = 1.0
        self._unit_based_on = 0

    @property
    def threshold(self) -> float | None:
        """The loss of a complete leader; None if there is nothing to beat yet."""
        leader = self.leader
        return leader.loss if leader is not None and leader.complete else None

    @property
    def unit(self) -> float:
        """The loss difference that precision targets are fractions of."""
        return self._unit if self.scale.unit is None else self.scale.unit

    @property
    def n_candidates(self) -> int:
        """How many candidates share the bill; of a stream, those that have come."""
        return self._one_of or self.n_listed or len(self.contenders)

    @property
    def mean_seconds(self) -> float:
        """The mean seconds of a target fold over the candidates that have had one."""
        return self._sum_of_seconds / self._n_priced if self._n_priced else math.nan

    def leads(self, contender: Contender) -> bool:
        """Tell whether a contender is the one to beat."""
        return self.leader is not None and self.leader.order == contender.order

    def lead(self, contender: Contender, *, complete: bool) -> None:
        """Make a contender the one to beat."""
        curve, target = contender.curve, self.target
        losses = dict(zip(curve.folds(target), curve.losses(target), strict=True))
        self.leader = Leader(
            contender.candidate, contender.order, curve, losses, curve.mean(target), complete
        )
        self.version += 1

    def complete(self, contender: Contender) -> None:
        """Note that a contender has its score; it may now be the best, and the one to beat."""
        target = self.target
        rank = (contender.curve.mean(target), contender.order)
        if self.best is None or rank < (self.best.curve.mean(target), self.best.order):
            self.best = contender
        if self.leader is None or self.leads(contender):
            self.lead(self.best, complete=True)
        elif self.best is contender and self._beats_leader(contender, self.leader):
            self.lead(contender, complete=True)

    def dethrone(self) -> None:
        """Forget a leader that will not get its score; the best complete one takes its place."""
        self.leader = None
        self.version += 1
        if self.best is not None:
            self.lead(self.best, complete=True)

    def record(self, contender: Contender, observation: Observation) -> None:
        """Add an observation to a contender's curve and to the shared statistics."""
        contender.curve.add(observation)
        if observation.task.anchor == self.target:
            self._price(contender)
            if self.leads(contender):
                self.lead(contender, complete=False)

    def remember(self, curve: LearningCurve) -> None:
        """Let the curve of an earlier candidate count in what evaluations cost and losses are.

        It stands among the contenders as one that has ended, with its mean at its last anchor.
        """
        anchor = curve.anchors[-1]
        candidate = curve.cells(anchor)[0].task.candidate
        mean = Observation(
            Task(candidate, anchor, 0), curve.mean(anchor), seconds=curve.seconds(anchor)
        )
        contender = Contender(candidate, len(self.contenders), status=Status.PRUNED)
        self.contenders[candidate] = contender
        self.record(contender, mean)
        self.settle(contender)

    def settle(self, contender: Contender) -> None:
        """Note that all evaluations of a contender have answered.

        The unit of an unknown scale is taken here and not at each observation, so that it does
        not depend on the order in which a contender's outcomes arrive.
        """
        if self.scale.unit is None and len(contender.curve):
            self._seen.add(contender.order)
            if len(self._seen) * 8 > self._unit_based_on * 9 or self._unit_based_on < 3:
                curves = [c.curve for c in self.contenders.values() if c.order in self._seen]
                self._unit = spread(curve.mean(curve.anchors[-1]) for curve in curves)
                self._unit_based_on = len(self._seen)

    def _beats_leader(self, contender: Contender, leader: Leader) -> bool:
        """Compare a complete contender with the leader, on the folds that the leader has."""
        target = self.target
        if leader.complete:
            return (contender.curve.mean(target), contender.order) < (leader.loss, leader.order)
        pairs = zip(contender.curve.folds(target), contender.curve.losses(target), strict=True)
        return (
            math.fsum(loss - leader.losses[fold] for fold, loss in pairs if fold in leader.losses)
            < 0
        )

    def _price(self, contender: Contender) -> None:
        seconds = 1.0 if self.count_rows else contender.curve.seconds(self.target)
        self._sum_of_seconds += seconds - (contender.seconds_at_target or 0.0)
        self._n_priced += contender.seconds_at_target is None
        contender.seconds_at_target = seconds
