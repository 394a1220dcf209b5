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
3. Accuracy is not listed: its noise follows from the rate and the number of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from inspect import getattr_static
from typing import Any, NamedTuple

import numpy as np
from scipy.special import xlogy
from scipy.stats import rankdata
from sklearn.base import RegressorMixin
from sklearn.metrics import make_scorer
from sklearn.pipeline import Pipeline

Array = np.ndarray[Any, Any]
Measure = Callable[[Array, Array], float]
Counts = Callable[[Array, Array], tuple[Array, Array]]

FEWEST_ROWS = 10
MOST_ENTRIES = 10_000_000
SMALLEST = float(np.finfo(float).eps)


class Ratios(NamedTuple):
    """Sums over rows whose ratios make up a metric, a column per class or output."""

    parts: Array
    wholes: Array
    weights: Array | None = None


def ratio_noise(ratios: Ratios, *, rate: bool) -> float:
    """Give the noise of an average of ratios.

    Examples
    --------
    >>> hits = np.array([[1.0], [1.0], [0.0], [1.0]])
    >>> ratio_noise(Ratios(hits, np.ones_like(hits)), rate=True)
    0.046...
    """
    parts, wholes, weights = ratios
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
    """Give a scorer whose score is the noise of a metric; None if that is not known.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> model = DummyRegressor().fit([[0], [0]], [1.0, 3.0])
    >>> noise_scorer("neg_mean_absolute_error")(model, [[0]] * 12, [2.0, 3.0, 4.0] * 4)
    0.0606...
    >>> noise_scorer("explained_variance") is None
    True
    """
    measure = MEASURES.get(name)
    response_method = RESPONSES.get(name, "predict")
    return measure and make_scorer(_Careful(measure), response_method=response_method)


def scores_r2(estimator: Any) -> bool:
    """Whether an estimator's own score is the one that regressors inherit.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression, Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> scores_r2(make_pipeline(Ridge())), scores_r2(LogisticRegression())
    (True, False)
    """
    while _score_of(type(estimator)) is _score_of(Pipeline):
        estimator = estimator.steps[-1][1]
    return _score_of(type(estimator)) is _score_of(RegressorMixin)


def _score_of(kind: type) -> Any:
    return getattr_static(kind, "score", None)


class _Careful:
    """A measure that says NaN where it cannot be taken: what is optional must not fail a task."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.__name__ = "noise"

    def __call__(self, y_true: Any, y_pred: Any) -> float:
        try:
            with np.errstate(all="ignore"):
                return float(self.measure(np.asarray(y_true), np.asarray(y_pred)))
        except (ArithmeticError, IndexError, TypeError, ValueError):
            return math.nan


def _mean_noise(loss: Callable[[Array, Array], Array], y: Array, predicted: Array) -> float:
    """Of a mean of losses."""
    losses = _columns(loss(y, predicted))
    return ratio_noise(Ratios(losses, np.ones_like(losses)), rate=False)


def _root_noise(loss: Callable[[Array, Array], Array], y: Array, predicted: Array) -> float:
    """Of the square root of a mean: half the relative change."""
    losses = _columns(loss(y, predicted))
    slopes = 1 / (2 * np.sqrt(losses.mean(axis=0)))
    return ratio_noise(Ratios(losses, np.ones_like(losses), slopes / losses.shape[1]), rate=False)


def _explained_noise(y: Array, predicted: Array) -> float:
    """Of R2: squared errors per squared distance from the mean."""
    y, predicted = _columns(y), _columns(predicted)
    return ratio_noise(Ratios((y - predicted) ** 2, (y - y.mean(axis=0)) ** 2), rate=False)


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
    return ratio_noise(Ratios(parts.astype(float), wholes.astype(float), weights), rate=True)


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


def _squared(y: Array, predicted: Array) -> Array:
    return (y - predicted) ** 2


def _absolute(y: Array, predicted: Array) -> Array:
    return np.abs(y - predicted)


def _percentage(y: Array, predicted: Array) -> Array:
    return np.abs(y - predicted) / np.maximum(np.abs(y), SMALLEST)


def _squared_log(y: Array, predicted: Array) -> Array:
    return (np.log1p(y) - np.log1p(predicted)) ** 2


def _poisson(y: Array, predicted: Array) -> Array:
    return 2 * (xlogy(y, y / predicted) - y + predicted)


def _gamma(y: Array, predicted: Array) -> Array:
    return 2 * (np.log(predicted / y) + y / predicted - 1)


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


def _precision(actual: Array, predicted: Array) -> tuple[Array, Array]:
    return actual & predicted, predicted


def _recall(actual: Array, predicted: Array) -> tuple[Array, Array]:
    return actual & predicted, actual


def _f1(actual: Array, predicted: Array) -> tuple[Array, Array]:
    return 2 * (actual & predicted), 1 * actual + predicted


def _jaccard(actual: Array, predicted: Array) -> tuple[Array, Array]:
    return actual & predicted, actual | predicted


MEASURES: dict[str, Measure] = {
    "r2": _explained_noise,
    "neg_mean_squared_error": partial(_mean_noise, _squared),
    "neg_mean_absolute_error": partial(_mean_noise, _absolute),
    "neg_mean_absolute_percentage_error": partial(_mean_noise, _percentage),
    "neg_mean_squared_log_error": partial(_mean_noise, _squared_log),
    "neg_mean_poisson_deviance": partial(_mean_noise, _poisson),
    "neg_mean_gamma_deviance": partial(_mean_noise, _gamma),
    "neg_root_mean_squared_error": partial(_root_noise, _squared),
    "neg_root_mean_squared_log_error": partial(_root_noise, _squared_log),
    "neg_log_loss": partial(_mean_noise, _log_loss),
    "neg_brier_score": partial(_mean_noise, _brier),
    "roc_auc": partial(_area_noise, "binary"),
    "roc_auc_ovr": partial(_area_noise, "macro"),
    "roc_auc_ovr_weighted": partial(_area_noise, "weighted"),
    "balanced_accuracy": partial(_class_noise, _recall, "actual"),
    **{
        name if average == "binary" else f"{name}_{average}": partial(_class_noise, counts, average)
        for name, counts in {
            "precision": _precision,
            "recall": _recall,
            "f1": _f1,
            "jaccard": _jaccard,
        }.items()
        for average in ("binary", "macro", "weighted")
    },
}
RESPONSES: dict[str, str | tuple[str, ...]] = {
    "neg_log_loss": "predict_proba",
    "neg_brier_score": "predict_proba",
    "roc_auc": ("decision_function", "predict_proba"),
    "roc_auc_ovr": "predict_proba",
    "roc_auc_ovr_weighted": "predict_proba",
}
