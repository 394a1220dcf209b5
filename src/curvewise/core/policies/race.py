"""The race: our default policy. It asks what finishing a candidate could still bring.

Every candidate meets the leader on common folds. Rules (losses; k folds, taken in order):

1. *First look*, only where anchors pay (a schedule with inner anchors) and all candidates are
   known: each gets fold 1 at the first anchor; the sweep goes in the order of that loss.
2. *Sweep*: the first candidate gets fold 1 at the target and leads. Each other one climbs the
   anchors on fold 1; from the second anchor on its loss at the target is projected along the
   steepest slope per log step seen so far, stretched by `STRETCH`. It is pruned if that is still
   clearly worse than the leader, and goes straight to the target if it is better. At the target,
   whoever is better on fold 1 leads.
3. *Race*: the leader gets all its folds (the winner needs them anyway). Then, fold by fold, the
   challenger with the largest expected gain per second goes on; rule 4 drops the others. A
   challenger takes over only with all k folds and the better mean: the winner always has its exact
   k-fold score.
4. *Rule*: from the paired differences so far, the expected gain of finishing a candidate
   (`curvewise.core.gain`). Dropped if that is below what its cost is worth, or if its chance to
   win is below ``alpha``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from scipy.special import stdtrit

from curvewise.core.decisions import Advance, Complete, Decision, Lead, Prune, Sample, Skip
from curvewise.core.gain import chance_below, expected_gain
from curvewise.core.policy import Estimate, last_anchor, next_folds
from curvewise.core.portfolio import Contender, Leader, Portfolio
from curvewise.core.schedule import Schedule
from curvewise.errors import InvalidParameter

ANCHORS_FROM = 4096
DIVISORS = (64, 16, 4)
OPENING = 8
STRETCH = 1.5
SWEEP_QUANTILE = float(stdtrit(2, 0.90))
PRIOR_WEIGHT = 4
MANY = 20
LOOK, SWEEP, FINISH_LEADER, CHALLENGE = range(4)


class Standing(NamedTuple):
    """How a contender stands against the leader."""

    difference: float
    gain: float
    min_gain: float
    chance: float


@dataclass(frozen=True, slots=True)
class Race:
    """Drop a candidate when finishing it is no longer worth its cost.

    Parameters
    ----------
    tolerance
        The expected gain, in units of the `Scale`, that is worth the cost of an average candidate.
    alpha
        A candidate whose chance to win is below this is dropped.

    Examples
    --------
    >>> Race().schedule(6400).anchors, Race().schedule(1000).anchors
    ((100, 400, 1600, 6400), (1000,))
    """

    tolerance: float = 2e-4
    alpha: float = 0.03

    name = "race"

    def __post_init__(self) -> None:
        if not self.tolerance >= 0:
            raise InvalidParameter(f"tolerance must be at least 0, got {self.tolerance}.")
        if not 0 <= self.alpha < 0.5:
            raise InvalidParameter(f"alpha must be at least 0 and below 0.5, got {self.alpha}.")

    def schedule(self, target: int) -> Schedule:
        """Use anchors only where they can pay."""
        return Schedule.fractions(target, DIVISORS if target >= ANCHORS_FROM else ())

    def opening(self, *, listed: bool) -> float:
        """Let all that are known enter together, else a handful."""
        return math.inf if listed else OPENING

    def estimate(self, portfolio: Portfolio, contender: Contender) -> Estimate:
        """Average the largest anchor that has been observed."""
        return last_anchor(portfolio, contender)

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Apply the race's rules to one contender."""
        if contender.curve.n(portfolio.target):
            return self._race(portfolio, contender)
        return self._sweep(portfolio, contender)

    def _sweep(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Bring a contender to the target, or prune it on the way (rules 1 and 2)."""
        inner, target = portfolio.schedule.inner, portfolio.target
        look = contender.curve.at(inner[0], 0) if inner else None
        priority = (SWEEP, look.loss if look else 0.0, contender.order)
        if contender.anchor is None and inner and portfolio.n_listed is not None:
            return Sample(inner[0], ((inner[0], 0),), (LOOK, contender.order))
        if portfolio.leader is None and not portfolio.n_sent_to_target:
            return Skip(target, ((target, 0),), priority, "first")
        projected = None
        leader = portfolio.leader
        if leader is not None:
            projected = self._project(portfolio, contender)
            if projected is not None:
                loss, noise = projected
                to_beat = leader.losses.get(0, leader.loss)
                if loss - to_beat > SWEEP_QUANTILE * noise:
                    anchor = contender.curve.anchors[-1]
                    return Prune(anchor, loss, to_beat, target, "projection", 1)
                if loss <= to_beat:
                    return Skip(target, ((target, 0),), priority, "slope", loss, to_beat)
        following = target
        if contender.anchor is None:
            following = inner[0] if inner else target
        elif contender.anchor != target:
            following = portfolio.schedule.after(contender.anchor)
        bound = projected[0] if projected else None
        to_beat_or_none = leader.loss if leader else None
        return Advance(following, ((following, 0),), priority, bound, to_beat_or_none)

    def _project(self, portfolio: Portfolio, contender: Contender) -> tuple[float, float] | None:
        """Project fold 1 to the target; give the loss there and its standard error."""
        points = [
            (math.log(anchor), cell)
            for anchor in portfolio.schedule.inner
            if (cell := contender.curve.at(anchor, 0)) is not None
        ]
        if len(points) < 2:
            return None
        steepest = min(
            (later.loss - earlier.loss) / (x2 - x1)
            for (x1, earlier), (x2, later) in pairwise(points)
        )
        (before, _), (last, cell) = points[-2:]
        step = last - before
        g = STRETCH * (math.log(portfolio.target) - last) / step if steepest < 0 else 0.0
        variance = _variance_of_one(cell.loss, cell.n_test) * (1 + g) ** 2
        return cell.loss + g * steepest * step, math.sqrt(variance)

    def _race(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Give a contender its next folds at the target, or drop it (rules 3 and 4)."""
        target, curve = portfolio.target, contender.curve
        folds = next_folds(portfolio, contender, target, portfolio.n_folds)
        n = curve.n(target)
        if not folds:
            return Complete(target, curve.mean(target), n)
        leader = portfolio.leader
        if leader is None:
            return Lead(curve.mean(target), n)
        if portfolio.leads(contender):
            wants = tuple((target, fold) for fold in folds)
            return Sample(target, wants, (FINISH_LEADER, contender.order))
        if (
            n == 1 == len(leader.losses)
            and not leader.complete
            and curve.mean(target) < leader.loss
        ):
            return Lead(curve.mean(target), n, leader.loss)
        standing = self._standing(portfolio, contender, leader)
        if standing is None:
            return Sample(target, ((target, folds[0]),), (CHALLENGE, 0.0))
        mu, gain, min_gain, chance = standing
        if mu >= 0 and (gain <= min_gain or (mu > 0 and chance < self.alpha)):
            rule = "expected gain" if gain <= min_gain else "chance"
            mean = curve.mean(target)
            return Prune(target, mean, mean - mu, target, rule, n, gain, min_gain, chance)
        seconds = curve.seconds(target) or 1.0
        return Sample(target, ((target, folds[0]),), (CHALLENGE, -gain / seconds))

    def _standing(
        self, portfolio: Portfolio, contender: Contender, leader: Leader
    ) -> Standing | None:
        target, curve, k = portfolio.target, contender.curve, portfolio.n_folds
        pairs = []
        for fold, loss in zip(curve.folds(target), curve.losses(target), strict=True):
            if leader.complete:
                pairs.append(loss - 0.5 * (leader.losses.get(fold, leader.loss) + leader.loss))
            elif fold in leader.losses:
                pairs.append(loss - leader.losses[fold])
        n = len(pairs)
        if not n:
            return None
        mu = math.fsum(pairs) / n
        prior = _variance_of_one(curve.mean(target), curve.n_test(target))
        freedom = PRIOR_WEIGHT + n - 1
        squares = math.fsum((d - mu) ** 2 for d in pairs)
        variance = (PRIOR_WEIGHT * prior + squares) / freedom
        h = math.sqrt(variance * (1 / n - 1 / k))
        gain = expected_gain(mu, h, freedom)
        chance = chance_below(mu / h, freedom) if h > 0 else float(mu < 0)
        return Standing(mu, gain, self._min_gain(portfolio, contender, n), chance)

    def _min_gain(self, portfolio: Portfolio, contender: Contender, n: int) -> float:
        """Say what gain is worth the cost of finishing this candidate."""
        cost = (contender.seconds_at_target or 0.0) / (portfolio.mean_seconds or 1.0)
        cost = min(4.0, max(0.25, cost)) if cost else 1.0
        many = portfolio.n_listed or len(portfolio.contenders)
        scale = math.sqrt(MANY / many) if many > MANY else 1.0
        return portfolio.unit * self.tolerance * scale * 2 * (1 - n / portfolio.n_folds) * cost


def _variance_of_one(loss: float, n_test: float | None) -> float:
    """The variance of one fold's error rate, were its test rows independent."""
    m = n_test or 100
    p = min(0.5, max(0.5 / m, loss))
    return p * (1 - p) / m
