"""The candidates as plain facts: what the table, the curves and the hovers show of each.

Everything is a score, greater is better; what is not finite is None.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from curvewise._report.candidate_names import algorithm_of, name_of, recipe_of
from curvewise._report.loaded_run import Reading, Record
from curvewise._report.time_spent import kind_of
from curvewise.core._decisions import Prune
from curvewise.core._intervals import Interval
from curvewise.core._ranks import rank
from curvewise.core._scale import Scale


def number(value: float | None) -> float | None:
    """Round a number for the page; None if it is none.

    Examples
    --------
    >>> number(0.123456789), number(float("nan"))
    (0.1234568, None)
    """
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.7g}")


def score_interval(interval: Interval, scale: Scale) -> tuple[float | None, float | None]:
    """Turn an interval of losses into one of scores, which ends at the best possible score.

    Examples
    --------
    >>> score_interval(Interval(-0.125, 0.25), Scale())
    (0.75, 1.0)
    """
    low, high = scale.score(interval.high), scale.score(interval.low)
    if not (math.isfinite(low) and math.isfinite(high)):
        return None, None
    return number(low), number(min(high, scale.best))


def entries_of(reading: Reading) -> list[dict[str, Any]]:
    """List the candidates, the best first: completed, stopped, running, pruned, failed.

    Examples
    --------
    >>> import tempfile
    >>> from curvewise.core._outcome import Observation, Task
    >>> from curvewise.core._schedule import Schedule
    >>> from curvewise.executors._store import RunStore
    >>> from curvewise._report.loaded_run import read
    >>> with tempfile.TemporaryDirectory() as folder, RunStore.create(f"{folder}/run.db") as store:
    ...     run = store.begin({}, "150x4-9f86", schedule=Schedule((120,)), n_folds=5)
    ...     for name, loss in [("tree", 0.5), ("svc", 0.25)]:
    ...         _ = run.record(Observation(Task(name, 120, 0), loss, seconds=2.0))
    ...     reading = read(run)
    >>> [(entry["name"], entry["points"]) for entry in entries_of(reading)]
    [('svc', [[120, 0.75, None, None, 1]]), ('tree', [[120, 0.5, None, None, 1]])]
    """
    ranked = sorted(reading.records, key=lambda record: rank(record.result, record.curve))
    return [_entry(record, reading) for record in ranked]


def _sentence(record: Record, scale: Scale) -> str:
    """Say how a candidate ended, or where it stands."""
    if record.last is None:
        return "has not begun" if not record.result.n_observations else "under way"
    return record.last.explain(scale)


def _entry(record: Record, reading: Reading) -> dict[str, Any]:
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
        "steps": [each.explain(scale) for each in record.decisions],
        "failures": _failures(record),
    }
    # The page is small where it can be: what is missing is null in the page's scripts, too.
    return {field: value for field, value in entry.items() if value is not None}


def _points(record: Record, scale: Scale) -> list[list[float | int | None]]:
    """Anchor, mean, both ends of its interval and the number of folds, by anchor."""
    curve = record.curve
    return [
        [
            anchor,
            number(scale.score(curve.mean(anchor))),
            *score_interval(curve.interval(anchor, kind="t"), scale),
            curve.n(anchor),
        ]
        for anchor in curve.anchors
    ]


def _failures(record: Record) -> Sequence[dict[str, Any]] | None:
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
