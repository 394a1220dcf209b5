"""``curvewise bench advice``: how good advice on more data is, on recorded curves or real data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console
from typer import Option

from curvewise._bench.blank_figure import check_figures
from curvewise._bench.doubled_rows.advice_figures import draw_figures
from curvewise._bench.doubled_rows.cases import Case, collect
from curvewise._bench.doubled_rows.doubled_table import double_table
from curvewise._bench.doubled_rows.forecast_summary import MIN_GAINS, TOLERANCES, chosen, summarise
from curvewise._bench.doubled_rows.forecasts import (
    FEWEST_DATASETS,
    LEVELS,
    METHODS,
    Forecast,
    forecast,
)
from curvewise._bench.doubled_rows.paper_portfolio import paper_portfolio
from curvewise._bench.experiments.data_sets import find_datasets, load
from curvewise._cli import options
from curvewise._cli.terminal import bar_of, console_of, percent, print_json, say, table_of
from curvewise._text import counted
from curvewise.errors import InvalidParameterError, UnfitDataError
from curvewise.executors import read_recordings

STORE = Path("advice.db")
FIGURES = (
    "MAE: mean error of the predicted gain. .01, .025, .07: % of predictions within it. right: % "
    "of right decisions by wished gain."
)
CERTAINTY = (
    "cover: % of true gains within the 90% interval, and by third of the rows and of the data "
    "sets' sizes. sure: % of probabilities above .9 or below .1, and % of these that are right. "
    "open: % of cases without yes or no, by wished gain."
)
STYLE: dict[str, Any] = {"padding": 0, "show_edge": False}

EPILOG = """
**Examples**

    curvewise bench advice --curves curves.parquet

    curvewise bench advice --curves curves.parquet --figures figures --json

    curvewise bench advice --data tables --store advice.db --timeout-per-fit 30

The experiment of Mohr & van Rijn 2023, Sec. V-B: the curves of several learners are known from 64
to H rows, and methods predict the best score with 2H rows. On recorded curves H is every power of
two from 256 on for which 2H was recorded, and calibration is cross-validated over data sets, so
that none is used to predict itself. Longer curves are easier: --at 512+ counts those with four
sizes or more, one more than a power law has parameters. With fewer than 30 data sets, and with
--data, the calibration that curvewise comes with is used. With --data, 17 classifiers are validated
on half of each table and on all of it; with the same store, an interrupted run continues.
"""


def advice_command(
    curves: options.Curves = None,
    data: options.Data = None,
    method: Annotated[str, Option(help="Methods, separated by commas.")] = ",".join(METHODS),
    at: Annotated[
        str,
        Option(
            help="Which cases to count: all, largest (each data set's), those at H, or H+ for H "
            "and above."
        ),
    ] = "all",
    draws: Annotated[int, Option(min=1, help="How often folds are drawn for each case.")] = 3,
    timeout_per_fit: options.TimeoutPerFit = 60.0,
    folds: options.Folds = 10,
    jobs: options.Jobs = 1,
    seed: options.Seed = 0,
    store: options.Store = STORE,
    figures: Annotated[
        Path | None, options.output_option(help="Draw the paper's figures into this folder.")
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure how well methods predict what twice the rows gain."""
    if (curves is None) == (not data):
        raise InvalidParameterError("Give a file of recorded curves (--curves) or tables (--data).")
    if figures is not None:
        check_figures(figures)
    methods = [name.strip() for name in method.split(",") if name.strip()]
    cases: Sequence[Case]
    if curves is not None:
        cases = collect(read_recordings(curves), n_folds=folds, random_state=seed, n_draws=draws)
    else:
        cases = _cases_of_tables(
            data or [],
            quiet=quiet,
            store=store or STORE,
            n_splits=folds,
            timeout_per_fit=timeout_per_fit,
            n_jobs=jobs,
            random_state=seed,
        )
    forecasts = chosen(_forecast(cases, methods, measured=curves is None, quiet=quiet), at)
    summaries = [{**summary, "at": at} for summary in summarise(forecasts)]
    if as_json:
        print_json(summaries)
    elif not quiet:
        print_forecasts(summaries, folds=folds)
    if figures is not None:
        draw_figures(forecasts, figures)


def _forecast(
    cases: Sequence[Case], methods: list[str], *, measured: bool, quiet: bool
) -> list[Forecast]:
    """Let the methods forecast, calibrated on the other data sets if there are enough of them."""
    n_datasets = len({case.dataset for case in cases})
    few = n_datasets < FEWEST_DATASETS
    if few and not measured:
        # Quiet hides progress, never a warning.
        say(_few(n_datasets), err=True)
    with bar_of("methods", quiet=quiet) as progress:
        bar = progress.add_task("predicting", total=len(LEVELS) * len(methods))
        on_progress = partial(progress.advance, bar)
        return forecast(cases, methods=methods, shipped=few or measured, on_progress=on_progress)


def _few(n_datasets: int) -> str:
    sets = "1 data set is" if n_datasets == 1 else f"{n_datasets} data sets are"
    return (
        f"Note: {sets} too few to calibrate on (at least {FEWEST_DATASETS}): the numbers are those "
        "that curvewise comes with. They were found on LCDB's development half; what is in it "
        "has had a part in them."
    )


def _cases_of_tables(sources: list[str], *, quiet: bool, **settings: Any) -> list[Case]:
    """Carry the protocol out on all tables that are large enough."""
    datasets, notes = find_datasets(sources)
    cases = []
    with bar_of("tables", quiet=quiet) as progress:
        bar = progress.add_task("halving", total=len(datasets))
        for name, source in datasets.items():
            progress.update(bar, description=name)
            table = load(source)
            try:
                cases.append(double_table(name, table.X, table.y, paper_portfolio(), **settings))
            except UnfitDataError as reason:
                notes.append(f"{name} is left out: {reason}")
            progress.advance(bar)
    if not cases:
        raise InvalidParameterError(f"No table is large enough. {notes[-1]}")
    for note in notes:
        say(note, err=True)
    return cases


def print_forecasts(summaries: list[dict[str, Any]], *, folds: int) -> None:
    """Print the figures of each level as a table, and then how far certainty can be trusted."""
    console = console_of()
    for level in LEVELS:
        own = [summary for summary in summaries if summary["level"] == level]
        if own:
            _print_figures(console, own, folds)
    certain = [summary for summary in summaries if summary["coverage_90"] is not None]
    if certain:
        _print_certainty(console, certain)


def _print_figures(console: Console, summaries: list[dict[str, Any]], folds: int) -> None:
    first = summaries[0]
    n_predictions = counted(first["n"], "prediction")
    n_datasets = counted(first["n_datasets"], "data set")
    at = first.get("at", "all")
    some = "" if at == "all" else f", at {at} only"
    title = f"per {first['level']}: {n_predictions}, {n_datasets}, {folds} folds{some}"
    decisions = f"right at {'/'.join(f'{gain:g}'[1:] for gain in MIN_GAINS)}"
    within = [f"{most:g}"[1:] for most in TOLERANCES.values()]
    rows = [
        [
            each["method"],
            f"{each['mae']:.4f}"[1:],
            *(percent(each[name]) for name in TOLERANCES),
            "" if each["correlation"] is None else f"{each['correlation']:.2f}".replace("0.", "."),
            "/".join(percent(share) for share in each["accuracy"].values()),
        ]
        for each in summaries
    ]
    for name in ("always_no", "always_yes"):
        shares = "/".join(percent(share) for share in first[name].values())
        rows.append([name.replace("_", " "), "", *[""] * len(TOLERANCES), "", shares])
    headings = ("method", "MAE", *within, "corr.", decisions)
    left = ("method", decisions)
    console.print(table_of(headings, rows, left=left, title=title, caption=FIGURES, **STYLE), "")


def _print_certainty(console: Console, summaries: list[dict[str, Any]]) -> None:
    headings = ("method", "level", "cover", "by rows", "by size", "sure", "right", "open")
    rows = [
        [
            each["method"],
            each["level"],
            percent(each["coverage_90"]),
            *(_several(each[name]) for name in ("coverage_by_rows", "coverage_by_size")),
            _several([each["sure_share"]]),
            percent(each["sure_accuracy"]),
            _several(each["cannot_tell"].values()),
        ]
        for each in summaries
    ]
    title = "how far its certainty can be trusted"
    left = ("method", "level")
    console.print(table_of(headings, rows, left=left, title=title, caption=CERTAINTY, **STYLE), "")


def _several(shares: Any) -> str:
    return "/".join("" if share is None else f"{100 * share:.0f}" for share in shares)
