"""Learning-curve cross-validation: Algorithm 1 of Mohr & van Rijn 2023.

At each anchor of an ascending schedule, folds are sampled until the interval of the mean loss is
narrow enough; then, in this order:

1. *Nothing to beat* (no complete leader yet): straight to the target.
2. *Repair*: if no convex curve fits the intervals, one more fold one anchor back and one here, as
   long as the earlier anchor has folds left.
3. *Prune*: if even the optimistic convex bound for the target is worse than the leader.
4. *Skip* to the target, if the mean here already beats the leader or if a power law through at
   least three anchors is expected to.
5. *Advance* otherwise.

At the target there is neither repair nor prune: a candidate that got there gets its score. An
anchor without an interval (jumped over, or failed) takes no part in any check. Without pruning
and skipping (``prune=False, skip=False``) every anchor is evaluated, for the question whether more
data helps.

Where the paper is silent or wrong, the docs' page on deviations says how it was read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from curvewise.core._checks import real_number, whole_number
from curvewise.core._convexity import (
    convexity_compatible,
    convexity_excess,
    optimistic_bound,
    slopes_increase,
)
from curvewise.core._decisions import Advance, Complete, Decision, Prune, Repair, Sample, Skip
from curvewise.core._extrapolation import MODELS, CurveModel, InversePowerLaw
from curvewise.core._intervals import Interval, IntervalKind, quantile
from curvewise.core._policy import Estimate, Policy, last_anchor, next_folds
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._scale import lowest_loss
from curvewise.core._schedule import Schedule
from curvewise.errors import InvalidParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class LCCV(Policy):
    """Validate along the learning curve, prune what convexity rules out.

    Parameters
    ----------
    min_exp, base, drop_last
        The schedule: anchors ``base ** min_exp, base ** (min_exp + 1), ...`` and the target; a last
        power above ``target / base`` is dropped unless ``drop_last`` is False.
    min_repeats
        Folds at an anchor before anything is decided.
    max_repeats
        Folds at an anchor at the most; None for all there are.
    max_width, max_width_target
        How narrow the interval has to be at inner anchors and at the target, in units of the
        `Scale`.
    prune, skip, repair
        Switch a rule off.
    model
        The curve model whose prediction allows a skip, by its name; None to skip on means only.
    interval, level
        The kind of confidence interval and its nominal level.
    compatibility
        ``"exact"`` for the exact convexity test, ``"slopes"`` for the one printed in Algorithm 1.
    timeout_result
        What a candidate is worth that a limit stopped before the target: ``"last_anchor"`` or
        ``"extrapolation"`` (the power law's value at the target).
    partial_results
        Whether a candidate that was stopped competes with its partial result, as in the paper's
        experiments: it can be the best, and the one to beat. By default it is the best only if
        nobody was completed.

    Examples
    --------
    >>> LCCV().schedule(1000).anchors
    (64, 128, 256, 1000)
    >>> LCCV(min_repeats=5, max_repeats=2)
    Traceback (most recent call last):
    ...
    curvewise.errors.InvalidParameterError: max_repeats must be at least min_repeats=5, got 2.
    """

    min_exp: int = 6
    base: float = 2
    drop_last: bool = True
    min_repeats: int = 3
    max_repeats: int | None = None
    max_width: float = 0.1
    max_width_target: float = 0.001
    prune: bool = True
    skip: bool = True
    repair: bool = True
    model: str | None = InversePowerLaw.name
    interval: IntervalKind = "normal"
    level: float = 0.95
    compatibility: Literal["exact", "slopes"] = "exact"
    timeout_result: Literal["last_anchor", "extrapolation"] = "last_anchor"
    partial_results: bool = False

    name = "lccv"

    def __post_init__(self) -> None:
        whole_number("min_repeats", self.min_repeats, at_least=1)
        if self.max_repeats is not None:
            most = whole_number("max_repeats", self.max_repeats)
            if most < self.min_repeats:
                raise InvalidParameterError(
                    f"max_repeats must be at least min_repeats={self.min_repeats}, got {most}."
                )
        real_number("max_width", self.max_width, at_least=0)
        real_number("max_width_target", self.max_width_target, at_least=0)
        if self.model is not None and self.model not in MODELS:
            raise InvalidParameterError(
                f"model must be one of {', '.join(MODELS)} or None, got {self.model!r}."
            )
        if self.compatibility not in ("exact", "slopes"):
            raise InvalidParameterError(
                f"compatibility must be 'exact' or 'slopes', got {self.compatibility!r}."
            )
        if self.timeout_result not in ("last_anchor", "extrapolation"):
            raise InvalidParameterError(
                "timeout_result must be 'last_anchor' or 'extrapolation', "
                f"got {self.timeout_result!r}."
            )
        quantile(self.interval, 2, self.level)
        self.schedule(1)

    def schedule(self, target: int) -> Schedule:
        """Take the powers of the base up to the target."""
        return Schedule.geometric(
            target, min_exp=self.min_exp, base=self.base, drop_last=self.drop_last
        )

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Apply Algorithm 1 to one candidate."""
        anchor = contender.anchor
        if anchor is None:
            return self._enter(portfolio, contender)
        missing = self._missing(portfolio, contender, anchor)
        if missing:
            width = contender.curve.interval(anchor, kind=self.interval, level=self.level).width
            return Sample(
                anchor,
                tuple((anchor, fold) for fold in missing),
                (contender.order,),
                width if math.isfinite(width) else None,
                self._max_width(portfolio, anchor),
            )
        if anchor == portfolio.target:
            curve = contender.curve
            return Complete(anchor, curve.mean(anchor), curve.n(anchor))
        return self._leave(portfolio, contender, anchor)

    def estimate(self, portfolio: Portfolio, contender: Contender) -> Estimate:
        """Give the last anchor's mean, or the power law's value at the target."""
        if self.timeout_result == "extrapolation" and not contender.curve.n(portfolio.target):
            predicted = _extrapolate(InversePowerLaw(), portfolio, contender)
            if predicted is not None:
                # As wide as at the last anchor, and wider by what the curve still has to fall.
                mean, _, (low, high) = last_anchor(portfolio, contender)
                half = (high - low) / 2 + abs(mean - predicted)
                low = max(predicted - half, _lowest(portfolio, contender))
                interval = Interval(low, predicted + half)
                text = f"extrapolation to {portfolio.target:,} rows"
                return Estimate(predicted, text, interval)
        return last_anchor(portfolio, contender)

    def _enter(self, portfolio: Portfolio, contender: Contender) -> Decision:
        # Deviates: "r = 1" in Algorithm 1 is the error-rate way to say "nothing to beat".
        if portfolio.threshold is None and self.skip:
            return self._skip(portfolio, contender, "first")
        anchor = portfolio.schedule.anchors[0]
        return Advance(anchor, self._first_folds(portfolio, contender, anchor), (contender.order,))

    def _leave(self, portfolio: Portfolio, contender: Contender, anchor: int) -> Decision:
        """Decide how to go on from an anchor whose folds are all in."""
        anchors, intervals = self._intervals(portfolio, contender)
        threshold = portfolio.threshold
        bound = optimistic_bound(anchors, intervals, portfolio.target) if anchors else -math.inf
        if math.isfinite(bound):
            bound = max(bound, _lowest(portfolio, contender))
        if self.repair and anchors and anchors[-1] == anchor:
            repair = self._repair(portfolio, contender, anchors, intervals)
            if repair is not None:
                return repair
        if self.prune and threshold is not None and bound > threshold:
            n = contender.curve.n(anchor)
            return Prune(anchor, bound, threshold, portfolio.target, "bound", n)
        if self.skip:
            skip = self._maybe_skip(portfolio, contender, anchor)
            if skip is not None:
                return skip
        following = portfolio.schedule.after(anchor)
        wants = self._first_folds(portfolio, contender, following)
        known = bound if math.isfinite(bound) else None
        return Advance(following, wants, (contender.order,), known, threshold)

    def _repair(
        self,
        portfolio: Portfolio,
        contender: Contender,
        anchors: list[int],
        intervals: list[Interval],
    ) -> Repair | None:
        if len(anchors) < 3:
            return None
        fits = slopes_increase if self.compatibility == "slopes" else convexity_compatible
        if fits(anchors, intervals):
            return None
        excess = convexity_excess(anchors, intervals)
        earlier, anchor = anchors[-2:]
        back = self._folds_left(portfolio, contender, earlier)[:1]
        if not back:
            return None
        wants = [(earlier, fold) for fold in back]
        wants += [(anchor, fold) for fold in self._folds_left(portfolio, contender, anchor)[:1]]
        return Repair(anchor, tuple(wants), (contender.order,), earlier, excess)

    def _maybe_skip(self, portfolio: Portfolio, contender: Contender, anchor: int) -> Skip | None:
        threshold = portfolio.threshold
        if threshold is None:
            return self._skip(portfolio, contender, "first")
        mean = contender.curve.mean(anchor)
        if mean <= threshold:
            return self._skip(portfolio, contender, "mean", mean)
        if self.model is not None:
            predicted = _extrapolate(MODELS[self.model], portfolio, contender)
            if predicted is not None and predicted <= threshold:
                return self._skip(portfolio, contender, self.model, predicted)
        return None

    def _skip(
        self,
        portfolio: Portfolio,
        contender: Contender,
        because: str,
        estimate: float | None = None,
    ) -> Skip:
        target = portfolio.target
        wants = self._first_folds(portfolio, contender, target)
        return Skip(target, wants, (contender.order,), because, estimate, portfolio.threshold)

    def _missing(self, portfolio: Portfolio, contender: Contender, anchor: int) -> list[int]:
        """List the folds to sample now: up to the minimum, then until the interval is narrow."""
        left = self._folds_left(portfolio, contender, anchor)
        losses = contender.curve.losses(anchor)
        n = len(losses)
        if n < self.min_repeats:
            return left[: self.min_repeats - n]
        max_width = self._max_width(portfolio, anchor)
        width = contender.curve.interval(anchor, kind=self.interval, level=self.level).width
        if width <= max_width:
            return []
        if anchor != portfolio.target:
            return left[:1]
        # All that the width now calls for at once, so that workers need not wait for each other.
        wanted = n * (width / max_width) ** 2 if max_width and math.isfinite(width) else math.inf
        return left[: max(1, math.ceil(min(wanted, n + len(left))) - n)]

    def _first_folds(
        self, portfolio: Portfolio, contender: Contender, anchor: int
    ) -> tuple[tuple[int, int], ...]:
        folds = self._folds_left(portfolio, contender, anchor)[: self.min_repeats]
        return tuple((anchor, fold) for fold in folds)

    def _folds_left(self, portfolio: Portfolio, contender: Contender, anchor: int) -> list[int]:
        had = contender.curve.n(anchor)
        most = portfolio.n_folds if self.max_repeats is None else self.max_repeats
        if contender.failed_folds(anchor):
            return []
        return next_folds(portfolio, contender, anchor, max(0, most - had))

    def _max_width(self, portfolio: Portfolio, anchor: int) -> float:
        at_target = anchor == portfolio.target
        return portfolio.unit * (self.max_width_target if at_target else self.max_width)

    def _intervals(
        self, portfolio: Portfolio, contender: Contender
    ) -> tuple[list[int], list[Interval]]:
        """List the anchors that have an interval, and these; a failed anchor has none."""
        curve = contender.curve
        enough = max(2, min(self.min_repeats, portfolio.n_folds))
        anchors = [
            anchor
            for anchor in curve.anchors
            if curve.n(anchor) >= enough and not contender.failed_folds(anchor)
        ]
        kind, level = self.interval, self.level
        return anchors, [curve.interval(anchor, kind=kind, level=level) for anchor in anchors]


def _extrapolate(model: CurveModel, portfolio: Portfolio, contender: Contender) -> float | None:
    """Fit a model to the means so far and read it at the target; None if anchors are too few."""
    curve = contender.curve
    fitted = model.fit(curve.anchors, [curve.mean(anchor) for anchor in curve.anchors])
    if fitted is None:
        return None
    return max(fitted.predict(portfolio.target), _lowest(portfolio, contender))


def _lowest(portfolio: Portfolio, contender: Contender) -> float:
    """Give the lowest loss that the metric allows, as far as losses show it.

    Deviates: the paper bounds the power law's asymptote (a >= 0); here the value at the target is
    bounded, whatever the model. No decision differs: what is there to beat is no better either.
    """
    curve, threshold = contender.curve, portfolio.threshold
    seen = [loss for anchor in curve.anchors for loss in curve.losses(anchor)]
    return lowest_loss(seen if threshold is None else [*seen, threshold])
