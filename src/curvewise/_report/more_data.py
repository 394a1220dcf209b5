"""What the curves of a run say about more rows, for the report."""

from __future__ import annotations

from typing import Any

from curvewise.advice import advise
from curvewise.advice._answer import sentences
from curvewise.errors import InvalidParameterError
from curvewise.executors._store import StoredRun

# For scores without bounds, a gain that counts is a share of the score itself.
GAIN = 0.005
SHARE = 0.01


def advice_of(run: StoredRun) -> dict[str, Any] | None:
    """Ask whether twice the rows would help; None if there is nothing to go by.

    Examples
    --------
    >>> import tempfile
    >>> from curvewise.core._outcome import Observation, Task
    >>> from curvewise.core._schedule import Schedule
    >>> from curvewise.executors._store import RunStore
    >>> with tempfile.TemporaryDirectory() as folder, RunStore.create(f"{folder}/run.db") as store:
    ...     run = store.begin({}, "1500x4-9f86", schedule=Schedule((600, 1200)), n_folds=1)
    ...     nothing = advice_of(run)
    ...     for rows, loss in ((600, 0.3), (1200, 0.2)):
    ...         _ = run.record(Observation(Task("svc", rows, 0), loss, n_test=300))
    ...     advice = advice_of(run)
    >>> nothing, advice["rows"], [round(point[1], 3) for point in advice["curve"]]
    (None, [1500, 3000], [0.7, 0.8])
    """
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
