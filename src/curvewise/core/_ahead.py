"""What idle workers begin before it is wanted.

When nothing certain is left to hand out, a free worker would wait for the others. A policy that
goes fold by fold (`Policy.runs_ahead`) lets it begin a fold that will probably be wanted:

1. *Whose*: a contender's whose evaluations at the target are under way. It gets the next of its
   folds that is not begun.
2. *Only what is likely*: of those who came so far in this search, more than half went on
   (`Survival`). Or there are so many workers that each living contender can have several, and it
   has answered at the target once: its share of the workers is its own.
3. *The longest first*, since only the end of all matters now. Who has not answered at the target
   yet counts as the longest, and of these the one that was begun first.
4. *It decides nothing*. What comes back is kept until the policy wants it: folds count in their
   order, whichever answers first. When a contender ends, what was begun ahead for it is cancelled.
"""

from __future__ import annotations

import math
from collections import Counter

from curvewise.core._decisions import STEPS, Decision, Prune
from curvewise.core._flight import Flight
from curvewise.core._outcome import Reason, Task
from curvewise.core._portfolio import Contender, Portfolio

# A fold is begun ahead if it will be wanted more often than not: what is wasted is then less than
# what is of use.
LIKELY = 0.5


class Survival:
    """How often the contenders of a search went on after so many folds at the target."""

    def __init__(self) -> None:
        self._went_on: Counter[int] = Counter()
        self._fell: Counter[int] = Counter()

    def note(self, n: int, decision: Decision) -> None:
        """Count a decision that was carried out on a contender with n folds."""
        if isinstance(decision, STEPS):
            self._went_on[n] += 1
        elif isinstance(decision, Prune):
            self._fell[n] += 1

    def chance(self, first: int, last: int) -> float:
        """Say how likely one goes on each time it is looked at, after ``first`` to ``last`` folds.

        Zero if nobody has come so far yet.
        """
        chance = 1.0
        for n in range(first, last + 1):
            went_on = self._went_on[n]
            chance *= went_on / max(1, went_on + self._fell[n])
        return chance


def begin_ahead(portfolio: Portfolio, flight: Flight, survival: Survival) -> Task | None:
    """Let an idle worker begin what will probably be wanted; None if there is no such thing."""
    share = portfolio.n_workers // max(1, portfolio.n_alive)
    longest, chosen = -math.inf, None
    for contender in flight.contenders:
        seconds = contender.seconds_at_target
        length = math.inf if seconds is None else seconds
        if length > longest and _likely(portfolio, contender, flight, survival, share):
            longest, chosen = length, contender
    if chosen is None:
        return None
    target = portfolio.target
    begun = chosen.pending.union(flight.ahead_of(chosen))
    had = {fold for anchor, fold in begun if anchor == target}.union(chosen.curve.folds(target))
    fold = min(set(range(portfolio.n_folds)).difference(had))
    return flight.begin_ahead(chosen, (target, fold))


def _likely(
    portfolio: Portfolio, contender: Contender, flight: Flight, survival: Survival, share: int
) -> bool:
    """Whether a contender will probably want another fold, and lacks one (rules 1 and 2)."""
    if not contender.pending or contender.anchor != portfolio.target:
        return False
    # A lost worker says nothing: in order, decisions do not depend on it.
    if any(failure.reason is not Reason.LOST for failure in contender.failures):
        return False
    n = contender.curve.n(portfolio.target)
    promised = n + len(contender.pending)
    begun = promised + len(flight.ahead_of(contender))
    if begun >= portfolio.n_folds:
        return False
    if n > 0 and begun - n < share:
        return True
    return survival.chance(promised, begun) > LIKELY
