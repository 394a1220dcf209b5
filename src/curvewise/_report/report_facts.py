"""A stored run as plain facts: dictionaries, lists, text and numbers, ready to become JSON.

All that the page says is in here, so that it can be tested without a browser. Nothing depends on
the clock or on this machine: the same run gives the same facts.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from curvewise._report.after_search import PLACED as AFTERWARDS
from curvewise._report.after_search import curves_after
from curvewise._report.candidate_facts import algorithm_of, candidates_of, number
from curvewise._report.data_facts import is_profile
from curvewise._report.given_facts import PLACED as GIVEN_NOTES
from curvewise._report.given_facts import baselines_of, clock_of, given_of
from curvewise._report.honest_facts import honest_facts
from curvewise._report.loaded_run import ReadableRun, Reading, kind_of, read
from curvewise._report.model_facts import PLACED as PICTURES
from curvewise._report.model_facts import model_of
from curvewise._report.prediction_facts import prediction_sentences
from curvewise._report.verdict import answer_of
from curvewise._selection.honest_score import NOTE as HONEST
from curvewise._sketch import lowest_shown
from curvewise._webpage import plain
from curvewise.advice import advise
from curvewise.advice._answer import sentences
from curvewise.core._lead_changes import LeaderChange
from curvewise.core._outcome import Outcome
from curvewise.core._portfolio import Status
from curvewise.errors import InvalidParameterError

DEFAULT_TITLE = "Model selection"
# Notes that have a place of their own on the page.
LEFT_OUT = "columns left out"
KNOWN = ("best_pipeline", "calibration", "command", "data", "threshold", "versions")
PLACED = (*KNOWN, LEFT_OUT, HONEST, *AFTERWARDS, *GIVEN_NOTES, *PICTURES)
# For scores without bounds, a gain that counts is a share of the score itself.
GAIN = 0.005
SHARE = 0.01

Facts = dict[str, Any]


def facts_of(run: ReadableRun, *, title: str | None = None) -> Facts:
    """Gather what the report says about a run."""
    reading = read(run)
    changes = reading.leaders
    answer = answer_of(reading, changes)
    notes = {key: plain(value, not_finite=str) for key, value in reading.notes.items()}
    data = notes.get("data")
    return {
        "title": title or _title(reading, data),
        "run": _run(reading),
        "metric": _metric(reading),
        "target": reading.target,
        "anchors": list(reading.terms.schedule.anchors),
        "n_folds": reading.terms.n_folds,
        "floor": _floor(reading),
        "answer": {
            **answer,
            "baselines": baselines_of(reading),
            "honest": honest_facts(reading.notes),
            "predictions": prediction_sentences(reading.notes),
        },
        "advice": _advice(run),
        "curves_after": curves_after(reading),
        "model": model_of(reading),
        "candidates": candidates_of(reading),
        "leaders": _leaders(reading, changes),
        "spending": _spending(reading, answer.get("place") if changes else None),
        "data": data,
        "profiled": is_profile(data),
        "settings": _settings(reading),
        "versions": notes.get("versions"),
        "command": notes.get("command"),
        "left_out": notes.get(LEFT_OUT),
        "notes": {key: value for key, value in notes.items() if key not in PLACED},
    }


def _title(reading: Reading, data: Any) -> str:
    name = data.get("name") if isinstance(data, dict) else None
    return str(name or reading.summary.name or DEFAULT_TITLE)


def _run(reading: Reading) -> Facts:
    summary = reading.summary
    return {
        "id": summary.id,
        "name": summary.name,
        "status": summary.status.value,
        "created": summary.created.isoformat(timespec="seconds"),
        "updated": summary.updated.isoformat(timespec="seconds"),
        "clock": clock_of(reading),
        "given": given_of(reading),
        # A run that a time budget has ended may still say that it is running.
        "over": bool(reading.records)
        and not any(record.result.status is Status.RUNNING for record in reading.records),
        "n_candidates": summary.n_candidates,
        "n_observations": summary.n_observations,
        "n_failures": summary.n_failures,
    }


def _metric(reading: Reading) -> str:
    """The name of the metric that decides; "score" if it is the estimators' own."""
    settings = reading.terms.settings
    said = settings.get("decide_by")
    metrics = settings.get("metrics")
    if not said and isinstance(metrics, list | tuple) and metrics:
        said = metrics[0]
    if not (isinstance(said, str) and said and said != "score"):
        said = given_of(reading).get("metric")
    return said if isinstance(said, str) and said else "score"


def _floor(reading: Reading) -> float | None:
    """Where a picture of all scores ends below: a few that are far off would flatten the rest."""
    scale = reading.terms.scale
    scores = [
        scale.score(record.curve.mean(anchor))
        for record in reading.records
        for anchor in record.curve.anchors
    ]
    if not scores:
        return None
    floor = lowest_shown(scores, bounded=scale.unit is not None)
    return number(floor) if floor > min(scores) else None


def _leaders(reading: Reading, changes: Sequence[LeaderChange]) -> list[list[Any]]:
    """Seconds, number of evaluations, place, score and number of folds, change by change."""
    places = {record.candidate: record.place for record in reading.records}
    return [
        [
            number(each.seconds),
            each.n_fits,
            places[each.candidate],
            number(each.score),
            each.n_folds,
        ]
        for each in changes
    ]


def _spending(reading: Reading, winner: int | None) -> dict[str, list[Facts]]:
    """The seconds of all evaluations from four sides, each of which adds up to the same total."""
    algorithms = {record.candidate: algorithm_of(record.result) for record in reading.records}
    fates = {
        record.candidate: "winner" if record.place == winner else record.result.status.value
        for record in reading.records
    }
    outcomes = reading.outcomes
    sides = {
        "fate": _groups(outcomes, lambda outcome: fates[outcome.task.candidate]),
        "algorithm": _groups(outcomes, lambda outcome: algorithms[outcome.task.candidate]),
        "outcome": _groups(outcomes, kind_of),
    }
    for side in sides.values():
        side.sort(key=lambda group: -group["seconds"])
    anchors = _groups(outcomes, lambda outcome: outcome.task.anchor)
    return {**sides, "anchor": sorted(anchors, key=lambda group: group["name"])}


def _groups(outcomes: Sequence[Outcome], group_of: Callable[[Outcome], Any]) -> list[Facts]:
    members = defaultdict(list)
    for outcome in outcomes:
        members[group_of(outcome)].append(outcome)
    return [
        {
            "name": name,
            "seconds": number(math.fsum(outcome.seconds for outcome in group)),
            "n_fits": len(group),
            "n_candidates": len({outcome.task.candidate for outcome in group}),
        }
        for name, group in members.items()
    ]


def _advice(run: ReadableRun) -> Facts | None:
    """Ask whether twice the rows would help; None if there is nothing to go by."""
    scale = run.terms.scale
    min_gain = GAIN
    if scale.unit is None:
        best = run.summary().best_loss
        min_gain = SHARE * abs(best) or GAIN
        if min_gain != min_gain:
            return None
    try:
        advice = advise(run, min_gain=min_gain)
    except InvalidParameterError:
        return None
    facts = advice.facts()
    curve = advice.curves[advice.leader_now]
    return {
        "answer": facts["answer"],
        "sentences": sentences(advice),
        "rows": [facts["rows_now"], facts["rows_then"]],
        "level": facts["level"],
        "curve": [[rows, scale.score(curve.mean(rows))] for rows in curve.anchors],
        "path": [list(place) for place in advice.path()] if facts["gain"] is not None else [],
    }


def _settings(reading: Reading) -> list[list[str]]:
    """The run's settings, name by name, nested ones with a dot."""
    terms, summary = reading.terms, reading.summary
    rows = [
        ["run", str(summary.id) if summary.name is None else f"{summary.id} ({summary.name})"],
        ["status", summary.status.value],
        ["training rows at the anchors", ", ".join(f"{each:,}" for each in terms.schedule.anchors)],
        ["folds", str(terms.n_folds)],
        ["best possible score", f"{terms.scale.best:g}"],
        ["fingerprint of the data", terms.fingerprint],
    ]
    return rows + _flat(plain(_with_given(reading), not_finite=str), "")


def _with_given(reading: Reading) -> Facts:
    """Give the settings with what the user has set first; other seeds say what they are for."""
    settings = dict(reading.terms.settings)
    given = given_of(reading)
    if given and "seed" in settings:
        settings["seed of the training subsets"] = settings.pop("seed")
    words = {"budget": "budget in seconds", "candidates": "candidates asked for"}
    return {words.get(name, name): value for name, value in given.items()} | settings


def _flat(value: Any, name: str) -> list[list[str]]:
    if isinstance(value, dict):
        dot = "." if name else ""
        return [row for key, item in value.items() for row in _flat(item, f"{name}{dot}{key}")]
    return [[name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]]
