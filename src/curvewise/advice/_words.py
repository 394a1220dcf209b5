"""An advice in words: the answer first, then what it rests on, then what else to do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from curvewise._sketch import escape
from curvewise.advice._evidence import name_of

if TYPE_CHECKING:
    from curvewise.advice._answer import Advice

N_SHOWN = 10
# How many times the rows it was tried out for.
TRIED = 8
# The smallest portfolios that were recorded.
RECORDED = 256


def explain(advice: Advice) -> str:
    """Say an advice in sentences, one per line.

    Examples
    --------
    >>> from curvewise.advice._advise import advise
    >>> from curvewise.core._curve import LearningCurve
    >>> from curvewise.core._outcome import Observation, Task
    >>> cells = [Observation(Task("svc", 900, fold), 0.1, n_test=100) for fold in range(5)]
    >>> print(explain(advise([LearningCurve(cells)], min_gain=0.05)))
    No: ...
    """
    return "\n".join(sentences(advice))


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
    text = f"The best score is {advice.score_now:.4g} now and {advice.score_then:.4g} expected then"
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
        expected = f"{advice.base_rate:.0%} would be expected"
        text += f"; {expected} from recorded portfolios of {rows}"
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
        f"This is {times:,.4g} times the training rows that were seen, and looking ahead was tried "
        f"out for {TRIED} times: take it as a guess."
    )


def _leaders(advice: Advice) -> str:
    now, then = name_of(advice.leader_now), name_of(advice.leader_then)
    if advice.leader_now == advice.leader_then:
        return "" if len(advice.predictions) == 1 else f"{now} leads, and is expected to then."
    return f"{now} leads now, {then} is expected to lead then."


def _alone(advice: Advice) -> str:
    """Why the best score then is not that of the candidate that is expected to have it."""
    own = next(each for each in advice.predictions if each.candidate == advice.leader_then)
    alone = f"{own.score_then:.4g}"
    known = math.isfinite(advice.gain) and math.isfinite(own.score_then)
    if not known or advice.factor <= 1 or alone == f"{advice.score_then:.4g}":
        return ""
    return (
        f"{name_of(own.candidate)} by itself is expected to reach {alone}: "
        "single curves go on less steadily than the best of all."
    )


def describe_html(advice: Advice) -> str:
    """Describe an advice for a notebook: the sentences, and the candidates in a table."""
    first, *rest = (escape(sentence) for sentence in sentences(advice))
    rows = "".join(
        f"<tr><td>{escape(each.candidate)}</td><td>{each.score_now:.4g}</td>"
        f"<td>{each.score_then:.4g}</td><td>{each.low:.4g} to {each.high:.4g}</td></tr>"
        for each in advice.predictions[:N_SHOWN]
    )
    head = "<tr><th>candidate</th><th>now</th><th>then</th><th>interval</th></tr>"
    return (
        f"<div><p><strong>{first}</strong></p><p>{'<br>'.join(rest)}</p>"
        f"<table>{head}{rows}</table></div>"
    )
