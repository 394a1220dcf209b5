"""Metrics on predictions that are there already, without the estimator that made them.

A scorer of scikit-learn is a function of true and predicted values, with a sign, and says which
method of an estimator gives the predicted ones. With probabilities at hand all of these can be
answered: labels are the largest of them, and a binary metric takes the column of the positive
class. A class that is missing among the true values is named, if the metric wants to know. Weights
of rows count if the metric knows any.

A callable of the user's own wants an estimator: it has no score here.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any, Protocol

import numpy as np
from sklearn.metrics import accuracy_score, get_scorer

from curvewise._evaluation.heard_predictions import largest
from curvewise._evaluation.scorers import Scoring, own_score

Array = np.ndarray[Any, Any]


class PredictionScore(Protocol):
    """Gives the score of predicted values, probabilities or numbers, for true ones."""

    def __call__(self, y: Array, values: Array, /, *, sample_weight: Array | None = None) -> float:
        """Score them; with weights each row counts as much as its own."""


def deciding_scorer(scoring: Scoring) -> Any:
    """Give the scorer of the deciding metric; None if a callable measures several at once."""
    return scoring.scorers.get(scoring.decide_by or next(iter(scoring.scorers)))


def prediction_score(scoring: Scoring, classes: Array | None) -> PredictionScore | None:
    """Give the deciding metric as a function of true values and predictions; None if it is none."""
    scorer = deciding_scorer(scoring)
    if scorer is own_score:
        scorer = get_scorer("r2" if classes is None else "accuracy")
    metric = getattr(scorer, "_score_func", None)
    if metric is None:
        return None
    if metric is accuracy_score and not scorer._kwargs and classes is not None:  # noqa: SLF001
        # Hundreds of times, on thousands of rows: without checking what text they are.
        return lambda y, values, *, sample_weight=None: float(
            np.average(classes[largest(values)] == y, weights=sample_weight)
        )
    sign, options = scorer._sign, dict(scorer._kwargs)  # noqa: SLF001
    wants_labels = scorer._response_method == "predict"  # noqa: SLF001
    known = _parameters(metric)
    if classes is not None and not wants_labels and "labels" in known:
        options.setdefault("labels", classes)
    column = 1 if classes is None else positive_column(scorer, classes)

    def score(y: Array, values: Array, *, sample_weight: Array | None = None) -> float:
        if classes is not None:
            if wants_labels:
                values = classes[largest(values)]
            elif values.shape[1] == 2:
                values = values[:, column]
        weighed = sample_weight is not None and "sample_weight" in known
        more = {"sample_weight": sample_weight} if weighed else {}
        return float(sign * metric(y, values, **options, **more))

    return score


def positive_column(scorer: Any, classes: Array) -> int:
    """Say which of two classes a scorer takes for the positive one, as scikit-learn does."""
    default = _parameters(scorer._score_func).get("pos_label")  # noqa: SLF001
    wanted = scorer._kwargs.get("pos_label", None if default is None else default.default)  # noqa: SLF001
    if wanted is None or wanted is Parameter.empty:
        return 1
    return 0 if classes[0] == wanted else 1


def _parameters(metric: Any) -> Mapping[str, Parameter]:
    try:
        return signature(metric).parameters
    except (TypeError, ValueError):  # Some callables of compiled code have none.
        return {}
