"""What a page on an experiment shows, as values that JSON can express."""

from __future__ import annotations

import math
from typing import Any

from curvewise.bench.experiments.comparison import comparisons, slow_datasets
from curvewise.bench.experiments.convexity import measured_curves, shapes_of
from curvewise.bench.experiments.results import Results
from curvewise.bench.experiments.tables import tables_of


def facts_of(results: Results) -> dict[str, Any]:
    """Gather the facts of an experiment.

    Parameters
    ----------
    results
        The experiment.
    """
    plan = results.plan
    shapes = shapes_of(measured_curves(results)) if plan.kind == "curves" else []
    return _plain(
        {
            "name": plan.name,
            "title": plan.title,
            "kind": plan.kind,
            "scale": plan.scale,
            "background": dict(results.background),
            "settings": plan.as_json()["settings"],
            "methods": plan.as_json()["methods"],
            "tables": [
                {
                    "title": grid.title,
                    "headings": list(grid.headings),
                    "rows": [list(row) for row in grid.rows],
                    "notes": list(grid.notes),
                }
                for grid in tables_of(results)
            ],
            "slow": slow_datasets(results) if plan.kind != "curves" else [],
            "comparisons": [_comparison(results, each) for each in comparisons(results)],
            "curves": [
                {
                    "dataset": shape.dataset,
                    "learner": shape.learner,
                    "points": [list(point) for point in shape.points],
                    "excess": shape.excess,
                }
                for shape in shapes
            ],
        }
    )


def _comparison(results: Results, each: Any) -> dict[str, Any]:
    pipelines = {
        (cell.method, cell.dataset, cell.seed): (cell.result or {}).get("pipeline", "")
        for cell in results.cells
    }
    return {
        "method": each.method,
        "reference": each.reference,
        "pairs": [
            {
                "dataset": pair.dataset,
                "seed": pair.seed,
                "seconds": pair.seconds,
                "reference_seconds": pair.reference_seconds,
                "gap": pair.gap,
                "chosen": pipelines[each.method, pair.dataset, pair.seed],
                "reference_chosen": pipelines[each.reference, pair.dataset, pair.seed],
            }
            for pair in each.pairs
        ],
    }


def _plain(value: Any) -> Any:
    """Make what JSON cannot express None."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
