"""The families of curves: power laws, the Morgan-Mercer-Flodin model, and the exponential.

The *inverse power law* is the paper's (Mohr & van Rijn 2023, Sec. IV-C). *Pow4* shifts its anchors,
which allows for a slow start. *MMF* is what the paper's authors extrapolate with in their package.
The *exponential* is for learners that reach their asymptote early.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise.core._extrapolation.points import Floats
from curvewise.core._extrapolation.variable_projection import FallingModel

# The slowest decay is nearly a straight line over the logarithm of the anchor; with the fastest,
# doubling the anchor leaves a thirtieth of the distance to the asymptote.
LOG_DECAYS = (math.log(0.01), math.log(5.0))
# As a share of the largest anchor. On recorded curves, predictions at four times the largest anchor
# were wrong by up to 0.9 in error rate with a shift of up to the whole of it, and by 0.4 with this.
LARGEST_SHIFT = 0.25
# Far below the smallest anchor, the midpoint makes no difference: the curve is a power law.
EARLIEST_MIDPOINT = 1e-3
# Of the exponential, in time constants between the smallest and the largest anchor. A slower decay
# is a straight line for all that the points can show: on recorded curves, predictions at four times
# the largest anchor were wrong by up to 2.0 in error rate with a tenth of a time constant, and by
# 0.4 with one.
SLOWEST, FASTEST = 1.0, 50.0
# In time constants per smallest anchor. The first is steep enough for any geometric schedule; the
# second keeps b, the curve's value without data, within the range of floats.
STEEP, STEEPEST = 5.0, 200.0


@dataclass(frozen=True, slots=True)
class InversePowerLaw(FallingModel):
    """The learning curve ``a + b * s**-c``: asymptote a, scale b >= 0, decay c > 0."""

    name = "ipl"
    n_parameters = 3

    def evaluate(self, parameters: Sequence[float], anchor: float) -> float:
        """The loss at an anchor under the parameters a, b, c."""
        # Deviates: 9. The printed a - b * s**-c rises; it is the law of an accuracy curve.
        a, b, c = parameters
        return a + b * math.exp(-c * math.log(anchor))

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of ln c."""
        return (LOG_DECAYS,)

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The ratios to the power of -c."""
        power: Floats = ratios ** -np.exp(shape[0])
        return power

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters a, b, c."""
        c = math.exp(shape[0])
        return asymptote, gain * smallest**c, c


@dataclass(frozen=True, slots=True)
class Pow4(FallingModel):
    """The learning curve ``a + b * (s + d)**-c``: asymptote a, scale b >= 0, decay c, shift d >= 0.

    The shift is at most a quarter of the largest anchor. With a larger one, the points show little
    more than a straight line, and nothing of the asymptote.
    """

    name = "pow4"
    n_parameters = 4

    def evaluate(self, parameters: Sequence[float], anchor: float) -> float:
        """The loss at an anchor under the parameters a, b, c, d."""
        a, b, c, d = parameters
        return a + b * math.exp(-c * math.log(anchor + d))

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of ln c and of ln(1 + d), d being relative to the smallest anchor."""
        return LOG_DECAYS, (0.0, math.log1p(LARGEST_SHIFT * largest))

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The shifted ratios to the power of -c, 1 at the smallest anchor."""
        delay = shape[1]
        power: Floats = np.exp(-np.exp(shape[0]) * (np.log(ratios + np.expm1(delay)) - delay))
        return power

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters a, b, c, d."""
        c = math.exp(shape[0])
        scale = gain * (smallest * math.exp(shape[1])) ** c
        return asymptote, scale, c, smallest * math.expm1(shape[1])


@dataclass(frozen=True, slots=True)
class MMF(FallingModel):
    """The curve ``(a * b + c * s**d) / (b + s**d)``: from a without data to the asymptote c.

    It is half-way between them at its midpoint ``b**(1 / d)``, which is at most the largest anchor,
    and it can have a plateau before it falls.
    """

    name = "mmf"
    n_parameters = 4

    def evaluate(self, parameters: Sequence[float], anchor: float) -> float:
        """The loss at an anchor under the parameters a, b, c, d."""
        a, b, c, d = parameters
        # The formula divided by s**d, which may be too large for a float.
        remaining = b * math.exp(-d * math.log(anchor))
        return c + (a - c) * (remaining / (1.0 + remaining))

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of ln d and of the midpoint's logarithm, relative to the smallest anchor."""
        return LOG_DECAYS, (math.log(EARLIEST_MIDPOINT), math.log(largest))

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The share of the way from a to c that is still to go."""
        share: Floats = 1.0 / (1.0 + np.exp(np.exp(shape[0]) * (np.log(ratios) - shape[1])))
        return share

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters a, b, c, d."""
        d = math.exp(shape[0])
        return asymptote + gain, (smallest * math.exp(shape[1])) ** d, asymptote, d


@dataclass(frozen=True, slots=True)
class Exponential(FallingModel):
    """The learning curve ``a + b * exp(-c * s)``: asymptote a, scale b >= 0, decay c > 0."""

    name = "exponential"
    n_parameters = 3

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

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters a, b, c."""
        rate = math.exp(shape[0])
        return asymptote, gain * math.exp(rate), rate / smallest
