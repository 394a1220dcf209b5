"""Pre-processing that candidates share, done once per fold and anchor.

Imputation, binarisation and the like are often the same for many candidates: one transformer for
all of them, or the first step of each one's pipeline. The result is that of
``Pipeline([preprocess, candidate])`` for each of them: the transformer is fitted on the training
rows of the task and on nothing else. It is handed out as a copy, so that a candidate that works in
place spoils nothing for the next one.

What is kept is bounded: the least recently used rows are dropped first. It is not pickled: each
worker process keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from curvewise._evaluation.identity import identity
from curvewise._evaluation.rows import copied
from curvewise.errors import InvalidParameterError

FIRST_STEP = "first step"


class Prepared(NamedTuple):
    """Transformed rows, and the seconds that this took now."""

    train: Any
    test: Any
    train_again: Any = None
    seconds: float = 0.0


class Preparation:
    """What candidates share, and the rows that were transformed lately."""

    def __init__(self, shared: Any, *, n_kept: int = 8, train_scores: bool = False) -> None:
        if n_kept < 1:
            raise InvalidParameterError(f"n_kept must be at least 1, got {n_kept}.")
        if isinstance(shared, str) and shared != FIRST_STEP:
            raise InvalidParameterError(
                f"preprocess must be a transformer or {FIRST_STEP!r}, got {shared!r}."
            )
        self.shared = shared
        self.clock: Callable[[], float] = perf_counter
        self._n_kept = n_kept
        self._train_scores = train_scores
        self._kept: dict[tuple[str, int, int], Prepared] = {}

    def split(self, candidate: Any) -> tuple[Any, Any]:
        """Give the transformer that a candidate shares, None if it shares none, and the rest."""
        if self.shared != FIRST_STEP:
            return self.shared, candidate
        if not isinstance(candidate, Pipeline) or len(candidate.steps) < 2:
            return None, candidate
        (_, first), *others = candidate.steps
        return first, others[0][1] if len(others) == 1 else Pipeline(others)

    def keep_training_rows(self) -> None:
        """Transform training rows once more as test rows are, to be scored; forget the others."""
        self._train_scores = True
        self._kept.clear()

    def find(self, transformer: Any, fold: int, anchor: int) -> Prepared | None:
        """Give what was prepared before, if it is still there."""
        key = (self._key(transformer), fold, anchor)
        prepared = self._kept.pop(key, None)
        if prepared is None:
            return None
        self._kept[key] = prepared
        return _handed_out(prepared)

    def prepare(
        self, given: Any, fold: int, anchor: int, X_train: Any, y_train: Any, X_test: Any
    ) -> Prepared:
        """Fit the transformer and transform; keep the result."""
        transformer = clone(given)
        started = self.clock()
        if hasattr(transformer, "fit_transform"):
            train = transformer.fit_transform(X_train, y_train)
        else:
            train = transformer.fit(X_train, y_train).transform(X_train)
        test = transformer.transform(X_test)
        seconds = self.clock() - started
        train_again = transformer.transform(X_train) if self._train_scores else None
        while len(self._kept) >= self._n_kept:
            self._kept.pop(next(iter(self._kept)))
        prepared = Prepared(train, test, train_again)
        self._kept[self._key(given), fold, anchor] = prepared
        return _handed_out(prepared)._replace(seconds=seconds)

    def _key(self, transformer: Any) -> str:
        """Tell transformers apart, if there can be several."""
        return identity(transformer) if self.shared == FIRST_STEP else ""

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_kept": {}}


def _handed_out(prepared: Prepared) -> Prepared:
    train, test, again, _ = prepared
    return Prepared(copied(train), copied(test), None if again is None else copied(again))
