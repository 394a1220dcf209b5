"""What there is to see of a result, in scores: whoever draws it, draws this.

`curvewise._sketch` draws it as a small SVG for notebooks, `CurveDisplay` with matplotlib. Rules:

1. Everything is a score, greater is better. What is not finite is not drawn.
2. Means have 95% intervals (Student's t); a single observation has none.
3. The threshold is the last one that a decision named. Races name what the leader had at the same
   anchor and on the same folds, so it comes with the anchor that it belongs to.
4. The optimistic line is how the bound of a prune by convexity came about. It is straight in rows
   (Mohr & van Rijn 2023, Sec. IV-B), hence bent on an axis of their logarithm.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from curvewise._sketch import CurvePoint, Picture
from curvewise.core._decisions import Advance, Complete, Prune, Skip
from curvewise.core._portfolio import Status

if TYPE_CHECKING:
    from curvewise.core._result import ValidationResult

N_STEPS = 32


def picture_of(result: ValidationResult) -> Picture:
    """Gather what there is to see of a result."""
    scale, curve = result.scale, result.curve
    points = []
    for anchor in curve.anchors:
        score = scale.score(curve.mean(anchor))
        if math.isfinite(score):
            low, high = curve.interval(anchor, kind="t")
            points.append(CurvePoint(anchor, score, scale.score(high), scale.score(low)))
    folds = [(each.task.anchor, scale.score(each.loss)) for each in curve]
    threshold, threshold_anchor = _threshold(result)
    failures = tuple(failure.task.anchor for failure in result.failures)
    decided = [
        decision.target if isinstance(decision, Prune) else decision.anchor
        for decision in result.decisions
        if isinstance(decision, (Advance, Complete, Prune, Skip))
    ]
    return Picture(
        points=tuple(points),
        folds=tuple((anchor, score) for anchor, score in folds if math.isfinite(score)),
        threshold=threshold,
        threshold_anchor=threshold_anchor,
        optimistic=_optimistic_line(result),
        failures=failures,
        target=max((*curve.anchors, *failures, *decided), default=None),
        ending=_ending(result),
        bounded=scale.unit is not None,
    )


def _threshold(result: ValidationResult) -> tuple[float | None, int | None]:
    """The score that had to be beaten, and where."""
    for decision in reversed(result.decisions):
        if isinstance(decision, (Prune, Advance, Skip)) and decision.threshold is not None:
            score = result.scale.score(decision.threshold)
            if math.isfinite(score):
                here = isinstance(decision, Prune) and decision.rule != "bound"
                return score, decision.anchor if here else None
    return None, None


def _optimistic_line(result: ValidationResult) -> tuple[tuple[float, float], ...]:
    """The way from the last anchor to the bound at the target."""
    last = result.decisions[-1] if result.decisions else None
    if not isinstance(last, Prune) or last.rule != "bound" or not last.anchor < last.target:
        return ()
    # The narrower interval: whatever kind the policy used, the line does not begin above its end.
    low = result.curve.interval(last.anchor, kind="normal").low
    begin = result.scale.score(low if math.isfinite(low) else result.curve.mean(last.anchor))
    end = result.scale.score(last.bound)
    if not (math.isfinite(begin) and math.isfinite(end)):
        return ()
    shares = [i / N_STEPS for i in range(N_STEPS + 1)]
    rows = last.target - last.anchor
    return tuple((last.anchor + t * rows, (1 - t) * begin + t * end) for t in shares)


def _ending(result: ValidationResult) -> str:
    last = result.decisions[-1] if result.decisions else None
    if isinstance(last, Prune) and result.status is Status.PRUNED:
        return f"pruned at {last.anchor:,}"
    if last is None:
        return "not begun"
    known = math.isfinite(result.score)
    return f"{result.status.value}: {result.score:.4g}" if known else result.status.value
