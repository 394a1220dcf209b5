"""When a search that nobody limits ends: once further candidates are not worth their price.

The price of a race is the gain in loss for which one would pay a whole search. So a search goes on
as long as it brings that much: if all that came of the later half of its candidates is less than
half of the price, as much again will hardly bring more. There is a bound besides.
"""

from __future__ import annotations

import math

from curvewise.core._decisions import ENDS, Decision
from curvewise.core._outcome import Candidate, Outcome
from curvewise.core._policies.race import Race
from curvewise.core._search import Search
from curvewise.executors._listener import Listener

# Of fewer candidates one cannot tell.
FEWEST = 30
MOST = 300


class Enough(Listener):
    """Ends a search when its later half has brought less than half of the price."""

    def __init__(self) -> None:
        self._best: list[float] = []
        self._n_ended = 0

    def started(self, search: Search) -> None:
        """Begin to follow a search."""
        self._search = search

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Count who has ended."""
        self._n_ended += isinstance(decision, ENDS)

    def told(self, outcome: Outcome) -> None:
        """Note who leads now, and end the search if it brings no more."""
        portfolio = self._search.portfolio
        leader = portfolio.leader
        loss = leader.loss if leader is not None and leader.complete else math.inf
        self._best += [loss] * (self._n_ended - len(self._best))
        n = len(self._best)
        if n < FEWEST or not math.isfinite(self._best[n // 2]):
            return
        price = getattr(self._search.policy, "price", Race().price) * portfolio.unit
        brought = self._best[n // 2] - self._best[-1]
        if brought < price / 2 or n >= MOST:
            self._search.stop(f"the last {n - n // 2} candidates brought {brought:.2g}")
