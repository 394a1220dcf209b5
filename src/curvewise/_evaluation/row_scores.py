"""What each test row does to a score, and how much of the score is chance.

Most metrics are ratios of sums over rows, a / b: hits per row, squared errors per row, true
positives per predicted positive. To first order a row moves such a ratio r by (a_i - r b_i) / b.
The average over classes or outputs adds up what a row does to each. For the area under the ROC
curve, what a row does is how it stands among the rows of the other class (DeLong, DeLong &
Clarke-Pearson 1988). Two things follow:

- the *score of each row*, such that their mean is the score: for metrics that are means over rows
  (accuracy, squared errors, log loss) what the row contributes, for the others the score moved by
  what the row does times the number of rows. A race compares candidates by them, row by row.
- the *noise*, the squared standard error of the score: the sum of the squares of what rows do.

Rules:

1. A rate that is 0 or 1 by luck is not without noise: it counts as half a case away from there.
   An area over a handful of rows of a class has the noise that its value and the numbers of rows
   let expect (Hanley & McNeil 1982).
2. Nothing is known for metrics that are not listed, for weighted scores, and where a test part
   lacks a class that the metric needs; no noise for losses of fewer than ten rows.
3. No noise is said of accuracy: it follows from the rate and the number of rows (`score_noise`).
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
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import make_scorer
from sklearn.pipeline import Pipeline

Array = np.ndarray[Any, Any]
Measure = Callable[[Array, Array], "RowScores"]
Loss = Callable[[Array, Array], Array]
Counts = Callable[[Array, Array], tuple[Array, Array]]

FEWEST_ROWS = 10
MOST_ENTRIES = 10_000_000
SMALLEST = float(np.finfo(float).eps)


class RowScores(NamedTuple):
    """The score of each test row, whose mean is the score, and its noise; NaN if not known."""

    rows: Array
    noise: float = math.nan


UNKNOWN = RowScores(np.empty(0))


def ratio_scores(
    parts: Array, wholes: Array, weights: Array | None = None, *, rate: bool
) -> RowScores:
    """Judge an average of ratios of sums over rows, a column per class or output."""
    whole, n_rows = wholes.sum(axis=0), len(parts)
    known = whole > 0
    parts, wholes, whole = parts[:, known], wholes[:, known], whole[known]
    if not len(whole):
        return UNKNOWN
    share = np.full(len(whole), 1 / len(known)) if weights is None else weights[known]
    ratio = parts.sum(axis=0) / whole
    moved = ((parts - ratio * wholes) / whole) @ share
    rows, noise = float(ratio @ share) + n_rows * moved, float(moved @ moved)
    if not rate:
        noise = noise * n_rows / (n_rows - 1) if n_rows >= FEWEST_ROWS else math.nan
        return RowScores(rows, noise)
    away = np.clip(ratio, 0.5 / whole, 1 - 0.5 / whole)
    return RowScores(rows, max(noise, float(share**2 @ (away * (1 - away) / whole))))


def row_scorer(name: str) -> Any:
    """Give a scorer whose score are the `RowScores` of a metric; None if they are not known."""
    if name not in MEASURES:
        return None
    return make_scorer(_Measure(name), response_method=RESPONSES.get(name, "predict"))


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
    noise = row_scores(metric, y, values).noise if metric in MEASURES else math.nan
    return noise if math.isfinite(noise) else None


def own_metric(estimator: Any) -> str | None:
    """Name what an estimator's own score is, if that is inherited: accuracy or R2; else None."""
    while type(estimator) is Pipeline:
        estimator = estimator.steps[-1][1]
    return OWN_METRICS.get(_score_of(type(estimator)))


def _score_of(kind: type) -> Any:
    return getattr_static(kind, "score", None)


OWN_METRICS = {_score_of(ClassifierMixin): "accuracy", _score_of(RegressorMixin): "r2"}


def row_scores(metric: str, y_true: Any, y_pred: Any) -> RowScores:
    """Judge predictions; nothing is known where that is not possible: it must not fail a task."""
    try:
        with np.errstate(all="ignore"):
            return MEASURES[metric](np.asarray(y_true), np.asarray(y_pred))
    except (ArithmeticError, IndexError, TypeError, ValueError):
        return UNKNOWN


class _Measure:
    """The scores by row of a metric, as a metric that a scorer can have."""

    def __init__(self, metric: str) -> None:
        self.metric = metric
        self.__name__ = "by_row"

    def __call__(self, y_true: Any, y_pred: Any) -> RowScores:
        return row_scores(self.metric, y_true, y_pred)


def _hit_scores(y: Array, predicted: Array) -> RowScores:
    """Of accuracy: whether each row is right."""
    if y.ndim != 1 or predicted.shape != y.shape:
        return UNKNOWN
    return RowScores(np.asarray(y == predicted, dtype=bool))


def _mean_scores(loss: Loss, y: Array, predicted: Array, *, root: bool = False) -> RowScores:
    """Of a mean of losses, or of its square root: half the relative change."""
    losses = _columns(loss(y, predicted))
    ones = np.ones_like(losses)
    if not root:
        rows, noise = ratio_scores(losses, ones, rate=False)
        return RowScores(-rows, noise)
    roots = np.sqrt(losses.mean(axis=0))
    rows, noise = ratio_scores(losses, ones, 1 / (2 * roots) / len(roots), rate=False)
    return RowScores(rows.mean() - rows - roots.mean(), noise)


def _explained_scores(y: Array, predicted: Array) -> RowScores:
    """Of R2: squared errors per squared distance from the mean."""
    y, predicted = _columns(y), _columns(predicted)
    rows, noise = ratio_scores((y - predicted) ** 2, (y - y.mean(axis=0)) ** 2, rate=False)
    return RowScores(1 - rows, noise)


def _class_scores(counts: Counts, average: str, y: Array, predicted: Array) -> RowScores:
    """Of a rate within each class, averaged over classes, or that of the class 1 alone."""
    if y.ndim != 1 or predicted.ndim != 1:
        return UNKNOWN
    classes = np.unique(y if average == "actual" else np.concatenate([y, predicted]))
    if average == "binary":
        classes = np.ones(1)
    if len(classes) * len(y) > MOST_ENTRIES:
        return UNKNOWN
    actual, guessed = y[:, None] == classes, predicted[:, None] == classes
    weights = actual.mean(axis=0) if average == "weighted" else None
    parts, wholes = counts(actual, guessed)
    return ratio_scores(parts.astype(float), wholes.astype(float), weights, rate=True)


def _area_scores(average: str, y: Array, scores: Array) -> RowScores:
    """Of the area under the ROC curve, of one class against the others."""
    classes = np.unique(y)
    if len(classes) < 2 or y.ndim != 1:
        return UNKNOWN
    if scores.ndim == 1:
        scores, classes = scores[:, None], classes[-1:]
    if scores.shape[1] != len(classes):
        return UNKNOWN
    actual = y[:, None] == classes
    weights = np.full(len(classes), 1 / len(classes))
    if average == "weighted" and len(classes) > 1:
        weights = actual.mean(axis=0)
    moved, least, value = np.zeros(len(y)), 0.0, 0.0
    for positive, score, weight in zip(actual.T, scores.T, weights, strict=True):
        won = _won(positive, score)
        area, n, m = won[positive].mean(), positive.sum(), (~positive).sum()
        value += weight * area
        moved += weight * (won - area) / np.where(positive, n, m)
        if min(n, m) < FEWEST_ROWS:
            least += weight**2 * _expected_area_noise(area, n, m)
    return RowScores(value + len(y) * moved, max(float(moved @ moved), least))


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
    # Away from 0 as scikit-learn does: by what the numbers can tell apart.
    least = np.finfo(probabilities.dtype).eps if probabilities.dtype.kind == "f" else SMALLEST
    hits, probabilities = _hits(y, probabilities)
    return -np.log(np.clip(probabilities[hits].astype(float), least, 1.0))


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
    "accuracy": _hit_scores,
    "r2": _explained_scores,
    **{f"neg_mean_{name}": partial(_mean_scores, loss) for name, loss in LOSSES.items()},
    "neg_root_mean_squared_error": partial(_mean_scores, LOSSES["squared_error"], root=True),
    "neg_root_mean_squared_log_error": partial(
        _mean_scores, LOSSES["squared_log_error"], root=True
    ),
    "neg_log_loss": partial(_mean_scores, _log_loss),
    "neg_brier_score": partial(_mean_scores, _brier),
    "roc_auc": partial(_area_scores, "binary"),
    "roc_auc_ovr": partial(_area_scores, "macro"),
    "roc_auc_ovr_weighted": partial(_area_scores, "weighted"),
    "balanced_accuracy": partial(_class_scores, RATES["recall"], "actual"),
    **{name: partial(_class_scores, rate, "binary") for name, rate in RATES.items()},
    **{
        f"{name}_{average}": partial(_class_scores, rate, average)
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
