"""The race: our default policy. It asks what finishing a candidate could bring, and at what price.

Every candidate meets the leader on common folds. Rules (losses; k folds, always taken in order):

1. *First look*, only where anchors pay (a target of at least 4,096 rows): each candidate gets
   fold 1 at a thirty-second of the target. The sweep goes on in the order of the seconds that took.
2. *Sweep*: fold 1 at an eighth of the target. A candidate is pruned there if it is behind the
   leader at the same anchor on the same fold by more than twice what chance and its own slope can
   explain. Otherwise it gets fold 1 at the target. The best one there leads; among equals, the
   cheapest.
3. *Race*: the leader gets all its folds: the winner needs them anyway. Then, fold by fold, the
   challenger with the largest expected gain per second goes on. One that completes with a better
   mean takes over. The race ends when no challenger is left: the winner has its exact k-fold score.
4. *Drop* a challenger if the expected gain of finishing it is at most ``price`` times its remaining
   share of the bill of a whole k-fold search, or if it is worse so far and its chance to win is
   below alpha = min(0.1, 10 price) (`curvewise.core._policies.race_odds`).
5. *Several winners*: the last of the ``winners`` best so far stands in the leader's place in rules
   2 and 4, so that as many end with all their folds.
6. *Streams* (candidates not known in advance): rules 1 to 4 with the first eight; each later one
   meets the complete leader. Within a budget whoever keeps it may let new candidates go first for a
   while (`Portfolio.exploring`): then all meet on fold 1, and rule 3 comes later. Who is slow and
   behind the leader at an anchor waits until that has all its folds.

So the single knob, ``price``, is the gain in loss for which one would pay a whole k-fold search.
At price 0 nothing is ever dropped at the target: plain k-fold.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import NamedTuple

from curvewise.core._checks import real_number, whole_number
from curvewise.core._decisions import Advance, Complete, Decision, Lead, Prune, Sample, Skip
from curvewise.core._difference import gap_below_target
from curvewise.core._policies.race_odds import standing
from curvewise.core._policy import Demands, Policy, next_folds
from curvewise.core._portfolio import Contender, Leader, Portfolio
from curvewise.core._run_time import predict_seconds
from curvewise.core._schedule import Schedule
from curvewise.errors import InvalidParameterError

# Round numbers, chosen on 109 data sets of the Learning Curve Database and looked at on the others
# (docs/explanation/race.md says how, measurements.md what they cost there).
# Anchors gained nothing below this target: what a fit costs whatever its rows is too much there.
ANCHORS_FROM = 4096
# Two anchors, a thirty-second and an eighth of the target; more of them gained nothing.
DIVISORS = (32, 8)
# Of a stream, so many race together before the others meet the leader. On recorded curves a stream
# then costs about a tenth more than a list.
OPENING = 8
# By how many standard errors a candidate is behind at an anchor when it is pruned there.
BEHIND = 2.0
# Seconds of a fit that took no measurable time.
SHORTEST = 1e-9
# Within a budget, who takes so many times the leader's seconds and is behind it has to wait.
SLOWER = 3.0
# What is served first: first looks, the sweep, the leader's folds, then challengers.
LOOK, SWEEP, FINISH, CHALLENGE = range(4)


class Odds(NamedTuple):
    """How a contender stands against the leader: all that rule 4 looks at."""

    difference: float
    gain: float
    min_gain: float
    chance: float
    min_chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Race(Policy):
    """Drop a candidate when finishing it is not worth its share of the bill.

    Parameters
    ----------
    price
        The gain, in units of the `Scale`, for which one would pay a whole k-fold search. Larger is
        faster, smaller is safer, 0 is plain k-fold.
    winners
        How many of the best are to end with all their folds. One by default.
    by_rows
        Whether to take the chance in a difference from the test rows on which candidates disagree,
        where these are known. It is faster, and loses k-fold's choice more often among candidates
        that are nearly equal.

    Examples
    --------
    >>> Race().schedule(6400).anchors, Race().schedule(1000).anchors
    ((200, 800, 6400), (1000,))
    """

    price: float = 0.004
    winners: int = 1
    by_rows: bool = False

    name = "race"

    def __post_init__(self) -> None:
        real_number("price", self.price, at_least=0)
        whole_number("winners", self.winners, at_least=1)
        if not isinstance(self.by_rows, bool):
            raise InvalidParameterError(f"by_rows must be True or False, got {self.by_rows!r}.")

    @property
    def alpha(self) -> float:
        """The chance to win below which a candidate that is worse so far is dropped.

        In proportion to the price, so that there is one knob; 0.04 by default.
        """
        return min(0.1, 10 * self.price)

    @property
    def demands(self) -> Demands:
        """Losses by row, if candidates are to be compared by them."""
        return Demands(row_losses=self.by_rows)

    def schedule(self, target: int) -> Schedule:
        """Use anchors only where they can pay."""
        pays = target >= ANCHORS_FROM and self.price > 0
        return Schedule.fractions(target, DIVISORS if pays else ())

    def opening(self, *, listed: bool) -> float:
        """Let all that are known enter together, else a handful."""
        return math.inf if listed else OPENING

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Apply the race's rules to one contender."""
        if contender.curve.n(portfolio.target):
            return self._race(portfolio, contender)
        return self._sweep(portfolio, contender)

    def may_wait(self, decision: Decision) -> bool:
        """Let further folds wait while others are looked at."""
        priority: tuple[float, ...] = getattr(decision, "priority", ())
        return bool(priority) and priority[0] >= FINISH

    def _sweep(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Bring a contender to the target, or prune it on the way (rules 1 and 2)."""
        target = portfolio.target
        inner = portfolio.schedule.inner if self.price > 0 else ()
        if contender.anchor is None and inner:
            return Sample(inner[0], ((inner[0], 0),), (LOOK, contender.order))
        look = contender.curve.at(inner[0], 0) if inner else None
        seconds = look.seconds if look and not portfolio.count_rows else 0.0
        priority = (SWEEP, seconds, contender.order)
        if contender.anchor is None or contender.anchor == target:
            if portfolio.leader is None:
                return Skip(target, ((target, 0),), priority, "first")
            return Advance(target, ((target, 0),), priority)
        rival = portfolio.leader
        if self.winners > 1:
            rival = last_winner(portfolio, self.winners, besides=contender)
        behind = None
        if contender.anchor != inner[0]:
            behind = _behind(portfolio, contender, rival, by_rows=self.by_rows)
        if behind is not None:
            loss = contender.curve.mean(contender.anchor)
            to_beat = loss - behind
            return Prune(contender.anchor, loss, to_beat, target, "behind at the same anchor", 1)
        following = portfolio.schedule.after(contender.anchor)
        if contender.anchor == inner[0] and look is None:
            following = target
        if following == target and portfolio.exploring is not None and _slow(portfolio, contender):
            priority = (CHALLENGE, 0.0, contender.order)
        return Advance(following, ((following, 0),), priority)

    def _race(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Give a contender its next folds at the target, or drop it (rules 3 and 4)."""
        target, curve = portfolio.target, contender.curve
        folds = next_folds(portfolio, contender, target, portfolio.n_folds)
        n, mean = curve.n(target), curve.mean(target)
        if not folds:
            return Complete(target, mean, n)
        leader = portfolio.leader
        if leader is None:
            return Lead(mean, n)
        if portfolio.leads(contender):
            return Sample(target, tuple((target, fold) for fold in folds), (FINISH,))
        if self._takes_lead(portfolio, contender, leader):
            return Lead(mean, n, leader.loss)
        if self.winners > 1:
            last = last_winner(portfolio, self.winners, besides=contender)
            if last is None:
                return Sample(
                    target, ((target, folds[0]),), (CHALLENGE, -math.inf, contender.order)
                )
            leader = last
        odds = self._odds(portfolio, contender, leader)
        if odds is None:
            return Sample(target, ((target, folds[0]),), (CHALLENGE, 0.0, contender.order))
        difference, gain, min_gain, chance, min_chance = odds
        if gain <= min_gain or (difference > 0 and chance < min_chance):
            rule = "expected gain" if gain <= min_gain else "chance"
            to_beat = mean - difference
            return Prune(target, mean, to_beat, target, rule, n, gain, min_gain, chance)
        at_once = max(1, portfolio.n_workers // max(1, portfolio.n_alive))
        wants = tuple((target, fold) for fold in folds[:at_once])
        urgency = gain / max(contender.seconds_at_target or 0.0, SHORTEST)
        return Sample(target, wants, (CHALLENGE, -urgency, contender.order))

    def _takes_lead(self, portfolio: Portfolio, contender: Contender, leader: Leader) -> bool:
        """Whether a contender with one fold is better than a leader with one fold."""
        curve, target = contender.curve, portfolio.target
        if (
            leader.complete
            or leader.curve is None
            or not 1 == curve.n(target) == len(leader.losses)
        ):
            return False
        own, other = curve.mean(target), leader.loss
        if not portfolio.count_rows:
            own += self._bill(portfolio, curve.seconds(target), 1)
            other += self._bill(portfolio, leader.curve.seconds(target), 1)
        return (own, contender.order) < (other, leader.order)

    def _odds(self, portfolio: Portfolio, contender: Contender, leader: Leader) -> Odds | None:
        """Compare with the leader on the folds that both have; None if nothing can be said."""
        curve = contender.curve
        found = standing(portfolio, curve, leader, by_rows=self.by_rows)
        if found is None:
            return None
        min_gain = self._bill(
            portfolio, contender.seconds_at_target or 0.0, curve.n(portfolio.target)
        )
        return Odds(found.difference, found.gain, min_gain, found.chance, self.alpha)

    def _bill(self, portfolio: Portfolio, seconds: float, n: int) -> float:
        """Price what is left of a candidate, as a share of the bill of a whole k-fold search."""
        mean = portfolio.mean_seconds
        cost = seconds / mean if mean > 0 else 1.0
        n_candidates = portfolio.n_candidates
        remaining = 1 - n / portfolio.n_folds
        return portfolio.unit * self.price * remaining * cost / n_candidates


def last_winner(portfolio: Portfolio, n: int, *, besides: Contender) -> Leader | None:
    """Give the last of the n best so far besides a contender; None if there are fewer."""
    target = portfolio.target
    seen = [
        (one.curve.mean(target), one.order, one)
        for one in portfolio.contenders.values()
        if one is not besides
        and one.curve.n(target)
        and (one.alive or one.curve.n(target) == portfolio.n_folds)
    ]
    if len(seen) < n:
        return None
    loss, order, last = heapq.nsmallest(n, seen, key=lambda one: one[:2])[-1]
    losses = dict(zip(last.curve.folds(target), last.curve.losses(target), strict=True))
    complete = len(losses) == portfolio.n_folds
    return Leader(last.candidate, order, last.curve, losses, loss, complete)


def _slow(portfolio: Portfolio, contender: Contender) -> bool:
    """Whether a fold at the target takes much longer than the leader's, who is better so far."""
    leader, anchor = portfolio.leader, contender.anchor
    if leader is None or leader.curve is None or anchor is None:
        return False
    own, other = contender.curve.at(anchor, 0), leader.curve.at(anchor, 0)
    seconds = predict_seconds(contender.curve, portfolio.target)
    if own is None or other is None or seconds is None or not leader.curve.n(portfolio.target):
        return False
    slower = seconds > SLOWER * leader.curve.seconds(portfolio.target)
    return slower and own.loss >= other.loss


def _behind(
    portfolio: Portfolio, contender: Contender, leader: Leader | None, *, by_rows: bool
) -> float | None:
    """How far it is behind a leader at the last anchor on fold 1; None if by chance, perhaps."""
    anchor = contender.anchor
    if leader is None or leader.curve is None or anchor is None:
        return None
    gap = gap_below_target(
        contender.curve,
        leader.curve,
        anchor,
        target=portfolio.target,
        scale=portfolio.scale,
        by_rows=by_rows,
    )
    return gap[0] if gap is not None and gap[0] > BEHIND * gap[1] else None
