"""How much of the difference between two candidates is chance, from rows that tested both.

Two candidates mostly err on the same rows. What chance gives the difference of their losses on a
fold is therefore far less than what it gives one of them, and it need not be assumed: the rows say
it. For error rates all that counts is on how many rows they disagree. Rules:

1. The variance of a row's difference is taken over the rows that both have losses for, pooled over
   folds; a row without a loss in one of them is left out. Divided by the number of test rows of a
   fold, it is the noise of a fold's difference.
2. From a candidate's loss on a fold the other's is subtracted as far as it explains it: times the
   slope of the regression over rows, between 0 and 1 (a control variate).
3. Candidates that agree on all rows so far are not the same: one more row counts, on which they
   differ as much as a row can: an error rate by 1, other losses by the largest distance from their
   mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class RowPair(NamedTuple):
    """How the losses of two candidates vary over rows: variances, and what they have in common.

    ``largest`` is the square of the largest difference that a row makes.
    """

    n_rows: int
    own: float
    other: float
    common: float
    largest: float = 1.0


class RowLikeness(NamedTuple):
    """What rows say of two candidates on a fold.

    The slope, the noise of what it leaves, and that of the plain difference.
    """

    slope: float
    noise: float
    plain: float


def row_pair(own: Array, other: Array) -> RowPair | None:
    """Compare losses row by row; None if they are of different rows, or too few are known."""
    if own.shape != other.shape or not len(own):
        return None
    if own.dtype.kind == other.dtype.kind == "b":
        n, count = len(own), np.count_nonzero
        n_own, n_other, n_both = int(count(own)), int(count(other)), int(count(own & other))
        sums = (n_own - n_own**2 / n, n_other - n_other**2 / n, n_both - n_own * n_other / n)
        largest = 1.0
    else:
        own, other = own.astype(np.float64), other.astype(np.float64)
        known = np.isfinite(own + other)
        own, other = own[known], other[known]
        n = len(own)
        if n < 2:
            return None
        own, other = own - own.mean(), other - other.mean()
        largest = float(max(np.square(own).max(), np.square(other).max()))
        sums = float(own @ own), float(other @ other), float(own @ other)
    if n < 2:
        return None
    variance, other_variance, common = (each / (n - 1) for each in sums)
    return RowPair(n, variance, other_variance, common, largest)


def likeness(pairs: Sequence[tuple[RowPair, int]]) -> RowLikeness | None:
    """Pool what rows say over folds, each with the number of its test rows; None if nothing."""
    weight = sum(pair.n_rows - 1 for pair, _ in pairs)
    if not weight:
        return None

    def pooled(values: Iterable[float]) -> float:
        known = zip(pairs, values, strict=True)
        return math.fsum((pair.n_rows - 1) * value for (pair, _), value in known) / weight

    own = pooled(pair.own for pair, _ in pairs)
    other = pooled(pair.other for pair, _ in pairs)
    common = pooled(pair.common for pair, _ in pairs)
    slope = min(1.0, max(0.0, common / other)) if other > 0 else 0.0
    n_test = sum(n for _, n in pairs) / len(pairs)
    one_more = max(pair.largest for pair, _ in pairs) / weight

    def noise(slope: float) -> float:
        variance = max(0.0, own - 2 * slope * common + slope * slope * other)
        return (variance + one_more) / n_test

    return RowLikeness(slope, noise(slope), noise(1.0))
