"""Learning-curve cross-validation: Algorithm 1 of Mohr & van Rijn 2023.

At each anchor of an ascending schedule, folds are sampled until the interval of the mean loss is
narrow enough; then, in this order:

1. *Nothing to beat* (no complete leader yet): straight to the target.
2. *Repair*: if no convex curve fits the intervals, back to where it bends for one more fold. There
   rules 2 to 4 hold again; then it returns, with one more fold where it came from. A bend is
   repaired once (``max_repairs``), and never beyond the folds that there are.
3. *Prune*: if even the optimistic convex bound for the target is worse than the leader (and, with
   ``shape_alpha``, nothing speaks against a convex curve).
4. *Skip* to the target, if the mean here already beats the leader or if a power law through at
   least three anchors is expected to.
5. *Advance* otherwise.

At the target there is neither repair nor prune: a candidate that got there gets its score. An
anchor without an interval (jumped over, or failed) takes no part in any check. Without pruning
and skipping (``prune=False, skip=False``) every anchor is evaluated, for the question whether more
data helps.

Where the paper is silent or wrong, the docs' page on deviations says how it was read, and
`LCCV.as_printed` has the knobs for what is printed. Comments name the rows of that page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, Self

from curvewise.core._checks import one_of, real_number, share, whole_number
from curvewise.core._convexity import bends, convexity_excess, optimistic_bound, slopes_increase
from curvewise.core._curve_shape import ill_shape
from curvewise.core._decisions import Advance, Complete, Decision, Prune, Repair, Sample, Skip
from curvewise.core._extrapolation import MODELS, InversePowerLaw
from curvewise.core._intervals import Interval, IntervalKind, quantile
from curvewise.core._policies.foreseen import (
    extrapolate,
    lowest_possible,
    mean_train_loss,
    predicted_result,
)
from curvewise.core._policies.lccv_folds import first_folds, folds_left, max_width, missing_folds
from curvewise.core._policy import Demands, Estimate, Policy, TestPart, last_anchor
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._schedule import Schedule
from curvewise.errors import InvalidParameterError

# What is printed where the defaults differ; the docs' page on deviations has the reasons.
PRINTED: dict[str, Any] = {
    "drop_last": False,
    "max_repairs": None,
    "compatibility": "slopes",
    "partial_results": True,
    "first_anchor": True,
    "skip_by_mean": False,
    "one_by_one": True,
    "check_target": True,
    "test_part": "rest",
}


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
    max_repairs
        How often an anchor at which the curve bends is repaired; None for as often as there are
        folds, as printed.
    model
        The curve model whose prediction allows a skip, by its name; None to skip on means only.
    interval, level
        The kind of confidence interval and its nominal level.
    compatibility
        ``"exact"`` for the exact convexity test, ``"slopes"`` for the one printed in Algorithm 1,
        which looks at the last three anchors.
    shape_alpha
        The error rate of a test whether the curve falls and is convex. A curve that fails it is not
        pruned at that anchor. None for no test, as in the paper.
    timeout_result
        What a candidate is worth that a limit stopped before the target: ``"last_anchor"`` or
        ``"extrapolation"`` (the power law's value at the target).
    partial_results
        Whether a candidate that was stopped competes with its partial result, as in the paper's
        experiments. By default it is the best only if nobody was completed.
    first_anchor
        Whether a candidate with nothing to beat begins at the first anchor, as printed.
    skip_by_mean
        Whether a mean that beats the leader allows a skip: so the text, not Algorithm 1.
    one_by_one
        Whether folds at the target are asked for one by one, as printed.
    check_target
        Whether repair and prune hold at the target as well, as printed.
    test_part
        What a model is tested on at inner anchors: ``"fold"`` for the fold's test part, ``"rest"``
        for all of the fold's rows that it was not trained on, as in the paper.
    prune_by_training
        Whether a candidate is pruned whose mean loss on its training rows is worse than the
        leader's loss: not in the paper, but perhaps in its authors' runs.

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
    max_repairs: int | None = 1
    model: str | None = InversePowerLaw.name
    interval: IntervalKind = "normal"
    level: float = 0.95
    compatibility: Literal["exact", "slopes"] = "exact"
    shape_alpha: float | None = None
    timeout_result: Literal["last_anchor", "extrapolation"] = "last_anchor"
    partial_results: bool = False
    first_anchor: bool = False
    skip_by_mean: bool = True
    one_by_one: bool = False
    check_target: bool = False
    test_part: TestPart = "fold"
    prune_by_training: bool = False

    name = "lccv"

    def __post_init__(self) -> None:
        whole_number("min_repeats", self.min_repeats, at_least=1)
        if self.max_repeats is not None:
            most = whole_number("max_repeats", self.max_repeats)
            if most < self.min_repeats:
                raise InvalidParameterError(
                    f"max_repeats must be at least min_repeats={self.min_repeats}, got {most}."
                )
        if self.max_repairs is not None:
            whole_number("max_repairs", self.max_repairs, at_least=0)
        real_number("max_width", self.max_width, at_least=0)
        real_number("max_width_target", self.max_width_target, at_least=0)
        if self.model is not None and self.model not in MODELS:
            raise InvalidParameterError(
                f"model must be one of {', '.join(MODELS)} or None, got {self.model!r}."
            )
        one_of("compatibility", self.compatibility, ("exact", "slopes"))
        one_of("timeout_result", self.timeout_result, ("last_anchor", "extrapolation"))
        one_of("test_part", self.test_part, ("fold", "rest"))
        if self.shape_alpha is not None:
            share("shape_alpha", self.shape_alpha)
        quantile(self.interval, 2, self.level)
        self.schedule(1)

    @classmethod
    def as_printed(cls, **knobs: float | str | None) -> Self:
        """Follow the letter of Algorithm 1 wherever that is possible.

        Parameters
        ----------
        **knobs
            Further knobs, or others for these.

        Examples
        --------
        >>> LCCV.as_printed(max_repeats=5).compatibility
        'slopes'
        """
        given: dict[str, Any] = {**PRINTED, **knobs}
        return cls(**given)

    @property
    def demands(self) -> Demands:
        """Its test part, and training scores if it prunes by them."""
        return Demands(self.test_part, self.prune_by_training)

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
        missing = missing_folds(self, portfolio, contender, anchor)
        # Deviates: 5. As printed, repair and prune hold at the target, too.
        if self.repair and (anchor != portfolio.target or self.check_target):
            repair = self._repair(portfolio, contender, *self._intervals(portfolio, contender))
            if repair is not None:
                over = anchor == portfolio.target and not missing
                return self._complete(portfolio, contender) if over else repair
        if missing:
            width = contender.curve.interval(anchor, kind=self.interval, level=self.level).width
            return Sample(
                anchor,
                tuple((anchor, fold) for fold in missing),
                (contender.order,),
                width if math.isfinite(width) else None,
                max_width(self, portfolio, anchor),
            )
        decision = self._proceed(portfolio, contender, anchor)
        while isinstance(decision, Advance | Skip) and not decision.wants:
            # After a repair it may return to where no folds are left.
            decision = self._proceed(portfolio, contender, decision.anchor)
        return decision

    def _proceed(self, portfolio: Portfolio, contender: Contender, anchor: int) -> Decision:
        """Decide at an anchor that needs no more folds."""
        if anchor < portfolio.target:
            return self._leave(portfolio, contender, anchor)
        curve, threshold = contender.curve, portfolio.threshold
        if self.check_target and self.prune and threshold is not None:
            bound = curve.interval(anchor, kind=self.interval, level=self.level).low
            if bound > threshold:
                return Prune(anchor, bound, threshold, anchor, "bound", curve.n(anchor))
        return self._complete(portfolio, contender)

    def _complete(self, portfolio: Portfolio, contender: Contender) -> Complete:
        curve, target = contender.curve, portfolio.target
        return Complete(target, curve.mean(target), curve.n(target))

    def estimate(self, portfolio: Portfolio, contender: Contender) -> Estimate:
        """Give the last anchor's mean, or the power law's value at the target."""
        if self.timeout_result == "extrapolation" and not contender.curve.n(portfolio.target):
            predicted = predicted_result(portfolio, contender)
            if predicted is not None:
                return predicted
        return last_anchor(portfolio, contender)

    def _enter(self, portfolio: Portfolio, contender: Contender) -> Decision:
        # Deviates: 7. "r = 1" is the error-rate way to say "nothing to beat", and as printed it is
        # looked at after the first anchor.
        if portfolio.threshold is None and self.skip and not self.first_anchor:
            return self._skip(portfolio, contender, "first")
        anchor = portfolio.schedule.anchors[0]
        return Advance(anchor, first_folds(self, portfolio, contender, anchor), (contender.order,))

    def _leave(self, portfolio: Portfolio, contender: Contender, anchor: int) -> Decision:
        """Decide how to go on from an anchor whose folds are all in."""
        anchors, intervals = self._intervals(portfolio, contender, until=anchor)
        threshold = portfolio.threshold
        bound = optimistic_bound(anchors, intervals, portfolio.target) if anchors else -math.inf
        if math.isfinite(bound):
            bound = max(bound, lowest_possible(portfolio, contender))
        shape = None
        if self.prune and threshold is not None:
            n, target = contender.curve.n(anchor), portfolio.target
            if bound > threshold:
                shape = ill_shape(contender.curve, anchors, target, alpha=self.shape_alpha)
                if shape is None:
                    return Prune(anchor, bound, threshold, target, "bound", n)
            if self.prune_by_training:
                trained = mean_train_loss(portfolio, contender, anchor)
                if trained > threshold:
                    return Prune(anchor, trained, threshold, target, "training", n)
        if self.skip:
            skip = self._maybe_skip(portfolio, contender, anchor)
            if skip is not None:
                return skip
        following = self._following(portfolio, contender, anchor)
        wants = first_folds(self, portfolio, contender, following)
        known = bound if math.isfinite(bound) else None
        return Advance(following, wants, (contender.order,), known, threshold, shape)

    def _following(self, portfolio: Portfolio, contender: Contender, anchor: int) -> int:
        """Give the next anchor: after a repair the one that it came from, as the test sees all."""
        came_from = contender.curve.anchors[-1] if contender.curve.anchors else anchor
        if came_from > anchor and self.compatibility == "exact":
            return came_from
        return portfolio.schedule.after(anchor)

    def _repair(
        self,
        portfolio: Portfolio,
        contender: Contender,
        anchors: list[int],
        intervals: list[Interval],
    ) -> Repair | None:
        """Step back to the worst bend that may be repaired, if no convex curve fits."""
        anchor = contender.anchor
        if len(anchors) < 3 or anchors[-1] != anchor:
            return None
        if self.compatibility == "exact":
            worst = bends(anchors, intervals)
        else:
            worst = [] if slopes_increase(anchors, intervals) else [anchors[-2]]
        for bend in worst:
            # Deviates: 4. As printed, a bend is repaired as long as there are folds.
            before = sum(isinstance(d, Repair) and d.anchor == bend for d in contender.trace)
            folds = folds_left(self, portfolio, contender, bend)[:1]
            if folds and (self.max_repairs is None or before < self.max_repairs):
                wants = ((bend, folds[0]),)
                excess = convexity_excess(anchors, intervals)
                return Repair(bend, wants, (contender.order,), anchor, excess)
        return None

    def _maybe_skip(self, portfolio: Portfolio, contender: Contender, anchor: int) -> Skip | None:
        threshold = portfolio.threshold
        if threshold is None:
            return self._skip(portfolio, contender, "first")
        mean = contender.curve.mean(anchor)
        # Deviates: 8. This rule stands in the text only.
        if self.skip_by_mean and mean <= threshold:
            return self._skip(portfolio, contender, "mean", mean)
        n_anchors = sum(seen <= anchor for seen in contender.curve.anchors)
        if self.model is not None and n_anchors >= 3:
            predicted = extrapolate(MODELS[self.model], portfolio, contender)
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
        wants = first_folds(self, portfolio, contender, target)
        return Skip(target, wants, (contender.order,), because, estimate, portfolio.threshold)

    def _intervals(
        self, portfolio: Portfolio, contender: Contender, *, until: int | None = None
    ) -> tuple[list[int], list[Interval]]:
        """List the anchors that have an interval, and these; a failed anchor has none.

        Those beyond where the contender stands do not count.
        """
        curve = contender.curve
        most = until or contender.anchor or portfolio.target
        enough = max(2, min(self.min_repeats, portfolio.n_folds))
        anchors = [
            anchor
            for anchor in curve.anchors
            if anchor <= most and curve.n(anchor) >= enough and not contender.failed_folds(anchor)
        ]
        kind, level = self.interval, self.level
        return anchors, [curve.interval(anchor, kind=kind, level=level) for anchor in anchors]
