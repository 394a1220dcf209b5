"""A threshold for what a search has found, from its out-of-fold predictions.

No further model is fitted: what the folds' models have said of their test rows is there already.
The threshold is wrapped around the fitted model as scikit-learn does it
(``FixedThresholdClassifier``), so that probabilities stay as they are, and cloning and fitting it
fits the pipeline anew, with the same threshold.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import FixedThresholdClassifier

from curvewise._evaluation.heard_predictions import classes_of
from curvewise._selection.label_metrics import (
    LabelMetric,
    MetricGiven,
    label_metric,
    positive_class,
)
from curvewise._selection.threshold_choice import ScoredRows, choose_threshold
from curvewise._selection.tuned_threshold import DEFAULTS, LARGEST, TunedThreshold
from curvewise.automl._winner_predictions import WinnerPredictions
from curvewise.errors import InvalidParameterError

Array = np.ndarray[Any, Any]

# Below and above all probabilities, and all decision values.
ENDS = {
    "predict_proba": (0.0, float(np.nextafter(1.0, 2.0))),
    "decision_function": (-LARGEST, LARGEST),
}
FEWEST_FOLDS = 2


@dataclass(frozen=True, slots=True)
class ThresholdWish:
    """What a threshold is to be tuned for, and which class is the positive one."""

    metric: LabelMetric
    positive: Any

    def of(self, predictions: WinnerPredictions) -> TunedThreshold | None:
        """Choose a threshold; None, with a warning, where there can be none."""
        problem = _problem(predictions)
        if problem is not None:
            _warn(problem)
            return None
        rows = scored_rows(predictions, self.positive)
        try:
            choice = choose_threshold(rows, predictions.parts, self.metric)
        except Exception as error:
            # The metric is the user's, and may fail in any way; the search has cost hours.
            _warn(f"{self.metric.name} raised {type(error).__name__}: {error}")
            return None
        default = DEFAULTS[predictions.method]
        threshold = choice.threshold if choice.better else None
        return TunedThreshold(
            metric=self.metric.name,
            threshold=default if threshold is None else threshold,
            default_threshold=default,
            pos_label=self.positive,
            method=predictions.method,
            score=choice.score,
            default_score=choice.default_score,
            tuned=threshold is not None,
        )


def threshold_wish(metric: MetricGiven, y: Any, *, pos_label: Any = None) -> ThresholdWish:
    """Check what a user wants, before the search begins."""
    classes = classes_of(y)
    n_classes = None if classes is None else len(classes)
    if classes is None or n_classes != 2:
        has = "is a number" if n_classes is None else f"has {n_classes}"
        raise InvalidParameterError(
            f"tune_threshold needs a target with two classes, and this one {has}."
        )
    positive = positive_class(classes, pos_label, metric)
    wish = ThresholdWish(label_metric(metric, classes, positive=positive), positive)
    is_positive = np.asarray(y) == positive
    try:
        wish.metric.called(is_positive, is_positive)
    except Exception as error:
        raise InvalidParameterError(
            f"tune_threshold: {wish.metric.name}(y, y) raised {type(error).__name__}: {error}"
        ) from error
    return wish


def scored_rows(predictions: WinnerPredictions, positive: Any) -> ScoredRows:
    """Give each row the score of the positive class."""
    place = predictions.classes.tolist().index(positive)
    values = predictions.values
    if predictions.method == "predict_proba":
        scores = values[:, place]
    else:
        scores = values if place == 1 else -values
    return ScoredRows(
        scores,
        predictions.y == predictions.classes[place],
        predictions.places == place,
        ENDS[predictions.method],
    )


def with_threshold(model: Any, found: TunedThreshold) -> FixedThresholdClassifier:
    """Wrap a fitted model; it is not fitted again."""
    wrapped = FixedThresholdClassifier(
        clone(model),
        threshold=found.threshold,
        pos_label=found.pos_label,
        response_method=found.method,
    )
    wrapped.estimator_ = model
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(model, name):
            setattr(wrapped, name, getattr(model, name))
    return wrapped


def _problem(predictions: WinnerPredictions) -> str | None:
    """Say why there can be no threshold; None if there can."""
    if predictions.method not in DEFAULTS:
        return "the best pipeline gives neither probabilities nor decision values"
    if len(predictions.parts) < FEWEST_FOLDS:
        return f"it takes the predictions of {FEWEST_FOLDS} folds to measure one"
    if not np.isfinite(predictions.values).all():
        return "the best pipeline gave decision values that are not finite"
    return None


def _warn(reason: str) -> None:
    warnings.warn(f"The threshold was not tuned: {reason}.", stacklevel=2)
