"""Those who look on while a search runs: progress, callbacks, a store, a live display.

An `Onlooker` hears of everything and changes nothing, but for one thing: it may ask to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from curvewise.core._decisions import Decision, Fail
from curvewise.core._lead_changes import LeaderChange, who_led
from curvewise.core._outcome import Candidate, Outcome
from curvewise.core._search import Search
from curvewise.errors import NoResultError
from curvewise.executors._store import LiveRun


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
    """Tells all onlookers, and knows who led when."""

    def __init__(self, onlookers: Sequence[Onlooker] = (), *, raise_failures: bool = False) -> None:
        self._onlookers = onlookers
        self._raise_failures = raise_failures
        self._failed: tuple[Candidate, Fail] | None = None
        self._clock: Callable[[], float] = monotonic
        self._told: list[tuple[float, Outcome]] = []

    @property
    def leaders(self) -> list[LeaderChange]:
        """Who led when, by the clock."""
        portfolio = self._search.portfolio
        return who_led(
            self._told,
            target=portfolio.target,
            scale=portfolio.scale,
            statuses={each.candidate: each.status for each in portfolio.contenders.values()},
        )

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
        self._told.append((self._clock() - self._begun, outcome))
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
