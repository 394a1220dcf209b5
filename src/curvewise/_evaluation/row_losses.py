"""What each test row loses, for metrics that are means over rows.

A race that compares two candidates row by row, and a recording that lets it do so later, need the
losses themselves and not their mean alone. They are taken from what the estimator said while it was
scored, and cost hardly anything.

Losses are handed over only if their mean is the loss that was measured. Weighted scores, a scorer
of another make, probabilities that the metric has changed first: these have no losses by row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from curvewise._evaluation.heard_predictions import Heard
from curvewise._evaluation.scales import name_of
from curvewise._evaluation.scorers import own_score
from curvewise.errors import InvalidParameterError

Array = np.ndarray[Any, Any]

# Sums of 32-bit floats, in which some learners give probabilities, are not more exact.
TOLERANCE = 1e-4


class RowMetric(NamedTuple):
    """A metric that is a mean over rows: which method it asks, and what a row loses."""

    method: str
    losses: Callable[[Array, Array], Array]


def _log_losses(y: Array, probabilities: Array) -> Array:
    """Give the logarithm of the probability of the true class, away from 0 as scikit-learn does."""
    places = np.unique(y, return_inverse=True)[1]
    true = probabilities[np.arange(len(y)), places]
    least = np.finfo(probabilities.dtype).eps
    return -np.log(np.clip(true.astype(np.float64), least, 1 - least))


# By the name of scikit-learn's scorer.
ROW_METRICS = {
    "accuracy": RowMetric("predict", lambda y, predicted: y != predicted),
    "neg_log_loss": RowMetric("predict_proba", _log_losses),
    "neg_mean_squared_error": RowMetric("predict", lambda y, predicted: (y - predicted) ** 2),
    "neg_mean_absolute_error": RowMetric("predict", lambda y, predicted: np.abs(y - predicted)),
}


def check_row_metric(scoring: str) -> str:
    """Refuse a metric that is no mean over rows."""
    if scoring not in ROW_METRICS:
        raise InvalidParameterError(
            f"The metric {scoring} has no losses by row: it must be a mean over rows, one of "
            f"{', '.join(ROW_METRICS)}."
        )
    return scoring


def row_metric_of(scorer: Any) -> str:
    """Name the metric of a scorer; of an estimator's own score it may be accuracy."""
    return "accuracy" if scorer is own_score else name_of(scorer)


def row_losses(metric: str, y: Any, heard: Heard, loss: float) -> Array | None:
    """Give what each test row loses; None if that is not known, or its mean is not the loss."""
    known = ROW_METRICS.get(metric)
    if known is None or y is None:
        return None
    try:
        with np.errstate(all="ignore"):
            losses = np.asarray(known.losses(np.asarray(y), np.asarray(heard.answer(known.method))))
            mean = float(losses.mean())
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
        return None
    if losses.shape != (len(y),) or losses.dtype.kind not in "bf":
        return None
    return losses if math.isclose(mean, loss, rel_tol=TOLERANCE, abs_tol=1e-9) else None
