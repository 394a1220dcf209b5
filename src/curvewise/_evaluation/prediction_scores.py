"""Metrics on predictions that are there already, without the estimator that made them.

A scorer of scikit-learn is a function of true and predicted values, with a sign, and says which
method of an estimator gives the predicted ones. With probabilities at hand all of these can be
answered: labels are the largest of them, and a binary metric takes the column of the second class.
A callable of the user's own wants an estimator: it has no score here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, get_scorer

from curvewise._evaluation.heard_predictions import largest
from curvewise._evaluation.scorers import Scoring, own_score

Array = np.ndarray[Any, Any]
# Gives the score of predicted values, probabilities or numbers, for true ones.
PredictionScore = Callable[[Array, Array], float]


def prediction_score(scoring: Scoring, classes: Array | None) -> PredictionScore | None:
    """Give the deciding metric as a function of true values and predictions; None if it is none."""
    name = scoring.decide_by or next(iter(scoring.scorers))
    scorer: Any = scoring.scorers[name]
    if scorer is own_score:
        scorer = get_scorer("r2" if classes is None else "accuracy")
    metric = getattr(scorer, "_score_func", None)
    if metric is None:
        return None
    if metric is accuracy_score and not scorer._kwargs and classes is not None:  # noqa: SLF001
        # Hundreds of times, on thousands of rows: without checking what text they are.
        return lambda y, values: float(np.mean(classes[largest(values)] == y))
    sign, options = scorer._sign, scorer._kwargs  # noqa: SLF001
    wants_labels = scorer._response_method == "predict"  # noqa: SLF001

    def score(y: Array, values: Array) -> float:
        if classes is not None:
            if wants_labels:
                values = classes[largest(values)]
            elif values.shape[1] == 2:
                values = values[:, 1]
        return float(sign * metric(y, values, **options))

    return score
