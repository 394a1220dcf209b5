"""The candidates as plain facts: what the table, the curves and the hovers show of each.

Everything is a score, greater is better; what is not finite is None.

A store says which algorithm a candidate is (``parameters["algorithm"]``), and runs of ``curvewise
select`` what it is called (``parameters["text"]``). Elsewhere the name is the description or the
key. Where several have the same name, they are shown with their keys, which differ.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from curvewise._report.loaded_run import CandidateRecord, Reading, kind_of
from curvewise.core._decisions import Prune
from curvewise.core._fold_noise import loss_interval
from curvewise.core._intervals import Interval
from curvewise.core._ranks import rank
from curvewise.core._scale import Scale
from curvewise.executors import StoredResult

UNKNOWN = "unknown"


def number(value: float | None) -> float | None:
    """Round a number for the page; None if it is none."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.7g}")


def score_interval(interval: Interval, scale: Scale) -> tuple[float | None, float | None]:
    """Turn an interval of losses into one of scores, which ends at the best possible score."""
    low, high = scale.score(interval.high), scale.score(interval.low)
    if not (math.isfinite(low) and math.isfinite(high)):
        return None, None
    return number(low), number(min(high, scale.best))


def candidates_of(reading: Reading) -> list[dict[str, Any]]:
    """List the candidates, the best first: completed, stopped, running, pruned, failed."""
    partial = reading.terms.partial_results
    ranked = sorted(
        reading.records,
        key=lambda record: rank(record.result, record.curve, partial_results=partial),
    )
    entries = [_entry(record, reading) for record in ranked]
    alike = Counter(entry["name"] for entry in entries)
    for entry in entries:
        # Several pipelines of one make: their keys tell them apart.
        if alike[entry["name"]] > 1 and "key" in entry:
            name, key = entry["name"], entry.pop("key")
            entry["name"] = key if name in key else f"{name} ({key})"
    return entries


def _sentence(record: CandidateRecord, scale: Scale) -> str:
    """Say how a candidate ended, or where it stands."""
    if record.last is None:
        return "has not begun" if not record.result.n_observations else "under way"
    return record.last.explain(scale)


def _entry(record: CandidateRecord, reading: Reading) -> dict[str, Any]:
    scale, target = reading.terms.scale, reading.target
    result, curve = record.result, record.curve
    name, key = name_of(result), str(result.candidate)
    known = math.isfinite(result.loss)
    low, high = score_interval(result.interval, scale) if known else (None, None)
    entry = {
        "place": record.place,
        "name": name,
        "key": None if key == name else key,
        "algorithm": algorithm_of(result),
        "recipe": recipe_of(result),
        "status": result.status.value,
        "score": number(scale.score(result.loss)),
        "low": low,
        "high": high,
        "points": _points(record, scale),
        "folds": [[each.task.fold, number(scale.score(each.loss))] for each in curve.cells(target)],
        "seconds": number(result.seconds),
        "n_fits": result.n_observations + result.n_failures,
        "chance": number(record.last.chance) if isinstance(record.last, Prune) else None,
        "why": _sentence(record, scale),
        "brief": record.last.headline if isinstance(record.last, Prune) else None,
        "steps": [each.explain(scale) for each in record.decisions],
        "failures": _failures(record),
    }
    # The page is small where it can be: what is missing is null in the page's scripts, too.
    return {field: value for field, value in entry.items() if value is not None}


def _points(record: CandidateRecord, scale: Scale) -> list[list[float | int | None]]:
    """Anchor, mean, both ends of its interval and the number of folds, by anchor."""
    curve = record.curve
    return [
        [
            anchor,
            number(scale.score(curve.mean(anchor))),
            *score_interval(loss_interval(curve, anchor, scale), scale),
            curve.n(anchor),
        ]
        for anchor in curve.anchors
    ]


def _failures(record: CandidateRecord) -> Sequence[dict[str, Any]] | None:
    """Each failure; a message that comes again is told once."""
    told: set[str] = set()
    failures = []
    for each in record.failures:
        message = "" if each.message in told else each.message
        told.add(each.message)
        failures.append(
            {
                "kind": kind_of(each),
                "anchor": each.task.anchor,
                "fold": each.task.fold,
                "seconds": number(each.seconds),
                "message": message,
            }
        )
    return failures or None


def name_of(result: StoredResult) -> str:
    """Give the name under which a candidate is shown."""
    text = _text(result.parameters, "text")
    return text or result.description or str(result.candidate) or "(no name)"


def recipe_of(result: StoredResult) -> str | None:
    """Give the estimator as code, None if the store does not say it."""
    return _text(result.parameters, "estimator")


def algorithm_of(result: StoredResult) -> str:
    """Give the algorithm of a candidate, for grouping."""
    return _text(result.parameters, "algorithm") or UNKNOWN


def _text(parameters: Mapping[str, Any] | None, key: str) -> str | None:
    value = None if parameters is None else parameters.get(key)
    return value if isinstance(value, str) and value else None
