"""What idle workers begin before it is wanted.

When nothing certain is left to hand out, a free worker would wait for the others. A policy that
goes fold by fold (`Policy.runs_ahead`) lets it begin a fold that will probably be wanted:

1. *Whose*: a contender's whose evaluations at the target are under way. It gets the next of its
   folds that is not begun.
2. *Only what is likely*: of those who came so far in this search, more than half went on
   (`Survival`). Where candidates are few (at most four per worker), it is not work that takes the
   time but waiting: once all that are left have answered at the target, each may have its share of
   the workers, so that the last challengers do not go fold by fold while most workers look on.
3. *Who was begun first* goes first: what has not answered for long takes long, and the longest
   fits decide when all is over.
4. *It decides nothing*. What comes back is kept until the policy wants it: folds count in their
   order, whichever answers first. When a contender ends, what was begun ahead for it is cancelled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curvewise.core._decisions import STEPS, Decision, Prune
from curvewise.core._flight import Flight
from curvewise.core._outcome import Reason, Task
from curvewise.core._portfolio import Contender, Portfolio

# A fold is begun ahead if it will be wanted more often than not: what is wasted is then less than
# what is of use.
LIKELY = 0.5
# Candidates per worker up to which each that is left has its share of the workers. With more it
# costs more than it saves: docs/explanation/measurements.md, "Several workers".
FEW = 4


class Survival:
    """How often the contenders of a search went on after so many folds at the target."""

    def __init__(self) -> None:
        self._went_on: Counter[int] = Counter()
        self._fell: Counter[int] = Counter()

    @property
    def likely(self) -> bool:
        """Whether there is a number of folds after which more than half went on."""
        return any(self.chance(n, n) > LIKELY for n in self._went_on)

    def note(self, n: int, decision: Decision) -> None:
        """Count a decision that was carried out on a contender with n folds."""
        if n and isinstance(decision, STEPS):
            self._went_on[n] += 1
        elif n and isinstance(decision, Prune):
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
    contenders = flight.contenders
    share = _share(portfolio, contenders)
    if share < 2 and not survival.likely:
        return None
    chosen = next(
        (one for one in contenders if _likely(portfolio, one, flight, survival, share)), None
    )
    if chosen is None:
        return None
    target = portfolio.target
    begun = chosen.pending.union(flight.ahead_of(chosen))
    had = {fold for anchor, fold in begun if anchor == target}.union(chosen.curve.folds(target))
    fold = min(set(range(portfolio.n_folds)).difference(had))
    return flight.begin_ahead(chosen, (target, fold))


def _share(portfolio: Portfolio, contenders: Sequence[Contender]) -> int:
    """Give how many workers each that is left may have; 0 if only what is likely is begun."""
    if portfolio.n_candidates > FEW * portfolio.n_workers:
        return 0
    if any(contender.seconds_at_target is None for contender in contenders):
        return 0
    return portfolio.n_workers // max(1, portfolio.n_alive)


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
    return begun - n < share or survival.chance(promised, begun) > LIKELY
