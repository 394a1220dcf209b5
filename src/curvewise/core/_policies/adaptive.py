"""LCCV whose anchors depend on the curve: the next one is expected to decide at the least cost.

The authors find it "interesting to adopt a more dynamic and curve-dependent manner of choosing
anchor points" (Mohr & van Rijn 2023, Sec. VI). Rules:

1. The grid of anchors and all decisions at an anchor (samples, repair, prune, jump) are those of
   `LCCV`. A jump over anchors can only loosen the convex bound: nothing that convexity allows is
   pruned.
2. A candidate begins at the anchor that is nearest to the target divided by ``first``.
3. Wherever `LCCV` goes on to the next anchor, the larger ones are compared
   (`curvewise.core._anchor_choice`), and the candidate goes to the one from which on the least is
   expected to be spent. If that is the target, it jumps.
4. An anchor costs the seconds of a fold, predicted from the candidate's own anchors, times the
   folds that it will get: ``min_repeats``, at the target all. Rows stand for seconds as long as
   fewer than two anchors were timed, and where rows are counted.

Without pruning, without jumps or with nothing to beat there is nothing to plan: then it is `LCCV`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from curvewise.core._anchor_choice import Seen, choose_anchor
from curvewise.core._checks import real_number
from curvewise.core._decisions import Advance, Decision, Skip
from curvewise.core._policies.lccv import LCCV
from curvewise.core._policy import next_folds
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._run_time import predict_seconds
from curvewise.core._scale import lowest_loss

# Below two folds there is no interval.
FEWEST_FOLDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptiveLCCV(LCCV):
    """Decide as `LCCV` does, at anchors that are expected to decide at the least cost.

    Anchors that cannot decide anything are jumped over. It makes fewer and larger evaluations than
    `LCCV`, and prunes less on very few rows, where curves often mislead.

    Parameters
    ----------
    first
        The first anchor is the one nearest to the target divided by this.
    min_exp, base, drop_last
        The grid that anchors are chosen from, as the schedule of `LCCV`.
    min_repeats, max_repeats, max_width, max_width_target, one_by_one
        How many folds an anchor gets, as of `LCCV`.
    prune, skip, repair, max_repairs, model, interval, level, compatibility, shape_alpha, \
first_anchor, skip_by_mean, check_target, test_part, prune_by_training
        How it is decided at an anchor, as of `LCCV`.
    timeout_result, partial_results
        What a candidate is worth that a limit stopped, and whether it competes, as of `LCCV`.

    Examples
    --------
    >>> from curvewise.core import Observation, Validation
    >>> validation = Validation(schedule=40_000, policy=AdaptiveLCCV(), best_loss=0.1)
    >>> while not validation.done:
    ...     for task in validation.ask():
    ...         loss = 0.2 + 1 / task.anchor + task.fold / 1000
    ...         _ = validation.tell(Observation(task, loss, seconds=task.anchor / 1000))
    >>> validation.result.curve.anchors
    (2048, 8192)
    """

    first: float = 16

    name = "adaptive"

    def __post_init__(self) -> None:
        LCCV.__post_init__(self)
        real_number("first", self.first, at_least=1)

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Apply LCCV's rules, and choose where to go on."""
        decision = LCCV.decide(self, portfolio, contender)
        threshold = portfolio.threshold
        if not isinstance(decision, Advance) or threshold is None:
            return decision
        if not (self.prune and self.skip) or decision.anchor in contender.curve.anchors:
            # After a repair it returns to where it came from.
            return decision
        if contender.anchor is None:
            return self._advance(portfolio, contender, decision, self._first_anchor(portfolio))
        seen = self._seen(contender)
        if not seen.anchors:
            return decision
        anchors = self._larger(portfolio, contender, contender.anchor)
        plan = choose_anchor(seen, anchors, self._costs(portfolio, contender, anchors), threshold)
        if plan.anchor < portfolio.target:
            return self._advance(portfolio, contender, decision, plan.anchor)
        wants = self._wants(portfolio, contender, portfolio.target, self.min_repeats)
        expected = max(plan.loss, lowest_loss([*seen.means, threshold]))
        because = "no anchor is expected to pay"
        return Skip(portfolio.target, wants, decision.priority, because, expected, threshold)

    def _first_anchor(self, portfolio: Portfolio) -> int:
        """The anchor where a candidate begins (rule 2)."""
        wanted = portfolio.target / self.first
        return min(
            portfolio.schedule.anchors, key=lambda anchor: (abs(math.log(anchor / wanted)), anchor)
        )

    def _seen(self, contender: Contender) -> Seen:
        """What is known of its curve, at anchors with an interval."""
        curve = contender.curve
        anchors = [
            anchor
            for anchor in curve.anchors
            if curve.n(anchor) >= FEWEST_FOLDS and not contender.failed_folds(anchor)
        ]
        return Seen(
            anchors,
            [curve.mean(anchor) for anchor in anchors],
            [curve.interval(anchor, kind=self.interval, level=self.level) for anchor in anchors],
        )

    def _larger(self, portfolio: Portfolio, contender: Contender, anchor: int) -> list[int]:
        """The larger anchors that can be evaluated, and the target."""
        larger = [size for size in portfolio.schedule.inner if size > anchor]
        usable = [size for size in larger if self._wants(portfolio, contender, size, 1)]
        return [*usable, portfolio.target]

    def _costs(
        self, portfolio: Portfolio, contender: Contender, anchors: Sequence[int]
    ) -> list[float]:
        """What all folds of each anchor will cost, in seconds or in rows (rule 4)."""
        target = portfolio.target
        most = dict.fromkeys(anchors, self.min_repeats) | {target: portfolio.n_folds}
        folds = [len(self._wants(portfolio, contender, anchor, most[anchor])) for anchor in anchors]
        seconds = [predict_seconds(contender.curve, anchor) for anchor in anchors]
        if portfolio.count_rows or any(each is None for each in seconds):
            seconds = list(anchors)
        return [n * each for n, each in zip(folds, seconds, strict=True) if each is not None]

    def _advance(
        self, portfolio: Portfolio, contender: Contender, decision: Advance, anchor: int
    ) -> Advance:
        wants = self._wants(portfolio, contender, anchor, self.min_repeats)
        return replace(decision, anchor=anchor, wants=wants)

    def _wants(
        self, portfolio: Portfolio, contender: Contender, anchor: int, n: int
    ) -> tuple[tuple[int, int], ...]:
        """The next folds at an anchor; none where a fold has failed, or all are there."""
        if contender.failed_folds(anchor):
            return ()
        most = portfolio.n_folds if self.max_repeats is None else self.max_repeats
        left = max(0, most - contender.curve.n(anchor))
        return tuple(
            (anchor, fold) for fold in next_folds(portfolio, contender, anchor, min(n, left))
        )
