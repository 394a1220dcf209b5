"""How a contender of a race stands against the leader: what finishing it could still bring.

Both are compared by their differences on the folds that the contender has. What is unknown about
the difference with all folds is Student-distributed (`curvewise.core._prospect`). Its variance
comes from the differences themselves and from what chance gives a fold. Rules:

1. *By rows*, if that is wanted: where the losses of the same test rows are known of both, chance
   is what they say
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
from curvewise.core._row_pairs import RowLikeness

# What the rows of a few folds, hundreds at least, say of chance counts as so many folds.
ROWS_WEIGHT = 12
# Without rows, so much of the leader's loss on a fold is subtracted.
HALF = 0.5


class RaceStanding(NamedTuple):
    """The mean difference to the leader, the expected gain and the chance of finishing."""

    difference: float
    gain: float
    chance: float


def standing(
    portfolio: Portfolio, curve: LearningCurve, leader: Leader, *, by_rows: bool
) -> RaceStanding | None:
    """Compare a contender with the leader at the target; None if nothing can be said."""
    target = portfolio.target
    folds, losses = curve.folds(target), curve.losses(target)
    if not leader.complete:
        seen = [(f, loss) for f, loss in zip(folds, losses, strict=True) if f in leader.losses]
        folds, losses = tuple(f for f, _ in seen), tuple(loss for _, loss in seen)
    if not folds:
        return None
    others = [leader.losses.get(fold, leader.loss) for fold in folds]
    if by_rows and leader.curve is not None:
        alike = likeness_at(curve, leader.curve, target, folds)
        if alike is not None:
            return _by_rows(portfolio, leader, losses, others, alike)
    paired = [
        loss - other
        for fold, loss, other in zip(folds, losses, others, strict=True)
        if fold in leader.losses
    ]
    return _by_folds(portfolio, curve, leader, losses, others, paired)


def _by_rows(
    portfolio: Portfolio,
    leader: Leader,
    losses: Sequence[float],
    others: Sequence[float],
    alike: RowLikeness,
) -> RaceStanding:
    differences = _differences(losses, others, leader.loss, slope=alike.slope)
    mean, spread, freedom = _unknown(portfolio, leader, differences, alike.noise, ROWS_WEIGHT)
    return RaceStanding(mean, *prospect(mean, spread, freedom))


def _by_folds(
    portfolio: Portfolio,
    curve: LearningCurve,
    leader: Leader,
    losses: Sequence[float],
    others: Sequence[float],
    paired: Sequence[float],
) -> RaceStanding | None:
    differences = _differences(losses, others, leader.loss, slope=HALF)
    noise = noise_at(curve, portfolio.target, portfolio.scale)
    if noise is None:
        noise = _noise_of_folds(leader, differences)
    if noise is None:
        return None
    mean, spread, freedom = _unknown(portfolio, leader, differences, noise, PRIOR_WEIGHT)
    is_rate = portfolio.scale.unit is not None
    found = allow_for_twins(
        prospect(mean, spread, freedom),
        paired,
        noise=noise,
        n_folds=portfolio.n_folds,
        n_test=n_test_at(curve, portfolio.target) if is_rate else None,
        prior_weight=PRIOR_WEIGHT,
    )
    return RaceStanding(mean, *found)


def _differences(
    losses: Sequence[float], others: Sequence[float], mean: float, *, slope: float
) -> list[float]:
    """Subtract a part of the leader's loss on each fold, and the rest of its mean."""
    rest = (1 - slope) * mean
    return [loss - slope * other - rest for loss, other in zip(losses, others, strict=True)]


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
