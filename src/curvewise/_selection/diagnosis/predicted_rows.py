"""The rows that the model of a search has predicted out of fold, with what is true of them.

The model is the best candidate, or an ensemble: then its predictions are the weighted mean of those
of its members.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise._evaluation.heard_predictions import largest
from curvewise._evaluation.rows import one_column
from curvewise._selection.kept_predictions import OutOfFold
from curvewise.core._outcome import Candidate
from curvewise.errors import InvalidParameterError

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class PredictedRows:
    """Rows that have an out-of-fold prediction.

    Parameters
    ----------
    method
        What gave the predictions: ``"predict_proba"``, ``"decision_function"`` or ``"predict"``.
    values
        A prediction for each of these rows; with a column per class for probabilities, and for
        decision values of more than two classes.
    y
        What is true of each.
    rows
        Where each stands in the table; the first row is 0.
    n_rows
        How many rows the table has, also those without a prediction.
    classes, places, truth
        The classes; the predicted and the true one of each row, as places among them. None for
        numbers.
    """

    method: str
    values: Array
    y: Array
    rows: Array
    n_rows: int
    classes: Array | None = None
    places: Array | None = None
    truth: Array | None = None

    @property
    def residuals(self) -> Array:
        """What is true minus what was predicted; for numbers."""
        return np.asarray(self.y, dtype=np.float64) - self.values


def predicted_rows(
    kept: Mapping[Candidate, OutOfFold], weights: Mapping[Candidate, float], y: Any
) -> PredictedRows | str:
    """Put together what a model predicted; a sentence that says why if there is nothing."""
    members = [kept.get(name) for name in weights]
    known = [one for one in members if one is not None]
    if not known or len(known) < len(members):
        return "The predictions of the model were not kept."
    first = known[0]
    if y is None:
        return "There is no target to compare predictions with."
    truth = one_column(y)
    if first.classes is None and (first.values.ndim != 1 or truth.ndim != 1):
        return "There are no pictures of models that predict several numbers at once."
    rows = np.flatnonzero(np.logical_and.reduce([one.known for one in known]))
    if not len(rows):
        return "No row has an out-of-fold prediction."
    truth = truth.astype(np.float64) if first.classes is None else truth
    if len(truth) != len(first.n_folds):
        raise InvalidParameterError(
            f"y must have a value for each of the {len(first.n_folds)} rows that were searched on, "
            f"got {len(truth)}."
        )
    values = first.values[rows]
    if len(known) > 1:
        shares = np.array(list(weights.values()))
        values = np.tensordot(shares, np.stack([one.values[rows] for one in known]), axes=1)
    return PredictedRows(
        first.method,
        values,
        truth[rows],
        rows,
        len(truth),
        **_classes(first, truth[rows], values, rows, alone=len(known) == 1),
    )


def _classes(
    first: OutOfFold, y: Array, values: Array, rows: Array, *, alone: bool
) -> dict[str, Array]:
    """Give the classes, and the places of those that were predicted and that are true."""
    if first.classes is None or first.places is None:
        return {}
    truth = np.minimum(np.searchsorted(first.classes, y), len(first.classes) - 1)
    if not np.array_equal(first.classes[truth], y):
        raise InvalidParameterError("y has classes that the search did not have.")
    # With repeated folds the labels are those of one of them, and the values the mean of all.
    own = alone and first.n_folds.max(initial=0) == 1
    places = first.places[rows] if own or first.method == "predict" else largest(values)
    return {"classes": first.classes, "places": places, "truth": truth}


def model_of(search: Any) -> tuple[Mapping[Candidate, OutOfFold], dict[Candidate, float]]:
    """Give the kept predictions of a fitted search, and the weights of who predicts."""
    if not hasattr(search, "oof_predictions_"):
        fitted = hasattr(search, "results_") or hasattr(search, "search_")
        why = "keep_predictions was 'none'" if fitted else "call fit first"
        raise InvalidParameterError(f"{type(search).__name__} has no oof_predictions_: {why}.")
    ensemble = getattr(search, "ensemble_", None)
    if ensemble is not None:
        return search.oof_predictions_, dict(ensemble.weights)
    own = getattr(search, "search_", search)
    if not hasattr(own, "best_index_"):
        raise InvalidParameterError(f"{type(search).__name__} has chosen no best candidate.")
    return search.oof_predictions_, {own.results_[own.best_index_].candidate: 1.0}


def rows_of_search(search: Any, y: Any) -> PredictedRows:
    """Give the rows that the model of a fitted search has predicted; an error if there are none."""
    found = predicted_rows(*model_of(search), y)
    if isinstance(found, str):
        raise InvalidParameterError(found)
    return found


def rows_of_predictions(y: Any, predictions: Any, classes: Any = None) -> PredictedRows:
    """Give rows that somebody has predicted: an `OutOfFold`, or an array.

    With classes, a column of probabilities or decision values for each, or the predicted classes.
    """
    truth = np.asarray(y)
    if isinstance(predictions, OutOfFold):
        found = predicted_rows({"model": predictions}, {"model": 1.0}, truth)
        if isinstance(found, str):
            raise InvalidParameterError(found)
        return found
    values = np.asarray(predictions)
    if len(values) != len(truth) or not len(truth):
        raise InvalidParameterError(
            f"Predictions need an entry for each true value, at least one: got {len(values)} for "
            f"{len(truth)}."
        )
    everywhere = np.ones(len(truth), dtype=np.int64)
    if classes is None:
        if values.ndim != 1 or values.dtype.kind not in "fiu" or truth.dtype.kind not in "fiu":
            raise InvalidParameterError("Predictions without classes must be one number per row.")
        one = OutOfFold("predict", values.astype(np.float64), everywhere)
        return rows_of_predictions(truth, one)
    labels = np.unique(np.asarray(classes))
    if not np.array_equal(labels, np.asarray(classes)):
        raise InvalidParameterError("classes must be in sorted order, each once.")
    return rows_of_predictions(truth, _of_classes(values, everywhere, labels))


def _of_classes(values: Array, n_folds: Array, classes: Array) -> OutOfFold:
    """Understand what was predicted: probabilities, decision values, or classes."""
    if values.ndim == 2:
        if values.shape[1] != len(classes) or values.dtype.kind not in "fiu":
            raise InvalidParameterError(
                f"Predictions need a column for each of the {len(classes)} classes, their shape is "
                f"{values.shape}."
            )
        alike = np.all(values >= 0) and np.allclose(values.sum(axis=1), 1, atol=1e-3)
        method = "predict_proba" if alike else "decision_function"
        return OutOfFold(method, values, n_folds, classes, largest(values))
    places = np.minimum(np.searchsorted(classes, values), len(classes) - 1)
    if not np.array_equal(classes[places], values):
        raise InvalidParameterError("Predictions have classes that are not among the classes.")
    return OutOfFold("predict", places, n_folds, classes, places)
