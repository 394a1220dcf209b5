"""The extrapolation of a curve, with a band that means something.

The band is the 95% band of the jackknife over folds: the model is fitted again without each fold,
and the standard error from the spread of these fits, times Student's quantile, is half the band.
For a constant that is the interval of the mean. It tells how well the folds determine the curve,
not whether the model is right; where it is, the band covers the truth about as often as it says
(``tests/selection/pictures/test_curve_display.py``). There is no band if too few anchors remain
without one of the folds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise.core._checks import whole_number
from curvewise.core._extrapolation import MODELS
from curvewise.core._intervals import quantile
from curvewise.core._result import ValidationResult
from curvewise.core._scale import lowest_loss
from curvewise.errors import InvalidParameterError

# How far beyond the last anchor one looks unless told otherwise.
FAR = 4


@dataclass(frozen=True, slots=True)
class Projection:
    """A curve model fitted to a result, in scores."""

    model: str
    rows: tuple[float, ...]
    scores: tuple[float, ...]
    low: tuple[float, ...] | None
    high: tuple[float, ...] | None


def project(
    result: ValidationResult, *, model: str = "ipl", until: int | None = None
) -> Projection:
    """Fit a curve model to a result, with the jackknife's band."""
    if model not in MODELS:
        raise InvalidParameterError(
            f"extrapolate must be one of {', '.join(MODELS)}, got {model!r}."
        )
    cells = [cell for cell in result.curve if math.isfinite(cell.loss)]
    anchors = sorted({cell.task.anchor for cell in cells})
    lowest = lowest_loss(cell.loss for cell in cells)
    fitted = _fit(model, cells, lowest)
    if fitted is None:
        raise InvalidParameterError(
            f"Extrapolating with {model!r} needs at least {MODELS[model].n_parameters} anchors, "
            f"{result.candidate} has {len(anchors)}; LCCV(prune=False, skip=False) evaluates all."
        )
    last = FAR * anchors[-1] if until is None else whole_number("until", until)
    if last <= anchors[-1]:
        raise InvalidParameterError(
            f"until must be beyond the last anchor {anchors[-1]}, got {last}."
        )
    rows = np.geomspace(anchors[0], last, 65)
    losses = np.array([fitted.predict(row) for row in rows])
    half = _jackknife(model, cells, rows, lowest)

    def scores(losses: Any) -> tuple[float, ...]:
        return tuple(result.scale.score(max(lowest, float(loss))) for loss in losses)

    low, high = (None, None) if half is None else (scores(losses + half), scores(losses - half))
    return Projection(model, tuple(rows.tolist()), scores(losses), low, high)


def _fit(model: str, cells: Sequence[Any], lowest: float) -> Any:
    anchors, losses = [cell.task.anchor for cell in cells], [cell.loss for cell in cells]
    return MODELS[model].fit(anchors, losses, lowest=lowest)


def _jackknife(model: str, cells: Sequence[Any], rows: Any, lowest: float) -> Any:
    """Half the width of the band at each size (rule 6), or None."""
    folds = sorted({cell.task.fold for cell in cells})
    fits = [
        _fit(model, [cell for cell in cells if cell.task.fold != fold], lowest) for fold in folds
    ]
    n = len(folds)
    if n < 2 or None in fits:
        return None
    losses = np.array([[fitted.predict(row) for row in rows] for fitted in fits])
    return quantile("t", n, 0.95) * np.sqrt((n - 1) * losses.var(axis=0))
