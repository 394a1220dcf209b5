"""Learning-curve models that extrapolate a curve from a few anchors.

`MODELS` has them by name. All are fitted the same way (`variable_projection`), never rise, and give
the best constant where the points do not fall.
"""

from curvewise.core._extrapolation.families import MMF, Exponential, InversePowerLaw, Pow4
from curvewise.core._extrapolation.model import CurveModel, FittedCurve

__all__ = ["MMF", "MODELS", "CurveModel", "Exponential", "FittedCurve", "InversePowerLaw", "Pow4"]

MODELS: dict[str, CurveModel] = {
    model.name: model for model in (InversePowerLaw(), Pow4(), MMF(), Exponential())
}
