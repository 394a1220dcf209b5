"""What a policy sees of a search: every contender's curve, who leads, what target folds cost.

Only `Search` changes it (`curvewise.core._search_state`), by recording outcomes and carrying out
decisions; a policy reads it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Complete, Decision, Fail, Prune, Stop
from curvewise.core._outcome import Candidate, Failure, Reason
from curvewise.core._scale import Scale
from curvewise.core._schedule import Schedule

# Sums of seconds are whole numbers of 2 ** -1074 seconds, as every float is: so they are exact, and
# the order in which outcomes arrive changes nothing.
EXACT_BITS = 1074
# Nothing is pending: the same object for all contenders, most of which wait for nothing.
NONE: frozenset[tuple[int, int]] = frozenset()


class Status(Enum):
    """Where a candidate stands.

    ``COMPLETED``: it has its score. ``PRUNED``: it cannot win, or finishing it was not worth its
    cost. ``STOPPED``: a limit or the user ended it, which says nothing about its quality.
    ``FAILED``: there is no result. ``RUNNING``: none of these yet.

    Examples
    --------
    >>> Status("pruned")
    <Status.PRUNED: 'pruned'>
    """

    RUNNING = "running"
    COMPLETED = "completed"
    PRUNED = "pruned"
    STOPPED = "stopped"
    FAILED = "failed"


# What an end makes of a candidate.
STATUSES: dict[type[Decision], Status] = {
    Prune: Status.PRUNED,
    Complete: Status.COMPLETED,
    Stop: Status.STOPPED,
    Fail: Status.FAILED,
}


@dataclass(slots=True, eq=False)
class Contender:
    """One candidate in a search.

    `Portfolio.contenders` has all of them. What a policy reads: ``candidate`` and ``order`` (its
    name, and its number by arrival), ``curve``, ``failures``, ``status`` and ``alive``; ``anchor``
    is where the last decision sent it, None before the first; ``trace`` are its decisions;
    ``seconds_at_target`` is the mean of its folds there, None if it had none, ``seconds_spent``
    what all of its evaluations took.

    For `Search` alone: ``pending`` holds the evaluations (anchor, fold) that it was promised and
    that have not answered yet, ``granted`` the seconds that evaluations may take.

    Examples
    --------
    >>> contender = Contender("svc", 0)
    >>> contender.alive, contender.curve.anchors
    (True, ())
    """

    candidate: Candidate
    order: int
    curve: LearningCurve = field(default_factory=LearningCurve)
    anchor: int | None = None
    pending: frozenset[tuple[int, int]] = NONE
    failures: tuple[Failure, ...] = ()
    granted: dict[tuple[int, int], float] | None = None
    trace: list[Decision] = field(default_factory=list)
    status: Status = Status.RUNNING
    seconds_at_target: float | None = None
    seconds_spent: float = 0.0

    def failed_folds(self, anchor: int) -> set[int]:
        """The folds at an anchor on which the learner raised an error.

        Parameters
        ----------
        anchor
            Where, in rows.
        """
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

    Parameters
    ----------
    candidate, order
        Its name, and its number by arrival; None and -1 if there is but a loss to beat.
    curve
        Its observations; None if there is but a loss to beat.
    losses
        Its losses at the target by fold; empty if there is but a loss to beat.
    loss
        Their mean.
    complete
        Whether no more folds are to come.

    Examples
    --------
    >>> Leader("svc", 0, LearningCurve(), {0: 0.1, 1: 0.2}, 0.15, complete=False).loss
    0.15
    """

    candidate: Candidate | None
    order: int
    curve: LearningCurve | None
    losses: Mapping[int, float]
    loss: float
    complete: bool


class Portfolio:
    """The state of a search: all contenders, who leads, and what target folds cost.

    What a policy reads: ``contenders`` by their names in the order in which they came, ``leader``
    and ``threshold``, ``schedule`` and ``target``, ``n_folds``, ``unit``, ``mean_seconds``,
    ``n_candidates``, ``n_alive`` and ``n_workers``; ``scale`` says how losses are to be read,
    ``n_listed`` how many candidates there are, if they are known in advance, ``count_rows`` whether
    the cost of an evaluation is its training rows instead of its seconds, ``exploring`` whether new
    candidates go before further folds of others: set by who keeps a budget, and None where there is
    none.

    Examples
    --------
    >>> portfolio = Portfolio(Schedule((64, 900)), n_folds=5, scale=Scale())
    >>> portfolio.target, portfolio.leader is None
    (900, True)
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
        self.best_loss = math.nan
        self.count_rows = count_rows
        self.exploring: bool | None = None
        self.n_workers = 1
        self.n_alive = 0
        self._one_of = one_of
        self.version = 0
        self._n_priced = 0
        self._sum_of_seconds = 0
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
        n = self._n_priced
        return self._sum_of_seconds / (n << EXACT_BITS) if n else math.nan

    def leads(self, contender: Contender) -> bool:
        """Tell whether a contender is the one to beat.

        Parameters
        ----------
        contender
            Whom it is about.
        """
        return self.leader is not None and self.leader.order == contender.order
