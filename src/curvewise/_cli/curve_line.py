"""The learning curve of the best, in one line: scores by training rows, and what they took."""

from __future__ import annotations

from typing import Any

from curvewise._selection.search_cv import CurveSearchCV


def curve_facts(search: CurveSearchCV) -> dict[str, Any] | None:
    """Give the curve of the best of a search; None if it was seen at one size only."""
    best = search.results_[search.best_index_]
    curve = best.curve
    if len(curve.anchors) < 2:
        return None
    return {
        "points": [
            {
                "rows": rows,
                "score": float(best.scale.score(curve.mean(rows))),
                "folds": curve.n(rows),
            }
            for rows in curve.anchors
        ],
        "seconds": getattr(search, "curve_seconds_", 0.0),
    }


def curve_line(facts: dict[str, Any]) -> str:
    """Say how the best does with fewer rows."""
    first, *others = facts["points"]
    later = "".join(f", {each['score']:.4f} on {each['rows']:,}" for each in others)
    line = f"Learning curve: {first['score']:.4f} on {first['rows']:,} training rows{later}"
    taken = f"; its fits took {facts['seconds']:.1f} s" if facts["seconds"] else ""
    return line + taken
