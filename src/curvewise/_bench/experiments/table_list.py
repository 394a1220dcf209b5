"""Which tables an experiment has: per data set as in the paper's supplement, and each comparison.

A table is a list of records, and for each of its columns a heading and how a record is shown below
it: another column is another line of its function, and another table a function that `tables_of`
calls. The pages in Markdown and HTML and the written files follow from that list. A cell that
failed or is not done yet is in no mean. Wherever that is so, the mean has a mark and says over
how many cells it is, and the last table names the cells and the reasons.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise._bench.experiments.convexity_study import (
    COMPETITIVE,
    N_ERRORS,
    Shape,
    by_learner,
    measured_curves,
    shapes_of,
)
from curvewise._bench.experiments.grid import (
    MARK,
    Columns,
    Grid,
    figure,
    figure_in,
    n_of,
    percent,
    percent_in,
)
from curvewise._bench.experiments.method_comparison import (
    TOLERANCES,
    MethodComparison,
    comparisons,
    means,
    open_cells,
)
from curvewise._bench.experiments.results import STATUSES, Results
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    import pandas as pd

INCOMPLETE = (
    f"{MARK} cells that failed or are not done are not in this mean; the table of missing cells "
    "names them."
)
# Heading and digits by measure.
COSTS = {
    "cpu_seconds": ("CPU, s", 1),
    "wall_seconds": ("wall, s", 1),
    "fits": ("fits", 0),
    "rows": ("training rows", 0),
    "peak_mb": ("peak memory, MB", 0),
}
MOST_MISSING = 200
MOST_BENT = 30
# More methods than this stand below each other, not beside each other.
MOST_BESIDE = 4


def tables_of(results: Results) -> list[Grid]:
    """Make all tables of an experiment."""
    if results.plan.kind == "curves":
        shapes = shapes_of(measured_curves(results))
        grids = shape_grids(shapes, results.plan.name) if shapes else []
        return [*grids, missing_grid(results)]
    found = comparisons(results)
    grids = [dataset_grid(results)]
    if found:
        grids.append(comparison_grid(results, found))
    grids.append(cost_grid(results) if results.plan.kind == "peers" else ending_grid(results))
    return [*grids, missing_grid(results)]


def write_tables(results: Results, folder: Path) -> list[Path]:
    """Write all tables into a folder, as Markdown, LaTeX and CSV."""
    folder.mkdir(parents=True, exist_ok=True)
    return [file for grid in tables_of(results) for file in grid.write(folder)]


def dataset_grid(results: Results) -> Grid:
    """Mean and standard deviation of error and run time, by data set and method."""
    plan = results.plan
    n_rows = results.frame.groupby("dataset").n_rows.first().dropna().astype(int).to_dict()
    error, seconds = (means(results, key).to_dict("index") for key in ("error", "seconds"))
    records = [
        {
            "dataset": dataset,
            "n_rows": n_rows.get(dataset),
            "method": method.name,
            **_mean("error", error[dataset, method.name]),
            **_mean("seconds", seconds[dataset, method.name]),
            "n_cells": seconds[dataset, method.name]["n"],
            "n_cells_planned": seconds[dataset, method.name]["n_all"],
        }
        for dataset in plan.datasets
        for method in plan.methods
    ]
    columns: Columns = {
        "data set": itemgetter("dataset"),
        "rows": figure_in("n_rows", 0),
        "method": itemgetter("method"),
        "error": lambda record: _shown(error[record["dataset"], record["method"]], 4),
        "seconds": lambda record: _shown(seconds[record["dataset"], record["method"]], 1),
    }
    title = f"{plan.title}: error rates and run times (s) by data set"
    grid = Grid.of(f"{plan.name}-datasets", title, columns, records)
    if len(plan.methods) <= MOST_BESIDE:
        grid = _beside(grid, len(plan.methods))
    incomplete = any(each["n"] < each["n_all"] for each in (*error.values(), *seconds.values()))
    return replace(grid, notes=[INCOMPLETE] if incomplete else [])


def _mean(name: str, mean: dict[str, Any]) -> dict[str, Any]:
    return {f"{name}_mean": mean["mean"], f"{name}_std": mean["spread"]}


def _shown(mean: dict[str, Any], digits: int) -> str:
    """Write a mean with its deviation; a mark says that cells are missing from it."""
    text = figure(mean["mean"], digits) or "none"
    if not math.isnan(mean["spread"]):
        text += f"±{figure(mean['spread'], digits)}"
    return text if mean["n"] == mean["n_all"] else f"{text} ({mean['n']} of {mean['n_all']}){MARK}"


def _beside(grid: Grid, n_methods: int) -> Grid:
    """Put the rows of a data set into one, method beside method."""
    blocks = [grid.rows[i : i + n_methods] for i in range(0, len(grid.rows), n_methods)]
    names = [row[2] for row in blocks[0]]
    headings = [f"{name}: {what}" for name in names for what in grid.headings[3:]]
    rows = [[*block[0][:2], *(text for row in block for text in row[3:])] for block in blocks]
    return replace(grid, headings=[*grid.headings[:2], *headings], rows=rows)


def comparison_grid(results: Results, found: list[MethodComparison]) -> Grid:
    """Each method against its reference."""
    columns: Columns = {
        "method": itemgetter("method"),
        "against": itemgetter("against"),
        "time": figure_in("ratio_mean", 3),
        "rows": figure_in("ratio_rows", 3),
        "totals": figure_in("ratio_total", 3),
        "worst": figure_in("ratio_worst", 3),
        "worst on": lambda record: record["worst_dataset"] or "",
        **{f"{limit:g}".removeprefix("0"): percent_in(f"within_{limit:g}") for limit in TOLERANCES},
        "gap": figure_in("gap_mean", 4, sign=True),
        "worst gap": figure_in("gap_worst", 4, sign=True),
        "pairs": lambda record: n_of(record["n_pairs"], record["n_pairs"] + record["n_missing"]),
    }
    notes = [
        "Time: run time as a ratio to the reference's, mean over data sets; rows: the same of the "
        "rows that were trained on, which other work on the machine does not change; totals: all "
        "seconds over all seconds; worst: the largest ratio of a data set. .001 to .015: % of "
        "pairs (data set and seed) whose choice is at most that much worse in error. Gap: the "
        "error of the choice less the reference's, mean and largest."
    ]
    if any(each.n_missing for each in found):
        notes.append(INCOMPLETE)
    title = f"{results.plan.title}: each method against its reference"
    records = [_comparison(each) for each in found]
    return Grid.of(f"{results.plan.name}-comparison", title, columns, records, notes)


def _comparison(each: MethodComparison) -> dict[str, Any]:
    dataset, ratio = each.worst or (None, None)
    return {
        "method": each.method,
        "against": each.reference,
        "ratio_mean": each.mean_ratio,
        "ratio_rows": each.rows_ratio,
        "ratio_total": each.total_ratio,
        "ratio_worst": ratio,
        "worst_dataset": dataset,
        **{f"within_{limit:g}": each.within(limit) for limit in TOLERANCES},
        "gap_mean": each.mean_gap,
        "gap_worst": each.worst_gap,
        "n_datasets": len(each.datasets),
        "n_pairs": len(each.pairs),
        "n_missing": each.n_missing,
    }


def cost_grid(results: Results) -> Grid:
    """What each tool took, summed over its cells."""
    groups = results.frame.groupby("method", sort=False)
    numbers = groups[list(COSTS)].sum(min_count=1)
    numbers["peak_mb"] = groups.peak_mb.max()
    numbers["error"] = groups.error.mean()
    columns: Columns = {
        "method": itemgetter("method"),
        **{heading: figure_in(key, digits) for key, (heading, digits) in COSTS.items()},
        "mean error": figure_in("error", 4),
        "cells": _cells,
    }
    notes = [
        "Sums over data sets and seeds; peak memory is the largest. Sums over different numbers of "
        "cells cannot be compared: the table of comparisons has pairs."
    ]
    title = f"{results.plan.title}: what each took"
    records = _with_cells(numbers, results)
    return Grid.of(f"{results.plan.name}-costs", title, columns, records, notes)


def _with_cells(numbers: pd.DataFrame, results: Results) -> list[dict[str, Any]]:
    """Give figures by method as records, with how many cells are done and planned."""
    groups = results.frame.groupby("method", sort=False)
    counted = numbers.assign(n_cells=groups.done.sum(), n_planned=groups.size())
    return counted.reset_index().to_dict("records")


def _cells(record: Any) -> str:
    return n_of(record["n_cells"], record["n_planned"])


def ending_grid(results: Results) -> Grid:
    """How the candidates of each method ended, and what those took that ran out of time."""
    groups = results.frame.groupby("method", sort=False)
    sums = groups.sum(numeric_only=True)
    counts = sums[[f"n_{status}" for status in STATUSES]]
    numbers = counts.div(counts.sum(axis="columns"), axis="index")
    numbers.columns = [f"share_{status}" for status in STATUSES]
    numbers["stopped_time_share"] = groups.stopped_seconds.sum(min_count=1) / sums.seconds
    numbers["n_partial_choices"] = sums.partial.astype(int)
    numbers["n_failed_splits"] = sums.quality_n_failed.astype(int)
    columns: Columns = {
        "method": itemgetter("method"),
        **{f"{status}, %": percent_in(f"share_{status}") for status in STATUSES},
        "time of the stopped, %": percent_in("stopped_time_share"),
        "partial choices": lambda record: str(record["n_partial_choices"]),
        "failed splits": lambda record: str(record["n_failed_splits"]),
        "cells": _cells,
    }
    notes = [
        "Stopped: a candidate ran out of its time, or was foreseen to. A partial choice is a "
        "candidate that was stopped: nobody finished, or partial results compete. Failed splits: "
        "of those that measure the quality of choices, how many are missing from the errors."
    ]
    title = f"{results.plan.title}: how candidates ended"
    records = _with_cells(numbers, results)
    return Grid.of(f"{results.plan.name}-endings", title, columns, records, notes)


def missing_grid(results: Results) -> Grid:
    """Cells that are in no mean, with the reason; those that differ in the seed share a row."""
    records: list[dict[str, Any]] = [
        {
            "dataset": cell.dataset,
            "method": cell.method,
            "seed": cell.seed,
            "state": cell.state.value,
            "reason": cell.headline,
        }
        for cell in open_cells(results)
    ]
    seeds: dict[tuple[str, ...], list[str]] = {}
    for record in records:
        alike = (record["dataset"], record["method"], record["state"], record["reason"][:120])
        seeds.setdefault(alike, []).append(str(record["seed"]))
    rows = [
        [dataset, method, ", ".join(own), state, reason]
        for (dataset, method, state, reason), own in seeds.items()
    ]
    notes = [] if records else ["Every cell has a result."]
    if len(rows) > MOST_MISSING:
        notes.append(f"{len(rows) - MOST_MISSING} more lines are in the CSV, a line per seed.")
    headings = ["data set", "method", "seeds", "state", "reason"]
    title = f"{results.plan.title}: missing cells"
    name = f"{results.plan.name}-missing"
    return Grid(name, title, headings, rows[:MOST_MISSING], records, notes)


def shape_grids(shapes: Sequence[Shape], name: str) -> list[Grid]:
    """Make tables: by learner and in all, and the curves that are not convex."""
    if not shapes:
        raise InvalidParameterError("There is no curve with three points or more.")
    bent = sorted((shape for shape in shapes if shape.anchor is not None), key=lambda s: -s.excess)
    return [
        learner_grid(by_learner(shapes), name),
        bent_grid(bent, name, "Curves that are not convex"),
    ]


def learner_grid(records: Sequence[Mapping[str, Any]], name: str) -> Grid:
    """How many curves of each learner are convex."""
    columns: Columns = {
        "learner": itemgetter("learner"),
        "curves": lambda record: str(record["n_curves"]),
        "convex": lambda record: percent(record["convex_0"]) + "%",
        "within .001": lambda record: percent(record["convex_0.001"]) + "%",
        "within .01": lambda record: percent(record["convex_0.01"]) + "%",
        "points": lambda record: percent(record["points_convex"]) + "%",
        "median excess": figure_in("excess_median", 4),
        "worst excess": figure_in("excess_worst", 4),
        "competitive": lambda record: str(record["n_competitive"]),
        "beyond noise": lambda record: percent(record["beyond_noise"]) + "%",
        "and competitive": lambda record: str(record["n_beyond_and_competitive"]),
    }
    notes = [
        "Convex: at every observed anchor. Within: no point lies more than that above the line "
        "between its neighbours. Points: the share of inner points that do not lie above it. "
        "Median excess: of the curves that are not convex. Competitive: curves that are not convex "
        f"by more than .01 and end within {COMPETITIVE:g} of the best learner. Beyond noise: "
        f"curves with a point more than .01 and more than {N_ERRORS} standard errors above that "
        "line. The paper found 92% of its curves convex at every point, and none of the others "
        "competitive."
    ]
    return Grid.of(f"{name}-shapes", "Convexity of learning curves", columns, records, notes)


def bent_grid(bent: Sequence[Shape], name: str, title: str) -> Grid:
    """List curves that are not convex, the worst first."""
    keys = ("dataset", "learner", "anchor", "excess", "behind")
    records = [{key: getattr(shape, key) for key in keys} for shape in bent]
    columns: Columns = {
        "data set": itemgetter("dataset"),
        "learner": itemgetter("learner"),
        "worst at": figure_in("anchor", 0),
        "excess": figure_in("excess", 4),
        "ends behind the best by": figure_in("behind", 4),
    }
    grid = Grid.of(f"{name}-bent", title, columns, records)
    if len(bent) <= MOST_BENT:
        return grid
    note = f"The worst {MOST_BENT} of {len(bent)}; the CSV has all."
    return replace(grid, rows=grid.rows[:MOST_BENT], notes=[note])
