"""The Morgan-Mercer-Flodin model, which the paper's authors extrapolate with in their package."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from curvewise.core._extrapolation.inverse_power_law import DECAYS
from curvewise.core._extrapolation.model import FittedCurve
from curvewise.core._extrapolation.points import Floats
from curvewise.core._extrapolation.variable_projection import fit_falling

# Far below the smallest anchor, the midpoint makes no difference: the curve is a power law.
EARLIEST_MIDPOINT = 1e-3


@dataclass(frozen=True, slots=True)
class MMF:
    """The curve ``(a * b + c * s**d) / (b + s**d)``: from a without data to the asymptote c.

    It is half-way between them at its midpoint ``b**(1 / d)``, which is at most the largest anchor,
    and it can have a plateau before it falls.

    Examples
    --------
    >>> curve = MMF().fit([100, 300, 700, 1500], [0.50, 0.30, 0.20, 0.15])
    >>> round(curve.predict(3100), 6)
    0.125
    """

    name: ClassVar[str] = "mmf"
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
        # The formula divided by s**d, which may be too large for a float.
        remaining = b * math.exp(-d * math.log(anchor))
        return c + (a - c) * (remaining / (1.0 + remaining))

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of ln d and of the midpoint's logarithm, relative to the smallest anchor."""
        return (
            (math.log(DECAYS[0]), math.log(DECAYS[1])),
            (math.log(EARLIEST_MIDPOINT), math.log(largest)),
        )

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The share of the way from a to c that is still to go."""
        share: Floats = 1.0 / (1.0 + np.exp(np.exp(shape[0]) * (np.log(ratios) - shape[1])))
        return share

    def slopes(self, shape: Any, ratios: Floats) -> Sequence[Floats]:
        """The derivatives of the decay by ln d and the midpoint's logarithm."""
        d = np.exp(shape[0])
        distance = np.log(ratios) - shape[1]
        share = 1.0 / (1.0 + np.exp(d * distance))
        steepness = d * share * (1.0 - share)
        return -distance * steepness, steepness

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters a, b, c, d."""
        d = math.exp(shape[0])
        return asymptote + gain, (smallest * math.exp(shape[1])) ** d, asymptote, d
