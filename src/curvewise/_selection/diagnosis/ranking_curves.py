"""ROC and precision-recall curves of one class against the others, with 95% bands.

Rows are put in the order of the class's probability or decision value. Rules:

1. Areas are exact: that under the ROC curve by trapezoids, ties included, and the average precision
   as scikit-learn defines it, by steps.
2. Curves are given at fixed places, closer together where good models have their bends: near the
   false positive rate 0, and near the recall 1.
3. Bands are pointwise, from resamples of the rows (bootstrap): in each, a row counts as often as a
   Poisson number of mean 1 says. Rows with the same score are drawn together, as the Poisson number
   of their count; more than `MOST_GROUPS` different scores are put into that many groups first.
   They show the chance of which rows were tested, and not that of other training rows.
4. A class with fewer than `FEWEST` rows, or with fewer others, has no band.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from curvewise._selection.diagnosis.class_scores import of_classes
from curvewise._selection.diagnosis.predicted_rows import Array, PredictedRows

# Takes how often rows of the class and others count, by their score; a line for each resample.
Measured = Callable[[Array, Array], Array]

N_RESAMPLES = 200
MOST_GROUPS = 1_000
FEWEST = 5
MOST_CURVES = 10
LEVEL = 0.95
# False positive rates at which a curve is given; recalls are 1 minus these.
PLACES = np.unique(
    np.concatenate(
        [np.linspace(0, 0.05, 41), np.linspace(0.05, 0.2, 31), np.linspace(0.2, 1, 41)]
    ).round(6)
)


@dataclass(frozen=True, slots=True)
class RankingCurve:
    """A curve at fixed places, with its band and the area below it.

    Parameters
    ----------
    x, y
        The curve.
    low, high
        Its 95% band; None if there are too few rows for one.
    area
        The area under the ROC curve, or the average precision.
    area_low, area_high
        Its 95% interval; NaN without a band.
    """

    x: Array
    y: Array
    low: Array | None
    high: Array | None
    area: float
    area_low: float
    area_high: float


@dataclass(frozen=True, slots=True)
class ClassRanking:
    """Both curves of one class.

    Parameters
    ----------
    label
        The class.
    n_rows
        How many rows it has.
    share
        Its share of all rows: the precision of guessing.
    roc, precision_recall
        The curves.
    """

    label: str
    n_rows: int
    share: float
    roc: RankingCurve
    precision_recall: RankingCurve


def class_rankings(rows: PredictedRows, *, most: int = MOST_CURVES) -> list[ClassRanking]:
    """Give the curves of the second of two classes, or of each of several, the frequent first.

    Nothing if the model gave classes only.
    """
    classes, truth, _ = of_classes(rows)
    if rows.method == "predict":
        return []
    n_classes = len(classes)
    places: Sequence[int] = [1]
    if n_classes > 2:
        support = np.bincount(truth, minlength=n_classes)
        places = np.sort(np.argsort(-support, kind="stable")[:most]).tolist()
    found = []
    for place in places:
        scores = rows.values if rows.values.ndim == 1 else rows.values[:, place]
        positive = truth == place
        if positive.any() and not positive.all():
            found.append(rank_class(str(classes[place]), scores, positive))
    return found


def rank_class(label: str, scores: Array, positive: Array, *, seed: int = 0) -> ClassRanking:
    """Give both curves of a class: its score for each row, and whether the row belongs to it."""
    hits, misses = _by_score(scores, positive)
    area, precision = _roc_area(hits, misses)[0], _average_precision(hits, misses)[0]
    few_hits, few_misses = _grouped(hits, misses)
    resampled = None
    if min(hits.sum(), misses.sum()) >= FEWEST:
        resampled = _resamples(few_hits, few_misses, np.random.default_rng(seed))
    n_positive = int(positive.sum())
    return ClassRanking(
        label,
        n_positive,
        n_positive / len(positive),
        _curve(PLACES, _roc(hits[None], misses[None]), resampled, area, _roc, _roc_area),
        _curve(
            1 - PLACES[::-1],
            _precision_recall(hits[None], misses[None]),
            resampled,
            precision,
            _precision_recall,
            _average_precision,
        ),
    )


def _curve(
    x: Array,
    own: Array,
    resampled: tuple[Array, Array] | None,
    area: float,
    curve: Measured,
    area_of: Measured,
) -> RankingCurve:
    """Put a curve together with its band and the interval of its area."""
    if resampled is None:
        return RankingCurve(x, own[0], None, None, float(area), float("nan"), float("nan"))
    ends = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = np.quantile(curve(*resampled), ends, axis=0)
    area_low, area_high = np.quantile(area_of(*resampled), ends)
    return RankingCurve(x, own[0], low, high, float(area), float(area_low), float(area_high))


def _by_score(scores: Array, positive: Array) -> tuple[Array, Array]:
    """Count rows of the class and others for each different score, the highest first."""
    _, which = np.unique(-np.asarray(scores, dtype=np.float64), return_inverse=True)
    n = int(which.max()) + 1
    return np.bincount(which[positive], minlength=n), np.bincount(which[~positive], minlength=n)


def _grouped(hits: Array, misses: Array) -> tuple[Array, Array]:
    """Put neighbouring scores together until there are few enough (rule 3)."""
    if len(hits) <= MOST_GROUPS:
        return hits, misses
    before = np.cumsum(hits + misses) - (hits + misses)
    which = before * MOST_GROUPS // int((hits + misses).sum())
    return np.bincount(which, hits).astype(np.int64), np.bincount(which, misses).astype(np.int64)


def _resamples(hits: Array, misses: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw how often rows count; resamples without a row of either kind are left out."""
    drawn = rng.poisson(hits, (N_RESAMPLES, len(hits)))
    others = rng.poisson(misses, (N_RESAMPLES, len(misses)))
    usable = (drawn.sum(axis=1) > 0) & (others.sum(axis=1) > 0)
    return drawn[usable], others[usable]


def _rates(hits: Array, misses: Array) -> tuple[Array, Array]:
    """Give true and false positive rates down to each score, from 0 on."""
    start = np.zeros((len(hits), 1))
    true = np.cumsum(hits, axis=1) / hits.sum(axis=1, keepdims=True)
    false = np.cumsum(misses, axis=1) / misses.sum(axis=1, keepdims=True)
    return np.hstack([start, true]), np.hstack([start, false])


def _roc(hits: Array, misses: Array) -> Array:
    true, false = _rates(hits, misses)
    # Where the curve rises at once, np.interp gives its upper end.
    return np.array([np.interp(PLACES, x, y) for x, y in zip(false, true, strict=True)])


def _roc_area(hits: Array, misses: Array) -> Array:
    true, false = _rates(np.atleast_2d(hits), np.atleast_2d(misses))
    area: Array = ((true[:, 1:] + true[:, :-1]) / 2 * np.diff(false, axis=1)).sum(axis=1)
    return area


def _precisions(hits: Array, misses: Array) -> tuple[Array, Array]:
    """Give recall and precision down to each score."""
    found = np.cumsum(hits, axis=1)
    taken = found + np.cumsum(misses, axis=1)
    return found / found[:, -1:], found / np.maximum(taken, 1)


def _precision_recall(hits: Array, misses: Array) -> Array:
    """Give the precision down to the first score at which a recall is reached."""
    recalls = 1 - PLACES[::-1]
    curves = []
    for recall, precision in zip(*_precisions(hits, misses), strict=True):
        # Scores without a row of this resample have no precision of their own.
        reached = np.searchsorted(recall, np.maximum(recalls - 1e-12, recall[recall > 0][0]))
        curves.append(precision[np.minimum(reached, len(precision) - 1)])
    return np.array(curves)


def _average_precision(hits: Array, misses: Array) -> Array:
    recall, precision = _precisions(np.atleast_2d(hits), np.atleast_2d(misses))
    average: Array = (np.diff(recall, axis=1, prepend=0.0) * precision).sum(axis=1)
    return average
