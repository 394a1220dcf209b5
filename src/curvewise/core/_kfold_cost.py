"""What plain k-fold cross-validation would have cost: an estimate, candidate by candidate.

1. *Measured*: the candidate was fitted at the target. Its mean seconds there, failed fits included,
   times the number of folds.
2. A candidate that ran out of time at the target would have used up its limit under k-fold, too. If
   the limit is not known, or was one per fit, it counts with what it took there.
3. *Projected*: the candidate was fitted at smaller anchors only. Its seconds are predicted from
   these (`curvewise.core._run_time`), in proportion to the rows if there is one anchor only. No fit
   is taken to be longer than the longest that ran out of time.
4. *Assumed*: nothing is known about the candidate. The mean of the others.

No candidate is taken to cost more than its limit, where that is known.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Failure, Reason
from curvewise.core._run_time import seconds_at

# Fits that were cancelled or lost say nothing about how long they would have taken.
TELLING = (Reason.ERROR, Reason.TIMEOUT, Reason.MEMORY)


@dataclass(frozen=True, slots=True)
class KFoldCost:
    """What k-fold would have cost, and how many candidates that is known of in which way."""

    seconds: float
    n_measured: int
    n_projected: int
    n_assumed: int


def estimate_kfold(
    histories: Iterable[tuple[LearningCurve, Sequence[Failure]]],
    *,
    target: int,
    n_folds: int,
    limit: float | None = None,
) -> KFoldCost | None:
    """Estimate what k-fold would have cost; None if nothing is known."""
    histories = list(histories)
    ran_out = [
        failure.seconds
        for _, failures in histories
        for failure in failures
        if failure.reason is Reason.TIMEOUT
    ]
    longest = max(ran_out, default=math.inf)
    most = math.inf if limit is None else limit
    measured, projected, n_unknown = [], [], 0
    for curve, failures in histories:
        seconds = _seconds_by_anchor(curve, failures)
        if target in seconds:
            costs = _at_target(seconds[target], failures, target, n_folds, limit)
            measured.append(min(most, costs))
        elif seconds:
            projected.append(min(most, n_folds * min(longest, _project(seconds, target))))
        else:
            n_unknown += 1
    known = [*measured, *projected]
    if not known or not math.fsum(known) > 0:
        return None
    total = math.fsum(known) * (1 + n_unknown / len(known))
    return KFoldCost(total, len(measured), len(projected), n_unknown)


def _seconds_by_anchor(curve: LearningCurve, failures: Sequence[Failure]) -> dict[int, list[float]]:
    """The seconds of all fits that tell how long a fit takes."""
    seconds: defaultdict[int, list[float]] = defaultdict(list)
    for observation in curve:
        seconds[observation.task.anchor].append(observation.seconds)
    for failure in failures:
        if failure.reason in TELLING:
            seconds[failure.task.anchor].append(failure.seconds)
    return dict(seconds)


def _at_target(
    seconds: Sequence[float],
    failures: Sequence[Failure],
    target: int,
    n_folds: int,
    limit: float | None,
) -> float:
    if any(each.reason is Reason.TIMEOUT and each.task.anchor == target for each in failures):
        return math.fsum(seconds) if limit is None else limit
    return n_folds * math.fsum(seconds) / len(seconds)


def _project(seconds: dict[int, list[float]], target: int) -> float:
    """The seconds of one fit at the target, from those at smaller anchors."""
    means = {anchor: math.fsum(each) / len(each) for anchor, each in seconds.items()}
    last = max(means)
    predicted = seconds_at(target, means)
    return means[last] * target / last if predicted is None else predicted
