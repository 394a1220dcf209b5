"""What a model gains when it is fitted on all rows, and not on those of a fold only.

A k-fold score is that of models that were fitted on (k - 1) / k of the rows. The final model has
all of them, and is better for it.

Rules:

1. Near the target, losses fall with the number of rows n as a + b (n / target)^-1/2. What is looked
   for is b.
2. Before anything is seen, b is taken to be `USUAL` of the loss, give or take `SPREAD` of it. With
   a quarter more rows that is a gain of 3.4% of the loss.
3. Every anchor of the learning curve that has at least a tenth of the target's rows says what b is,
   with the noise of its folds. What is usual and what is seen are weighed by how sure they are.
4. The best at the target was chosen there, and not at the anchors: most of its luck is no growth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

EXPONENT = 0.5
# Chosen on 37 tables, of which 300 to 1,000 rows were seen (docs/explanation/honest-score.md).
USUAL = 0.32
SPREAD = 0.4
SMALLEST_SHARE = 0.1
# The noise of a difference between two anchors on the same test rows, in that of one of them.
PAIRED = 1.2
# The part of the luck at the target that the anchors do not share.
OWN_LUCK = 0.8


class LowerAnchor(NamedTuple):
    """An anchor as a share of the target, its loss minus the target's on the same folds.

    ``share_of_folds`` says on which part of all folds.
    """

    share: float
    difference: float
    share_of_folds: float


class Growth(NamedTuple):
    """How much lower a loss will be with more rows, and the variance of that."""

    gain: float
    variance: float


def growth(
    loss: float,
    points: Sequence[LowerAnchor],
    *,
    luck: float,
    variance: float,
    more_rows: float,
    usual: float = USUAL,
) -> Growth:
    """Foresee what more rows bring.

    Parameters
    ----------
    loss
        At the target, without luck.
    points
        The learning curve below the target; may be empty.
    luck
        By how much the loss at the target was too low.
    variance
        Of the mean loss over all folds.
    more_rows
        How many times as many rows there will be as at the target.
    usual
        What b is taken to be, as a share of the loss.

    Examples
    --------
    >>> round(growth(0.2, [], luck=0.0, variance=1e-4, more_rows=1.25).gain, 4)
    0.0068
    >>> steep = [LowerAnchor(0.5, 0.08, 1.0), LowerAnchor(0.25, 0.19, 1.0)]
    >>> round(growth(0.2, steep, luck=0.0, variance=1e-4, more_rows=1.25).gain, 4)
    0.0199
    """
    if loss <= 0 or more_rows <= 1:
        return Growth(0.0, 0.0)
    precision = 1 / (SPREAD * loss) ** 2
    weighted = usual * loss * precision
    for share, difference, share_of_folds in points:
        if SMALLEST_SHARE <= share < 1 and variance > 0:
            reach = share**-EXPONENT - 1
            noise = PAIRED * variance / share_of_folds
            precision += reach**2 / noise
            weighted += reach * (difference - OWN_LUCK * luck) / noise
    still = 1 - more_rows**-EXPONENT
    # A loss does not rise with rows, and falls to 0 at the most.
    gain = min(max(still * weighted / precision, 0.0), loss)
    return Growth(gain, still**2 / precision if math.isfinite(precision) else 0.0)
