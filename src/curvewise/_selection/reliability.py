"""How reliable probabilities are, and whether it is worth calibrating them.

A probability of .8 is reliable if about 8 of 10 such rows belong to the class. Rows are put into
bins by their probability, and what was predicted is held against what was observed. Of two classes
it is the probability of the second; of more, that of the predicted class.

Whether calibrating would help is measured, not guessed, as in scikit-learn's
``CalibratedClassifierCV`` but without a further fit of the model:

1. For each fold a map is fitted to the out-of-fold probabilities of the other folds, and applied to
   that one.
2. The log losses with and without are compared row by row, which gives their mean difference a
   standard error. A gain is clear if it is `CLEAR` times that, and at least `SMALLEST_GAIN` of the
   log loss.
3. A method is recommended if its gain is clear and it does not raise the Brier score; of two such,
   the one with the smaller log loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curvewise._selection.calibration_maps import fitted_map, methods_for
from curvewise._selection.reliability_result import (
    CalibrationGain,
    Reliability,
    ReliabilityBin,
)
from curvewise.errors import InvalidParameterError

Array = np.ndarray[Any, Any]

N_BINS = 10
N_PARTS = 5
CLEAR = 2.0
SMALLEST_GAIN = 0.01
# Fewer rows say nothing about probabilities.
FEWEST_ROWS = 30
# As in scikit-learn's log loss.
EPSILON = float(np.finfo(np.float64).eps)
PREDICTED_CLASS = "the predicted class"

__all__ = [
    "CalibrationGain",
    "Reliability",
    "ReliabilityBin",
    "cross_fitted",
    "reliability",
    "reliability_bins",
]


def reliability(
    probabilities: Array,
    y_true: Array,
    classes: Array,
    *,
    parts: Sequence[Array] | None = None,
) -> Reliability:
    """Measure how reliable out-of-fold probabilities are, a column per class.

    The parts are the folds' test rows; by default every fifth row together.
    """
    probabilities, places = _checked(probabilities, y_true, classes)
    n_rows, n_classes = probabilities.shape
    shares = parts if parts is not None and len(parts) > 1 else _every_fifth(places)
    own_losses, own_brier = _log_losses(probabilities, places), _brier(probabilities, places)
    gains = []
    for method in methods_for(n_classes) if n_rows >= FEWEST_ROWS else ():
        mapped = cross_fitted(method, probabilities, places, shares)
        differences = own_losses - _log_losses(mapped, places)
        gains.append(
            CalibrationGain(
                method,
                float(_log_losses(mapped, places).mean()),
                _brier(mapped, places),
                float(differences.mean()),
                float(differences.std(ddof=1) / np.sqrt(n_rows)),
            )
        )
    log_loss = float(own_losses.mean())
    worth_it = [one for one in gains if _is_clear(one, log_loss) and one.brier <= own_brier]
    subject, bins = reliability_bins(probabilities, places, classes)
    return Reliability(
        subject=subject,
        n_rows=n_rows,
        bins=bins,
        log_loss=log_loss,
        brier=own_brier,
        calibration_error=sum(b.n_rows * abs(b.predicted - b.observed) for b in bins) / n_rows,
        gains=tuple(gains),
        recommended=min(worth_it, key=lambda one: one.log_loss).method if worth_it else None,
    )


def reliability_bins(
    probabilities: Array, places: Array, classes: Array
) -> tuple[str, tuple[ReliabilityBin, ...]]:
    """Say whose probability is looked at, and hold predicted against observed shares."""
    subject = str(classes[1]) if len(classes) == 2 else PREDICTED_CLASS
    return subject, _bins(*_subject(probabilities, places))


def cross_fitted(method: str, probabilities: Array, places: Array, parts: Sequence[Array]) -> Array:
    """Give each row the probabilities of a map that was fitted on other parts (rule 1)."""
    mapped = probabilities.copy()
    left = np.ones(len(places), dtype=bool)
    for part in parts:
        rest = np.setdiff1d(np.arange(len(places)), part)
        # A row that is in several parts is measured in the first.
        taken = part[left[part]]
        if len(rest) and len(taken):
            one = fitted_map(method, probabilities[rest], places[rest])
            mapped[taken] = one(probabilities[taken])
        left[taken] = False
    return mapped


def _is_clear(one: CalibrationGain, log_loss: float) -> bool:
    return one.gain > CLEAR * one.error and one.gain >= SMALLEST_GAIN * log_loss and one.gain > 0


def _checked(probabilities: Array, y_true: Array, classes: Array) -> tuple[Array, Array]:
    """Check what belongs together; give the places of the true classes as well."""
    probabilities, y_true = np.asarray(probabilities, dtype=np.float64), np.asarray(y_true)
    classes = np.asarray(classes)
    if probabilities.shape != (len(y_true), len(classes)) or len(classes) < 2 or not len(y_true):
        raise InvalidParameterError(
            f"Probabilities need a row for each of the {len(y_true)} true values, at least one, "
            f"and a column for each of the {len(classes)} classes, at least two; their shape is "
            f"{probabilities.shape}."
        )
    if not np.isfinite(probabilities).all():
        raise InvalidParameterError("Probabilities must be finite.")
    order = np.argsort(classes)
    found = np.minimum(np.searchsorted(classes, y_true, sorter=order), len(classes) - 1)
    places = order[found]
    if not np.array_equal(classes[places], y_true):
        raise InvalidParameterError("y_true has a class that is not among the classes.")
    return probabilities, places


def _every_fifth(places: Array) -> list[Array]:
    """Deal the rows out to parts, class by class."""
    order = np.argsort(places, kind="stable")
    return [np.sort(order[start::N_PARTS]) for start in range(N_PARTS)]


def _log_losses(probabilities: Array, places: Array) -> Array:
    true = probabilities[np.arange(len(places)), places]
    return -np.log(np.clip(true, EPSILON, 1.0))


def _brier(probabilities: Array, places: Array) -> float:
    """Give the Brier score; of two classes that of one of them, as in scikit-learn."""
    n_classes = probabilities.shape[1]
    squares = (probabilities - np.eye(n_classes)[places]) ** 2
    return float(squares[:, 1].mean() if n_classes == 2 else squares.sum(axis=1).mean())


def _subject(probabilities: Array, places: Array) -> tuple[Array, Array]:
    """Give the probability that the bins are about, and whether it came true."""
    if probabilities.shape[1] == 2:
        return probabilities[:, 1], places == 1
    predicted = probabilities.argmax(axis=1)
    return probabilities.max(axis=1), predicted == places


def _bins(probability: Array, came_true: Array) -> tuple[ReliabilityBin, ...]:
    """Put rows into bins of about as many rows each; equal probabilities stay together."""
    edges = np.unique(np.quantile(probability, np.linspace(0, 1, N_BINS + 1)[1:-1]))
    which = np.searchsorted(edges, probability, side="left")
    return tuple(
        ReliabilityBin(
            float(probability[inside].min()),
            float(probability[inside].max()),
            float(probability[inside].mean()),
            float(came_true[inside].mean()),
            int(np.count_nonzero(inside)),
        )
        for inside in (which == one for one in np.unique(which))
    )
