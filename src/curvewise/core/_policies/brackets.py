"""Successive halving and Hyperband on the same tasks, for comparison in benchmarks.

*Successive halving* (Jamieson & Talwalkar 2016): all candidates are evaluated on every fold at a
small anchor; the best 1/eta go on to an anchor eta times as large, and so on up to the target.
There are as many rungs as the number of candidates allows.

*Hyperband* (Li et al. 2018): several such brackets, each beginning at another anchor, with the
candidates dealt out in Hyperband's proportions. The best complete candidate wins.

Both need to know all candidates in advance, and wait at each rung for the slowest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise

from curvewise.core._checks import whole_number
from curvewise.core._decisions import Advance, Complete, Decision, Fail, Hold, Prune, Sample
from curvewise.core._policy import Policy, next_folds
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._schedule import Schedule
from curvewise.errors import InvalidParameterError

MOST_RUNGS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Halving(Policy):
    """Keep the best 1/eta at each rung.

    Parameters
    ----------
    eta
        The ratio of neighbouring anchors, and of the candidates kept.

    Examples
    --------
    >>> Halving().schedule(900).anchors
    (33, 100, 300, 900)
    """

    eta: int = 3

    name = "halving"

    def __post_init__(self) -> None:
        whole_number("eta", self.eta, at_least=2)

    def schedule(self, target: int) -> Schedule:
        """Divide the target by powers of eta."""
        powers = (self.eta**i for i in range(1, MOST_RUNGS))
        return Schedule.fractions(target, [power for power in powers if target >= 32 * power])

    def opening(self, *, listed: bool) -> float:
        """Let all candidates enter together."""
        if not listed:
            raise InvalidParameterError(f"{self.name} needs to know all candidates in advance.")
        return math.inf

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Wait for the rung, then go on or out."""
        target, curve, anchor = portfolio.target, contender.curve, contender.anchor
        if anchor == target:
            return Complete(target, curve.mean(target), curve.n(target))
        bracket, members, rungs = self._bracket_of(portfolio, contender)
        if anchor is None:
            return self._evaluate(portfolio, contender, bracket, rungs[0])
        if any(_comes_later(member, anchor) for member in members):
            # Behind all that can be done meanwhile.
            return Hold((math.inf, bracket, anchor))
        reached = [member for member in members if member.curve.n(anchor)]
        if not curve.n(anchor) and reached:
            return Fail(contender.failures[-1], len(contender.failures))
        reached.sort(key=lambda member: (member.curve.mean(anchor), member.order))
        n_kept = max(1, len(reached) // self.eta)
        if contender in reached[:n_kept] or not reached:
            following = rungs[rungs.index(anchor) + 1]
            return self._evaluate(portfolio, contender, bracket, following)
        last_kept = reached[n_kept - 1].curve.mean(anchor)
        return Prune(anchor, curve.mean(anchor), last_kept, target, "rank", curve.n(anchor))

    def _evaluate(
        self, portfolio: Portfolio, contender: Contender, bracket: int, anchor: int
    ) -> Decision:
        folds = next_folds(portfolio, contender, anchor, portfolio.n_folds)
        wants = tuple((anchor, fold) for fold in folds)
        priority = (bracket, portfolio.schedule.anchors.index(anchor), contender.order)
        if contender.anchor is None:
            return Sample(anchor, wants, priority)
        return Advance(anchor, wants, priority)

    def _bracket_of(
        self, portfolio: Portfolio, contender: Contender
    ) -> tuple[int, list[Contender], tuple[int, ...]]:
        """The number of a contender's bracket, its members and its anchors."""
        anchors = portfolio.schedule.anchors
        edges = self._edges(portfolio)
        for bracket, (first, end) in enumerate(pairwise(edges)):
            if contender.order < end:
                members = list(islice(portfolio.contenders.values(), first, end))
                return bracket, members, anchors[-self._n_rungs(portfolio, bracket) :]
        # Who came later than the brackets were dealt out goes straight to the target.
        return len(edges), [contender], anchors[-1:]

    def _edges(self, portfolio: Portfolio) -> list[int]:
        """Where each bracket begins and ends in the order of the candidates."""
        return [0, portfolio.n_listed or 0]

    def _n_rungs(self, portfolio: Portfolio, bracket: int) -> int:
        """As many rungs as the number of candidates allows, fewer in each further bracket."""
        n = max(1, portfolio.n_listed or 0)
        most = 1 + math.floor(math.log(n, self.eta) + 1e-9)
        return min(most, len(portfolio.schedule.anchors)) - bracket


@dataclass(frozen=True, slots=True, kw_only=True)
class Hyperband(Halving):
    """Several brackets of successive halving, each beginning at another anchor.

    Parameters
    ----------
    eta
        The ratio of neighbouring anchors, and of the candidates kept.

    Examples
    --------
    >>> Hyperband(eta=4).schedule(6400).anchors
    (100, 400, 1600, 6400)
    """

    name = "hyperband"

    def _edges(self, portfolio: Portfolio) -> list[int]:
        most = self._n_rungs(portfolio, 0)
        weights = [self.eta ** (most - 1 - bracket) / (most - bracket) for bracket in range(most)]
        shares = accumulate(weights, initial=0.0)
        return [round((portfolio.n_listed or 0) * share / sum(weights)) for share in shares]


def _comes_later(member: Contender, anchor: int) -> bool:
    """Whether a member still has to answer at this anchor, or to reach it."""
    if not member.alive:
        return False
    return member.anchor is None or member.anchor < anchor or bool(member.pending)
