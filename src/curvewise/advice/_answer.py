"""The advice itself: an answer with everything that it rests on, and its words.

In words, the answer comes first, then what it rests on, then what else to do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, NamedTuple

from curvewise._sketch import escape, html_table
from curvewise._webpage import plain
from curvewise.advice._envelope import Basis, Step
from curvewise.advice._evidence import name_of
from curvewise.advice._prediction import Ahead, Prediction
from curvewise.advice._remedies import Need, Remedy, need_for
from curvewise.core._checks import real_number
from curvewise.core._curve import LearningCurve
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate
from curvewise.core._scale import Scale

Answer = Literal["yes", "no", "cannot tell"]
N_PLACES = 33
N_SHOWN = 10
# How many times the rows it was tried out for.
TRIED = 8
# What JSON has by the same names.
AS_THEY_ARE = (
    *("answer", "gain", "probability", "min_gain", "base_rate", "factor", "rows_now", "rows_then"),
    *("score_now", "score_then", "method", "level", "sure"),
)
# The smallest portfolios that were recorded.
RECORDED = 256


class Place(NamedTuple):
    """The best score that is expected at a size, and its interval.

    Parameters
    ----------
    rows
        The training rows.
    score
        What is expected there; greater is better.
    low, high
        Its interval.

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
        """The same advice, with the rows that a wished-for score needs.

        Parameters
        ----------
        score
            The wish, as the scorer gives it: greater is better.
        """
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
        return "\n".join(sentences(self))

    def facts(self) -> dict[str, Any]:
        """All of it as plain values, for JSON; what is not known is None."""
        step, need = self.step, self.need
        facts = {name: getattr(self, name) for name in AS_THEY_ARE}
        facts |= {
            "low": self.interval.low,
            "high": self.interval.high,
            "leader_now": str(self.leader_now),
            "leader_then": str(self.leader_then),
            "last_step": step and {"before": step.before, "after": step.after, "gain": step.fall},
            "rests_on": self.basis.kind,
            "remedies": [asdict(each) for each in self.remedies],
            "need": need and {"score": need.score, "rows": need.rows, "sure_rows": need.sure_rows},
            "candidates": [_row(each) for each in self.predictions],
            "explanation": self.explain(),
        }
        known: dict[str, Any] = plain(facts)
        return known

    def __repr__(self) -> str:
        if math.isnan(self.gain):
            return f"Advice({self.answer})"
        text = f"{self.answer}: {self.gain:+.3g} for {self.factor:g} times the rows"
        if math.isfinite(self.probability):
            text += f", {self.probability:.0%} for at least {self.min_gain:g}"
        return f"Advice({text})"

    def _repr_html_(self) -> str:
        """Show it in a notebook: the sentences, and the candidates in a table."""
        first, *rest = map(escape, sentences(self))
        rows = []
        for each in self.predictions[:N_SHOWN]:
            scores = (each.score_now, each.score_then, each.low, each.high)
            now, then, low, high = (f"{score:.4g}" for score in scores)
            rows.append((each.candidate, now, then, f"{low} to {high}"))
        table = html_table(("candidate", "now", "then", "interval"), rows)
        return f"<div><p><strong>{first}</strong></p><p>{'<br>'.join(rest)}</p>{table}</div>"


def _row(each: Prediction) -> dict[str, Any]:
    return {
        "candidate": str(each.candidate),
        "status": each.status,
        "training_rows": each.rows,
        "anchors": each.n_anchors,
        "folds": each.n_folds,
        **{name: getattr(each, name) for name in ("score_now", "score_then", "low", "high")},
    }


def sentences(advice: Advice) -> list[str]:
    """The sentences of an explanation, the answer first."""
    lines = [headline(advice)]
    if math.isfinite(advice.gain):
        lines.append(_expectation(advice))
    more = (_chances(advice), _last(advice), _leaders(advice), _alone(advice))
    lines += [line for line in more if line]
    lines.append(advice.basis.explain())
    if math.isfinite(advice.gain) and advice.training_rows_then > TRIED * advice.training_rows_now:
        lines.append(_far(advice))
    if advice.need is not None:
        lines.append(advice.need.explain())
    return [*lines, *(remedy.text for remedy in advice.remedies)]


def headline(advice: Advice) -> str:
    """The answer in a sentence."""
    wish = f"improve the best score by {advice.min_gain:.4g} or more"
    rows = f"{_times(advice.factor)} ({advice.rows_then:,} instead of {advice.rows_now:,})"
    if advice.answer == "yes":
        return f"Yes: {rows} should {wish}."
    if advice.factor <= 1:
        there = f"no more than the {advice.rows_now:,} that there are"
        return f"No: {advice.rows_then:,} rows are {there}."
    if advice.answer == "no":
        return f"No: {rows} will hardly {wish}."
    return f"Cannot tell whether {rows} would {wish}."


def _times(factor: float) -> str:
    return "twice the rows" if factor == 2 else f"{factor:.4g} times the rows"


def _expectation(advice: Advice) -> str:
    low, high = advice.score_interval
    now, then = f"{advice.score_now:.4g}", f"{advice.score_then:.4g}"
    text = f"The best score is {now} now. With {advice.rows_then:,} rows {then} is expected"
    if math.isfinite(low) and math.isfinite(high):
        text += f" ({advice.level:.0%} interval {low:.4g} to {high:.4g})"
    return f"{text}: {_signed(advice.gain)}."


def _signed(gain: float) -> str:
    return f"{gain:+.3g}" if gain else "no change"


def _chances(advice: Advice) -> str:
    """The probability, beside what it is to be judged against."""
    if math.isnan(advice.probability) or advice.factor <= 1:
        return ""
    wish = f"gaining at least {advice.min_gain:.4g}"
    text = f"The probability of {wish} is {advice.probability:.0%}"
    # Nothing but doublings was recorded.
    doubled = advice.training_rows_then == 2 * advice.training_rows_now
    if doubled and math.isfinite(advice.base_rate):
        rows = "this size" if advice.training_rows_now >= RECORDED else f"{RECORDED} rows or more"
        text += f"; recorded searches of {rows} suggest {advice.base_rate:.0%}"
    return f"{text}."


def _last(advice: Advice) -> str:
    step = advice.step
    if step is None:
        return ""
    way = f"from {step.before:,} to {step.after:,} training rows"
    return f"The last step, {way}, brought {_signed(step.fall)}."


def _far(advice: Advice) -> str:
    times = advice.training_rows_then / advice.training_rows_now
    return (
        f"This is {times:,.4g} times the training rows that were measured, and predictions were "
        f"tested for up to {TRIED} times: take it as a guess."
    )


def _leaders(advice: Advice) -> str:
    now, then = name_of(advice.leader_now), name_of(advice.leader_then)
    if advice.leader_now == advice.leader_then:
        alone = len(advice.predictions) == 1
        return "" if alone else f"{now} is the best now, and is expected to stay the best."
    return f"{now} is the best now; with so many rows {then} is expected to be the best."


def _alone(advice: Advice) -> str:
    """Why the best score then is not that of the candidate that is expected to have it."""
    own = next(each for each in advice.predictions if each.candidate == advice.leader_then)
    alone = f"{own.score_then:.4g}"
    known = math.isfinite(advice.gain) and math.isfinite(own.score_then)
    if not known or advice.factor <= 1 or alone == f"{advice.score_then:.4g}":
        return ""
    return (
        f"{name_of(own.candidate)} by itself is expected to reach {alone}: the curve of a single "
        "candidate continues less steadily than that of the best of all."
    )
