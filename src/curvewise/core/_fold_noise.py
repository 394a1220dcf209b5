"""How much of a fold's loss is chance, and the intervals that follow from it.

Folds that agree to the last digit are not without noise: each has been measured on a handful of
test rows. Rules:

1. The noise of a fold is what its metric says of its test rows; for rates without such a word, what
   the rate and the number of rows let expect. For other losses it is unknown.
2. An interval of a mean over folds is Student's, with a variance of at least that noise. The noise
   counts as six folds, as it does in a race: so the quantile has six degrees of freedom more, and a
   single fold has an interval as well.
3. Where the noise is unknown, the spread of the folds is all there is: two folds at least.
4. An interval without width is none: no folds and no rows make a mean certain.

Against the score on new rows, 95% intervals from 1 / 2 / 3 / 5 folds of 150 and 600 rows (logistic
regression, naive Bayes and trees on simulated classes, 120 repetitions of 12 cases) cover in
85 to 100 / 92 to 100 / 95 to 100 / 89 to 100%. Student's alone cover in 53 to 94% with two folds,
70 to 94% with three and 87 to 95% with five.
"""

from __future__ import annotations

import math
from functools import lru_cache

from curvewise.core._curve import LearningCurve
from curvewise.core._intervals import UNKNOWN, Interval, variance_of_rate
from curvewise.core._outcome import Observation
from curvewise.core._scale import Scale

# The noise that test rows imply counts as so many folds: the variance of two folds says little. A
# first version of the race cost a twelfth more with 2 than with 4.
PRIOR_WEIGHT = 6
LEVEL = 0.95
# Folds that differ by less than this share of their mean agree: the rest is rounding.
ROUNDING = 1e-9


def noise_at(curve: LearningCurve, anchor: int, scale: Scale) -> float | None:
    """The variance that chance alone gives one fold's loss at an anchor; None if unknown."""
    cells = curve.cells(anchor)
    known = [cell.noise for cell in cells if cell.noise is not None]
    if known:
        return math.fsum(known) / len(known)
    if scale.unit is None:
        return None
    m = _mean_size(cells)
    return None if m is None else variance_of_rate(curve.mean(anchor), m)


def n_test_at(curve: LearningCurve, anchor: int) -> float | None:
    """The mean number of test rows at an anchor; None if nobody said."""
    return _mean_size(curve.cells(anchor))


def _mean_size(cells: list[Observation]) -> float | None:
    sizes = [cell.n_test for cell in cells if cell.n_test is not None]
    return sum(sizes) / len(sizes) if sizes else None


def loss_interval(
    curve: LearningCurve, anchor: int, scale: Scale, *, level: float = LEVEL
) -> Interval:
    """Give the interval of the mean loss at an anchor; unknown if there is nothing to go by."""
    losses, noise = curve.losses(anchor), noise_at(curve, anchor, scale)
    n = len(losses)
    if not n or (n < 2 and noise is None):
        return UNKNOWN
    mean = math.fsum(losses) / n
    squares = math.fsum((loss - mean) ** 2 for loss in losses)
    variance, freedom = squares / max(1, n - 1), n - 1
    if noise is not None:
        variance, freedom = max(variance, noise), PRIOR_WEIGHT + n - 1
    deviation = math.sqrt(variance)
    if not deviation > ROUNDING * abs(mean):
        return UNKNOWN
    half = two_sided(freedom, level) * deviation / math.sqrt(n)
    # Nothing is better than the best score, unless somebody was.
    lowest = 0.0 if min(losses) >= 0 else -math.inf
    return Interval(max(lowest, mean - half), mean + half)


@lru_cache(maxsize=1024)
def two_sided(freedom: float, level: float) -> float:
    """Give the quantile of Student's distribution within which a share of it lies."""
    from scipy.special import stdtrit  # Heavy, and often not needed.

    return float(stdtrit(freedom, (1 + level) / 2))
