"""The predictions that a fitted estimator makes for test rows, taken while it is being scored.

Scoring has to predict; what it predicts is heard on the way and not made twice. Many learners make
probabilities to predict classes: what the learner at the end of a pipeline makes on the way is
heard as well. What nobody asked for is asked for afterwards: probabilities if the classifier has
them, else decision values, else classes by their places.

A column belongs to each class of the whole target, in sorted order. A class that the fold's
training rows lack has the probability 0, as in scikit-learn's ``cross_val_predict``.

Probabilities that are none (another shape, not finite, negative, rows that do not sum to 1) are an
error of the estimator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import update_wrapper
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline
from sklearn.utils.multiclass import type_of_target

from curvewise._evaluation.learners import learner_of
from curvewise._evaluation.rows import n_rows as count_rows
from curvewise._evaluation.rows import per_row
from curvewise.core._predictions import METHODS, Predictions

Array = np.ndarray[Any, Any]
# How far from 1 the probabilities of a row may be together: as in scikit-learn's log loss.
TOLERANCE = 1e-3


def classes_of(y: Any) -> Array | None:
    """Give the classes of a target in sorted order; None if it has none, or several outputs."""
    if y is None or type_of_target(y) not in ("binary", "multiclass"):
        return None
    return np.unique(np.asarray(y))


def largest(values: Array) -> Array:
    """Give the places of the classes with the largest values; a single column is the second's."""
    return values.argmax(axis=1) if values.ndim == 2 else (values > 0).astype(np.int64)


class Heard:
    """Hears what a fitted estimator predicts for some rows; a context for scoring it."""

    def __init__(self, estimator: Any, X: Any) -> None:
        self._estimator, self._X = estimator, X
        self._answers: dict[str, Any] = {}
        # What the learner itself has said while the estimator was asked about the rows.
        self._inner: dict[str, Any] = {}
        self._asked = False
        self._placed: list[tuple[dict[str, Any], str]] = []

    def __enter__(self) -> Heard:
        learner = _who_predicts(self._estimator)
        if learner is not self._estimator:
            self._listen(learner, METHODS, self._hear_inside)
            self._listen(self._estimator, ("score",), self._hear_scoring)
        self._listen(self._estimator, METHODS, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        for own, name in self._placed:
            if isinstance(own.get(name), _Listening):
                del own[name]

    def _listen(self, estimator: Any, names: Iterable[str], hear: Callable[..., Any]) -> None:
        own = getattr(estimator, "__dict__", None)
        if own is None:
            return
        for name in names:
            if name not in own and hasattr(estimator, name):
                own[name] = _Listening(name, getattr(estimator, name), hear)
                self._placed.append((own, name))

    def _hear(self, name: str, method: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Ask the estimator, and note what it says of the rows."""
        if X is not self._X or args or not _are_defaults(method, kwargs):
            return method(X, *args, **kwargs)
        with self._about_the_rows():
            given = self._answers[name] = method(X, **kwargs)
        return given

    def _hear_scoring(self, _: str, method: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Let the estimator measure itself, and note what it says of the rows meanwhile."""
        with self._about_the_rows() if X is self._X else nullcontext():
            return method(X, *args, **kwargs)

    @contextmanager
    def _about_the_rows(self) -> Iterator[None]:
        """Take what the learner says meanwhile for what the whole estimator says of the rows."""
        self._asked = True
        try:
            yield
        finally:
            self._asked = False
        for name, said in self._inner.items():
            self._answers.setdefault(name, said)

    def _hear_inside(self, name: str, method: Any, *args: Any, **kwargs: Any) -> Any:
        """Ask the learner, and note what it says if it was asked as anybody would.

        It may ask itself about a part of the rows after the other: that is no answer for all.
        """
        given = method(*args, **kwargs)
        asked = self._asked and len(args) <= 1 and _are_defaults(method, kwargs)
        if asked and per_row(given, count_rows(self._X)):
            self._inner[name] = given
        return given

    def answer(self, method: str) -> Any:
        """Give what a method says of the rows; asks if nobody has."""
        if method not in self._answers:
            self._answers[method] = getattr(self._estimator, method)(self._X)
        return self._answers[method]

    def predictions(self, classes: Array | None) -> Predictions | None:
        """Give what is to be kept; None if it has no form that can be."""
        estimator = self._estimator
        if classes is None or not is_classifier(estimator):
            values = np.asarray(self.answer("predict"))
            return _numbers(values)
        own = getattr(estimator, "classes_", None)
        if own is None or np.ndim(own) != 1:
            return None
        places = _places(classes, own)
        n_classes, n_rows = len(classes), count_rows(self._X)
        if hasattr(estimator, "predict_proba"):
            values = np.asarray(self.answer("predict_proba"))
            probabilities = _probabilities(values, places, n_classes, n_rows)
            return Predictions("predict_proba", probabilities, self._labels(classes, probabilities))
        if hasattr(estimator, "decision_function"):
            decisions = _decisions(self.answer("decision_function"), places, n_classes, n_rows)
            if decisions is not None:
                return Predictions("decision_function", decisions, self._labels(classes, decisions))
        return Predictions("predict", _places(classes, self.answer("predict")).astype(np.int32))

    def _labels(self, classes: Array, values: Array) -> Array | None:
        """Give the places of predicted classes, if somebody asked and they are other ones."""
        if "predict" not in self._answers:
            return None
        labels = _places(classes, self._answers["predict"])
        return None if np.array_equal(labels, largest(values)) else labels.astype(np.int32)


class _Listening:
    """A method that lets somebody hear what it gives."""

    def __init__(self, name: str, method: Any, hear: Callable[..., Any]) -> None:
        # First the looks of the method, because it may be one that somebody hears itself.
        update_wrapper(self, method)
        self._name, self._method, self._hear = name, method, hear

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._hear(self._name, self._method, *args, **kwargs)


def _who_predicts(estimator: Any) -> Any:
    """Find who makes an estimator's predictions: the last step, or whom that hands all over to."""
    if isinstance(estimator, Pipeline) and type(estimator) is not Pipeline:
        return estimator  # It may change what its last step says.
    learner = learner_of(estimator)
    inner = getattr(learner, "__dict__", {}).get("estimator_")
    same = (getattr(learner, name, None) == getattr(inner, name, None) for name in METHODS)
    return inner if inner is not None and all(same) else learner


def _are_defaults(method: Any, given: dict[str, Any]) -> bool:
    """Whether arguments say nothing that is not the case without them; the rows do not count."""
    if not given:
        return True
    known = signature(method).parameters
    return all(
        name == "X" or (name in known and value is known[name].default)
        for name, value in given.items()
    )


def _places(classes: Array, labels: Any) -> Array:
    """Give the places of labels among the classes, all of which have to be there."""
    labels = np.asarray(labels)
    places = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    if not np.array_equal(classes[places], labels):
        raise ValueError("predict gave classes that the target does not have.")
    return places


def _numbers(values: Array) -> Predictions | None:
    """Keep predicted numbers; None if they are none."""
    if values.dtype.kind not in "fiu" or values.ndim not in (1, 2):
        return None
    if values.dtype.kind != "f":
        return Predictions("predict", values.astype(np.int64))
    # Half and long doubles are kept as doubles.
    kept = values.dtype.itemsize in (4, 8)
    return Predictions("predict", values if kept else values.astype(np.float64))


def _probabilities(values: Array, places: Array, n_classes: int, n_rows: int) -> Array:
    """Check probabilities, and give each class its column."""
    if values.shape != (n_rows, len(places)):
        raise ValueError(
            f"predict_proba gave values of the shape {values.shape} for {n_rows} rows and "
            f"{len(places)} classes."
        )
    values = values.astype(np.float64, copy=False)
    sums = values.sum(axis=1)
    if not np.all(np.isfinite(sums)) or values.min(initial=0.0) < 0:
        raise ValueError("predict_proba gave values that are no probabilities.")
    if np.abs(sums - 1).max(initial=0.0) > TOLERANCE:
        raise ValueError("predict_proba gave probabilities that do not sum to 1.")
    return _spread(values, places, n_classes, missing=0.0)


def _decisions(given: Any, places: Array, n_classes: int, n_rows: int) -> Array | None:
    """Give each class its column of decision values, two classes one; None if they are others."""
    values = np.asarray(given, dtype=np.float64)
    if values.shape == (n_rows,) and len(places) == 2:
        if n_classes == 2:
            return values
        values = np.column_stack([-values, values])
    if values.shape != (n_rows, len(places)):
        return None
    return _spread(values, places, n_classes, missing=float(np.finfo(np.float64).min))


def _spread(values: Array, places: Array, n_classes: int, *, missing: float) -> Array:
    if len(places) == n_classes:
        return values
    spread = np.full((len(values), n_classes), missing)
    spread[:, places] = values
    return spread
