"""Maps from probabilities to better ones, with the methods and words of scikit-learn.

- ``"sigmoid"``, for two classes: a logistic regression on the logit (Platt 1999). Its numbers are
  slope and intercept.
- ``"temperature"``, for more: all logarithms are divided by one number (Guo et al. 2017).
- ``"isotonic"``: a function for each class that never falls (Zadrozny & Elkan 2002), as places and
  the values there, with lines between; of more than two classes the results are made to sum to 1.
- ``"none"``: nothing is changed. A class that is not among the rows says nothing about its
  probability, so this is what is fitted then.

A map is a word and arrays of numbers, so that a saved model can hold it without a pickle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax, logit, softmax
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

Array = np.ndarray[Any, Any]

# Probabilities of 0 and 1 have no finite logit.
SMALLEST = 1e-6
# Hardly any regularisation, but scores that separate the classes keep a finite slope.
WEAK = 1e3
# The logarithm of the temperature lies within these.
TEMPERATURES = (-3.0, 3.0)


@dataclass(frozen=True, slots=True)
class CalibrationMap:
    """A method and what was fitted; called with probabilities, a column per class."""

    method: str
    numbers: tuple[Array, ...] = ()

    def __call__(self, probabilities: Array) -> Array:
        """Map probabilities to better ones."""
        if self.method == "sigmoid":
            slope, intercept = self.numbers[0]
            return _both(expit(slope * _logits(probabilities) + intercept))
        if self.method == "temperature":
            return softmax(_logarithms(probabilities) / self.numbers[0][0], axis=1)
        if self.method == "isotonic":
            return self._by_steps(probabilities)
        return probabilities

    def _by_steps(self, probabilities: Array) -> Array:
        n_classes = probabilities.shape[1]
        if n_classes == 2:
            return _both(np.interp(probabilities[:, 1], self.numbers[0], self.numbers[1]))
        places, values = self.numbers[::2], self.numbers[1::2]
        single = np.column_stack(
            [np.interp(probabilities[:, one], places[one], values[one]) for one in range(n_classes)]
        )
        sums = single.sum(axis=1, keepdims=True)
        equal = np.full_like(single, 1 / n_classes)
        return np.divide(single, sums, out=equal, where=sums > 0)


def methods_for(n_classes: int) -> tuple[str, ...]:
    """Name the methods for so many classes."""
    return ("sigmoid" if n_classes == 2 else "temperature", "isotonic")


def fitted_map(method: str, probabilities: Array, places: Array) -> CalibrationMap:
    """Fit a map on probabilities, a column per class, and the places of the true classes."""
    if len(np.unique(places)) < probabilities.shape[1]:
        return CalibrationMap("none")
    fit = {"sigmoid": _sigmoid, "temperature": _temperature, "isotonic": _isotonic}[method]
    return CalibrationMap(method, fit(probabilities, places))


def _sigmoid(probabilities: Array, places: Array) -> tuple[Array, ...]:
    model = LogisticRegression(C=WEAK, max_iter=200)
    model.fit(_logits(probabilities).reshape(-1, 1), places)
    return (np.array([model.coef_[0, 0], model.intercept_[0]]),)


def _temperature(probabilities: Array, places: Array) -> tuple[Array, ...]:
    known, rows = _logarithms(probabilities), np.arange(len(places))

    def loss(power: float) -> float:
        return -float(log_softmax(known / np.exp(power), axis=1)[rows, places].mean())

    power = minimize_scalar(loss, bounds=TEMPERATURES, method="bounded").x
    return (np.exp([power]),)


def _isotonic(probabilities: Array, places: Array) -> tuple[Array, ...]:
    n_classes = probabilities.shape[1]
    numbers: list[Array] = []
    for one in [1] if n_classes == 2 else range(n_classes):
        steps = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
        steps.fit(probabilities[:, one], places == one)
        numbers += [steps.X_thresholds_, steps.y_thresholds_]
    return tuple(numbers)


def _logits(probabilities: Array) -> Array:
    return logit(np.clip(probabilities[:, 1], SMALLEST, 1 - SMALLEST))


def _logarithms(probabilities: Array) -> Array:
    return np.log(np.clip(probabilities, SMALLEST, 1.0))


def _both(positive: Array) -> Array:
    return np.column_stack([1 - positive, positive])
