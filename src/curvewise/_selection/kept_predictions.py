"""Out-of-fold predictions: what candidates predicted for rows that they were not fitted on.

Each fold's test rows were predicted by a model that had not seen them. Put together, in the order
of the table's rows, these predictions say where a model errs, what a probability of its own is
worth, and what several models together would do.

Rules:

1. A row that is tested in several folds has the mean of its predictions; one that is tested in none
   has NaN (of classes by their places, -1).
2. ``"best"`` keeps what candidates predicted that have all their folds, or are the best that there
   is; ``"all"`` what everybody predicted at the target.
3. There is a bound on the memory: who comes when it is reached is not kept, and that is said.
4. What the dropped predicted stays in memory while it is little, `MOST_DROPPED` bytes, but not in
   the store: how alike candidates err is needed once more, for the honest score.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from curvewise._evaluation.folds import Folds
from curvewise._evaluation.heard_predictions import largest
from curvewise._text import counted
from curvewise.core._decisions import Decision, Fail, Prune
from curvewise.core._outcome import Candidate, Observation, Outcome, Task
from curvewise.core._portfolio import Status
from curvewise.core._predictions import Predictions
from curvewise.core._search import Search
from curvewise.errors import InvalidParameterError, StoreError
from curvewise.executors import LiveRun
from curvewise.executors._listener import Listener

Array = np.ndarray[Any, Any]
Keep = Literal["none", "best", "all"]
KEEPS = ("none", "best", "all")
MOST_BYTES = 2**30
MOST_DROPPED = 2**26


@dataclass(frozen=True, slots=True)
class OutOfFold:
    """What a candidate predicted out of fold, in the order of the rows.

    Parameters
    ----------
    method
        What gave the predictions: ``"predict_proba"``, ``"decision_function"`` or ``"predict"``.
    values
        A prediction per row; with a column per class for probabilities, and for decision values of
        more than two classes.
    n_folds
        In how many folds each row was predicted; 0 for rows without a prediction.
    classes
        The classes in the order of the columns; None for numbers.
    places
        The predicted class of each row, as a place among the classes, -1 for rows without one; of
        the last fold if a row was in several. None for numbers.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> search = cw.CurveSearchCV({"bayes": GaussianNB()}, keep_predictions="best").fit(X, y)
    >>> search.oof_predictions_["bayes"].values.shape
    (150, 3)
    >>> float((search.oof_predictions_["bayes"].labels() == y).mean())
    0.95...
    """

    method: str
    values: Array
    n_folds: Array
    classes: Array | None = None
    places: Array | None = None

    @property
    def known(self) -> Array:
        """Which rows have a prediction."""
        return self.n_folds > 0

    def labels(self) -> Array:
        """Give the predicted class or number of each row that has a prediction."""
        if self.classes is None or self.places is None:
            return self.values[self.known]
        return self.classes[self.places[self.known]]


class PredictionKeeper(Listener):
    """Keeps what candidates predict while a search runs."""

    def __init__(
        self,
        keep: Keep,
        folds: Folds,
        *,
        classes: Array | None,
        record: LiveRun | None = None,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._keep, self._folds, self._classes, self._record = keep, folds, classes, record
        self._by_candidate: dict[Candidate, dict[int, Predictions]] = {}
        self._dropped: dict[Candidate, dict[int, Predictions]] = {}
        self._left = most_bytes
        self._n_left_out = 0

    def started(self, search: Search) -> None:
        """Begin to follow a search."""
        self._search = search

    def received(self, outcome: Outcome) -> None:
        """Keep what was predicted; a candidate may have given what is of no use."""
        if isinstance(outcome, Observation) and outcome.predictions is not None:
            if self._fits(outcome.predictions, outcome.task):
                self._take(outcome.task, outcome.predictions)
            else:
                warnings.warn(
                    f"The predictions of {outcome.task} are not those of its test rows, and are "
                    "left out.",
                    stacklevel=2,
                )

    def told(self, outcome: Outcome) -> None:
        """Take what an earlier run had kept."""
        task = outcome.task
        new = task.fold not in self._by_candidate.get(task.candidate, ())
        if self._record is not None and new and task.anchor == self._folds.target:
            earlier = self._earlier(task)
            if earlier is not None and self._is_wanted(task.candidate):
                self._take(task, earlier)

    def _earlier(self, task: Task) -> Predictions | None:
        """Read what an earlier run had kept; if it is damaged, it is as if it had not been kept."""
        if self._record is None:
            return None
        try:
            earlier = self._record.predictions(task)
        except StoreError as error:
            warnings.warn(str(error), stacklevel=2)
            return None
        if earlier is None or self._fits(earlier, task):
            return earlier
        warnings.warn(
            f"The store is damaged: the predictions of {task} are not those of its test rows.",
            stacklevel=2,
        )
        return None

    def _fits(self, predictions: Predictions, task: Task) -> bool:
        """Whether predictions can be those of a task's test rows."""
        if task.fold >= len(self._folds):
            return False
        if len(predictions.values) != len(self._folds.test(task.fold)):
            return False
        for other in self._by_candidate.get(task.candidate, {}).values():
            same_shape = other.values.shape[1:] == predictions.values.shape[1:]
            if other.method != predictions.method or not same_shape:
                return False
        return self._classes is None or names_classes(predictions, len(self._classes))

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Let go of who is out."""
        if self._keep == "best" and isinstance(decision, Prune | Fail):
            self._forget(candidate)

    def of(self, best: Candidate | None) -> dict[Candidate, OutOfFold]:
        """Give what was kept, by candidate; of those without all their folds only the best."""
        if self._n_left_out:
            warnings.warn(
                f"Predictions of {counted(self._n_left_out, 'fold')} were not kept: they would "
                f"take more than "
                f"{MOST_BYTES // 2**20:,} MB. keep_predictions='none' keeps none.",
                stacklevel=5,
            )
        n_folds = len(self._folds)
        wanted = (
            candidate
            for candidate, parts in self._by_candidate.items()
            if self._keep == "all" or len(parts) == n_folds or candidate == best
        )
        return {candidate: self._together(self._by_candidate[candidate]) for candidate in wanted}

    def dropped(self) -> dict[Candidate, OutOfFold]:
        """Give what the last to be dropped had predicted, by candidate (rule 4)."""
        return {name: self._together(parts) for name, parts in self._dropped.items()}

    def _is_wanted(self, candidate: Candidate) -> bool:
        # Also of those who have ended with all their folds: a run that is over is read again.
        status = self._search.portfolio.contenders[candidate].status
        return self._keep == "all" or status not in (Status.PRUNED, Status.FAILED)

    def _take(self, task: Task, predictions: Predictions) -> None:
        if predictions.n_bytes > self._left:
            self._n_left_out += 1
            return
        self._left -= predictions.n_bytes
        self._by_candidate.setdefault(task.candidate, {})[task.fold] = predictions

    def _forget(self, candidate: Candidate) -> None:
        parts = self._by_candidate.pop(candidate, None)
        if parts is None:
            return
        self._left += _n_bytes(parts)
        self._dropped[candidate] = parts
        while sum(map(_n_bytes, self._dropped.values())) > MOST_DROPPED:
            del self._dropped[next(iter(self._dropped))]
        if self._record is not None:
            self._record.forget_predictions(candidate)

    def _together(self, parts: Mapping[int, Predictions]) -> OutOfFold:
        """Put the folds together in the order of the rows (rule 1)."""
        first = next(iter(parts.values()))
        n_rows = self._folds.n_rows
        sums = np.zeros((n_rows, *first.values.shape[1:]))
        counts = np.zeros(n_rows, dtype=np.int64)
        places = None if self._classes is None else np.full(n_rows, -1)
        for fold, predictions in parts.items():
            rows = self._folds.test(fold)
            sums[rows] += predictions.values
            counts[rows] += 1
            if places is not None:
                places[rows] = _places(predictions)
        if places is not None and first.method == "predict":
            return OutOfFold(first.method, places, counts, self._classes, places)
        if counts.max() > 1:
            sums /= np.maximum(counts, 1).reshape(-1, *[1] * (sums.ndim - 1))
        sums[counts == 0] = np.nan
        return OutOfFold(first.method, sums, counts, self._classes, places)


def _n_bytes(parts: Mapping[int, Predictions]) -> int:
    return sum(each.n_bytes for each in parts.values())


def _places(predictions: Predictions) -> Array:
    """Give the places of the predicted classes."""
    if predictions.labels is not None:
        return predictions.labels
    return predictions.values if predictions.method == "predict" else largest(predictions.values)


def names_classes(predictions: Predictions, n_classes: int) -> bool:
    """Whether predictions have a column per class, or name places among them."""
    values, labels = predictions.values, predictions.labels
    if predictions.method == "predict":
        labels = values if labels is None else labels
        if values.ndim != 1 or labels.dtype.kind != "i":
            return False
    else:
        # Two classes may have one column of decision values.
        alone = predictions.method == "decision_function" and n_classes == 2
        if values.shape[1:] != (() if alone and values.ndim == 1 else (n_classes,)):
            return False
        if not np.all(np.isfinite(values)):
            return False
    return labels is None or bool(np.all((labels >= 0) & (labels < n_classes)))


def check_keep(keep: Any) -> None:
    """Refuse what is none of the three words."""
    if keep not in KEEPS:
        words = ", ".join(map(repr, KEEPS))
        raise InvalidParameterError(f"keep_predictions must be one of {words}, got {keep!r}.")
