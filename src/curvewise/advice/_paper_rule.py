"""The paper's predictors (Mohr & van Rijn 2023, Sec. V-B).

The *IPL-regressor* fits an inverse power law to the means of each candidate and reads it at the
larger size. The prediction for a portfolio is the smallest of them. The *IPL-classifier* says yes
if that is at least the wished gain below the best present loss. Both know no uncertainty.

1. The law is ``a + b * s**-c`` with a, b and c at least 0, as printed (but for its sign, see the
   docs' page on deviations). Where the best fit has a negative asymptote and no loss was negative,
   the best one with the asymptote 0 takes its place.
2. It needs three anchors. If no candidate has them, nothing is predicted.
3. The paper has full curves: every candidate is seen at every anchor. Where one was pruned, the
   law reads on from its last anchor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from curvewise.advice._evidence import Entry
from curvewise.advice._outlook import Outlook
from curvewise.core._extrapolation import FittedCurve, InversePowerLaw
from curvewise.core._extrapolation.points import gather_points
from curvewise.core._outcome import LARGEST_LOSS

IPL = InversePowerLaw()
# Where the decay of a law without asymptote is looked for.
SLOWEST, FASTEST, N_DECAYS = 1e-3, 5.0, 200


def fit_law(anchors: Sequence[float], losses: Sequence[float]) -> FittedCurve | None:
    """Fit an inverse power law whose asymptote is not below 0; None below three anchors.

    Examples
    --------
    >>> curve = fit_law([64, 128, 256], [0.40, 0.20, 0.05])
    >>> curve.parameters[0], round(curve.predict(512), 2)
    (0.0, 0.04)
    """
    fitted = IPL.fit(anchors, losses)
    if fitted is None or fitted.parameters[0] >= 0 or min(losses) < 0:
        return fitted
    points = gather_points(anchors, losses)
    if points is None:
        return fitted
    # The squares of larger ones overflow.
    largest = max(losses)
    unit = largest if largest > LARGEST_LOSS else 1.0
    values = points.deviations * (points.spread / unit) + points.mean / unit * points.roots
    best: tuple[float, float, float] | None = None
    for i in range(N_DECAYS + 1):
        decay = SLOWEST * (FASTEST / SLOWEST) ** (i / N_DECAYS)
        column = points.roots * points.ratios**-decay
        height = max(float(column.dot(values) / column.dot(column)), 0.0)
        left = values - height * column
        error = float(left.dot(left))
        if best is None or error < best[0]:
            best = (error, height, decay)
    if best is None:
        return fitted
    error, height, decay = best
    height *= unit
    return FittedCurve(IPL, (0.0, height * points.smallest**decay, decay), math.sqrt(error) * unit)


@dataclass(frozen=True, slots=True)
class PaperTrend:
    """The smallest prediction of a portfolio's power laws.

    Examples
    --------
    >>> law = fit_law([64, 256, 1024], [0.6, 0.35, 0.225])
    >>> round(PaperTrend(0.225, 1024, (law,)).look(4).gain, 4)
    0.0625
    """

    loss: float
    rows: int
    laws: tuple[FittedCurve, ...]
    by_experience: bool | None = False

    def look(self, factor: float) -> Outlook:
        """Look ahead to so many times the rows; without laws, nothing is known."""
        rows = self.rows * factor
        then = min((law.predict(rows) for law in self.laws), default=math.nan)
        return Outlook(self.loss - then, math.inf)


def laws_of(entries: Sequence[Entry]) -> tuple[FittedCurve, ...]:
    """Fit a law to each candidate that has three anchors."""
    fits = []
    for entry in entries:
        anchors = entry.curve.anchors
        fits.append(fit_law(anchors, [entry.curve.mean(anchor) for anchor in anchors]))
    return tuple(law for law in fits if law is not None)


@dataclass(frozen=True, slots=True)
class LastTrend:
    """Nothing changes: the baseline.

    Examples
    --------
    >>> LastTrend().look(2).gain
    0.0
    """

    by_experience: bool | None = False

    def look(self, factor: float) -> Outlook:
        """Look ahead to so many times the rows."""
        return Outlook(0.0, math.inf)
