"""The inverse power law (Mohr & van Rijn 2023, Sec. IV-C)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from curvewise.core._extrapolation.model import FittedCurve
from curvewise.core._extrapolation.points import Floats
from curvewise.core._extrapolation.variable_projection import fit_falling

# The slowest decay is nearly a straight line over the logarithm of the anchor; with the fastest,
# doubling the anchor leaves a thirtieth of the distance to the asymptote.
DECAYS = (0.01, 5.0)


@dataclass(frozen=True, slots=True)
class InversePowerLaw:
    """The learning curve ``a + b * s**-c``: asymptote a, scale b >= 0, decay c > 0.

    Examples
    --------
    >>> curve = InversePowerLaw().fit([64, 256, 1024, 4096], [0.35, 0.225, 0.1625, 0.13125])
    >>> [round(parameter, 2) for parameter in curve.parameters]
    [0.1, 2.0, 0.5]
    >>> round(curve.predict(10_000), 6)
    0.12
    """

    name: ClassVar[str] = "ipl"
    n_parameters: ClassVar[int] = 3

    def fit(
        self,
        anchors: Sequence[float],
        losses: Sequence[float],
        *,
        weights: Sequence[float] | None = None,
    ) -> FittedCurve | None:
        """Fit the law to points by weighted least squares, as `CurveModel.fit` says."""
        return fit_falling(self, anchors, losses, weights)

    def evaluate(self, parameters: Sequence[float], anchor: float) -> float:
        """The loss at an anchor under the parameters a, b, c."""
        # Deviates: the printed a - b * s**-c rises; it is the law of an accuracy curve.
        a, b, c = parameters
        return a + b * math.exp(-c * math.log(anchor))

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of ln c."""
        return ((math.log(DECAYS[0]), math.log(DECAYS[1])),)

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The ratios to the power of -c."""
        power: Floats = ratios ** -np.exp(shape[0])
        return power

    def slopes(self, shape: Any, ratios: Floats) -> Sequence[Floats]:
        """The derivative of the decay by ln c."""
        c = np.exp(shape[0])
        return (-c * np.log(ratios) * ratios**-c,)

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters a, b, c."""
        c = math.exp(shape[0])
        return asymptote, gain * smallest**c, c
