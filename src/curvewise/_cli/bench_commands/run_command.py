"""``curvewise bench SUITE`` and ``curvewise bench run FILE``: carry an experiment out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.figures.figure_list import write_figures
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.page.experiment_page import page_of
from curvewise._bench.experiments.plan_file import read_plan, read_suite
from curvewise._bench.experiments.registration import this_machine
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.runner import Runner
from curvewise._bench.experiments.table_list import write_tables
from curvewise._bench.peers.adapters import check_packages
from curvewise._cli import options
from curvewise._cli.bench_commands import bench_options
from curvewise._cli.bench_commands.bench_progress import BenchProgress
from curvewise._cli.bench_commands.status_command import print_summary
from curvewise._cli.terminal import print_line
from curvewise._files import write_whole
from curvewise.errors import InvalidParameterError, NoResultError
from curvewise.executors._execution import resolve_n_jobs

EPILOG = """
**Examples**

    curvewise bench paper-80 --smoke

    curvewise bench paper-80 --data tables --store results.db --reduced --jobs 2

    curvewise bench run mine.toml --store results.db --seeds 3

What is not given is as the experiment says; `--timeout 0` is no limit. Each job works on a cell of
its own. Started again with the same store it goes on; two at once on the same store share the work.
"""


def experiment_command(read: Callable[..., Plan]) -> Callable[..., None]:
    """Make a command that carries an experiment out."""

    def command(
        file: Annotated[Path, typer.Argument(help="An experiment as TOML.")],
        data: bench_options.Data = None,
        reduced: bench_options.Reduced = False,
        smoke: bench_options.Smoke = False,
        only: bench_options.Only = None,
        seeds: bench_options.Seeds = None,
        quality_repeats: bench_options.QualityRepeats = None,
        retry_failed: bench_options.RetryFailed = False,
        candidates: options.Candidates = None,
        timeout: options.Timeout = None,
        memory: options.Memory = None,
        jobs: options.Jobs = 1,
        store: bench_options.ResultStore = None,
        output: bench_options.ResultFolder = None,
        quiet: options.Quiet = False,
    ) -> None:
        """Carry out an experiment of your own."""
        plan = read(
            file,
            scale=scale_of(reduced=reduced, smoke=smoke),
            datasets=data,
            only=only or (),
            overrides=given(
                seeds=seeds,
                candidates=candidates,
                timeout=timeout,
                quality_repeats=quality_repeats,
                memory=memory,
            ),
        )
        carry_out(plan, store, jobs=jobs, retry_failed=retry_failed, output=output, quiet=quiet)

    return command


run_command = experiment_command(read_plan)


def suite_command(name: str) -> Callable[..., None]:
    """Make the command of an experiment that comes with curvewise."""
    whole = experiment_command(read_suite)

    def command(**options: Any) -> None:
        whole(name, **options)

    # Typer reads a command's options off its signature: all are there, but the file is known.
    signature = inspect.signature(whole, eval_str=True)
    _, *options = signature.parameters.values()
    command.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    command.__doc__ = f"{read_suite(name, scale='smoke').title}."
    return command


def carry_out(
    plan: Plan,
    store: Path | None,
    *,
    jobs: int,
    retry_failed: bool,
    output: Path | None,
    quiet: bool,
) -> None:
    """Run an experiment to its end, and show what came of it."""
    if plan.kind == "peers":
        check_packages(method.policy for method in plan.methods)
    n_jobs = resolve_n_jobs(jobs)
    console = Console(stderr=True, quiet=quiet)
    for note in plan.notes:
        print_line(console, note)
    with Ledger(store or Path(f"{'smoke' if plan.scale == 'smoke' else 'results'}.db")) as ledger:
        ledger.register(plan, machine=this_machine())
        if retry_failed:
            ledger.retry_failed(plan.name)
        with BenchProgress(ledger, plan, console, n_jobs=n_jobs) as progress:
            Runner(ledger, plan, n_jobs=n_jobs, on_change=progress.look).run()
            progress.look()
        results = Results.of(ledger, plan.name)
    if not quiet:
        print_summary(results)
    if output is not None:
        said = _write_results(results, output)
        print_line(Console(quiet=quiet), said)
    if not any(cell.result for cell in results.cells):
        raise NoResultError(f"Not one cell of {plan.name} gave a result.")


def _write_results(results: Results, folder: Path) -> str:
    """Write all that can be made of results, and say what that was."""
    write_tables(results, folder)
    write_figures(results, folder)
    page = folder / f"{results.plan.name}.html"
    write_whole(page, page_of([results]))
    return f"Wrote tables, figures and {page.name} into {folder}"


def scale_of(*, reduced: bool, smoke: bool) -> str:
    """Say which settings were asked for."""
    if reduced and smoke:
        raise InvalidParameterError("--reduced and --smoke exclude each other.")
    return "smoke" if smoke else "reduced" if reduced else "paper"


def given(**options: Any) -> dict[str, Any]:
    """Keep the options that were given."""
    return {name: value for name, value in options.items() if value is not None}
