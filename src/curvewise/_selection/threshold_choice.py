"""Which threshold is best: chosen on out-of-fold scores, and measured where it was not chosen.

A binary classifier gives a score to each row, a probability or a decision value; from the threshold
on a row is predicted to be positive. The usual threshold, .5 or 0, suits the accuracy; another
metric may want another.

Rules:

1. Every cut between two scores that differ is looked at, and the ends: all rows positive, or none.
   Metrics without a formula are called at `MOST_CUTS` of these at the most, evenly over the rows,
   and on `MOST_ROWS` rows.
2. The best cut on some rows is the luckiest of its neighbours. On other rows of the same kind the
   number of rows above a cut differs by a standard error of sqrt(n q (1 - q)), if q is its share;
   cuts within `WIDTH` of these cannot be told apart. So a cut counts what these score on average.
3. Of cuts that count the same the one is taken that changes the fewest predictions. If it scores no
   more than the default, the default stays.
4. A threshold lies in the middle between two scores: a score that is computed once more may differ
   in its last digit.
5. What was chosen on some rows looks better there than it is. So for each fold a threshold is
   chosen on the other folds, and the score that is told is that of all folds together with the
   thresholds of the others. (A mean over the folds would be biased for metrics such as f1: Forman &
   Scholz 2010, Apples-to-apples in cross-validation studies.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise._selection.label_metrics import Counts, LabelMetric

Array = np.ndarray[Any, Any]

MOST_CUTS = 100
MOST_ROWS = 20_000
WIDTH = 2.0
# Sums of the same numbers in another order differ by so much.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class ScoredRows:
    """Rows with a score each.

    Parameters
    ----------
    scores
        The greater, the more a row is held to be positive.
    positive
        Which rows are positive.
    default
        Which are predicted to be, without a threshold of ours.
    ends
        Thresholds below and above all scores that there can be.
    """

    scores: Array
    positive: Array
    default: Array
    ends: tuple[float, float]

    def __getitem__(self, rows: Array) -> ScoredRows:
        return ScoredRows(self.scores[rows], self.positive[rows], self.default[rows], self.ends)

    def predicted(self, threshold: float | None) -> Array:
        """Say which rows are predicted to be positive; None for the default."""
        return self.default if threshold is None else self.scores >= threshold


@dataclass(frozen=True, slots=True)
class ThresholdChoice:
    """A threshold, and what choosing one is worth.

    Parameters
    ----------
    threshold
        Chosen on all rows; None if none is better there than the default.
    score
        Of all folds together, each with a threshold that was chosen on the others.
    default_score
        Of the same without.
    of_folds
        The threshold with which each fold was measured.
    """

    threshold: float | None
    score: float
    default_score: float
    of_folds: tuple[float | None, ...]

    @property
    def better(self) -> bool:
        """Whether a tuned threshold is better than the default, where it was not chosen."""
        return self.threshold is not None and self.score > self.default_score + ROUNDING


def choose_threshold(
    rows: ScoredRows, parts: Sequence[Array], metric: LabelMetric
) -> ThresholdChoice:
    """Choose a threshold on all rows; measure what choosing is worth, fold by fold (rule 5)."""
    everybody = np.arange(len(rows.scores))
    of_folds = [best_threshold(rows[np.setdiff1d(everybody, part)], metric) for part in parts]
    tuned = [rows[part].predicted(one) for part, one in zip(parts, of_folds, strict=True)]
    tested = rows[np.concatenate(parts)]
    return ThresholdChoice(
        best_threshold(rows, metric),
        metric.score(tested.positive, np.concatenate(tuned)),
        metric.score(tested.positive, tested.default),
        tuple(of_folds),
    )


def best_threshold(rows: ScoredRows, metric: LabelMetric) -> float | None:
    """Find the best threshold for some rows; None if the default is as good (rules 1 to 4)."""
    if metric.counted is None and len(rows.scores) > MOST_ROWS:
        drawn = np.random.default_rng(0).choice(len(rows.scores), MOST_ROWS, replace=False)
        rows = rows[drawn]
    order = np.argsort(rows.scores, kind="stable")
    scores, positive = rows.scores[order], rows.positive[order]
    n = len(scores)
    # A cut is the number of rows below it; equal scores are not cut apart.
    inner = np.flatnonzero(scores[1:] > scores[:-1]) + 1
    cuts = np.concatenate([[0], inner, [n]])
    if metric.counted is None and len(cuts) > MOST_CUTS:
        cuts = cuts[np.unique(np.searchsorted(cuts, np.linspace(0, n, MOST_CUTS).round()))]
    values = _values(cuts, positive, metric)
    level = smoothed(values, cuts, n)
    equal = np.flatnonzero(level >= level.max() - ROUNDING)
    changed = np.abs((n - cuts[equal]) - np.count_nonzero(rows.default))
    place = equal[np.argmin(changed)]
    if not values[place] > metric.score(rows.positive, rows.default) + ROUNDING:
        return None
    return _threshold_at(int(cuts[place]), scores, rows.ends)


def smoothed(values: Array, cuts: Array, n: int) -> Array:
    """Give for each cut the mean score of those that cannot be told apart from it (rule 2)."""
    reach = WIDTH * np.sqrt(cuts * (n - cuts) / n)
    first = np.searchsorted(cuts, cuts - reach, side="left")
    after = np.searchsorted(cuts, cuts + reach, side="right")
    finite = np.isfinite(values)
    worst = values[finite].min(initial=0.0)
    sums = np.concatenate([[0.0], np.cumsum(np.where(finite, values, worst))])
    return (sums[after] - sums[first]) / (after - first)


def _threshold_at(cut: int, scores: Array, ends: tuple[float, float]) -> float:
    """Give a threshold between the sorted scores below and above a cut (rule 4)."""
    if cut in (0, len(scores)):
        return ends[0] if cut == 0 else ends[1]
    below, above = float(scores[cut - 1]), float(scores[cut])
    middle = below / 2 + above / 2
    return middle if middle > below else above


def _values(cuts: Array, positive: Array, metric: LabelMetric) -> Array:
    """Give the score of each cut."""
    n = len(positive)
    if metric.counted is None:
        rows = np.arange(n)
        return np.array([metric.called(positive, rows >= cut) for cut in cuts])
    fn = np.concatenate([[0], np.cumsum(positive)])[cuts]
    tn = cuts - fn
    n_positive = int(np.count_nonzero(positive))
    return metric.counted(Counts(tn, n - n_positive - tn, fn, n_positive - fn))
