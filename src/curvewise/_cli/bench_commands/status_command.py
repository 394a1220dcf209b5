"""``curvewise bench status``: how far the experiments of a store are."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from curvewise._bench.experiments.cells import State, seconds_left
from curvewise._bench.experiments.grid import Grid
from curvewise._bench.experiments.results import Results, read_all
from curvewise._bench.experiments.table_list import tables_of
from curvewise._cli import options
from curvewise._cli.terminal import console_of, print_json, say, span, table_of

# Below this many columns a terminal gets the tables without what can be done without.
WIDE = 120
DISPENSABLE = ("against", "rows", "worst on", ".005", ".015")

EPILOG = """
**Examples**

    curvewise bench status results.db

    curvewise bench status results.db --failures
"""


def status_command(
    store: options.StoreOrFolder,
    experiment: options.Experiments = None,
    failures: Annotated[
        bool, typer.Option("--failures", help="Show the tracebacks of failed cells.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Show how far the experiments of a store are; it may be one that is being written."""
    found = read_all(store, experiment or ())
    if as_json:
        print_json([_facts(results) for results in found])
        return
    console_of().print(_overview(found))
    for results in found:
        for cell in results.in_state(State.FAILED):
            text = (cell.failure if failures else cell.headline) or ""
            where = f"{cell.method} on {cell.dataset}, seed {cell.seed}"
            say(f"{cell.experiment}: {where}: {text}")


def _overview(found: list[Results]) -> Table:
    """Give a row per experiment, which fits 80 columns: only names may be broken."""
    names = ("cells", "done", "failed", "running")
    rows = []
    for facts in map(_facts, found):
        left = facts["seconds_left"]
        texts = [facts["experiment"], facts["scale"], _moment(facts["begun"])]
        texts += [str(facts[name]) for name in names]
        rows.append([*texts, "" if left is None else span(left)])
    headings = ("experiment", "scale", "begun", *names, "left")
    return table_of(headings, rows, left="experiment", breakable={"experiment": 1}, padding=0)


def _moment(text: str) -> str:
    """Write a moment for people: to the minute, where they are."""
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M") if text else ""


def print_summary(results: Results) -> None:
    """Print the tables that fit a terminal: all but those by data set."""
    console = console_of()
    grids = [grid for grid in tables_of(results) if not grid.name.endswith(("-datasets", "-bent"))]
    for grid in grids:
        if grid.rows:
            console.print(_as_table(grid, wide=console.width >= WIDE))


def _as_table(grid: Grid, *, wide: bool) -> Table:
    table = Table(title=Text(grid.title), box=box.SIMPLE_HEAD, padding=(0, int(wide), 0, 0))
    if grid.notes:
        table.caption = Text("\n".join(grid.notes))
        table.caption_justify = "left"
    kept = [i for i, heading in enumerate(grid.headings) if wide or heading not in DISPENSABLE]
    for i in kept:
        # Numbers are never broken: where there is little room, names are, and the words above.
        texts = [row[i] for row in grid.rows]
        fixed = i != kept[0] and not any(" " in text for text in texts)
        longest = max(map(len, (*grid.headings[i].split(), *texts)), default=1)
        table.add_column(
            Text(grid.headings[i]),
            justify="right" if i else "left",
            width=longest if fixed and not wide else None,
            no_wrap=fixed and wide,
            overflow="fold",
        )
    for row in grid.rows:
        table.add_row(*(Text(row[i]) for i in kept))
    return table


def _facts(results: Results) -> dict[str, Any]:
    counts = {state.value: len(results.in_state(state)) for state in State}
    finished = counts["pending"] + counts["running"] == 0
    return {
        "experiment": results.plan.name,
        "scale": results.plan.scale,
        "begun": str(results.background.get("begun", "")),
        "cells": len(results.cells),
        **counts,
        "seconds_left": None if finished else seconds_left(results.cells),
    }
