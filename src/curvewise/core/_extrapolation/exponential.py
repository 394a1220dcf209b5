"""The exponential curve, for learners that reach their asymptote early."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from curvewise.core._extrapolation.model import FittedCurve
from curvewise.core._extrapolation.points import Floats
from curvewise.core._extrapolation.variable_projection import fit_falling

# In time constants between the smallest and the largest anchor. A slower decay is a straight line
# for all that the points can show: on recorded curves, predictions at four times the largest anchor
# were wrong by up to 2.0 in error rate with a tenth of a time constant, and by 0.4 with one.
SLOWEST, FASTEST = 1.0, 50.0
# In time constants per smallest anchor. The first is steep enough for any geometric schedule; the
# second keeps b, the curve's value without data, within the range of floats.
STEEP, STEEPEST = 5.0, 200.0


@dataclass(frozen=True, slots=True)
class Exponential:
    """The learning curve ``a + b * exp(-c * s)``: asymptote a, scale b >= 0, decay c > 0.

    Examples
    --------
    >>> curve = Exponential().fit([64, 128, 192, 256], [0.50, 0.30, 0.20, 0.15])
    >>> round(curve.predict(320), 6), round(curve.predict(10_000), 6)
    (0.125, 0.1)
    """

    name: ClassVar[str] = "exponential"
    n_parameters: ClassVar[int] = 3

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
        """The loss at an anchor under the parameters a, b, c."""
        a, b, c = parameters
        return a + b * math.exp(-c * anchor)

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of ln c, for anchors relative to the smallest one."""
        width = largest - 1.0
        high = min(max(STEEP, FASTEST / width), STEEPEST)
        return ((math.log(min(SLOWEST / width, high / 10.0)), math.log(high)),)

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The exponential, 1 at the smallest anchor."""
        value: Floats = np.exp(np.exp(shape[0]) * (1.0 - ratios))
        return value

    def slopes(self, shape: Any, ratios: Floats) -> Sequence[Floats]:
        """The derivative of the decay by ln c."""
        exponent = np.exp(shape[0]) * (1.0 - ratios)
        return (exponent * np.exp(exponent),)

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters a, b, c."""
        rate = math.exp(shape[0])
        return asymptote, gain * math.exp(rate), rate / smallest
