"""``curvewise select``: from a table to the best pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from curvewise._cli import options
from curvewise._cli.select_answer import show_answer
from curvewise._cli.store_commands import write_report_of
from curvewise._cli.table_options import TableOptions, with_table_options
from curvewise._cli.table_search import search_table, without_probabilities
from curvewise._cli.terminal import console_of, print_line, say
from curvewise._cli.watch_command import WatchedSearch
from curvewise._files import check_outputs
from curvewise._packages import require
from curvewise._plug_ins import policy_of
from curvewise._temporary import temporary_folder
from curvewise.automl import (
    SavedModel,
    SearchSpace,
    Table,
    load_space,
    save_model,
)
from curvewise.automl._curve_automl import TIMEOUT_SECONDS, CurveAutoML
from curvewise.automl._enough import MOST
from curvewise.automl._pipeline_search import DEFAULT_PROPOSER, PROPOSERS, is_space_name
from curvewise.errors import CurvewiseError, InvalidParameterError

# There is an answer, but no model: the final fit failed, or was not waited for.
UNFITTED = 1

EPILOG = f"""
**Examples**

    curvewise select data.csv --target label

    curvewise select data.parquet --candidates 200 --jobs 4 --timeout 60 --report report.html

    curvewise select sklearn:digits --budget 120 --store run.db --save model.skops

    curvewise select openml:1590 --scoring roc_auc --folds 10

    curvewise select visits.xlsx --sheet 2024 --id visit --drop notes --groups patient

    curvewise select sales.csv --target sold --time day --weights shops

    curvewise select data.csv --leave-out SVC --space space.toml --package mypackage

`--budget` counts from the start of the command to its end, the final fit included. Without
`--candidates` and `--budget` the search ends when further pipelines are not worth their time, after
{MOST} at the latest. A run with `--store` continues where it stopped when it is started again with
the same settings. Ctrl-C ends the search and fits the best pipeline so far; a second Ctrl-C leaves
it unfitted.

Exit codes: 0 done, 1 no pipeline gave a result or none could be fitted on all rows, 2 bad input or
a file that cannot be written, 130 interrupted before any result.
"""


Packages = Annotated[
    list[str] | None,
    options.search_option(
        "--package", help="A package whose classes that file may name; may be repeated."
    ),
]
ProposerName = Annotated[
    str | None,
    options.search_option(
        "--proposer",
        help=f"What proposes candidates: {', '.join(PROPOSERS)}.",
        show_default=DEFAULT_PROPOSER,
    ),
]
Ensemble = Annotated[
    bool,
    options.search_option(
        "--ensemble", help="Let several of the best predict together, if that is better."
    ),
]
Calibrate = Annotated[
    bool,
    options.search_option(
        "--calibrate", help="Calibrate probabilities, if that makes them more reliable."
    ),
]
TuneThreshold = Annotated[
    str | None,
    options.search_option(
        "--tune-threshold",
        metavar="METRIC",
        help="Tune the threshold between two classes for a metric, such as f1, if that helps.",
    ),
]
PosLabel = Annotated[
    str | None,
    options.search_option("--pos-label", help="The positive class, for --tune-threshold."),
]
NeedsProbabilities = Annotated[
    bool,
    options.search_option(
        "--needs-probabilities", help="Search only learners that predict class probabilities."
    ),
]
KeepPredictions = Annotated[
    str,
    options.search_option(
        "--keep-predictions", help="Whose predictions for test rows are kept: best, all, none."
    ),
]
RefitOption = Annotated[
    str,
    options.search_option(
        "--refit", help="What is fitted on all rows: best, or simplest of those as good as it."
    ),
]
NoCurve = Annotated[
    bool, options.search_option("--no-curve", help="Make no learning curve of the best.")
]
NoImportance = Annotated[
    bool,
    options.search_option("--no-importance", help="Do not measure the importance of each column."),
]
By = Annotated[
    str | None,
    options.table_option(
        "--by", metavar="COLUMN", help="Score the best separately for each value of a column."
    ),
]
Dask = Annotated[
    str | None, options.search_option(help="The address of a Dask scheduler, or local.")
]
Watched = Annotated[
    bool,
    options.output_option("--watch", help="Show the run in a browser while it is being written."),
]
RunName = Annotated[str | None, options.output_option(help="The run's name in the store.")]
Report = Annotated[Path | None, options.output_option(help="Write a page about the run.")]
Save = Annotated[
    Path | None, options.output_option(help="Write the fitted pipeline, for curvewise predict.")
]


@with_table_options
def select_command(
    source: options.Source,
    table_options: TableOptions,
    ids: options.Ids = None,
    by: By = None,
    candidates: options.Candidates = None,
    budget: options.Budget = None,
    scoring: options.Scoring = None,
    folds: options.Folds = 5,
    policy: options.Policy = "race",
    jobs: options.Jobs = 1,
    fresh_workers: options.FreshWorkers = None,
    timeout: options.Timeout = TIMEOUT_SECONDS,
    memory: options.Memory = None,
    seed: options.Seed = 0,
    space: options.Space = None,
    package: Packages = None,
    leave_out: options.LeaveOut = None,
    proposer: ProposerName = None,
    ensemble: Ensemble = False,
    calibrate: Calibrate = False,
    tune_threshold: TuneThreshold = None,
    pos_label: PosLabel = None,
    needs_probabilities: NeedsProbabilities = False,
    keep_predictions: KeepPredictions = "best",
    refit: RefitOption = "best",
    no_curve: NoCurve = False,
    no_importance: NoImportance = False,
    dask: Dask = None,
    store: options.Store = None,
    run: RunName = None,
    report: Report = None,
    save: Save = None,
    watch: Watched = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the best pipeline for a table."""
    check_outputs({"--report": report, "--save": save}, source=source, store=store)
    if report is not None or watch:
        what = "Watching a run" if report is None else "Writing a report"
        require("plotly", what, extra="report")
    if save is not None:
        require("skops", "Saving models")
    settings: dict[str, Any] = {
        "n_iter": candidates,
        "time_budget": budget,
        "space": _space(space, package or ()),
        "leave_out": tuple(leave_out or ()),
        "proposer": proposer,
        "ensemble": ensemble,
        "calibrate": calibrate,
        "tune_threshold": tune_threshold,
        "pos_label": pos_label,
        "keep_predictions": keep_predictions,
        "refit": refit,
        "learning_curve": not no_curve,
        "default_model": True,
        "importance": not no_importance,
        "scoring": scoring,
        "policy": policy_of(policy),
        "n_jobs": jobs,
        "fresh_workers": fresh_workers,
        "timeout_per_candidate": timeout,
        "memory_limit": memory,
        "dask": _checked_address(dask),
        "run": run,
        "random_state": seed,
    }
    table = table_options.read(source, ids=ids or (), by=by)
    if needs_probabilities:
        settings["leave_out"] += without_probabilities(
            table, settings["space"], settings["leave_out"]
        )
    notes: list[str] = []
    with ExitStack() as stack:
        if store is None and (report is not None or watch):
            # Both need a store, if only one that is thrown away.
            store = stack.enter_context(temporary_folder()) / "run.db"
        console = console_of(stderr=True, quiet=quiet)
        listeners = []
        if watch:
            tell = partial(print_line, console_of(stderr=True))
            listeners.append(WatchedSearch(store, run, tell))
            stack.callback(listeners[0].close)
        settings |= {"folds": folds, "store": store, "listeners": listeners}
        model, stopwatch = search_table(table, console, **settings)
        unheard = None
        try:
            show_answer(model, table, stopwatch, as_json=as_json)
        except OSError as error:
            # Whoever reads it has gone, or the terminal is closed: files are written all the same.
            unheard = error
        fitted = hasattr(model, "best_estimator_")
        writers: list[Callable[[], object]] = []
        if save is not None and fitted:
            writers.append(partial(_write_model, model, table, save, notes))
        if report is not None and store is not None:
            writers.append(partial(write_report_of, store, run, report))
        _write_all(writers)
    if unheard is not None:
        raise unheard
    written = (report, save if fitted else None)
    for said in (*(f"Wrote {path}" for path in written if path), *notes):
        say(said, err=as_json)
    if not fitted:
        raise typer.Exit(UNFITTED)


def _space(space: str | None, packages: list[str] | tuple[str, ...]) -> SearchSpace | str | None:
    """Give a space by its name, or read it from a file."""
    if space is None or is_space_name(space):
        return space
    return load_space(space, packages=packages)


def _checked_address(dask: str | None) -> str | None:
    """Say at once that an address is none: connecting to it would take a minute to fail."""
    if dask is not None and dask != "local" and not dask.rpartition(":")[2].isdigit():
        raise InvalidParameterError(
            f"--dask needs an address such as tcp://10.0.0.1:8786, or local, got {dask!r}."
        )
    return dask


def _write_all(writers: Iterable[Callable[[], object]]) -> None:
    """Write what can be written, even if something else cannot; say afterwards what could not."""
    problems = []
    for write in writers:
        try:
            write()
        except CurvewiseError as error:
            problems.append(str(error))
    if problems:
        raise InvalidParameterError(" ".join(problems))


def _write_model(model: CurveAutoML, table: Table, path: Path, notes: list[str]) -> None:
    """Save the pipeline; note how to predict with it elsewhere, if that takes trust."""
    saved = SavedModel(
        model.best_estimator_,
        table.kinds,
        table.target,
        table.task,
        ids=table.ids,
        date_orders=table.date_orders,
    )
    foreign = save_model(saved, path)
    if foreign:
        trust = " ".join(f"--trust {name}" for name in foreign)
        notes.append(f"On another machine, predict with: curvewise predict {path} TABLE {trust}")
