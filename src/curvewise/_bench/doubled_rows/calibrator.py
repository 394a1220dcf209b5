"""How the numbers behind advice are found: few, rounded, and from recorded curves alone.

1. ``carry`` and ``room`` (how a fall goes on) minimise the mean absolute error of the gain, on a
   grid in steps of .05 and .1.
2. ``noise``, ``share`` and ``level`` (the parts of the spread) maximise the likelihood of the
   errors under Student's t with four degrees of freedom, to two digits.
3. The table has the quantiles of the errors in units of the spread. Data sets are few and their
   cases alike, so it is widened by 3%.
4. Experience has the quantiles of the gains as shares of the loss, in three classes of size.

Learners count as portfolios of one. For losses of unknown scale the same error rates are used, as
if nothing were known about their bounds or test rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.optimize import minimize

from curvewise._bench.doubled_rows.cases import Case, Floats
from curvewise.advice._envelope import Standing, stand
from curvewise.advice._outlook import LEVELS, Calibration, Experience
from curvewise.advice._trend import LEAST_LOSS, NEARLY_ONE, ROOMY
from curvewise.core._scale import Scale

CARRIES = tuple(round(0.05 * i, 2) for i in range(4, 21))
ROOMS = tuple(round(0.1 * i, 1) for i in range(11))
FREEDOM = 4
WIDER = 1.03
# Of the logarithms of the shares: what a part can hardly contribute, and what is beyond reason.
LIMITS = (-10.0, 5.0)
CLASSES = (512, 2048, math.inf)
SMALLEST_SPREAD = 1e-5


@dataclass(frozen=True, slots=True)
class Lesson:
    """Where a portfolio stood, and what doubling its rows brought in truth."""

    dataset: str
    standing: Standing
    gain: float


def lessons_of(cases: Sequence[Case], *, level: str, scale: Scale) -> list[Lesson]:
    """What there is to learn from cases."""
    lessons = []
    for case in cases:
        entries = case.entries()
        if level == "portfolio":
            standing = stand(entries, scale)
            lessons.append(Lesson(case.dataset, standing, standing.loss - float(case.truth.min())))
            continue
        for entry, truth in zip(entries, case.truth, strict=True):
            standing = stand([entry], scale)
            lessons.append(Lesson(case.dataset, standing, standing.loss - float(truth)))
    return lessons


def calibrate(lessons: Sequence[Lesson], *, bounded: bool) -> Calibration:
    """Find the numbers of a trend."""
    truths = np.array([lesson.gain for lesson in lessons])
    falls = _Falls(lessons)
    carry, room = _carry_on(falls, truths, bounded=bounded)
    gains = falls.carried_on(carry, room)
    errors = np.array([lesson.standing.error for lesson in lessons])
    parts = np.stack([errors, gains, np.maximum(falls.losses, 0.0)], axis=1)
    noise, share, level = _spread(parts, truths - gains)
    spreads = np.sqrt((parts**2) @ (np.array([noise, share, level]) ** 2))
    # Where nothing ever differed, the spread is 0 and errors cannot be told in its units.
    told = spreads > SMALLEST_SPREAD
    away = (truths - gains)[told] / spreads[told] if told.any() else np.zeros(1)
    return Calibration(carry, room, noise, share, level, _table(away))


def experience_of(lessons: Sequence[Lesson]) -> tuple[Experience, ...]:
    """The gains that doubling brought, as shares of the loss and by class of size."""
    classes, smallest = [], 0.0
    for largest in CLASSES:
        shares = [
            each.gain / max(each.standing.loss, LEAST_LOSS)
            for each in lessons
            if smallest <= each.standing.rows < largest
        ]
        if shares:
            table = np.quantile(shares, LEVELS)
            classes.append(Experience(largest, _ascending(table, digits=3)))
            smallest = largest
    return tuple(classes)


class _Falls:
    """The last steps of many standings."""

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        steps = [lesson.standing.step for lesson in lessons]
        self.losses = np.array([lesson.standing.loss for lesson in lessons])
        self._falls = np.array([max(step.fall, 0.0) if step else 0.0 for step in steps])
        self._behind = np.array([step.doublings if step else 1.0 for step in steps])

    def carried_on(self, carry: float, room: float) -> Floats:
        """The expected gains of a doubling, as `curvewise.advice._trend.grow` has them."""
        ratios = carry + room * np.clip(self.losses, 0.0, ROOMY)
        ratios = np.minimum(ratios, 1 - NEARLY_ONE)
        gains: Floats = self._falls * (1 - ratios) / (ratios**-self._behind - 1)
        return gains


def _carry_on(falls: _Falls, truths: Floats, *, bounded: bool) -> tuple[float, float]:
    """The carry and the room with the smallest mean absolute error."""

    def error(pair: tuple[float, float]) -> float:
        return float(np.abs(truths - falls.carried_on(*pair)).mean())

    # A ratio above 1 would be a curve that falls faster and faster, for ever.
    pairs = product(CARRIES, ROOMS if bounded else (0.0,))
    return min((pair for pair in pairs if pair[0] + pair[1] * ROOMY <= 1), key=error)


def _spread(parts: Floats, errors: Floats) -> tuple[float, float, float]:
    """The share of each part in the spread, by maximum likelihood."""
    unit = float(np.median(np.abs(errors))) or 1.0

    def surprise(logarithms: Floats) -> float:
        shares = np.exp(2 * np.clip(logarithms, *LIMITS))
        squares = (parts**2) @ shares + (0.01 * unit) ** 2
        terms = (FREEDOM + 1) / 2 * np.log1p(errors**2 / squares / FREEDOM)
        return float((terms + 0.5 * np.log(squares)).mean())

    best = minimize(surprise, np.log([1.0, 0.3, 0.003]), method="Nelder-Mead").x
    noise, share, level = np.where(parts.any(axis=0), np.exp(np.clip(best, *LIMITS)), 0.0).tolist()
    return round(noise, 2), round(share, 2), round(level, 4)


def _table(away: Floats) -> tuple[float, ...]:
    """The quantiles of the errors in spreads, a little wider than they were."""
    return _ascending(WIDER * np.quantile(away, LEVELS), digits=2)


def _ascending(values: Floats, *, digits: int) -> tuple[float, ...]:
    """Round values such that each is above the one before."""
    least = 10.0**-digits
    rounded: list[float] = []
    for value in values:
        floor = rounded[-1] + least if rounded else -math.inf
        rounded.append(round(max(float(value), floor), digits))
    return tuple(rounded)
