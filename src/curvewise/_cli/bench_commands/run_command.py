"""``curvewise bench SUITE``, ``curvewise bench run FILE``: carry an experiment out."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from curvewise._bench.experiments.convexity_study import recorded_curves, shapes_of, study_of
from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.figures.figure_list import (
    write_figures,
    write_shapes,
    write_study,
)
from curvewise._bench.experiments.html_page.experiment_page import page_of
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.plan_file import read_plan, read_suite, reductions
from curvewise._bench.experiments.registration import this_machine
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.runner import Runner
from curvewise._bench.experiments.table_list import shape_grids, write_tables
from curvewise._bench.peers.adapters import check_packages
from curvewise._cli import options
from curvewise._cli.bench_commands.bench_progress import BenchProgress
from curvewise._cli.bench_commands.status_command import print_summary
from curvewise._cli.terminal import console_of, print_line
from curvewise._files import write_whole
from curvewise.errors import InvalidParameterError, NoResultError
from curvewise.executors._execution import resolve_n_jobs

EPILOG = """
**Examples**

    curvewise bench paper-80 --smoke

    curvewise bench paper-80 --data tables --store results.db --reduced --jobs 2

    curvewise bench run mine.toml --store results.db --seeds 3

    curvewise bench paper-80 --sequences pipeline-sequences --store published.db

Settings that are not given are those of the experiment; `--timeout 0` means no limit. Each job
works on a cell (a method on a data set with a seed) of its own. Started again with the same store,
the command continues; two commands on the same store share the work.
"""
CONVEXITY_EPILOG = """
**Examples**

    curvewise bench convexity --curves curves.parquet --output convexity

    curvewise bench convexity --data tables --store results.db --reduced --output convexity

A curve is convex if no point lies above the line between its neighbours. Recorded curves have the
columns dataset, learner, anchor and valid_err (or val_err, test_error, test_err): a row per split,
with a column seed, or means, with their standard errors in a column such as val_se.
"""
# Options of a search: whole curves have no use for them.
SEARCH_OPTIONS = ("quality_repeats", "sequences", "candidates", "memory")


def run_command(
    file: Annotated[Path, typer.Argument(help="An experiment as TOML.")],
    data: options.Data = None,
    reduced: options.Reduced = False,
    smoke: options.Smoke = False,
    only: options.Only = None,
    seeds: options.Seeds = None,
    quality_repeats: options.QualityRepeats = None,
    sequences: options.Sequences = None,
    retry_failed: options.RetryFailed = False,
    candidates: options.Candidates = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    jobs: options.Jobs = 1,
    store: options.ResultStore = None,
    output: options.ResultFolder = None,
    quiet: options.Quiet = False,
) -> None:
    """Carry out an experiment of your own."""
    if reduced and smoke:
        raise InvalidParameterError("--reduced and --smoke exclude each other.")
    settings = {
        "seeds": seeds,
        "candidates": candidates,
        "timeout": timeout,
        "quality_repeats": quality_repeats,
        "sequences": None if sequences is None else [str(path.resolve()) for path in sequences],
        "memory": memory,
    }
    # The commands of suites give a name in the place of a path.
    read = read_plan if isinstance(file, Path) else read_suite
    plan = read(
        file,
        scale="smoke" if smoke else "reduced" if reduced else "paper",
        datasets=data,
        only=only or (),
        overrides={name: value for name, value in settings.items() if value is not None},
    )
    place = store or Path("smoke.db" if smoke else "results.db")
    console = console_of(stderr=True, quiet=quiet)
    _show(_carry_out(plan, place, console, jobs, retry_failed=retry_failed), output, quiet=quiet)


def suite_command(name: str, *, without: Collection[str] = ()) -> Callable[..., None]:
    """Make the command of an experiment that comes with curvewise: all options but the file."""

    def command(**chosen: Any) -> None:
        run_command(name, **chosen)  # type: ignore[arg-type]

    _, *parameters = inspect.signature(run_command, eval_str=True).parameters.values()
    _take(command, [each for each in parameters if each.name not in without])
    command.__doc__ = f"{read_suite(name, scale='smoke').title}."
    return command


def convexity_command(
    curves: options.Curves = None,
    min_anchor: Annotated[
        int, typer.Option(min=1, help="With --curves: leave out anchors with fewer rows.")
    ] = 1,
    **chosen: Any,
) -> None:
    """Count the learning curves that are convex, and show the others."""
    if curves is None:
        _on_data(**chosen)
    else:
        _show_recorded(curves, min_anchor, chosen["output"], console_of(quiet=chosen["quiet"]))


def _take(command: Callable[..., None], parameters: list[inspect.Parameter]) -> None:
    """Let a command take these parameters: Typer reads them off its signature."""
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]


_on_data = suite_command("convexity", without=SEARCH_OPTIONS)
*_own, _ = inspect.signature(convexity_command, eval_str=True).parameters.values()
_take(convexity_command, [*_own, *inspect.signature(_on_data).parameters.values()])


def _carry_out(
    plan: Plan, store: Path, console: Console, jobs: int, *, retry_failed: bool
) -> Results:
    """Run an experiment to its end."""
    if plan.kind == "peers":
        check_packages(method.policy for method in plan.methods)
    n_jobs = resolve_n_jobs(jobs)
    for note in plan.notes:
        # Quiet hides progress, never that data sets are left out.
        print_line(console_of(stderr=True), note)
    reduced = reductions(plan)
    if reduced:
        print_line(console, f"Not as in the whole suite: {'; '.join(reduced)}.")
    with Ledger(store) as ledger:
        ledger.register(plan, machine=this_machine())
        if retry_failed:
            ledger.retry_failed(plan.name)
        with BenchProgress(ledger, plan, console, n_jobs=n_jobs) as progress:
            Runner(ledger, plan, n_jobs=n_jobs, on_change=progress.look).run()
            progress.look()
        return Results.of(ledger, plan.name)


def _show(results: Results, folder: Path | None, *, quiet: bool) -> None:
    """Print results and write all that can be made of them."""
    if not quiet:
        print_summary(results)
    name = results.plan.name
    if folder is not None:
        write_tables(results, folder)
        write_figures(results, folder)
        write_whole(folder / f"{name}.html", page_of([results]))
        said = f"Wrote tables, figures and {name}.html into {folder}"
        print_line(console_of(quiet=quiet), said)
    if not any(cell.result for cell in results.cells):
        raise NoResultError(f"Not one cell of {name} gave a result.")


def _show_recorded(curves: Path, min_anchor: int, folder: Path | None, console: Console) -> None:
    shapes = shapes_of(recorded_curves(curves, min_anchor=min_anchor))
    grids = shape_grids(shapes, "convexity")
    print_line(console, grids[0].markdown())
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for grid in grids:
            grid.write(folder)
        write_shapes(shapes, folder, "convexity")
        study = study_of(shapes, curves.stem, min_anchor=min_anchor)
        write_study(study, folder)
        text = json.dumps(study, indent=1, allow_nan=False)
        write_whole(folder / f"{study['name']}.json", text + "\n")
        print_line(console, f"Wrote tables and figures into {folder}")
