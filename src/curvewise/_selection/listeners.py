"""Those who look on while a search runs: progress, callbacks, a store, a live display.

An `Onlooker` hears of everything and changes nothing, but for one thing: it may ask to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import NamedTuple

from curvewise.core._decisions import Decision, Fail
from curvewise.core._outcome import Candidate, Observation, Outcome
from curvewise.core._search import Search
from curvewise.errors import NoResultError
from curvewise.executors._store import LiveRun


class LeaderChange(NamedTuple):
    """Who led, and since when.

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


class Onlooker:
    """Looks on; to be subclassed. Nothing has to be overridden.

    Examples
    --------
    >>> class Counter(Onlooker):
    ...     n = 0
    ...
    ...     def told(self, outcome):
    ...         self.n += 1
    """

    stop = False

    def begin(self, search: Search, n_candidates: int | None) -> None:
        """Hear that a search begins, with how many candidates if that is known."""

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Hear of a decision."""

    def told(self, outcome: Outcome) -> None:
        """Hear of what an evaluation gave, after the search has."""

    def end(self) -> None:
        """Hear that the search has ended, in whatever way."""


class Recorder(Onlooker):
    """Writes decisions into a store; outcomes are there before the search hears of them."""

    def __init__(self, run: LiveRun) -> None:
        self._run = run

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Write a decision."""
        self._run.record_decision(candidate, decision)


class Watch(Onlooker):
    """Tells all onlookers, and notes who leads."""

    def __init__(self, onlookers: Sequence[Onlooker] = (), *, raise_failures: bool = False) -> None:
        self.leaders: list[LeaderChange] = []
        self._onlookers = onlookers
        self._raise_failures = raise_failures
        self._failed: tuple[Candidate, Fail] | None = None
        self._clock: Callable[[], float] = monotonic
        self._n_fits = 0
        self._rows = 0

    def begin(self, search: Search, n_candidates: int | None) -> None:
        """Begin to follow a search."""
        self._search = search
        self._begun = self._clock()
        for onlooker in self._onlookers:
            onlooker.begin(search, n_candidates)

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Hear of a decision; a search's observer."""
        for onlooker in self._onlookers:
            onlooker.decided(candidate, decision)
        if isinstance(decision, Fail):
            self._failed = (candidate, decision)

    def told(self, outcome: Outcome) -> None:
        """Hear of an outcome; the loop calls it."""
        if isinstance(outcome, Observation):
            self._n_fits += 1
            self._rows += outcome.task.anchor
        self._note_leader()
        for onlooker in self._onlookers:
            onlooker.told(outcome)
        if self._raise_failures and self._failed is not None:
            candidate, failed = self._failed
            raise NoResultError(f"{candidate} failed: {failed.failure.message}")
        if any(onlooker.stop for onlooker in self._onlookers):
            self._search.stop("an onlooker asked for it")

    def end(self) -> None:
        """Tell all that the search has ended."""
        for onlooker in self._onlookers:
            onlooker.end()

    def _note_leader(self) -> None:
        leader = self._search.portfolio.leader
        if leader is None or leader.candidate is None:
            return
        last = self.leaders[-1] if self.leaders else None
        score = self._search.portfolio.scale.score(leader.loss)
        if last is None or (last.candidate, last.score) != (leader.candidate, score):
            seconds = self._clock() - self._begun
            self.leaders.append(
                LeaderChange(
                    seconds,
                    self._n_fits,
                    self._rows,
                    leader.candidate,
                    score,
                    len(leader.losses),
                )
            )
