"""A stored run as plain facts: dictionaries, lists, text and numbers, ready to become JSON.

All that the page says is in here, so that it can be tested without a browser. Nothing depends on
the clock or on this machine: the same run gives the same facts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from curvewise._report.candidate_facts import algorithm_of, candidates_of, number
from curvewise._report.loaded_run import Reading, read
from curvewise._report.more_data import advice_of
from curvewise._report.time_spent import where_time_went
from curvewise._report.verdict import answer_of
from curvewise._sketch import lowest_shown
from curvewise._webpage import plain
from curvewise.core._lead_changes import LeaderChange
from curvewise.core._portfolio import Status
from curvewise.executors._store import StoredRun

DEFAULT_TITLE = "Model selection"
# Notes that have a place of their own on the page.
PLACED = ("best_pipeline", "command", "data", "versions")

Facts = dict[str, Any]


def facts_of(run: StoredRun, *, title: str | None = None) -> Facts:
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
        "answer": answer,
        "advice": advice_of(run),
        "candidates": candidates_of(reading),
        "leaders": _leaders(reading, changes),
        "spending": _spending(reading, answer.get("place") if changes else None),
        "data": data,
        "settings": _settings(reading),
        "versions": notes.get("versions"),
        "command": notes.get("command"),
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
    algorithms = {record.candidate: algorithm_of(record.result) for record in reading.records}
    fates = {
        record.candidate: "winner" if record.place == winner else record.result.status.value
        for record in reading.records
    }
    sides = where_time_went(
        reading.outcomes, algorithm_of=algorithms.__getitem__, fate_of=fates.__getitem__
    )
    for side in sides.values():
        for group in side:
            group["seconds"] = number(group["seconds"])
    return sides


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
    return rows + _flat(plain(terms.settings, not_finite=str), "")


def _flat(value: Any, name: str) -> list[list[str]]:
    if isinstance(value, dict):
        dot = "." if name else ""
        return [row for key, item in value.items() for row in _flat(item, f"{name}{dot}{key}")]
    return [[name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]]
