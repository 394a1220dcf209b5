"""What a page on an experiment shows, as values that JSON can express.

The charts show what the figures show: their points come from the same functions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from curvewise._bench.experiments.convexity_study import measured_curves, shapes_of
from curvewise._bench.experiments.figures.figure_words import knob_of, n_of, short_names
from curvewise._bench.experiments.figures.scatter_points import (
    ERROR_TICKS,
    LINEAR_ERROR,
    points_of,
    span_orders,
)
from curvewise._bench.experiments.grid import Grid
from curvewise._bench.experiments.method_comparison import Comparison, comparisons, slow_datasets
from curvewise._bench.experiments.page.glance import glance
from curvewise._bench.experiments.result_tables import tables_of
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.results_page import paper_grid

PAPERS = ("paper-80", "paper-90")


def facts_of(results: Results) -> dict[str, Any]:
    """Gather the facts of an experiment."""
    plan = results.plan
    found = comparisons(results)
    curves = measured_curves(results) if plan.kind == "curves" else []
    return _plain(
        {
            "name": plan.name,
            "title": plan.title,
            "glance": glance(results),
            "settings": plan.as_json()["settings"],
            "methods": plan.as_json()["methods"],
            "tables": [_table(grid) for grid in _grids(results, found)],
            "names": short_names(dict.fromkeys(cell.dataset for cell in results.cells)),
            "slow": slow_datasets(results) if found else [],
            "comparisons": [_comparison(each) for each in found],
            "errors": {"linear": LINEAR_ERROR, "ticks": ERROR_TICKS},
            "curves": [asdict(shape) for shape in shapes_of(curves)],
            "curves_missing": n_of(len(curves), len(results.cells), "cells"),
        }
    )


def _grids(results: Results, found: Sequence[Comparison]) -> list[Grid]:
    beside = results.plan.name in PAPERS and any(each.pairs for each in found)
    return [*([paper_grid(results, found)] if beside else []), *tables_of(results)]


def _table(grid: Grid) -> dict[str, Any]:
    return {
        "title": grid.title,
        "headings": grid.headings,
        "rows": grid.rows,
        "notes": grid.notes,
    }


def _comparison(each: Comparison) -> dict[str, Any]:
    points = points_of(each)
    knob, value = knob_of(each.method)
    return {
        "method": each.method,
        "reference": each.reference,
        "knob": knob,
        "value": value,
        "ratio": each.mean_ratio,
        "gap": each.mean_gap,
        "missing": each.missing,
        "points": [{**asdict(point), "ratio": point.ratio} for point in points],
        "wide": bool(points) and span_orders(points),
        "pairs": [
            {"dataset": pair.dataset, "seed": pair.seed, "gap": pair.gap} for pair in each.pairs
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
