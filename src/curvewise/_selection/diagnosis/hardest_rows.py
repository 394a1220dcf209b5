"""The rows on which a model errs most: a short list to look at.

Of probabilities, those whose true class was given the least; of decision values, those whose true
class lies furthest behind another; of classes alone, the first that were taken for another; of
numbers, those with the largest residuals. Rows that are mislabelled, or of which the table lacks
what matters, are mostly among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise._evaluation.given_types import Estimator
from curvewise._selection.diagnosis.predicted_rows import Array, PredictedRows, rows_of_search

MOST_ROWS = 20
LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True)
class HardRow:
    """A row that was hard to predict.

    Parameters
    ----------
    row
        Where it stands in the table; the first row is 0.
    true, predicted
        What is true of it, and what was predicted.
    probability
        What the model gave the true class; None without probabilities.
    residual
        What is true minus what was predicted; None for classes.
    """

    row: int
    true: Any
    predicted: Any
    probability: float | None = None
    residual: float | None = None


def hard_rows(rows: PredictedRows, *, n: int = MOST_ROWS) -> list[HardRow]:
    """List the rows on which a model errs most, the worst first."""
    if rows.classes is None:
        return [
            HardRow(
                int(rows.rows[i]),
                float(rows.y[i]),
                float(rows.values[i]),
                residual=float(rows.residuals[i]),
            )
            for i in _first(-np.abs(rows.residuals), n)
        ]
    places, truth = np.asarray(rows.places), np.asarray(rows.truth)
    gaps = _gaps(rows, truth, places)
    chosen = _first(gaps, n)
    if rows.method != "predict_proba":
        chosen = [i for i in chosen if places[i] != truth[i]]
    given = rows.method == "predict_proba"
    return [
        HardRow(
            int(rows.rows[i]),
            _plain(rows.classes[truth[i]]),
            _plain(rows.classes[places[i]]),
            probability=float(gaps[i]) if given else None,
        )
        for i in chosen
    ]


def hardest_rows(search: Estimator, y: Any, *, n: int = MOST_ROWS) -> list[HardRow]:
    """List the rows on which the model of a fitted search errs most, the worst first.

    Parameters
    ----------
    search
        A fitted search that has kept its predictions: `CurveSearchCV` with ``keep_predictions``,
        `CurveAutoMLClassifier` or `CurveAutoMLRegressor`.
    y
        What it was fitted on.
    n
        How many rows to give at the most.

    Returns
    -------
    list
        Each with ``row`` (the first row is 0), ``true``, ``predicted``, and the ``probability``
        that the true class was given or the ``residual``.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> search = cw.CurveSearchCV({"bayes": GaussianNB()}, keep_predictions="best").fit(X, y)
    >>> worst = cw.hardest_rows(search, y, n=3)
    >>> [(each.row, each.true, each.predicted) for each in worst]
    [(106, 2, 1), (119, 2, 1), (77, 1, 2)]
    """
    return hard_rows(rows_of_search(search, y), n=n)


def _gaps(rows: PredictedRows, truth: Array, places: Array) -> Array:
    """Give the probability of the truth, or how far it lies ahead of the best other class."""
    each = np.arange(len(truth))
    if rows.method == "predict":
        return np.where(places == truth, 1.0, 0.0)
    if rows.values.ndim == 1:
        return np.where(truth == 1, rows.values, -rows.values)
    own = rows.values[each, truth]
    if rows.method == "predict_proba":
        return own
    others = rows.values.copy()
    others[each, truth] = -LARGEST
    with np.errstate(over="ignore"):
        return np.asarray(own - others.max(axis=1))


def _first(values: Array, n: int) -> Sequence[int]:
    """Give where the smallest are; of equal ones those that come first."""
    return np.argsort(values, kind="stable")[:n].tolist()


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
