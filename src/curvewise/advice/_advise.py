"""Would more data help? From the curves of a search to an answer.

The question is the paper's (Mohr & van Rijn 2023, Sec. V-B): will the best result improve by at
least ``min_gain`` if there are more rows, whoever is the best then? Rules:

1. The answer is *yes* if the probability of that is at least ``sure``, *no* if it is at most
   ``1 - sure``, and *cannot tell* in between. Methods without probabilities compare the expected
   gain with ``min_gain`` and always answer, if they can predict anything.
2. The gain is over the best score that is known now, which is a mean over folds.
3. Rows are those of the data. A fold trains on a part of them, and that part grows with them.
4. Rows that are there already do not help: the answer is no, with a probability of 0.
5. Who was seen on too few folds to lead now is not expected to lead then: it may have been luck.
"""

from __future__ import annotations

import math
from collections.abc import Container

from curvewise.advice._answer import Advice, Answer
from curvewise.advice._envelope import basis_of
from curvewise.advice._evidence import CurveSource, Evidence, contenders, gather
from curvewise.advice._outlook import Outlook
from curvewise.advice._prediction import METHODS, Method, Prediction, look_ahead, predict
from curvewise.advice._remedies import Remedy, remedies_for
from curvewise.advice._trend import base_rate
from curvewise.core._checks import real_number, whole_number
from curvewise.core._outcome import Candidate
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError

DOUBLE = 2.0
SURE = 0.8
# Beyond, a count of rows is no longer exact as a float.
MOST_ROWS = 1e15


def advise(
    source: CurveSource,
    *,
    n_rows: int | None = None,
    factor: float | None = None,
    min_gain: float = 0.005,
    method: Method = "curve",
    target_score: float | None = None,
    level: float = 0.9,
    sure: float = SURE,
    rows_now: int | None = None,
    scale: Scale | None = None,
) -> Advice:
    """Say whether more rows would improve the best result enough.

    Parameters
    ----------
    source
        A fitted `curvewise.CurveSearchCV` or AutoML estimator, what `curvewise.compare` gave, a
        `curvewise.Search`, a stored run, or a list or mapping of results or of learning curves.
        Results of a run without pruning (``LCCV(prune=False, skip=False)``) tell most.
    n_rows
        How many rows the data would have; if they have as many already, the answer is no.
    factor
        The same as a multiple of the present rows; by default 2.
    min_gain
        What more rows have to bring to be worth it, in the unit of the score.
    method
        ``"curve"`` continues the last step of the portfolio's best scores, with a calibrated
        probability; ``"ipl"`` is the paper's: inverse power laws, of which the best counts;
        ``"last"`` expects no change.
    target_score
        A wished-for score: the advice then says how many rows it needs.
    level
        The coverage of intervals.
    sure
        How probable a *yes* has to be, or its opposite a *no*.
    rows_now
        How many rows the data have. By default what the source knows of it: the rows of the
        stored data, or training and test rows of a fold together, or the largest anchor.
    scale
        How losses read as scores. By default as the results say, or the stored run; curves alone
        do not know, and count as rates if all losses are between 0 and 1.

    Returns
    -------
    Advice
        The answer and all that it rests on; ``print(advice.explain())`` says it in sentences.

    Raises
    ------
    InvalidParameterError
        If there is no observation, or the question makes no sense.

    Examples
    --------
    >>> import curvewise as cw
    >>> search = cw.Search(
    ...     ["svc", "forest", "tree"], schedule=4096, policy=cw.LCCV(prune=False, skip=False)
    ... )
    >>> while not search.done:
    ...     for task in search.ask(8):
    ...         floor = {"svc": 0.08, "forest": 0.06, "tree": 0.15}[task.candidate]
    ...         loss = floor + 4 * task.anchor**-0.5 + task.fold / 1000
    ...         _ = search.tell(cw.Observation(task, loss, n_test=2000))
    >>> advice = cw.advise(search, factor=2, min_gain=0.005)
    >>> advice.answer, round(advice.gain, 3), advice.leader_then
    ('yes', 0.017, 'forest')
    """
    _check(level, scale)
    check_question(method=method, min_gain=min_gain, sure=sure, target_score=target_score)
    evidence = gather(source, scale=scale, rows=rows_now)
    factor = _factor(n_rows, factor, evidence)
    advice = _advise(evidence, factor, float(min_gain), method=method, level=level, sure=sure)
    return advice if target_score is None else advice.with_target(target_score)


def _advise(
    evidence: Evidence, factor: float, min_gain: float, *, method: Method, level: float, sure: float
) -> Advice:
    """Answer a question that makes sense."""
    entries, scale = evidence.entries, evidence.scale
    standing, ahead = look_ahead(entries, scale, method)
    # The search may have ended before its target: then there is a way to go to the present rows.
    way = evidence.target / standing.rows * factor
    outlook = ahead.look(way)
    rows = way * standing.rows
    predictions = tuple(
        predict(entry, scale, rows=rows, method=method, level=level) for entry in entries
    )
    answer: Answer = "no"
    probability, usual = 0.0, math.nan
    remedies: tuple[Remedy, ...] = ()
    if factor > 1:
        answer = _answer(outlook, min_gain, sure)
        probability = outlook.probability(min_gain)
        leader = next(each for each in entries if each.candidate == standing.leader)
        remedies = remedies_for(answer, min_gain, standing, outlook, leader, predictions, scale)
        if scale.unit is not None:
            usual = base_rate(min_gain, loss=standing.loss, rows=standing.rows, factor=way)
    return Advice(
        answer=answer,
        gain=outlook.gain,
        interval=outlook.interval(level),
        probability=probability,
        min_gain=min_gain,
        factor=factor,
        rows_now=evidence.rows,
        rows_then=max(round(evidence.rows * factor), 1),
        training_rows_now=standing.rows,
        training_rows_then=max(round(rows), 1),
        score_now=scale.score(standing.loss),
        leader_now=standing.leader,
        leader_then=_leader_then(predictions, standing.leader, contenders(entries)),
        predictions=tuple(sorted(predictions, key=_order)),
        base_rate=usual,
        step=standing.step,
        basis=basis_of(evidence, standing, by_experience=ahead.by_experience),
        remedies=remedies,
        method=method,
        level=level,
        sure=sure,
        scale=scale,
        ahead=ahead,
        curves={entry.candidate: entry.curve for entry in entries},
    )


def check_question(
    *, method: str, min_gain: float, sure: float, target_score: float | None = None
) -> None:
    """Refuse what makes no sense, whatever the curves are: also before there are any."""
    if method not in METHODS:
        raise InvalidParameterError(f"method must be one of {', '.join(METHODS)}, got {method!r}.")
    _between("sure", sure, 0.5)
    real_number("min_gain", min_gain, at_least=0)
    if target_score is not None:
        real_number("target_score", target_score)


def _check(level: float, scale: object) -> None:
    if not (scale is None or isinstance(scale, Scale)):
        raise InvalidParameterError(f"scale must be a Scale, got {scale!r}.")
    _between("level", level, 0.0)


def _between(name: str, value: float, least: float) -> None:
    if not least < real_number(name, value) < 1:
        raise InvalidParameterError(f"{name} must be between {least:g} and 1, got {value}.")


def _factor(n_rows: int | None, factor: float | None, evidence: Evidence) -> float:
    """How many times the present rows are asked for."""
    if n_rows is not None and factor is not None:
        raise InvalidParameterError("Give n_rows or factor, not both.")
    if n_rows is None:
        factor = real_number("factor", DOUBLE if factor is None else factor, above=0)
        then = factor * evidence.rows
    else:
        then = real_number("n_rows", whole_number("n_rows", n_rows, at_least=1))
        factor = then / evidence.rows
    if then > MOST_ROWS:
        raise InvalidParameterError(
            f"There are no {then:.3g} rows: ask about {MOST_ROWS:g} at most."
        )
    return factor


def _answer(outlook: Outlook, min_gain: float, sure: float) -> Answer:
    """Rule 1."""
    probability = outlook.probability(min_gain)
    if math.isnan(outlook.gain):
        return "cannot tell"
    if math.isnan(probability):
        return "yes" if outlook.gain >= min_gain else "no"
    if probability >= sure:
        return "yes"
    return "no" if probability <= 1 - sure else "cannot tell"


def _leader_then(
    predictions: tuple[Prediction, ...], leader: Candidate, able: Container[Candidate]
) -> Candidate:
    """Who is expected to lead at the asked size (rule 5); the present leader if that is unknown."""
    then = {each.candidate: each.score_then for each in predictions if each.candidate in able}
    known = {candidate: score for candidate, score in then.items() if math.isfinite(score)}
    if leader not in known:
        return leader
    best = max(known, key=known.__getitem__)
    return leader if known[leader] == known[best] else best


def _order(prediction: Prediction) -> tuple[float, float]:
    """The best then first, and those of whom nothing can be said last."""
    then = prediction.score_then
    return (-then if math.isfinite(then) else math.inf, -prediction.score_now)
