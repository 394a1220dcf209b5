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
