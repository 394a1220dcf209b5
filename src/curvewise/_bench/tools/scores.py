"""How good a tool's predictions are, from the labels that it has not seen.

Predictions are data from outside: as many as there are test rows, of known classes, finite; a
distribution over the classes if there are probabilities. Anything else is no answer.

The constant prediction (the commonest class, the mean) is measured as well: what a score is worth
is seen against it. The standard error of a score is that of test rows drawn anew, with the model
as it is.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, log_loss, r2_score, roc_auc_score

from curvewise.errors import CurvewiseError

METRICS = {"classification": "accuracy", "regression": "r2"}


class UnusableAnswerError(CurvewiseError, ValueError):
    """A tool's answer holds no predictions that could be measured."""


def score(answer: Any, y_train: Any, y_test: Any, *, task: str) -> dict[str, float | None]:
    """Measure an answer; what it does not allow to be measured is None."""
    if not isinstance(answer, dict) or not isinstance(answer.get("predictions"), list):
        raise UnusableAnswerError("the answer holds no list of predictions.")
    if len(answer["predictions"]) != len(y_test):
        raise UnusableAnswerError(
            f"there are {len(answer['predictions'])} predictions for {len(y_test)} rows."
        )
    if task == "regression":
        return _score_numbers(answer["predictions"], y_test)
    return _score_classes(answer, y_train, y_test)


def constant_score(y_train: Any, y_test: Any, *, task: str) -> float:
    """Measure the prediction that needs no features."""
    if task == "regression":
        return float(r2_score(y_test, np.full(len(y_test), np.mean(y_train))))
    classes, counts = np.unique(y_train, return_counts=True)
    return float(np.mean(y_test == classes[np.argmax(counts)]))


def _score_numbers(given: Any, y_test: Any) -> dict[str, float | None]:
    predicted = _finite(given, "predictions").ravel()
    if len(predicted) != len(y_test):
        raise UnusableAnswerError("a prediction is no single number.")
    squares = (y_test - predicted) ** 2
    spread = float(np.var(y_test)) or math.nan
    r2 = float(r2_score(y_test, predicted))
    return {
        "score": r2,
        "score_error": float(np.std(squares) / math.sqrt(len(squares)) / spread),
        "r2": r2,
        "rmse": float(np.sqrt(np.mean(squares))),
    }


def _score_classes(answer: dict[str, Any], y_train: Any, y_test: Any) -> dict[str, float | None]:
    classes = np.unique(y_train)
    predicted = np.array([str(each) for each in answer["predictions"]])
    unknown = sorted(set(predicted) - set(classes))
    if unknown:
        raise UnusableAnswerError(f"a prediction is {str(unknown[0])!r}, which is no class.")
    accuracy = float(accuracy_score(y_test, predicted))
    probabilities = _probabilities(answer, classes, len(y_test))
    scores: dict[str, float | None] = {
        "score": accuracy,
        "score_error": math.sqrt(accuracy * (1 - accuracy) / len(y_test)),
        "accuracy": accuracy,
        "log_loss": None,
        "auc": None,
    }
    if probabilities is not None:
        scores["log_loss"] = float(log_loss(y_test, probabilities, labels=list(classes)))
        scores["auc"] = _auc(y_test, probabilities, classes)
    return scores


def _probabilities(answer: dict[str, Any], classes: Any, n_rows: int) -> Any:
    """Give the probabilities a column per class, those that a tool does not know with zeros."""
    if answer.get("probabilities") is None or answer.get("classes") is None:
        return None
    given = _finite(answer["probabilities"], "probabilities")
    names = [str(name) for name in answer["classes"]]
    if given.shape != (n_rows, len(names)) or set(names) - set(classes):
        raise UnusableAnswerError(
            f"the probabilities have the shape {given.shape} and the classes are "
            f"{', '.join(names[:5])}."
        )
    if np.any(given < -1e-6) or not np.allclose(given.sum(axis=1), 1, atol=1e-3):
        raise UnusableAnswerError("the probabilities of a row do not sum to 1.")
    aligned = np.zeros((n_rows, len(classes)))
    for column, name in enumerate(names):
        aligned[:, list(classes).index(name)] = given[:, column]
    aligned = np.clip(aligned, 1e-15, None)
    return aligned / aligned.sum(axis=1, keepdims=True)


def _auc(y_test: Any, probabilities: Any, classes: Any) -> float | None:
    """The area under the ROC curve; of more than two classes, the mean of each against the rest."""
    columns = range(1, 2) if len(classes) == 2 else range(len(classes))
    areas = [
        roc_auc_score(y_test == classes[i], probabilities[:, i])
        for i in columns
        if 0 < np.sum(y_test == classes[i]) < len(y_test)
    ]
    return float(np.mean(areas)) if areas else None


def _finite(given: Any, what: str) -> Any:
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise UnusableAnswerError(f"the {what} are no numbers.") from None
    if not np.all(np.isfinite(values)):
        raise UnusableAnswerError(f"the {what} are not all finite.")
    return values
