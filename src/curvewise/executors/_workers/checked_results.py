"""What a worker gave, looked at before a search computes with it.

A candidate's code runs beside the evaluation, and what comes back may hold anything that is made of
numbers, text, arrays and our own classes: a loss that is text, seconds below 0, scores that are no
numbers. A search would end with an error at any of them. So they are looked at here, where each is
the failure of one task.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from curvewise.core._checks import real_number
from curvewise.core._outcome import Observation, as_outcome
from curvewise.core._predictions import KINDS, METHODS, MOST_DIMENSIONS, Predictions


def checked(result: Any) -> Observation:
    """Give an observation whose parts are what they should be; an error names one that is not."""
    if not isinstance(result, Observation):
        raise TypeError(f"{type(result).__name__} is no observation")
    for name in ("fit_seconds", "score_seconds"):
        if getattr(result, name) is not None:
            real_number(name, getattr(result, name), at_least=0)
    if result.predictions is not None:
        _check_predictions(result.predictions)
    losses = result.row_losses
    if losses is not None and not (
        type(losses) is np.ndarray and losses.ndim == 1 and losses.dtype.kind in "bf"
    ):
        raise TypeError("row_losses must be an array with a number for each test row")
    plain = replace(
        result,
        loss=_number("loss", result.loss),
        scores=_numbers("scores", result.scores),
        train_scores=_numbers("train_scores", result.train_scores),
        found=_found(result.found),
    )
    # A loss that is not finite is the search's to judge.
    as_outcome(plain)
    return plain


def _found(values: Any) -> dict[str, float] | None:
    """Give what a fit has found; any learner may have something else under that name."""
    try:
        return _numbers("found", values)
    except (TypeError, ValueError, OverflowError):
        return None


def _numbers(what: str, values: Any) -> dict[str, float] | None:
    if values is None:
        return None
    if not isinstance(values, Mapping) or not all(type(name) is str for name in values):
        raise TypeError(f"{what} must be numbers by name, got {type(values).__name__}")
    return {name: _number(f"{what}[{name!r}]", value) for name, value in values.items()}


def _number(what: str, value: Any) -> float:
    if value is None or isinstance(value, str | bytes):
        raise TypeError(f"{what} must be a number, got {type(value).__name__}")
    return int(value) if isinstance(value, Integral) else float(value)


def _check_predictions(predictions: Any) -> None:
    if not isinstance(predictions, Predictions) or predictions.method not in METHODS:
        raise TypeError("predictions must be of a method of an estimator")
    values, labels = predictions.values, predictions.labels
    arrays = [values] if labels is None else [values, labels]
    if not all(
        type(array) is np.ndarray and array.dtype.newbyteorder("<").str in KINDS for array in arrays
    ):
        raise TypeError("predictions must be arrays of numbers")
    if not 1 <= values.ndim <= MOST_DIMENSIONS or (
        labels is not None and labels.shape != values.shape[:1]
    ):
        raise TypeError("predictions must have a row for each test row")
