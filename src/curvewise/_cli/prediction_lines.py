"""What ``curvewise select`` tells of out-of-fold predictions: the threshold, the reliability."""

from __future__ import annotations

from typing import Any

from curvewise.automl._curve_automl import CurveAutoML


def prediction_lines(model: CurveAutoML) -> list[str]:
    """Give a line for each thing that was found."""
    found = (getattr(model, name, None) for name in ("threshold_", "reliability_"))
    return [one.sentence() for one in found if one is not None]


def prediction_facts(model: CurveAutoML) -> dict[str, Any]:
    """Give the same for programs; None for what there is not."""
    threshold = getattr(model, "threshold_", None)
    reliability = getattr(model, "reliability_", None)
    return {
        "threshold": None if threshold is None else threshold.facts(),
        "calibration": None if reliability is None else reliability.facts(),
    }
