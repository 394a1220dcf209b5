"""Which models together predict best: greedy selection on out-of-fold predictions.

Caruana, Niculescu-Mizil, Crew & Ksikes (2004): begin with the best model, and add, again and again,
the one that makes the mean of all predictions best; a model may be added several times, which is
its weight. There are at most `MOST_MEMBERS` different ones, since each has to be fitted, kept and
asked. The best of the steps counts.

What was selected on some rows looks better on these rows than it is. So the ensemble's score is
nested: for each fold the weights are selected on the other folds, and measured on that one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Score = Callable[..., float]

MOST_MEMBERS = 5
N_STEPS = 25
# More rows say hardly more about who goes with whom.
MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class EnsembleChoice:
    """How many times each model was taken, and what that is worth on rows not selected on."""

    counts: Array
    score: float
    single_score: float

    @property
    def weights(self) -> Array:
        """The weight of each model; those that were not taken have 0."""
        return self.counts / self.counts.sum()


def choose_ensemble(
    predictions: Sequence[Array],
    y: Array,
    parts: Sequence[Array],
    score: Score,
    *,
    weights: Array | None = None,
) -> EnsembleChoice:
    """Select models by their out-of-fold predictions; the parts are the folds' test rows.

    The first of the predictions is that of the best single model, against which it is measured.
    The weights are those of rows, if scores have any.
    """
    stacked = np.stack(predictions)
    nested, single = [], []
    for part in parts:
        rest = np.setdiff1d(np.arange(len(y)), part)
        counts = select(stacked, y, rest, score, weights=weights)
        here = _on_rows(score, y, part, weights)
        nested.append(here(mixed(stacked[:, part], counts)))
        single.append(here(stacked[0, part]))
    counts = select(stacked, y, np.arange(len(y)), score, weights=weights)
    return EnsembleChoice(counts, float(np.mean(nested)), float(np.mean(single)))


def select(
    stacked: Array, y: Array, rows: Array, score: Score, *, weights: Array | None = None
) -> Array:
    """Count how many times each model is taken, greedily, on some rows."""
    if len(rows) > MOST_ROWS:
        rows = np.random.default_rng(0).choice(rows, MOST_ROWS, replace=False)
    stacked, here = stacked[:, rows], _on_rows(score, y, rows, weights)
    counts = np.zeros(len(stacked), dtype=np.int64)
    best_counts, best_score = counts, -np.inf
    total = np.zeros_like(stacked[0])
    for _ in range(N_STEPS):
        may_be_added = list(range(len(stacked)))
        if np.count_nonzero(counts) == MOST_MEMBERS:
            may_be_added = np.flatnonzero(counts).tolist()
        n = counts.sum() + 1
        scores = {index: here((total + stacked[index]) / n) for index in may_be_added}
        taken = max(scores, key=lambda index: (scores[index], -index))
        total += stacked[taken]
        counts[taken] += 1
        if scores[taken] > best_score:
            best_counts, best_score = counts.copy(), scores[taken]
    return best_counts


def mixed(stacked: Array, counts: Array) -> Array:
    """Give the weighted mean of predictions."""
    return np.tensordot(counts / counts.sum(), stacked, axes=1)


def _on_rows(
    score: Score, y: Array, rows: Array, weights: Array | None
) -> Callable[[Array], float]:
    """Give what scores predictions for some rows."""
    more = {} if weights is None else {"sample_weight": weights[rows]}
    return lambda values: score(y[rows], values, **more)
