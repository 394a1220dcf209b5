"""The page of experiments: the facts of each, and the script that shows them.

The charts show what the figures show: their points come from the same functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from curvewise._bench.experiments.convexity_study import measured_curves, shapes_of
from curvewise._bench.experiments.figures.canvas import knob_of, n_of, short_names
from curvewise._bench.experiments.figures.scatter import (
    ERROR_TICKS,
    LINEAR_ERROR,
    points_of,
    span_orders,
)
from curvewise._bench.experiments.markdown_page import (
    COST,
    hardware,
    verdicts,
    versions,
)
from curvewise._bench.experiments.method_comparison import (
    MethodComparison,
    comparisons,
    slow_datasets,
)
from curvewise._bench.experiments.paper_figures import paper_grids
from curvewise._bench.experiments.plan_file import reductions
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.table_list import tables_of
from curvewise._webpage import as_json, asset, compose, plain

PACKAGE = "curvewise._bench.experiments.html_page"


def page_of(experiments: Sequence[Results]) -> str:
    """Make the page."""
    facts = [facts_of(results) for results in experiments]
    title = ", ".join(each["name"] for each in facts)
    return compose(PACKAGE, title=title, facts=as_json(facts), script=asset(PACKAGE, "page.js"))


def facts_of(results: Results) -> dict[str, Any]:
    """Gather the facts of an experiment."""
    plan = results.plan
    found = comparisons(results)
    curves = measured_curves(results) if plan.kind == "curves" else []
    grids = [*paper_grids(results, found), *tables_of(results)]
    facts = {
        "name": plan.name,
        "title": plan.title,
        "glance": [(term, text) for term, text in _glance(results) if text],
        "settings": plan.as_json()["settings"],
        "methods": plan.as_json()["methods"],
        "tables": [
            {key: getattr(grid, key) for key in ("title", "headings", "rows", "notes")}
            for grid in grids
        ],
        "names": short_names(dict.fromkeys(cell.dataset for cell in results.cells)),
        "slow": slow_datasets(results) if found else [],
        "comparisons": [_comparison(each) for each in found],
        "errors": {"linear": LINEAR_ERROR, "ticks": ERROR_TICKS},
        "curves": [asdict(shape) for shape in shapes_of(curves)],
        "curves_missing": n_of(len(curves), len(results.cells), "cells"),
    }
    return plain(facts)


def _comparison(each: MethodComparison) -> dict[str, Any]:
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
        "pairs": each.pairs[["dataset", "seed", "gap"]].to_dict("records"),
    }


def _glance(results: Results) -> Iterator[tuple[str, str]]:
    """Say what was run on what, what is missing and what was reduced: terms and sentences."""
    plan, at = results.plan, results.background
    yield "Cells", _cells(results)
    yield "Scale", f"{plan.scale}; {len(plan.datasets)} data sets, {plan.settings.seeds} seeds"
    yield "Not as in the whole suite", "; ".join(reductions(plan))
    yield "Run time", COST.get(plan.kind, "")
    if plan.kind == "peers":
        yield "Verdict", " ".join(filter(None, verdicts(comparisons(results))))
    slow = short_names(slow_datasets(results))
    if slow:
        by = plan.settings.slow_by or "the reference"
        limit = f"at least {plan.settings.slow_seconds:,.0f} s with {by}"
        yield "Slow data sets", f"{', '.join(slow.values())} ({limit}, else the slowest)"
    yield "Begun", str(at.get("begun", ""))[:10]
    yield "Machine", "; then ".join(map(hardware, (at, *at.get("later", ()))))
    yield "Versions", versions(at)
    yield "System", at.get("versions", {}).get("system", "")


def _cells(results: Results) -> str:
    counts = Counter(cell.state.value for cell in results.cells)
    others = ", ".join(f"{n:,} {state}" for state, n in counts.items() if state != "done")
    said = f"{counts['done']:,} of {len(results.cells):,} done"
    return f"{said}; {others}: they are in no mean and no chart" if others else said
