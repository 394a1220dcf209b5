"""``curvewise bench convexity``: are learning curves convex? On data, or on recorded curves."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from curvewise._bench.experiments.convexity_study import recorded_curves, shapes_of
from curvewise._bench.experiments.figures.figure_list import write_shapes
from curvewise._bench.experiments.plan_file import read_suite
from curvewise._bench.experiments.table_list import shape_grids
from curvewise._cli import options
from curvewise._cli.bench_commands import bench_options
from curvewise._cli.bench_commands.run_command import carry_out, given, scale_of
from curvewise._cli.terminal import print_line
from curvewise.executors import read_recordings

EPILOG = """
**Examples**

    curvewise bench convexity --curves curves.parquet --output convexity

    curvewise bench convexity --data tables --store results.db --reduced --output convexity

A curve is convex if no point lies above the line between its neighbours.
"""


def convexity_command(
    curves: bench_options.Curves = None,
    data: bench_options.Data = None,
    reduced: bench_options.Reduced = False,
    smoke: bench_options.Smoke = False,
    only: bench_options.Only = None,
    seeds: bench_options.Seeds = None,
    retry_failed: bench_options.RetryFailed = False,
    timeout: options.Timeout = None,
    jobs: options.Jobs = 1,
    store: bench_options.ResultStore = None,
    output: bench_options.ResultFolder = None,
    quiet: options.Quiet = False,
) -> None:
    """Count the learning curves that are convex, and show the others."""
    if curves is not None:
        _show_recorded(curves, output, Console(quiet=quiet))
        return
    plan = read_suite(
        "convexity",
        scale=scale_of(reduced=reduced, smoke=smoke),
        datasets=data,
        only=only or (),
        overrides=given(seeds=seeds, timeout=timeout),
    )
    carry_out(plan, store, jobs=jobs, retry_failed=retry_failed, output=output, quiet=quiet)


def _show_recorded(curves: Path, output: Path | None, console: Console) -> None:
    shapes = shapes_of(recorded_curves(read_recordings(curves)))
    grids = shape_grids(shapes, "convexity")
    print_line(console, grids[0].markdown())
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        for grid in grids:
            grid.write(output)
        write_shapes(shapes, output, "convexity")
        print_line(console, f"Wrote tables and figures into {output}")
