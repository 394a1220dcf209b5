"""The answer, which stands first: the winner, how sure the choice is, and what it cost.

Four kinds: a ``winner`` with all its folds; a ``partial`` result, if only candidates that were
stopped have one; one that is ``leading``, if nothing is decided yet; or ``none``.

How sure the choice is: `curvewise.core._certainty` has the words and their rules. What a race gave
up by dropping candidates is at most the sum of what each of them was expected to gain: the leader
of that moment was no better than the winner.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from curvewise._report.after_search import curve_seconds, ensemble_of, taken_of
from curvewise._report.candidate_facts import number, recipe_of, score_interval
from curvewise._report.loaded_run import CandidateRecord, Reading, kind_of
from curvewise._report.simplest_choice import simplest_of
from curvewise.core._certainty import is_close, judge
from curvewise.core._checks import finite_or_none
from curvewise.core._decisions import Decision, Prune
from curvewise.core._difference import Difference, difference_of
from curvewise.core._fold_noise import loss_interval
from curvewise.core._kfold_cost import estimate_kfold
from curvewise.core._lead_changes import LeaderChange
from curvewise.core._portfolio import Status
from curvewise.executors import RunStatus

N_RIVALS = 6
ENDS = {
    RunStatus.OUT_OF_TIME: "The budget of time ended the search. ",
    RunStatus.INTERRUPTED: "The search was interrupted. ",
}


@dataclass(frozen=True, slots=True)
class Rival:
    """One candidate against the winner; no difference if they were never on the same rows."""

    place: int
    difference: Difference | None

    @property
    def close(self) -> bool:
        """Whether it cannot be told apart from the winner."""
        return self.difference is not None and is_close(self.difference)


def answer_of(reading: Reading, changes: Sequence[LeaderChange]) -> dict[str, Any]:
    """Gather the answer."""
    summary, scale = reading.summary, reading.terms.scale
    answer: dict[str, Any] = {"kind": "none", "cost": _cost(reading)}
    decided = _is_decided(reading, changes)
    if decided:
        winner = reading.record_of(summary.best)
    else:
        winner = reading.record_of(changes[-1].candidate) if changes else None
    if winner is None:
        return {**answer, "certainty": _why_none(reading)}
    result, curve = winner.result, winner.curve
    kinds = {Status.COMPLETED: "winner", Status.STOPPED: "partial"}
    loss, interval = result.loss, result.interval
    if not math.isfinite(loss):
        loss = curve.mean(reading.target)
        interval = loss_interval(curve, reading.target, scale)
    low, high = score_interval(interval, scale)
    rivals = [
        Rival(each.place, difference_of(each.curve, curve, target=reading.target, scale=scale))
        for each in reading.records
        if each is not winner and each.result.status is not Status.FAILED and len(each.curve)
    ]
    rows = reading.target if curve.n(reading.target) else max(curve.anchors, default=0)
    return {
        **answer,
        "kind": kinds.get(result.status, "leading") if decided else "leading",
        "place": winner.place,
        "score": number(scale.score(loss)),
        "low": low,
        "high": high,
        "n_folds": curve.n(rows),
        "rows": None if rows == reading.target else rows,
        "certainty": _certainty(reading, winner, rivals) if decided else _undecided(reading),
        "rivals": [_shown(rival, reading.target) for rival in closest(rivals, n=N_RIVALS)],
        "n_close": sum(rival.close for rival in rivals),
        "simplest": simplest_of(reading, winner) if decided else None,
        "taken": taken_of(reading),
        "ensemble": ensemble_of(reading),
        "recipe": _recipe(reading, winner),
    }


def _is_decided(reading: Reading, changes: Sequence[LeaderChange]) -> bool:
    """Whether there is a best; while others race, who was merely stopped is not."""
    best = reading.record_of(reading.summary.best)
    if best is None or best.status is Status.COMPLETED:
        return best is not None
    return _over(reading) or not changes


def _shown(rival: Rival, target: int) -> dict[str, Any]:
    """A rival, with differences in scores: negative is behind the winner."""
    difference: Any = rival.difference
    interval = difference.interval()
    return {
        "place": rival.place,
        "difference": number(-difference.mean),
        "low": number(-interval.high),
        "high": number(-interval.low),
        "n_folds": difference.n_folds,
        "anchor": None if difference.anchor == target else difference.anchor,
        "chance": number(difference.chance),
        "close": rival.close,
    }


def _certainty(reading: Reading, winner: CandidateRecord, rivals: Sequence[Rival]) -> str:
    """Say in a sentence or two how sure the choice is."""
    judged = judge(winner.curve.n(reading.target), [each.difference for each in rivals])
    text = f"{judged.sentence}{_given_up(reading)}"
    if reading.summary.status is RunStatus.RUNNING and not _over(reading):
        return f"The search goes on: this is the best so far. {text}"
    return f"{ENDS.get(reading.summary.status, '')}{text}"


def _given_up(reading: Reading) -> str:
    """Say what may have been lost by dropping candidates early, by the race's own estimate."""
    lost = given_up(record.last for record in reading.records)
    if lost is None:
        return ""
    return f" Dropping candidates early gave up at most {lost:.2g} of score in expectation."


def _undecided(reading: Reading) -> str:
    status = reading.summary.status
    if status is RunStatus.RUNNING and not _over(reading):
        return "Nothing is decided yet: this candidate leads so far."
    ended = ENDS.get(status, "")
    return f"{ended}It ended before any candidate had all of its folds: this one led."


def _over(reading: Reading) -> bool:
    """Whether nobody is under way: a run that was killed still says that it is running."""
    return all(record.result.status is not Status.RUNNING for record in reading.records)


def _why_none(reading: Reading) -> str:
    """Say why there is no winner."""
    summary = reading.summary
    if not reading.records:
        return "No candidate has come yet."
    if not reading.outcomes:
        return "No candidate has been evaluated yet."
    kinds = Counter(kind_of(each) for record in reading.records for each in record.failures)
    reason = f" The most frequent failure is “{kinds.most_common(1)[0][0]}”." if kinds else ""
    if summary.n_failed == summary.n_candidates:
        return f"Every candidate failed.{reason}"
    if summary.status is RunStatus.FINISHED:
        return f"Every candidate ended without a result.{reason}"
    return f"No candidate has been evaluated on all training rows yet.{reason}"


def _recipe(reading: Reading, winner: CandidateRecord) -> str | None:
    """The winner as code: as noted by whoever ran the search, else as the store has it."""
    noted = reading.notes.get("best_pipeline")
    if isinstance(noted, str) and noted:
        return noted
    return recipe_of(winner.result)


def _cost(reading: Reading) -> dict[str, Any]:
    """What the search took, and what k-fold would have for the candidates that have begun.

    ``share`` compares both; while candidates are under way, there is nothing to compare yet. Of
    ``seconds``, those for learning curves after the search are ``curves``; k-fold has none.
    """
    begun = [
        (record.curve, record.failures)
        for record in reading.records
        if len(record.curve) or record.failures
    ]
    limits = reading.notes.get("limits")
    limit = limits.get("seconds per candidate") if isinstance(limits, Mapping) else None
    limit = finite_or_none(limit) or 0.0
    estimate = estimate_kfold(
        begun,
        target=reading.target,
        n_folds=reading.terms.n_folds,
        limit=limit if limit > 0 else None,
    )
    seconds = math.fsum(outcome.seconds for outcome in reading.outcomes)
    curves = curve_seconds(reading)
    taken = {"seconds": number(seconds)} | ({"curves": number(curves)} if curves else {})
    if estimate is None:
        return {**taken, "kfold": None, "share": None}
    return {
        **taken,
        "kfold": {**asdict(estimate), "seconds": number(estimate.seconds)},
        "share": number((seconds - curves) / estimate.seconds) if _over(reading) else None,
    }


def closest(rivals: Iterable[Rival], *, n: int) -> list[Rival]:
    """Choose the rivals to show: those with the largest chance, then the smallest difference."""

    def order(rival: Rival) -> tuple[Any, ...]:
        difference: Any = rival.difference
        chance = difference.chance
        return not rival.close, 0.0 if chance is None else -chance, difference.mean

    return sorted((each for each in rivals if each.difference is not None), key=order)[:n]


def given_up(decisions: Iterable[Decision | None]) -> float | None:
    """Bound what dropping candidates has cost in expected loss; None if no race dropped any."""
    gains = [each.gain for each in decisions if isinstance(each, Prune) and each.gain is not None]
    return math.fsum(gains) if gains else None
