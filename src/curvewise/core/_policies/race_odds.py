"""How a contender of a race stands against the leader: what finishing it could still bring.

Both are compared by their differences on the folds that the contender has. What is unknown about
the difference with all folds is Student-distributed (`curvewise.core._prospect`). Its variance
comes from the differences themselves and from what chance gives a fold. Rules:

1. *By rows*: where the losses of the same test rows are known of both, chance is what they say
   (`curvewise.core._row_pairs`), and it counts as much as twelve folds. From the contender's loss
   on a fold the leader's is subtracted as far as it explains it, the rest of it from the mean.
2. *By folds*: where they are not, chance is that of one candidate's test rows, and counts as much
   as six folds; half of the leader's loss is subtracted; and it is allowed for candidates that are
   nearly the leader itself (twins).
3. Where no noise is known at all, the spread of a complete leader's folds stands in for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from curvewise.core._curve import LearningCurve
from curvewise.core._difference import FEWEST_FOLDS, FOLDS_NOISE, likeness_at
from curvewise.core._fold_noise import PRIOR_WEIGHT, n_test_at, noise_at
from curvewise.core._portfolio import Leader, Portfolio
from curvewise.core._prospect import allow_for_twins, prospect

# What the rows of a few folds say of chance counts as so many folds.
ROWS_WEIGHT = 12
# Without rows, so much of the leader's loss on a fold is subtracted.
HALF = 0.5


class Standing(NamedTuple):
    """The mean difference to the leader, the expected gain and the chance of finishing."""

    difference: float
    gain: float
    chance: float
    by_rows: bool


def standing(portfolio: Portfolio, curve: LearningCurve, leader: Leader) -> Standing | None:
    """Compare a contender with the leader at the target; None if nothing can be said."""
    folds = [
        fold for fold in curve.folds(portfolio.target) if leader.complete or fold in leader.losses
    ]
    if not folds:
        return None
    return _by_rows(portfolio, curve, leader, folds) or _by_folds(portfolio, curve, leader, folds)


def _by_rows(
    portfolio: Portfolio, curve: LearningCurve, leader: Leader, folds: Sequence[int]
) -> Standing | None:
    if leader.curve is None:
        return None
    alike = likeness_at(curve, leader.curve, portfolio.target, folds)
    if alike is None:
        return None
    differences = _differences(portfolio, curve, leader, folds, slope=alike.slope)
    mean, spread, freedom = _unknown(portfolio, leader, differences, alike.noise, ROWS_WEIGHT)
    return Standing(mean, *prospect(mean, spread, freedom), by_rows=True)


def _by_folds(
    portfolio: Portfolio, curve: LearningCurve, leader: Leader, folds: Sequence[int]
) -> Standing | None:
    target, scale = portfolio.target, portfolio.scale
    differences = _differences(portfolio, curve, leader, folds, slope=HALF)
    noise = noise_at(curve, target, scale)
    if noise is None:
        noise = _noise_of_folds(leader, differences)
    if noise is None:
        return None
    mean, spread, freedom = _unknown(portfolio, leader, differences, noise, PRIOR_WEIGHT)
    paired = [fold for fold in folds if fold in leader.losses]
    found = allow_for_twins(
        prospect(mean, spread, freedom),
        [_loss(curve, target, fold) - leader.losses[fold] for fold in paired],
        noise=noise,
        n_folds=portfolio.n_folds,
        n_test=n_test_at(curve, target) if scale.unit is not None else None,
        prior_weight=PRIOR_WEIGHT,
    )
    return Standing(mean, *found, by_rows=False)


def _differences(
    portfolio: Portfolio,
    curve: LearningCurve,
    leader: Leader,
    folds: Sequence[int],
    *,
    slope: float,
) -> list[float]:
    """Subtract a part of the leader's loss on each fold, and the rest of its mean."""
    others = (leader.losses.get(fold, leader.loss) for fold in folds)
    return [
        _loss(curve, portfolio.target, fold) - slope * other - (1 - slope) * leader.loss
        for fold, other in zip(folds, others, strict=True)
    ]


def _loss(curve: LearningCurve, target: int, fold: int) -> float:
    cell = curve.at(target, fold)
    return math.nan if cell is None else cell.loss


def _unknown(
    portfolio: Portfolio,
    leader: Leader,
    differences: Sequence[float],
    noise: float,
    weight: float,
) -> tuple[float, float, float]:
    """Give the mean difference, the spread of that with all folds, and its degrees of freedom."""
    n, k = len(differences), portfolio.n_folds
    n_leader = k if leader.complete else len(leader.losses)
    mean = math.fsum(differences) / n
    squares = math.fsum((difference - mean) ** 2 for difference in differences)
    freedom = weight + n - 1
    variance = (weight * noise + squares) / freedom
    return mean, math.sqrt(variance * (1 / n - 1 / k + 1 / n_leader - 1 / k)), freedom


def _noise_of_folds(leader: Leader, differences: Sequence[float]) -> float | None:
    """Where chance is unknown, the spread of folds stands in for it (rule 3).

    They are those of a complete leader; where there is but a score to beat, a candidate's own.
    """
    losses = list(leader.losses.values()) or differences
    n = len(losses)
    if not leader.complete or n < (2 if leader.losses else FEWEST_FOLDS):
        return None
    mean = math.fsum(losses) / n
    return FOLDS_NOISE * math.fsum((loss - mean) ** 2 for loss in losses) / (n - 1)
