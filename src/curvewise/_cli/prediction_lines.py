"""What ``curvewise select`` tells of out-of-fold predictions: the threshold, the reliability.

And what the choice is expected to score on new rows.
"""

from __future__ import annotations

from typing import Any

from curvewise.automl._curve_automl import CurveAutoML


def honest_lines(model: CurveAutoML) -> list[str]:
    """Say what is expected on new rows, if that is known."""
    honest = getattr(model, "honest_score_", None)
    return [] if honest is None else [honest.sentence()]


def prediction_lines(model: CurveAutoML) -> list[str]:
    """Give a line for each thing that was found."""
    found = (getattr(model, name, None) for name in ("threshold_", "reliability_"))
    return [one.sentence() for one in found if one is not None]


def prediction_facts(model: CurveAutoML) -> dict[str, Any]:
    """Give the same for programs; None for what there is not."""
    threshold = getattr(model, "threshold_", None)
    reliability = getattr(model, "reliability_", None)
    honest = getattr(model, "honest_score_", None)
    return {
        "honest_score": None if honest is None else honest.facts(),
        "threshold": None if threshold is None else threshold.facts(),
        "calibration": None if reliability is None else reliability.facts(),
    }
