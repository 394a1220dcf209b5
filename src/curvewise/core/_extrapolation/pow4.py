"""The power law with shifted anchors, which allows for a slow start."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from curvewise.core._extrapolation.inverse_power_law import DECAYS
from curvewise.core._extrapolation.model import FittedCurve
from curvewise.core._extrapolation.points import Floats
from curvewise.core._extrapolation.variable_projection import fit_falling

# As a share of the largest anchor. On recorded curves, predictions at four times the largest anchor
# were wrong by up to 0.9 in error rate with a shift of up to the whole of it, and by 0.4 with this.
LARGEST_SHIFT = 0.25


@dataclass(frozen=True, slots=True)
class Pow4:
    """The learning curve ``a + b * (s + d)**-c``: asymptote a, scale b >= 0, decay c, shift d >= 0.

    The shift is at most a quarter of the largest anchor. With a larger one, the points show little
    more than a straight line, and nothing of the asymptote.

    Examples
    --------
    >>> curve = Pow4().fit([100, 300, 700, 1500], [0.30, 0.20, 0.15, 0.125])
    >>> round(curve.predict(3100), 6)
    0.1125
    """

    name: ClassVar[str] = "pow4"
    n_parameters: ClassVar[int] = 4

    def fit(
        self,
        anchors: Sequence[float],
        losses: Sequence[float],
        *,
        weights: Sequence[float] | None = None,
    ) -> FittedCurve | None:
        """Fit the model to points by weighted least squares, as `CurveModel.fit` says."""
        return fit_falling(self, anchors, losses, weights)

    def evaluate(self, parameters: Sequence[float], anchor: float) -> float:
        """The loss at an anchor under the parameters a, b, c, d."""
        a, b, c, d = parameters
        return a + b * math.exp(-c * math.log(anchor + d))

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of ln c and of ln(1 + d), d being relative to the smallest anchor."""
        return (math.log(DECAYS[0]), math.log(DECAYS[1])), (
            0.0,
            math.log1p(LARGEST_SHIFT * largest),
        )

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The shifted ratios to the power of -c, 1 at the smallest anchor."""
        delay = shape[1]
        power: Floats = np.exp(-np.exp(shape[0]) * (np.log(ratios + np.expm1(delay)) - delay))
        return power

    def slopes(self, shape: Any, ratios: Floats) -> Sequence[Floats]:
        """The derivatives of the decay by ln c and ln(1 + d)."""
        c = np.exp(shape[0])
        relative = (ratios + np.expm1(shape[1])) / np.exp(shape[1])
        power = relative**-c
        return -c * np.log(relative) * power, c * (1.0 - 1.0 / relative) * power

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters a, b, c, d."""
        c = math.exp(shape[0])
        scale = gain * (smallest * math.exp(shape[1])) ** c
        return asymptote, scale, c, smallest * math.expm1(shape[1])
