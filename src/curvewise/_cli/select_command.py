"""``curvewise select``: from a table to the best pipeline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from curvewise._cli import options
from curvewise._cli.answer_lines import NOT_BEGUN, answer_lines, certainty_facts, default_facts
from curvewise._cli.curve_line import curve_facts, curve_line
from curvewise._cli.model_lines import model_facts, model_lines
from curvewise._cli.prediction_lines import honest_lines, prediction_facts, prediction_lines
from curvewise._cli.store_commands import write_report_of
from curvewise._cli.table_search import Stopwatch, search_table, without_probabilities
from curvewise._cli.terminal import console_of, print_json, print_line, say
from curvewise._cli.watch_command import WatchedSearch
from curvewise._files import check_outputs, temporary_folder
from curvewise._packages import require
from curvewise._plug_ins import policy_of
from curvewise._selection.estimator_code import code_of
from curvewise.automl import (
    SavedModel,
    SearchSpace,
    Table,
    load_space,
    read_table,
    save_model,
)
from curvewise.automl._curve_automl import TIMEOUT_SECONDS, CurveAutoML
from curvewise.automl._enough import MOST
from curvewise.automl._pipeline_search import DEFAULT_PROPOSER, PROPOSERS, is_space_name
from curvewise.core import Status
from curvewise.errors import CurvewiseError, InvalidParameterError

# What a search without --scoring goes by.
OWN_METRICS = {"classification": "accuracy", "regression": "r2"}
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
{MOST} at the latest. A run with `--store` goes on where it stopped when it is begun again with the
same settings. Ctrl-C ends the search and takes the best pipeline so far; again, it leaves it
unfitted.

Exit codes: 0 done, 1 no pipeline gave a result or none could be fitted on all rows, 2 bad input or
a file that cannot be written, 130 interrupted before any result.
"""


Packages = Annotated[
    list[str] | None,
    options.search_option(
        "--package", help="A package whose classes the space may name; may be repeated."
    ),
]
ProposerName = Annotated[
    str | None,
    options.search_option(
        "--proposer",
        help=f"Who proposes candidates: {', '.join(PROPOSERS)}.",
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
        help="Tune the threshold of two classes for a metric, such as f1, if that is better.",
    ),
]
PosLabel = Annotated[
    str | None,
    options.search_option("--pos-label", help="The positive class, for --tune-threshold."),
]
NeedsProbabilities = Annotated[
    bool,
    options.search_option(
        "--needs-probabilities", help="Search only learners that give probabilities of classes."
    ),
]
KeepPredictions = Annotated[
    str,
    options.search_option(
        "--keep-predictions", help="Predictions for the folds' test rows: best, all or none."
    ),
]
RefitOption = Annotated[
    str,
    options.search_option(
        "--refit", help="Who is fitted on all rows: best, or simplest of those that are as good."
    ),
]
NoCurve = Annotated[
    bool, options.search_option("--no-curve", help="No learning curve of the best afterwards.")
]
NoImportance = Annotated[
    bool,
    options.search_option(
        "--no-importance", help="Do not measure afterwards what each column is worth."
    ),
]
By = Annotated[
    str | None,
    options.table_option(
        "--by", metavar="COLUMN", help="Score the best by the levels of a column as well."
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


def select_command(
    source: options.Source,
    target: options.Target = None,
    task: options.Task = None,
    drop: options.Drop = None,
    ids: options.Ids = None,
    keep: options.Keep = None,
    groups: options.Groups = None,
    time: options.Time = None,
    weights: options.Weights = None,
    date: options.Dates = None,
    date_order: options.DateOrder = None,
    sheet: options.Sheet = None,
    by: By = None,
    candidates: options.Candidates = None,
    budget: options.Budget = None,
    scoring: options.Scoring = None,
    folds: options.Folds = 5,
    policy: options.Policy = "race",
    jobs: options.Jobs = 1,
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
    """Find the best pipeline for a table, along learning curves."""
    check_outputs({"--report": report, "--save": save}, source=source, store=store)
    if report is not None or watch:
        require("plotly", "Reports", extra="report")
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
        "timeout_per_candidate": timeout,
        "memory_limit": memory,
        "dask": _checked_address(dask),
        "run": run,
        "random_state": seed,
    }
    table = read_table(
        source,
        target=target,
        task=task,
        drop=drop or (),
        ids=ids or (),
        keep=keep or (),
        groups=groups,
        time=time,
        weights=weights,
        dates=date or (),
        date_order=date_order,
        sheet=sheet,
        by=by,
    )
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
        show_answer(model, table, stopwatch, as_json=as_json)
        fitted = hasattr(model, "best_estimator_")
        writers: list[Callable[[], object]] = []
        if save is not None and fitted:
            writers.append(partial(_write_model, model, table, save, notes))
        if report is not None and store is not None:
            writers.append(partial(write_report_of, store, run, report))
        _write_all(writers)
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


def show_answer(model: CurveAutoML, table: Table, stopwatch: Stopwatch, *, as_json: bool) -> None:
    """Print the winner, its score, and what became of the others."""
    facts = _facts(model, table, stopwatch)
    if as_json:
        print_json(facts)
        return
    for line in (*answer_lines(facts), *honest_lines(model)):
        say(line)
    if facts["refit_reason"] is not None:
        say(f"Simplest: {facts['refit_reason']}")
    if facts["learning_curve"] is not None:
        say(curve_line(facts["learning_curve"]))
    if facts["ensemble"] is not None:
        say(ensemble_line(facts["ensemble"]))
    for line in (*prediction_lines(model), *model_lines(model, table)):
        say(line)


def ensemble_line(ensemble: dict[str, Any]) -> str:
    """Say who predicts together, what that brings, and what it costs."""
    members = ", ".join(f"{weight:.0%} {name}" for name, weight in ensemble["weights"].items())
    gain = ensemble["score"] - ensemble["single_score"]
    return (
        f"Ensemble: {members}. Score {ensemble['score']:.4f} on rows that its weights were not "
        f"chosen on, {gain:+.4f} against the best alone; predictions take "
        f"{ensemble['prediction_cost']:.1f} times as long"
    )


def _facts(model: CurveAutoML, table: Table, stopwatch: Stopwatch) -> dict[str, Any]:
    rows = model.leaderboard_
    search = model.search_
    best = search.results_[search.best_index_]
    row = next(row for row in rows if row["candidate"] == best.candidate)
    counts = Counter(NOT_BEGUN if _untouched(each) else each["status"] for each in rows)
    return {
        "best": str(best.candidate),
        "pipeline": repr(getattr(model, "best_estimator_", search.candidates_[best.candidate])),
        "fitted": hasattr(model, "best_estimator_"),
        "code": code_of(getattr(model, "best_estimator_", search.candidates_[best.candidate])),
        "score": float(search.best_score_),
        "baseline": stopwatch.baseline,
        "default_model": default_facts(model),
        **prediction_facts(model),
        **model_facts(model),
        "refit_reason": getattr(search, "refit_reason_", None),
        "ensemble": model.ensemble_.facts() if hasattr(model, "ensemble_") else None,
        "learning_curve": curve_facts(search),
        "metric": model.scoring or OWN_METRICS[table.task],
        "low": row["low"],
        "high": row["high"],
        "n_folds": row["n_folds"],
        "certainty": certainty_facts(search, best),
        "ending": search.ending_.value,
        "left_out": dict(table.left_out),
        "task": table.task,
        "target": table.target,
        "rows": len(table.X),
        "columns": len(table.X.columns),
        "counts": dict(counts),
        "seconds": sum(each["seconds"] for each in rows),
        "first_seconds": stopwatch.first,
        "elapsed_seconds": stopwatch.last,
        "training_rows": sum(each["training_rows"] for each in rows),
        "leaderboard": rows,
    }


def _untouched(row: dict[str, Any]) -> bool:
    """Whether the search ended before a candidate's turn came."""
    return row["status"] == Status.STOPPED.value and not row["seconds"] and not row["training_rows"]
