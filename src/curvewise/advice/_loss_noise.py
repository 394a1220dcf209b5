"""How much chance there is in a loss, and in a fall.

1. The variance of a loss is that over folds, with the variance of its test rows as four further
   observations where that is known (p(1 - p)/m for rates).
2. The fewer there are, the less is known about the variance itself: the standard error grows as
   Student's quantiles do.
3. Folds that are all the same do not make a loss certain. Rates of unknown test rows then vary as
   if a fold had as many test rows as training rows. About negative losses nothing is known.
4. The noise of a fall is that of its differences over folds, for both ends have the same folds. A
   single fold has no differences: then it is the noise of both ends together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from scipy.special import ndtri, stdtrit

from curvewise.core._outcome import LARGEST_LOSS, Observation
from curvewise.core._scale import Scale

PRIOR_WEIGHT = 4
# Intervals of 90% are what errors are made for.
TAIL = 0.95


class Noise(NamedTuple):
    """How a loss varies from fold to fold.

    ``variance`` is infinite if nothing is known about it; ``freedom`` is how many observations
    stand behind it. Losses are in multiples of ``unit``, for squares of large ones overflow.
    """

    variance: float
    freedom: int
    unit: float = 1.0

    def error_of_mean(self, n: int) -> float:
        """The standard error of a mean over n folds, as if its variance were known (rule 2)."""
        if not self.freedom:
            return math.inf
        student = float(stdtrit(self.freedom, TAIL) / ndtri(TAIL))
        return student * math.sqrt(self.variance / n) * self.unit


def fold_noise(cells: Sequence[Observation], scale: Scale) -> Noise:
    """How a loss varies from fold to fold (rules 1 and 3).

    Examples
    --------
    >>> from curvewise.core._outcome import Task
    >>> fold_noise([Observation(Task("svc", 900, 0), 0.25, n_test=100)], Scale())
    Noise(variance=0.001875, freedom=4, unit=1.0)
    >>> fold_noise([Observation(Task("svc", 900, 0), 0.25)], Scale())
    Noise(variance=inf, freedom=0, unit=1.0)
    """
    losses = [cell.loss for cell in cells]
    mean = math.fsum(losses) / len(losses)
    known = [noise for cell in cells if (noise := _noise(cell, mean, scale)) is not None]
    if not known and len(losses) > 1 and min(losses) == max(losses):
        if scale.unit is not None:
            known = [_noise_of_rate(mean, cells[0].task.anchor)]
        elif mean < 0:
            return Noise(math.inf, 0)
    squares, unit = _squares(losses)
    freedom = len(losses) - 1
    if known:
        prior = math.fsum(known) / len(known) / unit / unit
        freedom += PRIOR_WEIGHT
        return Noise((PRIOR_WEIGHT * prior + squares) / freedom, freedom, unit)
    return Noise(squares / freedom if freedom else math.inf, freedom, unit)


def _squares(values: Sequence[float]) -> tuple[float, float]:
    """The squared distances of values from their mean together, and the unit that they are in."""
    largest = max(abs(value) for value in values)
    unit = largest if largest > LARGEST_LOSS else 1.0
    mean = math.fsum(values) / len(values)
    distances = [(value - mean) / unit for value in values]
    # A product that is too large is infinite, where a power would raise.
    return math.fsum(distance * distance for distance in distances), unit


def _noise(cell: Observation, mean: float, scale: Scale) -> float | None:
    """The variance of a loss that comes from its test rows alone; None if it is unknown."""
    if cell.noise is not None:
        return cell.noise
    if cell.n_test is None or scale.unit is None:
        return None
    return _noise_of_rate(mean, cell.n_test)


def _noise_of_rate(mean: float, n_test: int) -> float:
    """The variance of an error rate on so many test rows."""
    rate = min(max(mean, 0.5 / n_test), 0.5)
    return rate * (1 - rate) / n_test


def error_of_fall(before: Sequence[float], after: Sequence[float], noise: Noise) -> float:
    """The standard error of a mean fall (rule 4).

    Examples
    --------
    >>> round(error_of_fall([0.3, 0.5, 0.7], [0.20, 0.41, 0.60], Noise(0.04, 2)), 4)
    0.0059
    """
    falls = [first - last for first, last in zip(before, after, strict=True)]
    n = len(falls)
    if n == 1:
        return math.sqrt(2) * noise.error_of_mean(1)
    squares, unit = _squares(falls)
    return Noise(squares / (n - 1), n - 1, unit).error_of_mean(n)
