"""How much two candidates differ, by the mathematics with which a race drops candidates.

Fold i has the same rows for every candidate, so two candidates are compared by their differences on
the folds that both have. A race asks whether a candidate would still win with all its folds; here
the question is whether it is truly better, whatever the number of folds. Rules:

1. The mean difference is Student-distributed, with the hypotheses of `curvewise.core._prospect`:
   that both are different learners, or twins of several degrees, each weighed by how well it
   explains the differences. What chance gives a fold is `curvewise.core._fold_noise`.
2. Where that noise is unknown, the spread of the other's folds stands in for it, three times, as in
   a race; without such a spread, that of three differences or more.
3. Candidates without a common fold at the target are compared at the largest anchor that both have
   seen, as a race does there: half of what the candidate may still gain counts as uncertain.
4. Where none of these can be had, the chance is unknown, and nobody may call it small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from curvewise.core._curve import LearningCurve
from curvewise.core._fold_noise import LEVEL, PRIOR_WEIGHT, n_test_at, noise_at
from curvewise.core._intervals import UNKNOWN, Interval
from curvewise.core._prospect import Spread, chance_below, spreads
from curvewise.core._row_pairs import RowLikeness, likeness
from curvewise.core._scale import Scale

# Where the noise is unknown, the variance of the other's folds stands in for it, three times: its
# few folds may happen to be nearly equal (measurements.md, losses of unknown scale).
FOLDS_NOISE = 3.0
# With fewer folds, a candidate's own spread says nothing.
FEWEST_FOLDS = 3
# An end of an interval is looked for within so many spreads, so often halved.
FARTHEST, HALVINGS = 1e3, 60


@dataclass(frozen=True, slots=True)
class Difference:
    """One candidate's mean loss minus another's: positive, it is worse.

    ``spreads`` are the weighed hypotheses of how far the true difference may be; none if that is
    unknown.
    """

    mean: float
    n_folds: int
    anchor: int
    spreads: tuple[Spread, ...] = ()

    @property
    def chance(self) -> float | None:
        """The chance that the candidate is truly better; None if it is unknown."""
        return self.below(0.0) if self.spreads else None

    def below(self, difference: float) -> float:
        """Give the probability that the true difference is smaller."""
        return math.fsum(
            each.weight * chance_below((self.mean - difference) / each.scale, each.freedom)
            for each in self.spreads
        )

    def interval(self, *, level: float = LEVEL) -> Interval:
        """Give the interval of the true difference; unknown if there is nothing to go by."""
        if not self.spreads:
            return UNKNOWN
        tail = (1 - level) / 2
        return Interval(self._quantile(tail), self._quantile(1 - tail))

    def _quantile(self, share: float) -> float:
        widest = FARTHEST * max(each.scale for each in self.spreads)
        low, high = self.mean - widest, self.mean + widest
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self.below(middle) < share:
                low = middle
            else:
                high = middle
        return (low + high) / 2


def likeness_at(
    candidate: LearningCurve, other: LearningCurve, anchor: int, folds: Sequence[int]
) -> RowLikeness | None:
    """Say how alike two candidates are on folds at an anchor; None if no rows are known."""
    pairs = []
    for fold in folds:
        pair, cell = candidate.beside(other, anchor, fold), candidate.at(anchor, fold)
        if pair is not None and cell is not None:
            pairs.append((pair, cell.n_test or pair.n_rows))
    return likeness(pairs)


def difference_of(
    candidate: LearningCurve, other: LearningCurve, *, target: int, scale: Scale
) -> Difference | None:
    """Compare a candidate with another; None if there is nothing that both have seen."""
    pairs = _pairs(candidate, other, target)
    if not pairs:
        return _difference_below(candidate, other, target=target, scale=scale)
    mean, n = math.fsum(pairs) / len(pairs), len(pairs)
    noise = noise_at(candidate, target, scale) or _noise_of_folds(other.losses(target))
    if noise:
        n_test = n_test_at(candidate, target) if scale.unit is not None else None
        found = spreads(
            pairs, noise=noise, n_folds=math.inf, n_test=n_test, prior_weight=PRIOR_WEIGHT
        )
        return Difference(mean, n, target, tuple(found))
    variance = math.fsum((pair - mean) ** 2 for pair in pairs) / max(1, n - 1)
    if n < FEWEST_FOLDS or not variance > 0:
        return Difference(mean, n, target)
    return Difference(mean, n, target, (Spread(1.0, math.sqrt(variance / n), n - 1),))


def gap_below_target(
    candidate: LearningCurve,
    other: LearningCurve,
    anchor: int,
    *,
    target: int,
    scale: Scale,
    by_rows: bool = False,
) -> tuple[float, float] | None:
    """Give the difference on fold 1 at an anchor, and its standard error as a forecast; or None.

    It may still fall as it has fallen since the anchor before; half of that counts as uncertain.
    """
    own, others = candidate.at(anchor, 0), other.at(anchor, 0)
    earlier = [size for size in candidate.anchors if size < anchor]
    if own is None or others is None or not earlier:
        return None
    before = candidate.at(earlier[-1], 0)
    alike = likeness_at(candidate, other, anchor, (0,)) if by_rows else None
    noise = noise_at(candidate, anchor, scale) if alike is None else alike.plain
    if before is None or noise is None:
        return None
    steps = math.log(target / anchor) / math.log(anchor / earlier[-1])
    still_to_fall = steps * max(0.0, before.loss - own.loss)
    return own.loss - others.loss, math.sqrt(noise + (still_to_fall / 2) ** 2)


def _difference_below(
    candidate: LearningCurve, other: LearningCurve, *, target: int, scale: Scale
) -> Difference | None:
    """Compare at the largest anchor below the target that both have seen (rule 3)."""
    common = [anchor for anchor in candidate.anchors if other.n(anchor) and anchor < target]
    for anchor in reversed(common):
        pairs = _pairs(candidate, other, anchor)
        if not pairs:
            continue
        gap = gap_below_target(candidate, other, anchor, target=target, scale=scale)
        if gap is None or not gap[1] > 0:
            return Difference(math.fsum(pairs) / len(pairs), len(pairs), anchor)
        return Difference(gap[0], 1, anchor, (Spread(1.0, gap[1], PRIOR_WEIGHT),))
    return None


def _pairs(candidate: LearningCurve, other: LearningCurve, anchor: int) -> list[float]:
    """The differences on the folds that both have at an anchor."""
    both = ((candidate.at(anchor, fold), other.at(anchor, fold)) for fold in other.folds(anchor))
    return [own.loss - others.loss for own, others in both if own and others]


def _noise_of_folds(losses: Sequence[float]) -> float | None:
    """Where chance is unknown, the spread of the other's folds stands in for it (rule 2)."""
    n = len(losses)
    if n < 2:
        return None
    mean = math.fsum(losses) / n
    return FOLDS_NOISE * math.fsum((loss - mean) ** 2 for loss in losses) / (n - 1)
