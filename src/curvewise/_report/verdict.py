"""The answer, which stands first: the winner, how sure the choice is, and what it cost.

Four kinds: a ``winner`` with all its folds; a ``partial`` result, if only candidates that were
stopped have one; one that is ``leading``, if nothing is decided yet; or ``none``.

How sure the choice is: who came close to the winner, and by how much.

1. Fold i has the same rows for every candidate, so two candidates are compared by their differences
   on the folds that both have at the target. The interval of the mean difference is Student's, 95%.
2. A candidate that a race dropped has a better measure: its chance to win against the leader of
   that moment, which the decision carries. It is close if that was at least 5%.
3. Any other is close if the interval of three differences or more includes 0.
4. What a race gave up by dropping candidates is at most the sum of what each of them was expected
   to gain: the leader of that moment was no better than the winner.
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
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Decision, Prune
from curvewise.core._intervals import Interval, mean_interval
from curvewise.core._kfold_cost import estimate_kfold
from curvewise.core._lead_changes import LeaderChange
from curvewise.core._portfolio import Status
from curvewise.executors import RunStatus

N_RIVALS = 6
LIKELY = 0.05
FEWEST_FOLDS = 3


@dataclass(frozen=True, slots=True)
class Rival:
    """One candidate against the winner."""

    place: int
    difference: float
    interval: Interval
    n_folds: int
    chance: float | None
    close: bool


def answer_of(reading: Reading, changes: Sequence[LeaderChange]) -> dict[str, Any]:
    """Gather the answer."""
    summary, scale = reading.summary, reading.terms.scale
    answer: dict[str, Any] = {"kind": "none", "cost": _cost(reading)}
    if summary.best is not None:
        winner = reading.record_of(summary.best)
    else:
        winner = reading.record_of(changes[-1].candidate) if changes else None
    if winner is None:
        return {**answer, "certainty": _why_none(reading)}
    result, curve = winner.result, winner.curve
    kinds = {Status.COMPLETED: "winner", Status.STOPPED: "partial"}
    loss, interval = result.loss, result.interval
    if not math.isfinite(loss):
        loss, interval = curve.mean(reading.target), curve.interval(reading.target, kind="t")
    low, high = score_interval(interval, scale)
    rivals = [
        rival_of(curve, each, target=reading.target)
        for each in reading.records
        if each is not winner and each.result.status is not Status.FAILED
    ]
    decided = summary.best is not None
    return {
        **answer,
        "kind": kinds.get(result.status, "leading") if decided else "leading",
        "place": winner.place,
        "score": number(scale.score(loss)),
        "low": low,
        "high": high,
        "n_folds": curve.n(reading.target),
        "certainty": _certainty(reading, rivals) if decided else _undecided(reading),
        "rivals": [_shown(rival) for rival in closest(rivals, n=N_RIVALS)],
        "n_close": sum(rival.close for rival in rivals),
        "simplest": simplest_of(reading, winner) if decided else None,
        "taken": taken_of(reading),
        "ensemble": ensemble_of(reading),
        "recipe": _recipe(reading, winner),
    }


def _shown(rival: Rival) -> dict[str, Any]:
    """A rival, with differences in scores: negative is behind the winner."""
    return {
        "place": rival.place,
        "difference": number(-rival.difference),
        "low": number(-rival.interval.high),
        "high": number(-rival.interval.low),
        "n_folds": rival.n_folds,
        "chance": number(rival.chance),
        "close": rival.close,
    }


def _certainty(reading: Reading, rivals: Sequence[Rival]) -> str:
    """Say in a sentence or two how sure the choice is."""
    n = len(rivals)
    if n == 0:
        others = "the only candidate" if len(reading.records) == 1 else "the only one with a result"
        return f"It was {others}: there was nothing to compare it with."
    n_close = sum(rival.close for rival in rivals)
    if not any(rival.n_folds for rival in rivals):
        text = "The choice is clear: all others were behind before they reached all training rows."
    elif n_close == 0:
        text = "The choice is clear: no other candidate comes close on the folds that they share."
    else:
        others = "one other candidate" if n_close == 1 else f"{n_close:,} others"
        text = (
            f"It is a close call: {others} cannot be told apart from it on the folds that they "
            "share, and would do about as well."
        )
    return text + _dropped(reading, rivals)


def _dropped(reading: Reading, rivals: Sequence[Rival]) -> str:
    """Say what may have been lost by dropping candidates early, by the race's own estimate."""
    chances = [rival.chance for rival in rivals if rival.chance is not None]
    if not chances:
        return ""
    one = len(chances) == 1
    who = "candidate that was" if one else f"{len(chances):,} candidates that were"
    each, them = ("", "it") if one else (" each", "them")
    most = f"{100 * max(chances):.2g}%{each}"
    text = f" The {who} dropped early had a chance of at most {most} to win"
    lost = given_up(record.last for record in reading.records)
    if lost is not None:
        text += f", and dropping {them} gave up at most {lost:.2g} of score in expectation"
    return f"{text}."


def _undecided(reading: Reading) -> str:
    if reading.summary.status is RunStatus.RUNNING:
        return "Nothing is decided yet: this is who leads so far."
    return "The run ended before any candidate had all of its folds: this is who led."


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
    estimate = estimate_kfold(
        begun,
        target=reading.target,
        n_folds=reading.terms.n_folds,
        limit=float(limit) if isinstance(limit, int | float) and limit > 0 else None,
    )
    seconds = math.fsum(outcome.seconds for outcome in reading.outcomes)
    curves = curve_seconds(reading)
    taken = {"seconds": number(seconds)} | ({"curves": number(curves)} if curves else {})
    if estimate is None:
        return {**taken, "kfold": None, "share": None}
    over = all(record.result.status is not Status.RUNNING for record in reading.records)
    return {
        **taken,
        "kfold": {**asdict(estimate), "seconds": number(estimate.seconds)},
        "share": number((seconds - curves) / estimate.seconds) if over else None,
    }


def rival_of(winner: LearningCurve, record: CandidateRecord, *, target: int) -> Rival:
    """Compare a candidate with the winner."""
    curve, last = record.curve, record.last
    pairs = ((winner.at(target, fold), curve.at(target, fold)) for fold in curve.folds(target))
    differences = [its.loss - best.loss for best, its in pairs if best and its]
    n = len(differences)
    difference = math.fsum(differences) / n if n else math.nan
    interval = mean_interval(differences, kind="t")
    chance = last.chance if isinstance(last, Prune) else None
    overlaps = n >= FEWEST_FOLDS and interval.low <= 0
    close = overlaps if chance is None else chance >= LIKELY
    return Rival(record.place, difference, interval, n, chance, close)


def closest(rivals: Iterable[Rival], *, n: int) -> list[Rival]:
    """Choose the rivals to show: those that are close, then those with the smallest difference."""
    known = [rival for rival in rivals if not math.isnan(rival.difference)]
    # Among the close ones, those that were compared on more folds are the better founded.
    known.sort(key=lambda each: (not each.close, -each.n_folds * each.close, each.difference))
    return known[:n]


def given_up(decisions: Iterable[Decision | None]) -> float | None:
    """Bound what dropping candidates has cost in expected loss; None if no race dropped any."""
    gains = [each.gain for each in decisions if isinstance(each, Prune) and each.gain is not None]
    return math.fsum(gains) if gains else None
