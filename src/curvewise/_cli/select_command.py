"""``curvewise select``: from a table to the best pipeline."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from curvewise._cli.metric_checks import check_metric
from curvewise._cli.output_paths import HERE, check_extras, check_outputs, write_all
from curvewise._cli.select_answer import show_answer, write_answer
from curvewise._cli.shown_search import LARGEST_SEED, fit, make_model, show_table
from curvewise.automl._estimators import TIMEOUT_SECONDS, CurveAutoML
from curvewise.automl._saved_model import SavedModel, save_model
from curvewise.automl._space import load_space
from curvewise.automl._tables import Table, read_table
from curvewise.core._policies.policy_text import parse_policy
from curvewise.errors import InvalidParameterError
from curvewise.executors._store import RunStore

EPILOG = """
**Examples**

    curvewise select data.csv --target label

    curvewise select data.parquet --candidates 200 --jobs 4 --timeout 60 --report report.html

    curvewise select sklearn:digits --budget 120 --store run.db --save model.skops

    curvewise select openml:1590 --metric roc_auc --folds 10

    curvewise select data.csv --leave-out SVC --space space.toml --package mypackage

A run with `--store` goes on where it stopped when it is begun again with the same settings. Ctrl-C
ends the search and takes the best pipeline so far.

Exit codes: 0 done, 1 no pipeline gave a result, 2 bad input or a file that cannot be written, 130
interrupted before any result.
"""


def select_command(
    source: Annotated[
        str,
        typer.Argument(
            help="A file (CSV, Parquet, Feather, ARFF), sklearn:NAME or openml:ID.",
            show_default=False,
        ),
    ],
    target: Annotated[
        str | None,
        typer.Option(help="The column to predict, by name or position.", show_default="found out"),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(help="classification or regression.", show_default="found out"),
    ] = None,
    candidates: Annotated[
        int | None,
        typer.Option(min=1, help="How many pipelines to try.", show_default="100, or by budget"),
    ] = None,
    budget: Annotated[
        float | None, typer.Option(help="Seconds for the search.", show_default="no limit")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(help="A scorer of scikit-learn.", show_default="accuracy or r2"),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Folds.")] = 5,
    policy: Annotated[str, typer.Option(help="race, lccv, kfold, ... with knobs.")] = "race",
    jobs: Annotated[int, typer.Option(help="Fits at once; -1 for all cores.")] = 1,
    timeout: Annotated[
        float, typer.Option(help="Seconds for all fits of a pipeline together.")
    ] = TIMEOUT_SECONDS,
    memory: Annotated[
        str | None, typer.Option(help="What a fit may claim, such as 4GB.", show_default="no limit")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=LARGEST_SEED, help="The same seed, the same pipelines.")
    ] = 0,
    space: Annotated[
        Path | None, typer.Option(help="A file with a search space.", show_default="the paper's")
    ] = None,
    package: Annotated[
        list[str] | None,
        typer.Option(help="A package whose classes that file may name; may be repeated."),
    ] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option(help="An algorithm not to try; may be repeated.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Keep the run in this file, and go on from it.")
    ] = None,
    run_name: Annotated[str | None, typer.Option(help="The run's name in the store.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write a page about the run.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the fitted pipeline (skops: safe to load).")
    ] = None,
    dask: Annotated[
        str | None, typer.Option(help="The address of a Dask scheduler, or local.")
    ] = None,
    json_path: Annotated[
        Path | None, typer.Option("--json", help="Write the answer to this file; - for here.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Find the best pipeline for a table, along learning curves."""
    outputs = {"--report": report, "--save": save, "--json": json_path}
    check_outputs(outputs, source=source, store=store)
    check_extras(report=report is not None, save=save is not None)
    options = {
        "n_candidates": candidates if candidates or budget else 100,
        "time_budget": budget,
        "space": None if space is None else load_space(space, packages=package or ()),
        "leave_out": tuple(leave_out or ()),
        "scoring": metric,
        "cv": folds,
        "policy": parse_policy(policy),
        "n_jobs": jobs,
        "timeout_per_candidate": timeout,
        "memory_limit": memory,
        "dask": _checked_address(dask),
        "run": run_name,
        "random_state": seed,
    }
    console = Console(stderr=True)
    table = read_table(source, target=target, task=task)
    check_metric(metric, table)
    if not quiet:
        show_table(table, console)
    with _somewhere(store, needed=report is not None) as place:
        model = make_model(table.task, store=place, **options)
        fit(model, table, console, quiet=quiet, budget=budget)
        show_answer(model, table, json_path=json_path)
        write_all(
            partial(write_answer, model, table, json_path),
            partial(_write_model, model, table, save),
            partial(_write_report, place, report, run_name),
        )
    for path in filter(None, (report, save)):
        typer.echo(f"Wrote {path}", err=json_path == HERE)


def _checked_address(dask: str | None) -> str | None:
    """Say at once that an address is none: connecting to it would take a minute to fail."""
    if dask is not None and dask != "local" and not dask.rpartition(":")[2].isdigit():
        raise InvalidParameterError(
            f"--dask needs an address such as tcp://10.0.0.1:8786, or local, got {dask!r}."
        )
    return dask


@contextmanager
def _somewhere(store: Path | None, *, needed: bool) -> Iterator[Path | None]:
    """Give the store, or one that is thrown away if the report needs one."""
    if store is not None or not needed:
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="curvewise-") as folder:
        yield Path(folder) / "run.db"


def _write_model(model: CurveAutoML, table: Table, path: Path | None) -> None:
    if path is not None:
        save_model(SavedModel(model.best_pipeline_, table.kinds, table.target, table.task), path)


def _write_report(store: Path | None, path: Path | None, run_name: str | None) -> None:
    if path is None or store is None:
        return
    from curvewise._report import write_report

    with RunStore.read(store) as opened:
        write_report(opened.run(run_name), path)
