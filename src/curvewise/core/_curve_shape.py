"""Whether a curve is one that convexity may be assumed of: a test with a stated error rate.

LCCV prunes because a learning curve is taken to fall ever more slowly. Curves that do otherwise
are pruned wrongly. The authors wish for "to detect non-convexities to disable pruning in those
cases" (Mohr & van Rijn 2023, Sec. VI). Rules:

1. The hypothesis: the mean loss falls (or stays) from anchor to anchor, and is convex. What speaks
   against it are *contrasts* that are at most 0 for such a curve: the *rise* from an anchor to the
   next, and the *bend* of three anchors, by how much the middle one lies above the line between
   its neighbours.
2. Looked at are the last three anchors: two rises and a bend. The convex bound rests on the last
   two; what is older is forgiven. With two anchors there is but a rise. Beyond a quarter of the
   target nothing is looked at: hardly any prune there is wrong.
3. A contrast is taken fold by fold, since fold i is the same at every anchor, and tested by
   Student's t against being at most 0. Each of them has its share of the error rate ``alpha``
   (Bonferroni). So a curve that falls and is convex is held for another with a chance of at most
   alpha each time it is looked at, whatever the noise of each anchor, if folds are normal and
   independent. Error rates are multiples of one test row: the variance is at least that of
   rounding to those. Most falling curves are clearly convex, so that alarms are rarer in practice.
4. A *plateau* is no matter of chance: the same loss on every fold at both of the last two anchors
   means the same predictions, as of a learner that still predicts the majority class. Its curve
   has not begun, and convexity says nothing about what comes after the beginning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from curvewise.core._convexity import ROUNDING
from curvewise.core._curve import LearningCurve

# How many of the last anchors are looked at: with all of them, as many wrong prunes were prevented.
WINDOW = 3
# The target divided by this is the last anchor that is looked at.
UNTIL = 4
# Below two folds, a contrast has no variance.
FEWEST_FOLDS = 2

# Its name, its anchors and their weights.
Contrast = tuple[str, tuple[int, ...], tuple[float, ...]]


def ill_shape(
    curve: LearningCurve, anchors: Sequence[int], target: int, *, alpha: float | None
) -> str | None:
    """Name what speaks against a falling, convex curve; None if nothing does or nobody asks."""
    anchors = anchors[-WINDOW:]
    if alpha is None or len(anchors) < 2 or anchors[-1] > target / UNTIL:
        return None
    if _plateau(curve, anchors[-2], anchors[-1]):
        return "plateau"
    contrasts: list[Contrast] = [("rise", pair, (-1.0, 1.0)) for pair in pairwise(anchors)]
    for first, middle, last in zip(anchors, anchors[1:], anchors[2:], strict=False):
        share = (last - middle) / (last - first)
        contrasts.append(("bend", (first, middle, last), (-share, 1.0, share - 1)))
    for name, where, weights in contrasts:
        if p_value(curve, where, weights) < alpha / len(contrasts):
            return name
    return None


def p_value(curve: LearningCurve, anchors: Sequence[int], weights: Sequence[float]) -> float:
    """Give the chance that folds show a contrast so far above 0 though its mean is not (rule 3)."""
    folds = _common_folds(curve, anchors)
    n = len(folds)
    if n < FEWEST_FOLDS:
        return 1.0
    losses = [[_loss(curve, anchor, fold) for anchor in anchors] for fold in folds]
    values = [math.fsum(w * loss for w, loss in zip(weights, row, strict=True)) for row in losses]
    mean = math.fsum(values) / n
    if mean <= ROUNDING * max(abs(loss) for row in losses for loss in row):
        return 1.0
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    variance = max(variance, _variance_of_rounding(curve, anchors, weights))
    if variance <= 0:
        return 0.0
    # As in `_prospect.py`: loaded when it is first needed.
    from scipy.special import stdtr

    return float(stdtr(n - 1, -mean / math.sqrt(variance / n)))


def _variance_of_rounding(
    curve: LearningCurve, anchors: Sequence[int], weights: Sequence[float]
) -> float:
    """Give the variance of a contrast of numbers that are rounded to whole test rows."""
    total = 0.0
    for anchor, weight in zip(anchors, weights, strict=True):
        sizes = [cell.n_test for cell in curve.cells(anchor)]
        if any(size is None for size in sizes):
            return 0.0
        total += weight**2 / (12 * min(size for size in sizes if size is not None) ** 2)
    return total


def _plateau(curve: LearningCurve, earlier: int, later: int) -> bool:
    folds = _common_folds(curve, (earlier, later))
    return len(folds) >= FEWEST_FOLDS and all(
        math.isclose(
            _loss(curve, earlier, fold), _loss(curve, later, fold), rel_tol=ROUNDING, abs_tol=0.0
        )
        for fold in folds
    )


def _common_folds(curve: LearningCurve, anchors: Sequence[int]) -> list[int]:
    return sorted(set.intersection(*(set(curve.folds(anchor)) for anchor in anchors)))


def _loss(curve: LearningCurve, anchor: int, fold: int) -> float:
    cell = curve.at(anchor, fold)
    if cell is None:
        raise LookupError(f"Fold {fold} was not observed at {anchor} rows.")
    return cell.loss
