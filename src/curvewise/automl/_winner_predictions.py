"""What the model that a search found has predicted out of fold: the best pipeline, or an ensemble.

The predictions of an ensemble are the weighted mean of its members'. Its weights were chosen on the
same rows, which flatters these predictions a little.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise._evaluation.heard_predictions import largest
from curvewise._evaluation.rows import one_column
from curvewise._selection.refit import Refit
from curvewise.core._outcome import Candidate

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class WinnerPredictions:
    """Rows that have an out-of-fold prediction.

    Parameters
    ----------
    method
        What gave the predictions: ``"predict_proba"``, ``"decision_function"`` or ``"predict"``.
    values
        A prediction for each of these rows; with a column per class for probabilities.
    places
        The predicted class of each, as a place among the classes.
    y
        What is true of each.
    classes
        The classes.
    parts
        The rows that each fold has tested, as places among these rows.
    """

    method: str
    values: Array
    places: Array
    y: Array
    classes: Array
    parts: list[Array]


def winner_predictions(
    refit: Refit, weights: Mapping[Candidate, float] | None
) -> WinnerPredictions | None:
    """Put together what the winner predicted, or the members of an ensemble; None if not kept."""
    search, experiment = refit.given, refit.experiment
    best = search.results_[search.best_index_].candidate
    weights = weights or {best: 1.0}
    kept = [search.oof_predictions_.get(name) for name in weights]
    members = [one for one in kept if one is not None]
    first = members[0] if len(members) == len(weights) else None
    if first is None or first.classes is None or first.places is None:
        return None
    rows = np.flatnonzero(np.logical_and.reduce([one.known for one in members]))
    shares = np.array(list(weights.values()))
    values = first.values[rows]
    if len(members) > 1:
        values = np.tensordot(shares, np.stack([one.values[rows] for one in members]), axes=1)
    # With repeated folds the labels are those of one of them, and the values the mean of all.
    own = len(members) == 1 and first.n_folds.max(initial=0) == 1
    places = first.places[rows] if own or first.method == "predict" else largest(values)
    tested = (
        np.flatnonzero(np.isin(rows, experiment.folds.test(fold)))
        for fold in range(len(experiment.folds))
    )
    parts = [part for part in tested if len(part)]
    y = one_column(experiment.y)[rows]
    return WinnerPredictions(first.method, values, places, y, first.classes, parts)
