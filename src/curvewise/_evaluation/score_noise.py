"""How much of a score is chance: the squared standard error of a metric over its test rows.

Most metrics are ratios of sums over rows, a / b: hits per row, squared errors per row, true
positives per predicted positive. To first order a row moves such a ratio r by (a_i - r b_i) / b,
and the noise is the sum of the squares of that. The average over classes or outputs adds up what a
row does to each. For the area under the ROC curve, what a row does is how it stands among the rows
of the other class (DeLong, DeLong & Clarke-Pearson 1988).

1. A rate that is 0 or 1 by luck is not without noise: it counts as half a case away from there.
   An area over a handful of rows of a class has the noise that its value and the numbers of rows
   let expect (Hanley & McNeil 1982).
2. No noise is known for metrics that are not listed, for weighted scores, for losses of fewer than
   ten rows, and where a test part lacks a class that the metric needs. It is then None.
3. Accuracy is not listed: its noise follows from the rate and the number of rows (`score_noise`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from inspect import getattr_static
from typing import Any

import numpy as np
from scipy.special import xlogy
from scipy.stats import rankdata
from sklearn.base import RegressorMixin
from sklearn.metrics import make_scorer
from sklearn.pipeline import Pipeline

Array = np.ndarray[Any, Any]
Measure = Callable[[Array, Array], float]
Loss = Callable[[Array, Array], Array]
Counts = Callable[[Array, Array], tuple[Array, Array]]

FEWEST_ROWS = 10
MOST_ENTRIES = 10_000_000
SMALLEST = float(np.finfo(float).eps)


def ratio_noise(parts: Array, wholes: Array, weights: Array | None = None, *, rate: bool) -> float:
    """Give the noise of an average of ratios of sums over rows, a column per class or output."""
    whole = wholes.sum(axis=0)
    known = whole > 0
    parts, wholes, whole = parts[:, known], wholes[:, known], whole[known]
    if not len(whole):
        return math.nan
    share = np.full(len(whole), 1 / len(known)) if weights is None else weights[known]
    ratio = parts.sum(axis=0) / whole
    moved = ((parts - ratio * wholes) / whole) @ share
    noise = float(moved @ moved)
    if not rate:
        n_rows = len(parts)
        return noise * n_rows / (n_rows - 1) if n_rows >= FEWEST_ROWS else math.nan
    away = np.clip(ratio, 0.5 / whole, 1 - 0.5 / whole)
    return max(noise, float(share**2 @ (away * (1 - away) / whole)))


def noise_scorer(name: str) -> Any:
    """Give a scorer whose score is the noise of a metric; None if that is not known."""
    if name not in MEASURES:
        return None
    return make_scorer(_Careful(name), response_method=RESPONSES.get(name, "predict"))


def score_noise(metric: str, y: Array, values: Array, classes: Array | None = None) -> float | None:
    """Give the noise of a metric on predictions that are there; None if it is not known.

    With classes the values are probabilities, a column for each.
    """
    if classes is not None:
        if metric not in RESPONSES:
            values = classes[values.argmax(axis=1)]
        elif values.shape[1] == 2:
            values = values[:, 1]
    if metric == "accuracy":
        rate = float(np.clip(np.mean(values == y), 0.5 / len(y), 1 - 0.5 / len(y)))
        return rate * (1 - rate) / len(y)
    noise = _Careful(metric)(y, values) if metric in MEASURES else math.nan
    return noise if math.isfinite(noise) else None


def scores_r2(estimator: Any) -> bool:
    """Whether an estimator's own score is the one that regressors inherit."""
    while _score_of(type(estimator)) is _score_of(Pipeline):
        estimator = estimator.steps[-1][1]
    return _score_of(type(estimator)) is _score_of(RegressorMixin)


def _score_of(kind: type) -> Any:
    return getattr_static(kind, "score", None)


class _Careful:
    """Says NaN where a measure cannot be taken: what is optional must not fail a task."""

    def __init__(self, metric: str) -> None:
        self.metric = metric
        self.__name__ = "noise"

    def __call__(self, y_true: Any, y_pred: Any) -> float:
        try:
            with np.errstate(all="ignore"):
                return float(MEASURES[self.metric](np.asarray(y_true), np.asarray(y_pred)))
        except (ArithmeticError, IndexError, TypeError, ValueError):
            return math.nan


def _mean_noise(loss: Loss, y: Array, predicted: Array, *, root: bool = False) -> float:
    """Of a mean of losses, or of its square root: half the relative change."""
    losses = _columns(loss(y, predicted))
    slopes = 1 / (2 * np.sqrt(losses.mean(axis=0))) / losses.shape[1] if root else None
    return ratio_noise(losses, np.ones_like(losses), slopes, rate=False)


def _explained_noise(y: Array, predicted: Array) -> float:
    """Of R2: squared errors per squared distance from the mean."""
    y, predicted = _columns(y), _columns(predicted)
    return ratio_noise((y - predicted) ** 2, (y - y.mean(axis=0)) ** 2, rate=False)


def _class_noise(counts: Counts, average: str, y: Array, predicted: Array) -> float:
    """Of a rate within each class, averaged over classes, or that of the class 1 alone."""
    if y.ndim != 1 or predicted.ndim != 1:
        return math.nan
    classes = np.unique(y if average == "actual" else np.concatenate([y, predicted]))
    if average == "binary":
        classes = np.ones(1)
    if len(classes) * len(y) > MOST_ENTRIES:
        return math.nan
    actual, guessed = y[:, None] == classes, predicted[:, None] == classes
    weights = actual.mean(axis=0) if average == "weighted" else None
    parts, wholes = counts(actual, guessed)
    return ratio_noise(parts.astype(float), wholes.astype(float), weights, rate=True)


def _area_noise(average: str, y: Array, scores: Array) -> float:
    """Of the area under the ROC curve, of one class against the others."""
    classes = np.unique(y)
    if len(classes) < 2 or y.ndim != 1:
        return math.nan
    if scores.ndim == 1:
        scores, classes = scores[:, None], classes[-1:]
    if scores.shape[1] != len(classes):
        return math.nan
    actual = y[:, None] == classes
    weights = np.full(len(classes), 1 / len(classes))
    if average == "weighted" and len(classes) > 1:
        weights = actual.mean(axis=0)
    moved, least = np.zeros(len(y)), 0.0
    for positive, score, weight in zip(actual.T, scores.T, weights, strict=True):
        won = _won(positive, score)
        area, n, m = won[positive].mean(), positive.sum(), (~positive).sum()
        moved += weight * (won - area) / np.where(positive, n, m)
        if min(n, m) < FEWEST_ROWS:
            least += weight**2 * _expected_area_noise(area, n, m)
    return max(float(moved @ moved), least)


def _won(positive: Array, score: Array) -> Array:
    """Each row's share of right comparisons with the rows of the other class."""
    below = rankdata(score)
    below[positive] -= rankdata(score[positive])
    below[~positive] -= rankdata(score[~positive])
    return np.where(positive, below / (~positive).sum(), 1 - below / positive.sum())


def _expected_area_noise(area: float, n: int, m: int) -> float:
    """What an area over n positive and m negative rows lets expect."""
    area = min(max(area, 0.5), 1 - 0.5 / (n * m))
    squares = (n - 1) * (area / (2 - area) - area**2) + (m - 1) * (
        2 * area**2 / (1 + area) - area**2
    )
    return (area * (1 - area) + squares) / (n * m)


def _columns(values: Array) -> Array:
    return np.asarray(values, dtype=float).reshape(len(values), -1)


def _log_loss(y: Array, probabilities: Array) -> Array:
    hits, probabilities = _hits(y, probabilities)
    return -np.log(np.clip(probabilities[hits], SMALLEST, 1.0))


def _brier(y: Array, probabilities: Array) -> Array:
    hits, both = _hits(y, probabilities)
    halved = 0.5 if probabilities.ndim == 1 else 1.0
    return halved * ((hits - both) ** 2).sum(axis=1)


def _hits(y: Array, probabilities: Array) -> tuple[Array, Array]:
    """The class of each row as a mask, and the probabilities of all classes, two at least."""
    if probabilities.ndim == 1:
        probabilities = np.column_stack([1 - probabilities, probabilities])
    classes = np.unique(y)
    if probabilities.shape[1] != len(classes):
        raise ValueError("a class is missing")
    return y[:, None] == classes, probabilities


# What a row adds to the mean that a metric is.
LOSSES: dict[str, Loss] = {
    "squared_error": lambda y, predicted: (y - predicted) ** 2,
    "absolute_error": lambda y, predicted: np.abs(y - predicted),
    "absolute_percentage_error": lambda y, predicted: (
        np.abs(y - predicted) / np.maximum(np.abs(y), SMALLEST)
    ),
    "squared_log_error": lambda y, predicted: (np.log1p(y) - np.log1p(predicted)) ** 2,
    "poisson_deviance": lambda y, predicted: 2 * (xlogy(y, y / predicted) - y + predicted),
    "gamma_deviance": lambda y, predicted: 2 * (np.log(predicted / y) + y / predicted - 1),
}
# What a row adds to both parts of the ratio that a metric is, by class.
RATES: dict[str, Counts] = {
    "precision": lambda actual, predicted: (actual & predicted, predicted),
    "recall": lambda actual, predicted: (actual & predicted, actual),
    "f1": lambda actual, predicted: (2 * (actual & predicted), 1 * actual + predicted),
    "jaccard": lambda actual, predicted: (actual & predicted, actual | predicted),
}
MEASURES: dict[str, Measure] = {
    "r2": _explained_noise,
    **{f"neg_mean_{name}": partial(_mean_noise, loss) for name, loss in LOSSES.items()},
    "neg_root_mean_squared_error": partial(_mean_noise, LOSSES["squared_error"], root=True),
    "neg_root_mean_squared_log_error": partial(_mean_noise, LOSSES["squared_log_error"], root=True),
    "neg_log_loss": partial(_mean_noise, _log_loss),
    "neg_brier_score": partial(_mean_noise, _brier),
    "roc_auc": partial(_area_noise, "binary"),
    "roc_auc_ovr": partial(_area_noise, "macro"),
    "roc_auc_ovr_weighted": partial(_area_noise, "weighted"),
    "balanced_accuracy": partial(_class_noise, RATES["recall"], "actual"),
    **{name: partial(_class_noise, rate, "binary") for name, rate in RATES.items()},
    **{
        f"{name}_{average}": partial(_class_noise, rate, average)
        for name, rate in RATES.items()
        for average in ("macro", "weighted")
    },
}
RESPONSES: dict[str, str | tuple[str, ...]] = {
    "neg_log_loss": "predict_proba",
    "neg_brier_score": "predict_proba",
    "roc_auc": ("decision_function", "predict_proba"),
    "roc_auc_ovr": "predict_proba",
    "roc_auc_ovr_weighted": "predict_proba",
}
