"""The advice itself: an answer with everything that it rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from curvewise.advice._basis import Basis
from curvewise.advice._needed_rows import Need, need_for
from curvewise.advice._prediction import Prediction
from curvewise.advice._predictors import Ahead
from curvewise.advice._remedies import Remedy
from curvewise.advice._standing import Step
from curvewise.advice._words import describe_html, explain
from curvewise.core._checks import real_number
from curvewise.core._curve import LearningCurve
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate
from curvewise.core._scale import Scale

Answer = Literal["yes", "no", "cannot tell"]
N_PLACES = 33


class Place(NamedTuple):
    """The best score that is expected at a size, and its interval.

    Examples
    --------
    >>> Place(rows=1800, score=0.92, low=0.91, high=0.93).score
    0.92
    """

    rows: float
    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, repr=False)
class Advice:
    """Whether more rows would help.

    Parameters
    ----------
    answer
        ``"yes"``, ``"no"`` or ``"cannot tell"``.
    gain, interval
        What the best score is expected to gain, with its interval; NaN if nothing can be said.
    probability
        The probability that the gain is at least ``min_gain``; NaN for methods that know none.
    min_gain
        What was asked for.
    factor, rows_now, rows_then
        The question: so many times the rows, from so many to so many.
    training_rows_now, training_rows_then
        The same in rows that a fold trains on: what curves and pictures have on their axis.
    score_now
        The best score that is known.
    leader_now, leader_then
        Who has it, and who is expected to have the best one then.
    predictions
        Every candidate by itself, the best then first. Single curves go on less steadily than the
        best of all, so that the score of the first may differ from ``score_then``.
    base_rate
        The probability that would be expected from recorded portfolios of this size, for their
        gains as shares of the error rate: what the probability is to be judged against. Only
        doublings were recorded, other factors are read on from there. NaN for losses that are no
        rates.
    step
        What the last step brought; None if no candidate was seen at two sizes far enough apart.
    basis
        Whether it rests on full curves or on parts.
    remedies
        What else there is to do.
    method, level, sure
        How it was asked for.
    scale
        How losses read as scores.
    ahead
        How to look further.
    curves
        The curves that it rests on.
    need
        The rows for a wished-for score, if there is one.

    Examples
    --------
    >>> import curvewise as cw
    >>> validation = cw.Validation("svc", schedule=2048, policy=cw.LCCV(prune=False, skip=False))
    >>> while not validation.done:
    ...     for task in validation.ask():
    ...         loss = 0.1 + 3 * task.anchor**-0.5 + task.fold / 1000
    ...         _ = validation.tell(cw.Observation(task, loss, n_test=2000))
    >>> advice = cw.advise([validation.result])
    >>> advice
    Advice(yes: +0.0129 for 2 times the rows, 82% for at least 0.005)
    >>> advice.rows_for(0.85).rows > advice.rows_now
    True
    """

    answer: Answer
    gain: float
    interval: Interval
    probability: float
    min_gain: float
    factor: float
    rows_now: int
    rows_then: int
    training_rows_now: int
    training_rows_then: int
    score_now: float
    leader_now: Candidate
    leader_then: Candidate
    predictions: tuple[Prediction, ...]
    base_rate: float
    step: Step | None
    basis: Basis
    remedies: tuple[Remedy, ...]
    method: str
    level: float
    sure: float
    scale: Scale
    ahead: Ahead = field(compare=False)
    curves: Mapping[Candidate, LearningCurve] = field(compare=False)
    need: Need | None = None

    @property
    def score_then(self) -> float:
        """The best score that is expected; NaN if nothing can be said."""
        return self.score_now + self.gain

    @property
    def score_interval(self) -> Interval:
        """The interval of the best score at the asked size."""
        low, high = self.interval
        return Interval(self.score_now + low, self.score_now + high)

    @property
    def last_gain(self) -> float:
        """What the last step brought; NaN if there was none."""
        return math.nan if self.step is None else self.step.fall

    def rows_for(self, score: float) -> Need:
        """Say how many rows a wished-for score needs.

        Parameters
        ----------
        score
            The wish, as the scorer gives it: greater is better.

        Returns
        -------
        Need
            The rows, or that it is out of reach within 64 times the present rows.
        """
        wish = real_number("score", score)
        return need_for(
            wish,
            wish - self.score_now,
            self.ahead,
            rows=self.rows_now,
            sure=self.sure,
            # The search may have ended before its target, as in `advise`.
            begin=self.basis.target / self.training_rows_now,
        )

    def with_target(self, score: float) -> Advice:
        """The same advice, with the rows that a wished-for score needs."""
        return replace(self, need=self.rows_for(score))

    def path(self) -> list[Place]:
        """The best score that is expected on the way to the asked size, for pictures."""
        farthest = math.log2(self.training_rows_then / self.training_rows_now)
        # The present score is not known exactly either.
        known = self.ahead.look(1.0).interval(self.level)
        low, high = (end if math.isfinite(end) else 0.0 for end in known)
        now = self.score_now
        places = [Place(self.training_rows_now, now, now + min(low, 0), now + max(high, 0))]
        for i in range(1, N_PLACES):
            factor = 2 ** (farthest * i / (N_PLACES - 1))
            outlook = self.ahead.look(factor)
            low, high = outlook.interval(self.level)
            ends = (self.score_now + end for end in (outlook.gain, low, high))
            places.append(Place(self.training_rows_now * factor, *ends))
        return places

    def explain(self) -> str:
        """Say it in sentences, the answer first."""
        return explain(self)

    def facts(self) -> dict[str, Any]:
        """All of it as plain values, for JSON; what is not known is None."""
        step, need = self.step, self.need
        return {
            "answer": self.answer,
            "gain": _plain(self.gain),
            "low": _plain(self.interval.low),
            "high": _plain(self.interval.high),
            "probability": _plain(self.probability),
            "min_gain": self.min_gain,
            "base_rate": _plain(self.base_rate),
            "factor": self.factor,
            "rows_now": self.rows_now,
            "rows_then": self.rows_then,
            "score_now": _plain(self.score_now),
            "score_then": _plain(self.score_then),
            "leader_now": str(self.leader_now),
            "leader_then": str(self.leader_then),
            "last_step": step
            and {"before": step.before, "after": step.after, "gain": _plain(step.fall)},
            "rests_on": self.basis.kind,
            "remedies": [{"kind": each.kind, "text": each.text} for each in self.remedies],
            "method": self.method,
            "level": self.level,
            "sure": self.sure,
            "need": need and {"score": need.score, "rows": need.rows, "sure_rows": need.sure_rows},
            "candidates": [_row(each) for each in self.predictions],
            "explanation": self.explain(),
        }

    def __repr__(self) -> str:
        if math.isnan(self.gain):
            return f"Advice({self.answer})"
        text = f"{self.answer}: {self.gain:+.3g} for {self.factor:g} times the rows"
        if math.isfinite(self.probability):
            text += f", {self.probability:.0%} for at least {self.min_gain:g}"
        return f"Advice({text})"

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        return describe_html(self)


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _row(each: Prediction) -> dict[str, Any]:
    return {
        "candidate": str(each.candidate),
        "status": each.status,
        "training_rows": each.rows,
        "anchors": each.n_anchors,
        "folds": each.n_folds,
        "score_now": _plain(each.score_now),
        "score_then": _plain(each.score_then),
        "low": _plain(each.low),
        "high": _plain(each.high),
    }
