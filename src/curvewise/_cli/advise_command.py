"""``curvewise advise``: whether more data would help.

Exit codes, beside those of every command: 0 yes, 3 no, 4 cannot tell.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from curvewise._bench.trade_off_plot import check_plot
from curvewise._cli.curve_collection import collect_curves
from curvewise._cli.metric_checks import check_metric
from curvewise._cli.output_paths import check_outputs
from curvewise._cli.shown_search import LARGEST_SEED
from curvewise.advice import Advice, advise
from curvewise.advice._answer import sentences
from curvewise.advice._evidence import name_of
from curvewise.automl._estimators import TIMEOUT_SECONDS
from curvewise.automl._tables import read_table
from curvewise.errors import InvalidParameterError
from curvewise.executors._store import RunStore

TABLE = "For a table"
SQLITE = b"SQLite format 3"
# What is not there is looked for where its name says.
STORES = (".db", ".sqlite", ".sqlite3")
CODES = {"yes": 0, "no": 3, "cannot tell": 4}
N_SHOWN = 10

EPILOG = """
**Examples**

    curvewise advise run.db --double --min-gain 0.005

    curvewise advise run.db --rows 50000 --json

    curvewise advise run.db --factor 4 --target-score 0.95 --plot advice.png

    curvewise advise data.csv --target label --candidates 40 --jobs 4 --store run.db

A table is searched first, and the best few candidates get whole learning curves. With `--store`
nothing of that is lost: the store can be asked again, and an interrupted search goes on.

The exit code is 0 for yes, 3 for no, 4 if it cannot be told; 2 for bad input.
"""


def advise_command(
    source: Annotated[
        str,
        typer.Argument(
            help="What `curvewise select --store` wrote; or a table: a file, sklearn:NAME or "
            "openml:ID."
        ),
    ],
    run: Annotated[
        str | None, typer.Option(help="A run's number or name.", show_default="the latest")
    ] = None,
    double: Annotated[bool, typer.Option("--double", help="Ask about twice the rows.")] = False,
    rows: Annotated[int | None, typer.Option(min=1, help="Ask about so many rows.")] = None,
    factor: Annotated[
        float | None, typer.Option(help="Ask about so many times the rows.", show_default="2")
    ] = None,
    min_gain: Annotated[
        float, typer.Option(min=0.0, help="What more rows have to bring, in the score's unit.")
    ] = 0.005,
    target_score: Annotated[
        float | None, typer.Option(help="Ask how many rows this score needs.")
    ] = None,
    method: Annotated[
        str, typer.Option(help="curve, ipl (the paper's rule) or last (no change).")
    ] = "curve",
    sure: Annotated[float, typer.Option(help="How probable a yes or a no has to be.")] = 0.8,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw curves and expectation into this file.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="Of a table: the column to predict.", rich_help_panel=TABLE),
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="classification or regression.", rich_help_panel=TABLE)
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="A scorer of scikit-learn.", rich_help_panel=TABLE)
    ] = None,
    candidates: Annotated[
        int, typer.Option(min=1, help="How many pipelines to try.", rich_help_panel=TABLE)
    ] = 40,
    best: Annotated[
        int, typer.Option(min=1, help="How many get whole curves.", rich_help_panel=TABLE)
    ] = 5,
    budget: Annotated[
        float | None, typer.Option(help="Seconds for the search.", rich_help_panel=TABLE)
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Folds.", rich_help_panel=TABLE)] = 10,
    timeout: Annotated[
        float, typer.Option(help="Seconds for a pipeline.", rich_help_panel=TABLE)
    ] = TIMEOUT_SECONDS,
    jobs: Annotated[int, typer.Option(help="Fits at once.", rich_help_panel=TABLE)] = 1,
    seed: Annotated[
        int, typer.Option(min=0, max=LARGEST_SEED, help="The seed.", rich_help_panel=TABLE)
    ] = 0,
    store: Annotated[
        Path | None, typer.Option(help="Keep the runs in this file.", rich_help_panel=TABLE)
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Show no progress.", rich_help_panel=TABLE)
    ] = False,
) -> None:
    """Say whether more rows would improve the best score enough: the answer first."""
    if sum((double, rows is not None, factor is not None)) > 1:
        raise InvalidParameterError("Give one of --double, --rows and --factor.")
    if plot is not None:
        check_plot(plot)
    question: dict[str, Any] = {
        "n_rows": rows,
        "factor": factor,
        "min_gain": min_gain,
        "target_score": target_score,
        "method": method,
        "sure": sure,
    }
    if is_store(source):
        advice = advise_on_store(Path(source), run, question)
    else:
        check_outputs({"--plot": plot}, source=source, store=store)
        table = read_table(source, target=target, task=task)
        check_metric(metric, table)
        curves = collect_curves(
            table,
            n_best=best,
            quiet=quiet,
            n_candidates=candidates,
            scoring=metric,
            time_budget=budget,
            cv=folds,
            timeout_per_candidate=timeout,
            n_jobs=jobs,
            random_state=seed,
            store=store,
        )
        advice = advise(curves, rows_now=table.n_rows, **question)
    answer_with(advice, as_json=as_json, plot=plot)


def is_store(source: str) -> bool:
    """Say whether this is a run store rather than a table."""
    try:
        with Path(source).open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return Path(source).suffix in STORES


def advise_on_store(path: Path, run: str | None, question: dict[str, Any]) -> Advice:
    """Advise on a run of a store; by default the latest."""
    with RunStore.read(path) as opened:
        return advise(opened.run(run), **question)


def answer_with(advice: Advice, *, as_json: bool = False, plot: Path | None = None) -> None:
    """Print an advice, draw it if that is wanted, and end with its exit code."""
    if plot is not None:
        draw(advice, plot)
    if as_json:
        typer.echo(json.dumps(advice.facts(), indent=1))
    else:
        show(advice, Console())
    raise typer.Exit(CODES[advice.answer])


def draw(advice: Advice, path: Path) -> None:
    """Draw an advice into a file."""
    from matplotlib.figure import Figure

    from curvewise._selection.pictures.curve_display import CurveDisplay

    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    CurveDisplay.from_advice(advice, ax=figure.add_subplot())
    figure.savefig(path, dpi=150)


def show(advice: Advice, console: Console) -> None:
    """Print the answer, what it rests on, and the candidates that would be the best then."""
    first, *rest = sentences(advice)
    console.print(Text(first, style="bold"))
    for line in rest:
        console.print(Text(line))
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("candidate", "now", "then", f"{advice.level:.0%} interval", "rows", "folds"):
        table.add_column(heading, justify="left" if heading == "candidate" else "right")
    for each in advice.predictions[:N_SHOWN]:
        interval = f"{_number(each.low)} to {_number(each.high)}"
        known = math.isfinite(each.low) and math.isfinite(each.high)
        texts = [name_of(each.candidate), _number(each.score_now), _number(each.score_then)]
        texts += [interval if known else "", f"{each.rows:,}", str(each.n_folds)]
        table.add_row(*(Text(text, overflow="ellipsis") for text in texts))
    left = len(advice.predictions) - N_SHOWN
    if left > 0:
        table.caption = f"and {left} more"
    console.print(table)


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else ""
