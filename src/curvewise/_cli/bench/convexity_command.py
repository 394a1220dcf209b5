"""``curvewise bench convexity``: are learning curves convex? On data, or on recorded curves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curvewise._bench.experiments.convexity_study import recorded_curves, shapes_of
from curvewise._bench.experiments.figures.figure_list import write_shapes
from curvewise._bench.experiments.plan_file import read_suite
from curvewise._bench.experiments.tables.shape_tables import shape_grids
from curvewise._cli.bench.run_command import (
    Data,
    Jobs,
    Only,
    OutFolder,
    Quiet,
    Reduced,
    Retry,
    Seeds,
    Smoke,
    StoreFile,
    Timeout,
    carry_out,
    given,
    scale_of,
)
from curvewise.executors._recordings import read_recordings

EPILOG = """
**Examples**

    curvewise bench convexity --curves curves.parquet --out convexity

    curvewise bench convexity --data tables --store results.db --reduced --out convexity

A curve is convex if no point lies above the line between its neighbours.
"""


def convexity_command(
    curves: Annotated[
        Path | None,
        typer.Option(help="A Parquet file of recorded curves; then nothing is fitted."),
    ] = None,
    data: Data = None,
    store: StoreFile = None,
    reduced: Reduced = False,
    smoke: Smoke = False,
    seeds: Seeds = None,
    timeout: Timeout = None,
    only: Only = None,
    jobs: Jobs = 1,
    retry_failed: Retry = False,
    out: OutFolder = None,
    quiet: Quiet = False,
) -> None:
    """Count the learning curves that are convex, and show the others."""
    if curves is None:
        plan = read_suite(
            "convexity",
            scale=scale_of(reduced=reduced, smoke=smoke),
            datasets=data,
            only=only or (),
            overrides=given(seeds=seeds, timeout=timeout),
        )
        carry_out(plan, store, jobs=jobs, retry_failed=retry_failed, out=out, quiet=quiet)
        return
    shapes = shapes_of(recorded_curves(read_recordings(curves)))
    grids = shape_grids(shapes, "convexity")
    if not quiet:
        typer.echo(grids[0].markdown())
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for grid in grids:
            grid.write(out)
        write_shapes(shapes, out, "convexity")
        if not quiet:
            typer.echo(f"Wrote tables and figures into {out}")
