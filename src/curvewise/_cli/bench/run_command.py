"""``curvewise bench SUITE`` and ``curvewise bench run FILE``: carry an experiment out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.figures import write_figures
from curvewise._bench.experiments.ledger import Ledger
from curvewise._bench.experiments.machine import this_machine
from curvewise._bench.experiments.page import page_of
from curvewise._bench.experiments.plan_file import read_plan, read_suite
from curvewise._bench.experiments.results import Results
from curvewise._bench.experiments.runner import Runner
from curvewise._bench.experiments.tables import write_tables
from curvewise._bench.peers.adapters import check_packages
from curvewise._cli.bench.bench_progress import Progress
from curvewise._cli.bench.status_command import print_summary
from curvewise._files import write_whole
from curvewise.errors import InvalidParameterError, NoResultError

EPILOG = """
**Examples**

    curvewise bench paper-80 --smoke

    curvewise bench paper-80 --data tables --store results.db --reduced --jobs 2

    curvewise bench run mine.toml --store results.db --seeds 3

Started again with the same store it goes on; two at once on the same store share the work.
"""

Data = Annotated[
    list[str] | None,
    typer.Option(
        "--data",
        help="A folder of Parquet files (label in the column target), a file, sklearn:NAME or "
        "openml:ID; may be repeated.",
        show_default="the experiment's",
    ),
]
StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store",
        help="The file of results.",
        show_default="results.db; smoke.db with --smoke",
    ),
]
Reduced = Annotated[
    bool, typer.Option("--reduced", help="The settings that fit two cores and an hour or so.")
]
Smoke = Annotated[bool, typer.Option("--smoke", help="Bundled data, a minute.")]
Seeds = Annotated[
    int | None, typer.Option(min=1, help="How many seeds.", show_default="the plan's")
]
Candidates = Annotated[
    int | None, typer.Option(min=1, help="How many candidates.", show_default="the plan's")
]
Timeout = Annotated[
    float | None,
    typer.Option(min=0, help="Seconds per validation; 0 for none.", show_default="the plan's"),
]
Repeats = Annotated[
    int | None,
    typer.Option(
        "--quality-repeats", min=1, help="Splits that measure quality.", show_default="the plan's"
    ),
]
Memory = Annotated[
    str | None, typer.Option(help="What a fit may claim, such as 4GB.", show_default="the plan's")
]
Only = Annotated[
    list[str] | None, typer.Option("--only", help="Part of a data set's name; may be repeated.")
]
Jobs = Annotated[int, typer.Option(min=1, help="Cells at once.")]
Retry = Annotated[
    bool, typer.Option("--retry-failed", help="Work on cells again that failed earlier.")
]
OutFolder = Annotated[
    Path | None, typer.Option("--out", help="Write tables, figures and a page here at the end.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress and no table.")]


def experiment_command(read: Callable[..., Plan]) -> Callable[..., None]:
    """Make a command that carries an experiment out."""

    def command(
        file: Annotated[Path, typer.Argument(help="An experiment as TOML.")],
        data: Data = None,
        store: StoreFile = None,
        reduced: Reduced = False,
        smoke: Smoke = False,
        seeds: Seeds = None,
        candidates: Candidates = None,
        timeout: Timeout = None,
        quality_repeats: Repeats = None,
        memory: Memory = None,
        only: Only = None,
        jobs: Jobs = 1,
        retry_failed: Retry = False,
        out: OutFolder = None,
        quiet: Quiet = False,
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
        carry_out(plan, store, jobs=jobs, retry_failed=retry_failed, out=out, quiet=quiet)

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
    jobs: int = 1,
    retry_failed: bool = False,
    out: Path | None = None,
    quiet: bool = False,
) -> None:
    """Run an experiment to its end, and show what came of it."""
    if plan.kind == "peers":
        check_packages(method.policy for method in plan.methods)
    console = Console(stderr=True, quiet=quiet)
    for note in plan.notes:
        console.print(note, markup=False, highlight=False, soft_wrap=True)
    with Ledger(store or Path(f"{'smoke' if plan.scale == 'smoke' else 'results'}.db")) as ledger:
        ledger.register(plan, machine=this_machine())
        if retry_failed:
            ledger.retry_failed(plan.name)
        with Progress(ledger, plan, console, n_jobs=jobs) as progress:
            Runner(ledger, plan, n_jobs=jobs, on_change=progress.look).run()
            progress.look()
        results = Results.of(ledger, plan.name)
    if not quiet:
        print_summary(results)
    if out is not None:
        write_tables(results, out)
        write_figures(results, out)
        page = out / f"{plan.name}.html"
        write_whole(page, page_of([results]))
        if not quiet:
            typer.echo(f"Wrote tables, figures and {page.name} into {out}")
    if not any(cell.result for cell in results.cells):
        raise NoResultError(f"Not one cell of {plan.name} gave a result.")


def scale_of(*, reduced: bool, smoke: bool) -> str:
    """Say which settings were asked for."""
    if reduced and smoke:
        raise InvalidParameterError("--reduced and --smoke exclude each other.")
    return "smoke" if smoke else "reduced" if reduced else "paper"


def given(**options: Any) -> dict[str, Any]:
    """Keep the options that were given."""
    return {name: value for name, value in options.items() if value is not None}
