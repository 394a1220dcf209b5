"""The listeners of a search itself: who led when, and whether a candidate failed."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from curvewise._evaluation.evaluator import Raised
from curvewise.core._decisions import Decision, Fail
from curvewise.core._lead_changes import LeaderChange, who_led
from curvewise.core._outcome import Candidate, Outcome
from curvewise.core._search import Search
from curvewise.errors import NoResultError
from curvewise.executors._listener import Listener


class LeaderList(Listener):
    """Notes when which outcome came, and knows from that who led when."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._told: list[tuple[float, Outcome]] = []

    @property
    def changes(self) -> list[LeaderChange]:
        """Who led when, by the clock."""
        portfolio = self._search.portfolio
        return who_led(
            self._told,
            target=portfolio.target,
            scale=portfolio.scale,
            statuses={each.candidate: each.status for each in portfolio.contenders.values()},
        )

    def started(self, search: Search) -> None:
        """Begin to follow a search."""
        self._search = search
        self._begun = self._clock()

    def told(self, outcome: Outcome) -> None:
        """Note when an outcome came."""
        self._told.append((self._clock() - self._begun, outcome))


class FirstFailure(Listener):
    """Ends a search with an error as soon as a candidate has failed (``error_score="raise"``)."""

    _failed: str | None = None

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Note a failure."""
        if isinstance(decision, Fail):
            self._failed = f"{candidate} failed: {decision.failure.message}"

    def told(self, outcome: Outcome) -> None:
        """Raise what failed; `Experiment.run` makes an ordinary error of it."""
        if self._failed is not None:
            raise Raised(NoResultError(self._failed))
