"""What more rows would do: by the last step (ours), by power laws (the paper's), or nothing at all.

The paper's predictors (Mohr & van Rijn 2023, Sec. V-B): the *IPL-regressor* fits an inverse power
law to the means of each candidate and reads it at the larger size. The prediction for a portfolio
is the smallest of them. The *IPL-classifier* says yes if that is at least the wished gain below the
best present loss. Both know no uncertainty.

1. The law is ``a + b * s**-c`` with a, b and c at least 0, as printed (but for its sign, see the
   docs' page on deviations); `curvewise.core` fits it so. If a loss was negative, so may a be.
2. It needs three anchors. If no candidate has them, nothing is predicted.
3. The paper has full curves: every candidate is seen at every anchor. Where one was pruned, the
   law reads on from its last anchor.
4. A candidate by itself counts as a portfolio of one, with numbers of its own: single curves go on
   less steadily than the best of many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from curvewise.advice._envelope import Standing, stand
from curvewise.advice._evidence import CandidateCurve
from curvewise.advice._numbers import (
    CANDIDATE,
    CANDIDATE_UNBOUNDED,
    PORTFOLIO,
    PORTFOLIO_UNBOUNDED,
)
from curvewise.advice._outlook import Calibration, Outlook
from curvewise.advice._trend import Trend
from curvewise.core._extrapolation import FittedCurve, InversePowerLaw
from curvewise.core._outcome import Candidate
from curvewise.core._scale import Scale

IPL = InversePowerLaw()
Method = Literal["curve", "ipl", "last"]
METHODS: tuple[Method, ...] = get_args(Method)
# From so many candidates on that were seen on the last step, their best behaves like that of a
# portfolio.
PORTFOLIO_FROM = 3


@dataclass(frozen=True, slots=True)
class PaperTrend:
    """The smallest prediction of a portfolio's power laws."""

    loss: float
    rows: int
    laws: tuple[FittedCurve, ...]
    by_experience = False

    def look(self, factor: float) -> Outlook:
        """Look ahead to so many times the rows; without laws, nothing is known."""
        rows = self.rows * factor
        then = min((law.predict(rows) for law in self.laws), default=math.nan)
        return Outlook(self.loss - then, math.inf)


def laws_of(entries: Sequence[CandidateCurve]) -> tuple[FittedCurve, ...]:
    """Fit a law to each candidate that has three anchors."""
    means = [{anchor: each.curve.mean(anchor) for anchor in each.curve.anchors} for each in entries]
    laws = (IPL.fit(list(each), list(each.values())) for each in means)
    return tuple(law for law in laws if law is not None)


@dataclass(frozen=True, slots=True)
class LastTrend:
    """Nothing changes: the baseline."""

    by_experience = False

    def look(self, factor: float) -> Outlook:
        """Look ahead to so many times the rows."""
        return Outlook(0.0, math.inf)


# Whatever can look ahead.
Ahead = Trend | PaperTrend | LastTrend


def look_ahead(
    entries: Sequence[CandidateCurve], scale: Scale, method: Method
) -> tuple[Standing, Ahead]:
    """See where a portfolio stands, and find a way to look ahead from there."""
    standing = stand(entries, scale)
    if method == "ipl":
        return standing, PaperTrend(standing.loss, standing.rows, laws_of(entries))
    if method == "last":
        return standing, LastTrend()
    return standing, Trend(standing, scale, numbers_for(standing, len(entries), scale))


def numbers_for(standing: Standing, n_candidates: int, scale: Scale) -> Calibration:
    """Choose the calibration: few candidates go on less steadily than the best of many."""
    step = standing.step
    many = (n_candidates if step is None else step.n_candidates) >= PORTFOLIO_FROM
    if scale.unit is not None:
        return PORTFOLIO if many else CANDIDATE
    return PORTFOLIO_UNBOUNDED if many else CANDIDATE_UNBOUNDED


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a candidate scores now, and what it is expected to score with more rows.

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


def predict(
    entry: CandidateCurve, scale: Scale, *, rows: float, method: Method, level: float
) -> Prediction:
    """Predict one candidate."""
    standing, trend = look_ahead([entry], scale, method)
    outlook = trend.look(rows / standing.rows)
    low, high = (standing.loss - end for end in outlook.interval(level)[::-1])
    return Prediction(
        entry.candidate,
        "" if entry.status is None else entry.status.value,
        standing.rows,
        len(entry.curve.anchors),
        standing.n_folds,
        scale.score(standing.loss),
        scale.score(standing.loss - outlook.gain),
        scale.score(high),
        scale.score(low),
    )
