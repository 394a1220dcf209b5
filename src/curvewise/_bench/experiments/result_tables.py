"""The tables of an experiment: per data set as in the paper's supplement, and each comparison.

A cell that failed or is not done yet is in no mean. Wherever that is so, the mean has a mark and
says over how many cells it is, and the last table names the cells and the reasons.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

from curvewise._bench.experiments.convexity_study import convexity_grids
from curvewise._bench.experiments.grid import MARK, Grid, shown
from curvewise._bench.experiments.ledger import Cell
from curvewise._bench.experiments.method_comparison import (
    TOLERANCES,
    Comparison,
    comparisons,
    measure,
    open_cells,
)
from curvewise._bench.experiments.results import Results

INCOMPLETE = (
    f"{MARK} cells that failed or are not done are not in this mean; the table of missing cells "
    "names them."
)
# Digits and unit by measure, for readers.
COSTS = {
    "cpu_seconds": ("CPU, s", 1),
    "wall_seconds": ("wall, s", 1),
    "fits": ("fits", 0),
    "rows": ("training rows", 0),
    "peak_mb": ("peak memory, MB", 0),
}
STATUSES = ("completed", "pruned", "stopped", "failed")
MOST_MISSING = 200
# More methods than this stand below each other, not beside each other.
MOST_BESIDE = 4


def tables_of(results: Results) -> list[Grid]:
    """Make all tables of an experiment."""
    grids = []
    if results.plan.kind == "curves":
        grids += convexity_grids(results)
    else:
        grids.append(dataset_grid(results))
        found = comparisons(results)
        if found:
            grids.append(comparison_grid(results, found))
        if results.plan.kind == "peers":
            grids.append(cost_grid(results))
        else:
            grids.append(ending_grid(results))
    return [*grids, missing_grid(results)]


def write_tables(results: Results, folder: Path) -> list[Path]:
    """Write all tables into a folder, as Markdown, LaTeX and CSV."""
    folder.mkdir(parents=True, exist_ok=True)
    return [file for grid in tables_of(results) for file in grid.write(folder)]


def dataset_grid(results: Results) -> Grid:
    """Mean and standard deviation of error and run time, by data set and method."""
    methods = results.plan.methods
    beside = len(methods) <= MOST_BESIDE
    headings = ["data set", "rows"]
    if beside:
        headings += [f"{m.name}: {what}" for m in methods for what in ("error", "seconds")]
    else:
        headings += ["method", "error", "seconds"]
    rows, records = [], []
    for dataset in results.plan.datasets:
        n_rows = _rows_of(results, dataset)
        begin = [dataset, "" if n_rows is None else f"{n_rows:,}"]
        row = list(begin)
        for method in methods:
            error = measure(results, method, dataset, "error")
            seconds = measure(results, method, dataset, "seconds")
            if beside:
                row += [shown(error, 4), shown(seconds, 1)]
            else:
                rows.append([*begin, method.name, shown(error, 4), shown(seconds, 1)])
            records.append(
                {
                    "dataset": dataset,
                    "n_rows": n_rows,
                    "method": method.name,
                    "error_mean": error.mean,
                    "error_std": error.spread,
                    "seconds_mean": seconds.mean,
                    "seconds_std": seconds.spread,
                    "n_cells": seconds.n,
                    "n_cells_planned": seconds.n_all,
                }
            )
        if beside:
            rows.append(row)
    notes = [INCOMPLETE] if any(MARK in text for row in rows for text in row) else []
    title = f"{results.plan.title}: error rates and run times (s) by data set"
    return Grid(f"{results.plan.name}-datasets", title, headings, rows, records, notes)


def comparison_grid(results: Results, found: list[Comparison]) -> Grid:
    """Each method against its reference."""
    headings = ["method", "against", "time", "totals", "worst", "worst on"]
    headings += [*map(_short, TOLERANCES), "gap", "worst gap", "pairs"]
    rows, records = [], []
    for each in found:
        worst = each.worst
        rows.append(
            [
                each.method,
                each.reference,
                _figure(each.mean_ratio, 3),
                _figure(each.total_ratio, 3),
                "" if worst is None else f"{worst[1]:.3f}",
                "" if worst is None else worst[0],
                *(_percent(each.within(tolerance)) for tolerance in TOLERANCES),
                _figure(each.mean_gap, 4, sign=True),
                _figure(each.worst_gap, 4, sign=True),
                _of(len(each.pairs), len(each.pairs) + each.n_missing),
            ]
        )
        records.append(_record(each))
    notes = [
        "Time: run time as a ratio to the reference's, mean over data sets; totals: all seconds "
        "over all seconds; worst: the largest ratio of a data set. .001 to .015: % of pairs (data "
        "set and seed) whose choice is at most that much worse in error. Gap: the error of the "
        "choice less the reference's, mean and largest."
    ]
    if any(each.n_missing for each in found):
        notes.append(INCOMPLETE)
    title = f"{results.plan.title}: each method against its reference"
    return Grid(f"{results.plan.name}-comparison", title, headings, rows, records, notes)


def cost_grid(results: Results) -> Grid:
    """What each tool took, summed over its cells."""
    headings = ["method", *(heading for heading, _ in COSTS.values()), "mean error", "cells"]
    rows, records = [], []
    for method in results.plan.methods:
        cells = results.done(method.name)
        n_all = sum(cell.method == method.name for cell in results.cells)
        values: dict[str, float | None] = {}
        for key in COSTS:
            known = _known(cells, key)
            total = max if key == "peak_mb" else math.fsum
            values[key] = float(total(known)) if known else None
        errors = _known(cells, "error")
        values["error"] = math.fsum(errors) / len(errors) if errors else None
        rows.append(
            [
                method.name,
                *(_figure(values[key], digits) for key, (_, digits) in COSTS.items()),
                _figure(values["error"], 4),
                _of(len(cells), n_all),
            ]
        )
        records.append({"method": method.name, **values, "n_cells": len(cells), "n_planned": n_all})
    notes = [
        "Sums over data sets and seeds; peak memory is the largest. Sums over different numbers of "
        "cells cannot be compared: the table of comparisons has pairs."
    ]
    title = f"{results.plan.title}: what each took"
    return Grid(f"{results.plan.name}-costs", title, headings, rows, records, notes)


def ending_grid(results: Results) -> Grid:
    """How the candidates of each method ended, and what those took that ran out of time."""
    headings = ["method", *(f"{status}, %" for status in STATUSES), "time of the stopped, %"]
    headings += ["partial choices", "failed splits", "cells"]
    rows, records = [], []
    for method in results.plan.methods:
        cells = results.done(method.name)
        n_all = sum(cell.method == method.name for cell in results.cells)
        ended = Counter[str]()
        for cell in cells:
            ended.update((cell.result or {}).get("ended", {}))
        n_candidates = ended.total()
        shares = {status: ended[status] / n_candidates for status in STATUSES if n_candidates}
        seconds = math.fsum(_known(cells, "seconds"))
        stopped = _known(cells, "stopped_seconds")
        time_share = math.fsum(stopped) / seconds if stopped and seconds else None
        partial = sum(bool((cell.result or {}).get("partial")) for cell in cells)
        failed_splits = int(math.fsum(_known(cells, "quality_n_failed")))
        rows.append(
            [
                method.name,
                *(_percent(shares.get(status, math.nan)) for status in STATUSES),
                _percent(math.nan if time_share is None else time_share),
                str(partial),
                str(failed_splits),
                _of(len(cells), n_all),
            ]
        )
        records.append(
            {
                "method": method.name,
                **{f"share_{status}": share for status, share in shares.items()},
                "stopped_time_share": time_share,
                "n_partial_choices": partial,
                "n_failed_splits": failed_splits,
                "n_cells": len(cells),
                "n_planned": n_all,
            }
        )
    notes = [
        "Stopped: a candidate ran out of its time, or was foreseen to. A partial choice is a "
        "candidate that was stopped: nobody finished. Failed splits: of those that measure the "
        "quality of choices, how many are missing from the errors."
    ]
    title = f"{results.plan.title}: how candidates ended"
    return Grid(f"{results.plan.name}-endings", title, headings, rows, records, notes)


def missing_grid(results: Results) -> Grid:
    """Cells that are in no mean, with the reason."""
    missing = open_cells(results)
    seeds: dict[tuple[str, ...], list[int]] = {}
    for cell in missing:
        alike = (cell.dataset, cell.method, cell.state.value, cell.headline[:120])
        seeds.setdefault(alike, []).append(cell.seed)
    rows = [
        [dataset, method, ", ".join(map(str, own)), state, reason]
        for (dataset, method, state, reason), own in seeds.items()
    ]
    records = [
        {
            "dataset": cell.dataset,
            "method": cell.method,
            "seed": cell.seed,
            "state": cell.state.value,
            "reason": cell.headline,
        }
        for cell in missing
    ]
    notes = [] if missing else ["Every cell has a result."]
    if len(rows) > MOST_MISSING:
        notes.append(f"{len(rows) - MOST_MISSING} more lines are in the CSV, a line per seed.")
    headings = ["data set", "method", "seeds", "state", "reason"]
    title = f"{results.plan.title}: missing cells"
    name = f"{results.plan.name}-missing"
    return Grid(name, title, headings, rows[:MOST_MISSING], records, notes)


def _record(each: Comparison) -> dict[str, Any]:
    worst = each.worst
    return {
        "method": each.method,
        "against": each.reference,
        "ratio_mean": each.mean_ratio,
        "ratio_total": each.total_ratio,
        "ratio_worst": None if worst is None else worst[1],
        "worst_dataset": None if worst is None else worst[0],
        **{f"within_{tolerance:g}": each.within(tolerance) for tolerance in TOLERANCES},
        "gap_mean": each.mean_gap,
        "gap_worst": each.worst_gap,
        "n_datasets": len(each.datasets),
        "n_pairs": len(each.pairs),
        "n_missing": each.n_missing,
    }


def _known(cells: list[Cell], key: str) -> list[float]:
    values = [(cell.result or {}).get(key) for cell in cells]
    return [float(value) for value in values if value is not None]


def _rows_of(results: Results, dataset: str) -> int | None:
    for cell in results.cells:
        if cell.dataset == dataset and cell.result is not None and "n_rows" in cell.result:
            return int(cell.result["n_rows"])
    return None


def _of(n: int, n_all: int) -> str:
    return f"{n}" if n == n_all else f"{n} of {n_all}{MARK}"


def _figure(value: float | None, digits: int, *, sign: bool = False) -> str:
    if value is None or math.isnan(value):
        return ""
    return f"{value:+,.{digits}f}" if sign else f"{value:,.{digits}f}"


def _short(value: float) -> str:
    return f"{value:g}".removeprefix("0")


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.1f}"
