"""What more rows would do for one candidate.

A candidate counts as a portfolio of one, with numbers of its own: single curves go on less steadily
than the best of many. A candidate that was pruned is read on from its last anchor.
"""

from __future__ import annotations

from dataclasses import dataclass

from curvewise.advice._evidence import Entry
from curvewise.advice._predictors import Method, look_ahead
from curvewise.core._outcome import Candidate
from curvewise.core._scale import Scale


@dataclass(frozen=True, slots=True)
class Prediction:
    """One candidate, now and then, in scores.

    Parameters
    ----------
    candidate
        Which one.
    status
        How its validation ended, in a word; empty if that is not known.
    rows
        Its largest anchor: the training rows behind ``score_now``.
    n_anchors, n_folds
        What the prediction rests on: its anchors, and its folds at the largest.
    score_now
        Its mean score there.
    score_then
        The score that is expected at the asked size; NaN if nothing can be said.
    low, high
        The interval of that.

    Examples
    --------
    >>> Prediction("svc", "completed", 900, 4, 5, 0.90, 0.92, 0.91, 0.93).gain
    0.020...
    """

    candidate: Candidate
    status: str
    rows: int
    n_anchors: int
    n_folds: int
    score_now: float
    score_then: float
    low: float
    high: float

    @property
    def gain(self) -> float:
        """What it would gain over its present score."""
        return self.score_then - self.score_now


def predict(entry: Entry, scale: Scale, *, rows: float, method: Method, level: float) -> Prediction:
    """Predict one candidate."""
    standing, trend = look_ahead([entry], scale, method)
    factor = rows / standing.rows
    outlook = trend.look(factor)
    then = standing.loss - outlook.gain
    low, high = (standing.loss - end for end in outlook.interval(level)[::-1])
    return Prediction(
        entry.candidate,
        "" if entry.status is None else entry.status.value,
        standing.rows,
        len(entry.curve.anchors),
        standing.n_folds,
        scale.score(standing.loss),
        scale.score(then),
        scale.score(high),
        scale.score(low),
    )
