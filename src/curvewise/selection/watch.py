"""What happens while a search runs, for those who look on: callbacks, the store, progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import NamedTuple

from curvewise.core.decisions import ENDS, Decision, Fail
from curvewise.core.outcome import Candidate, Observation, Outcome
from curvewise.core.search import Search
from curvewise.errors import NoResult


class Incumbent(NamedTuple):
    """Who led, and since when.

    Parameters
    ----------
    seconds
        Since the search began.
    n_fits, training_rows
        What had been spent by then, in all.
    candidate
        Who took the lead.
    score
        Its mean score at the target then; more folds may follow.

    Examples
    --------
    >>> Incumbent(1.5, n_fits=4, training_rows=400, candidate="svc", score=0.9).score
    0.9
    """

    seconds: float
    n_fits: int
    training_rows: int
    candidate: Candidate
    score: float


class Watch:
    """Follows a search, notes who leads, and passes on what others want to know.

    Parameters
    ----------
    on_decision
        Called with each candidate and decision.
    on_end
        Called with each candidate that has ended, and how.
    raise_failures
        Whether a candidate that fails ends the search with an error.
    stop
        Asked after each outcome; True ends the search.
    """

    def __init__(
        self,
        *,
        on_decision: Iterable[Callable[[Candidate, Decision], object]] = (),
        on_end: Iterable[Callable[[Candidate, Decision], object]] = (),
        raise_failures: bool = False,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self.incumbents: list[Incumbent] = []
        self._on_decision = list(on_decision)
        self._on_end = list(on_end)
        self._raise_failures = raise_failures
        self._stop = stop
        self._failed: tuple[Candidate, Fail] | None = None
        self._begun = monotonic()
        self._n_fits = 0
        self._rows = 0

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Hear of a decision; a search's observer."""
        for listener in self._on_decision:
            listener(candidate, decision)
        if isinstance(decision, ENDS):
            for listener in self._on_end:
                listener(candidate, decision)
        if isinstance(decision, Fail):
            self._failed = (candidate, decision)

    def follow(self, search: Search) -> Callable[[Outcome], None]:
        """Make what is to be called after each outcome of a search."""

        def told(outcome: Outcome) -> None:
            if isinstance(outcome, Observation):
                self._n_fits += 1
                self._rows += outcome.task.anchor
            self._note_leader(search)
            if self._raise_failures and self._failed is not None:
                candidate, failed = self._failed
                raise NoResult(f"{candidate} failed: {failed.failure.message}")
            if self._stop():
                search.stop("a callback asked for it")

        return told

    def _note_leader(self, search: Search) -> None:
        leader = search.portfolio.leader
        if leader is None or leader.candidate is None:
            return
        last = self.incumbents[-1] if self.incumbents else None
        score = search.portfolio.scale.score(leader.loss)
        if last is None or (last.candidate, last.score) != (leader.candidate, score):
            seconds = monotonic() - self._begun
            self.incumbents.append(
                Incumbent(seconds, self._n_fits, self._rows, leader.candidate, score)
            )
