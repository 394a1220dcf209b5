"""Learning-curve models that extrapolate a curve from a few anchors.

`MODELS` has them by name. All are fitted the same way (`variable_projection`), never rise, and give
the best constant where the points do not fall.

Examples
--------
>>> anchors, losses = [64, 128, 256, 512], [0.42, 0.33, 0.27, 0.23]
>>> for name, model in MODELS.items():
...     print(f"{name:<12} {model.fit(anchors, losses).predict(4096):.3f}")
ipl          0.174
pow4         0.174
mmf          0.174
exponential  0.230
"""

from curvewise.core._extrapolation.families import MMF, Exponential, InversePowerLaw, Pow4
from curvewise.core._extrapolation.model import CurveModel, FittedCurve

__all__ = ["MMF", "MODELS", "CurveModel", "Exponential", "FittedCurve", "InversePowerLaw", "Pow4"]

MODELS: dict[str, CurveModel] = {
    model.name: model for model in (InversePowerLaw(), Pow4(), MMF(), Exponential())
}
