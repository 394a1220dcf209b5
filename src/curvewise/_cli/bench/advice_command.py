"""``curvewise bench advice``: how good advice on more data is, on recorded curves or real data."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from curvewise._bench.advice.advice_figures import check_figures, draw_figures
from curvewise._bench.advice.cases import Case, SeenCase, collect
from curvewise._bench.advice.doubled_table import Doubling, double_table
from curvewise._bench.advice.forecast_summary import MIN_GAINS, TOLERANCES, counted, summarise
from curvewise._bench.advice.forecasts import FEWEST_DATASETS, LEVELS, METHODS, forecast
from curvewise._bench.advice.paper_portfolio import paper_portfolio
from curvewise._bench.experiments.data_sets import find_datasets, load
from curvewise._bench.trade_off_plot import check_writable
from curvewise.errors import InvalidParameterError, UnfitDataError
from curvewise.executors._recordings import read_recordings

EPILOG = """
**Examples**

    curvewise bench advice --curves curves.parquet

    curvewise bench advice --curves curves.parquet --json out.json --figures figures

    curvewise bench advice --data tables --store advice.db --timeout 30

The experiment of Mohr & van Rijn 2023, Sec. V-B: portfolios are seen from 64 to H rows, and methods
say what 2H rows will bring. On recorded curves H is every power of two from 256 on for which 2H was
recorded, and calibration is cross-validated over data sets: none predicts itself. Longer curves
are easier: --at 512+ counts those with four anchors or more, one more than a power law has
parameters. Fewer than 30 data sets are too few to calibrate on: then the numbers are those that
curvewise comes with. So they are on data, where 17 classifiers are validated on half of each table
and on all of it; with the same store, an interrupted run goes on.
"""


def advice_command(
    curves: Annotated[
        Path | None, typer.Option(help="A Parquet file of recorded learning curves.")
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data",
            help="Instead: a folder of Parquet files (label in the column target), a file, "
            "sklearn:NAME or openml:ID; may be repeated.",
        ),
    ] = None,
    store: Annotated[Path, typer.Option(help="With --data: where the runs are kept.")] = Path(
        "advice.db"
    ),
    timeout: Annotated[
        float, typer.Option(help="With --data: seconds for a fit; who takes longer is left out.")
    ] = 60.0,
    jobs: Annotated[int, typer.Option(help="With --data: fits at once; -1 for all cores.")] = 1,
    method: Annotated[str, typer.Option(help="Methods, separated by commas.")] = ",".join(METHODS),
    folds: Annotated[int, typer.Option(min=2, help="Folds that the methods see.")] = 10,
    draws: Annotated[int, typer.Option(min=1, help="How often folds are drawn for each case.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the choice of folds.")] = 0,
    at: Annotated[
        str,
        typer.Option(
            help="Which cases to count: all, largest (each data set's), those at H, or H+ for H "
            "and above."
        ),
    ] = "all",
    json_path: Annotated[
        Path | None, typer.Option("--json", help="Write the figures to this file.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(help="Draw the paper's figures into this folder.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no table and no progress.")] = False,
) -> None:
    """Measure how well methods foresee what twice the rows bring."""
    if (curves is None) == (not data):
        raise InvalidParameterError("Give a file of recorded curves (--curves) or tables (--data).")
    check_writable(json_path)
    if figures is not None:
        check_figures(figures)
    methods = [name.strip() for name in method.split(",") if name.strip()]
    cases: Sequence[Case]
    if curves is not None:
        cases = collect(read_recordings(curves), n_folds=folds, seed=seed, n_draws=draws)
    else:
        double = partial(
            double_table,
            store=store,
            n_splits=folds,
            timeout_per_fit=timeout,
            n_jobs=jobs,
            random_state=seed,
        )
        cases = _cases_of_tables(data or [], double, quiet=quiet)
    n_datasets = len({case.dataset for case in cases})
    shipped = curves is None or n_datasets < FEWEST_DATASETS
    if shipped and curves is not None and not quiet:
        typer.echo(_few(n_datasets), err=True)
    with _progress("methods", quiet=quiet) as progress:
        bar = progress.add_task("predicting", total=len(LEVELS) * len(methods))
        forecasts = forecast(
            cases,
            methods=methods,
            shipped=shipped,
            on_progress=lambda: progress.advance(bar),
        )
    forecasts = counted(forecasts, at)
    summaries = [{**summary, "at": at} for summary in summarise(forecasts)]
    if not quiet:
        print_summaries(summaries, folds=folds)
    if json_path is not None:
        json_path.write_text(json.dumps(summaries, indent=2) + "\n", encoding="utf-8")
    if figures is not None:
        draw_figures(forecasts, figures)


def _few(n_datasets: int) -> str:
    sets = "1 data set is" if n_datasets == 1 else f"{n_datasets} data sets are"
    return (
        f"Note: {sets} too few to calibrate on (at least {FEWEST_DATASETS}): the numbers are those "
        "that curvewise comes with. They were found on LCDB's development half; what is in it "
        "has had a part in them."
    )


def _cases_of_tables(
    sources: list[str], double: Callable[..., Doubling], *, quiet: bool
) -> list[SeenCase]:
    """Carry the protocol out on all tables that are large enough."""
    datasets, notes = find_datasets(sources)
    cases = []
    with _progress("tables", quiet=quiet) as progress:
        bar = progress.add_task("halving", total=len(datasets))
        for name, source in datasets.items():
            progress.update(bar, description=name)
            table = load(source)
            try:
                doubling = double(name, table.X, table.y, paper_portfolio())
            except UnfitDataError as reason:
                notes.append(f"{name} is left out: {reason}")
            else:
                cases.append(SeenCase(name, table.n_rows, doubling.results, doubling.truth))
            progress.advance(bar)
    if not cases:
        raise InvalidParameterError(f"No table is large enough. {notes[-1]}")
    if not quiet:
        for note in notes:
            typer.echo(note, err=True)
    return cases


def _progress(what: str, *, quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(what),
        console=Console(stderr=True),
        transient=True,
        disable=quiet,
    )


def print_summaries(summaries: list[dict[str, Any]], *, folds: int | None = None) -> None:
    """Print the figures of each level as a table, and then how far certainty can be trusted."""
    console = Console()
    for level in LEVELS:
        own = [summary for summary in summaries if summary["level"] == level]
        if own:
            _print_figures(console, own, folds)
    certain = [summary for summary in summaries if summary["coverage_90"] is not None]
    if certain:
        _print_certainty(console, certain)


def _print_figures(console: Console, summaries: list[dict[str, Any]], folds: int | None) -> None:
    first = summaries[0]
    seen = "" if folds is None else f", {folds} folds"
    at = first.get("at", "all")
    some = "" if at == "all" else f", at {at} only"
    table = _table(
        f"per {first['level']}: {_count(first['n'], 'prediction')}, "
        f"{_count(first['n_datasets'], 'data set')}{seen}{some}",
        "MAE: mean error of the predicted gain. .01, .025, .07: % of predictions within it. "
        "right: % of right decisions by wished gain.",
    )
    table.add_column("method", no_wrap=True)
    for name in ("MAE", *(f"{most:g}"[1:] for most in TOLERANCES.values()), "corr."):
        table.add_column(name, justify="right", no_wrap=True)
    wishes = "/".join(f"{gain:g}"[1:] for gain in MIN_GAINS)
    table.add_column(f"right at {wishes}", no_wrap=True)
    for each in summaries:
        correlation = each["correlation"]
        table.add_row(
            each["method"],
            f"{each['mae']:.4f}"[1:],
            *(_percent(each[name]) for name in TOLERANCES),
            "" if correlation is None else f"{correlation:.2f}".replace("0.", "."),
            "/".join(_percent(share) for share in each["accuracy"].values()),
        )
    for name in ("always_no", "always_yes"):
        shares = "/".join(_percent(share) for share in first[name].values())
        table.add_row(name.replace("_", " "), "", *[""] * len(TOLERANCES), "", shares)
    console.print(table)
    console.print()


def _print_certainty(console: Console, summaries: list[dict[str, Any]]) -> None:
    table = _table(
        "how far its certainty can be trusted",
        "cover: % of true gains within the 90% interval, and by third of the rows and of the data "
        "sets' sizes. sure: % of probabilities above .9 or below .1, and % of these that are "
        "right. open: % of cases without yes or no, by wished gain.",
    )
    for name in ("method", "level"):
        table.add_column(name, no_wrap=True)
    for name in ("cover", "by rows", "by size", "sure", "right", "open"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in summaries:
        table.add_row(
            each["method"],
            each["level"],
            _percent(each["coverage_90"]),
            *(_several(each[name]) for name in ("coverage_by_rows", "coverage_by_size")),
            _several([each["sure_share"]]),
            _percent(each["sure_accuracy"]),
            _several(each["cannot_tell"].values()),
        )
    console.print(table)
    console.print()


def _table(title: str, caption: str) -> Table:
    return Table(
        title=title,
        caption=caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=0,
        show_edge=False,
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _several(shares: Any) -> str:
    return "/".join("" if share is None else f"{100 * share:.0f}" for share in shares)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}".removesuffix(".0")
