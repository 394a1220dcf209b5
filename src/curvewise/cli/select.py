"""``curvewise select``: from a table to the best pipeline."""

from __future__ import annotations

import json
import math
import tempfile
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from curvewise.automl.estimators import (
    TIMEOUT_SECONDS,
    CurveAutoML,
    CurveAutoMLClassifier,
    CurveAutoMLRegressor,
)
from curvewise.automl.saving import SavedModel, save_model
from curvewise.automl.space import load_space
from curvewise.automl.tables import Table, profile, read_table
from curvewise.bench.contestant import Contestant
from curvewise.bench.plotting import check_writable
from curvewise.cli.live import Lines, Panel
from curvewise.executors.store import RunStore
from curvewise.selection.watch import Onlooker

EPILOG = """
**Examples**

    curvewise select data.csv --target label

    curvewise select data.parquet --candidates 200 --jobs 4 --timeout 60 --report report.html

    curvewise select sklearn:digits --budget 120 --store run.db --save model.skops

    curvewise select openml:1590 --metric roc_auc --folds 10

A run with `--store` goes on where it stopped when it is begun again with the same settings. Ctrl-C
ends the search and takes the best pipeline so far.

Exit codes: 0 done, 1 no pipeline gave a result, 2 bad input, 130 interrupted before any result.
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
        typer.Option(help="The column to predict, by name or position.", show_default="the last"),
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
    seed: Annotated[int, typer.Option(min=0, help="The same seed, the same pipelines.")] = 0,
    space: Annotated[
        Path | None, typer.Option(help="A file with a search space.", show_default="the paper's")
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
    for path in (report, save, json_path, store):
        check_writable(None if path is None or str(path) == "-" else path)
    console = Console(stderr=True)
    table = read_table(source, target=target, task=task)
    if not quiet:
        _show_table(console, table)
    model = _make_model(
        table.task,
        n_candidates=candidates if candidates or budget else 100,
        time_budget=budget,
        space=None if space is None else load_space(space),
        leave_out=tuple(leave_out or ()),
        scoring=metric,
        cv=folds,
        policy=Contestant.parse(policy).policy,
        n_jobs=jobs,
        timeout_per_candidate=timeout,
        memory_limit=memory,
        dask=dask,
        run_name=run_name,
        random_state=seed,
    )
    with tempfile.TemporaryDirectory(prefix="curvewise-") as folder:
        model.store = store or (Path(folder) / "run.db" if report is not None else None)
        _fit(model, table, console, quiet=quiet, budget=budget)
        if report is not None:
            _write_report(model.store, report, run_name)
    if save is not None:
        save_model(SavedModel(model.best_pipeline_, table.kinds, table.target, table.task), save)
    _answer(model, table, json_path=json_path, written=[report, save])


def _make_model(task: str, **options: Any) -> CurveAutoML:
    kind = CurveAutoMLClassifier if task == "classification" else CurveAutoMLRegressor
    return kind(**options)


def _fit(
    model: CurveAutoML, table: Table, console: Console, *, quiet: bool, budget: float | None
) -> None:
    """Search, with something to look at."""
    if not quiet:
        kind = Panel if console.is_terminal else Lines
        onlooker: Onlooker = kind(console, seconds=budget)
        model.watch_with(onlooker)
    model.note_for_readers({"data": profile(table), "source": table.source})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(table.X, table.y)
    if not quiet:
        for text in dict.fromkeys(str(warning.message) for warning in caught):
            console.print(f"Note: {text}", markup=False, highlight=False, soft_wrap=True)


def _show_table(console: Console, table: Table) -> None:
    n_rows, n_columns = table.X.shape
    lines = [
        f"{table.name}: {n_rows:,} rows, {n_columns:,} columns; {table.task} of {table.target!r}",
        *(f"Note: {note}" for note in table.notes),
    ]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _write_report(store: Any, path: Path, run_name: str | None) -> None:
    from curvewise.report import write_report

    with RunStore.read(store) as opened:
        runs = opened.runs()
        which = run_name or runs[-1].id
        write_report(opened.run(which), path)


def _answer(
    model: CurveAutoML, table: Table, *, json_path: Path | None, written: list[Path | None]
) -> None:
    """Print the answer, or write it as JSON."""
    facts = answer_of(model, table)
    if json_path is not None and str(json_path) == "-":
        typer.echo(json.dumps(facts, indent=1))
        return
    if json_path is not None:
        json_path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    counts = ", ".join(f"{n} {status}" for status, n in facts["counts"].items())
    interval = ""
    if facts["low"] is not None:
        interval = f" (95% interval {facts['low']:.4f} to {facts['high']:.4f})"
    typer.echo(f"Best of {len(model.leaderboard_)}: {facts['best']}")
    typer.echo(f"Score {facts['score']:.4f}{interval}; {counts}; {facts['seconds']:.1f} s of fits")
    for path in filter(None, written):
        typer.echo(f"Wrote {path}")


def answer_of(model: CurveAutoML, table: Table) -> dict[str, Any]:
    """Give the answer as plain values.

    Parameters
    ----------
    model
        Fitted.
    table
        What it was fitted on.
    """
    rows = model.leaderboard_
    search = model.search_
    best = search.results_[search.best_index_]
    row = next(row for row in rows if row["candidate"] == best.candidate)
    counts: dict[str, int] = {}
    for each in rows:
        counts[each["status"]] = counts.get(each["status"], 0) + 1
    return {
        "best": str(best.candidate),
        "pipeline": repr(model.best_pipeline_),
        "score": float(model.best_score_),
        "low": row["low"] if math.isfinite(row["low"]) else None,
        "high": min(best.scale.best, row["high"]) if math.isfinite(row["high"]) else None,
        "task": table.task,
        "target": table.target,
        "rows": len(table.X),
        "columns": len(table.X.columns),
        "counts": counts,
        "seconds": sum(each["seconds"] for each in rows),
        "training_rows": sum(each["training_rows"] for each in rows),
        "leaderboard": [{key: _plain(value) for key, value in each.items()} for each in rows],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int | None | str) else str(value)
