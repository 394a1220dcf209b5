"""``curvewise advise``: whether more data would help.

Exit codes, beside those of every command: 0 yes, 3 no, 4 cannot tell.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text
from typer import Argument, Option

from curvewise._bench.blank_figure import check_plot
from curvewise._cli import options
from curvewise._cli.table_options import TableOptions, with_table_options
from curvewise._cli.table_search import curves_of_best
from curvewise._cli.terminal import console_of, print_json, table_of
from curvewise._files import check_outputs, holds_store, is_file
from curvewise._selection.honest_score import HonestScore, honest_of
from curvewise.advice import Advice, Prediction, advise
from curvewise.advice._advise import check_question
from curvewise.advice._answer import sentences
from curvewise.advice._evidence import name_of
from curvewise.automl._curve_automl import TIMEOUT_SECONDS
from curvewise.core._checks import real_number
from curvewise.errors import InvalidParameterError
from curvewise.executors import RunStore

CODES = {"yes": 0, "no": 3, "cannot tell": 4}
N_SHOWN = 10

EPILOG = """
**Examples**

    curvewise advise run.db --double --min-gain 0.005

    curvewise advise run.db --rows 50000 --json

    curvewise advise run.db --factor 4 --target-score 0.95 --plot advice.png

    curvewise advise data.csv --target label --candidates 40 --jobs 4 --store run.db

A table is searched first, and the best few candidates get whole learning curves; the options on the
table and the search are for that case. With `--store` all of it is kept: further questions are
answered from the store at once, and an interrupted search continues.

The exit code is 0 for yes, 3 for no, 4 for cannot tell, and 2 for bad input.
"""


StoreOrTable = Annotated[
    str,
    Argument(
        help="What `curvewise select --store` wrote, or a table: a file, sklearn:NAME, openml:ID.",
        show_default=False,
    ),
]
Double = Annotated[bool, Option("--double", help="Ask about twice the rows.")]
Rows = Annotated[int | None, Option(min=1, help="Ask about this number of rows.")]
Factor = Annotated[
    float | None, Option(help="Ask about this many times the rows.", show_default="2")
]
MinGain = Annotated[
    float, Option(min=0.0, help="The gain that makes more rows worthwhile, in the score's unit.")
]
TargetScore = Annotated[float | None, Option(help="Ask how many rows this score needs.")]
Method = Annotated[
    str, Option(help="How curves are continued: curve, ipl (the paper's rule) or last (no change).")
]
Sure = Annotated[float, Option(help="The probability that a yes or a no needs.")]
Best = Annotated[
    int, options.search_option(min=1, help="How many of the best get whole learning curves.")
]


@with_table_options
def advise_command(
    source: StoreOrTable,
    table_options: TableOptions,
    run: options.Run = None,
    double: Double = False,
    rows: Rows = None,
    factor: Factor = None,
    min_gain: MinGain = 0.005,
    target_score: TargetScore = None,
    method: Method = "curve",
    sure: Sure = 0.8,
    candidates: options.Candidates = 40,
    best: Best = 5,
    budget: options.Budget = None,
    timeout: options.Timeout = TIMEOUT_SECONDS,
    scoring: options.Scoring = None,
    folds: options.Folds = 10,
    jobs: options.Jobs = 1,
    fresh_workers: options.FreshWorkers = None,
    seed: options.Seed = 0,
    store: options.Store = None,
    plot: options.Plot = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say whether more rows would improve the best score enough."""
    if sum((double, rows is not None, factor is not None)) > 1:
        raise InvalidParameterError("Give one of --double, --rows and --factor.")
    # A question that makes no sense is refused before a search, which takes minutes.
    check_question(method=method, min_gain=min_gain, sure=sure, target_score=target_score)
    if factor is not None:
        real_number("factor", factor, above=0)
    if plot is not None:
        check_plot(plot)
    question: dict[str, Any] = {"n_rows": rows, "factor": factor, "min_gain": min_gain}
    question |= {"target_score": target_score, "method": method, "sure": sure}
    honest = None
    if _is_store(source):
        with RunStore.read(source) as opened:
            stored = opened.run(run)
            advice = advise(stored, **question)
            honest = honest_of(stored.notes())
    else:
        check_outputs({"--plot": plot}, source=source, store=store)
        table = table_options.read(source)
        curves = curves_of_best(
            table,
            console_of(stderr=True, quiet=quiet),
            n_best=best,
            n_iter=candidates,
            scoring=scoring,
            time_budget=budget,
            folds=folds,
            timeout_per_candidate=timeout,
            n_jobs=jobs,
            fresh_workers=fresh_workers,
            random_state=seed,
            store=store,
        )
        advice = advise(curves, rows_now=table.n_rows, **question)
    if plot is not None:
        draw_advice(advice, plot)
    if as_json:
        told = {} if honest is None else {"honest_score": honest.facts()}
        print_json({**advice.facts(), **told})
    else:
        show_advice(advice, console_of(), honest=honest)
    raise typer.Exit(CODES[advice.answer])


def _is_store(source: str) -> bool:
    """Say whether this is a run store rather than a table: what is not there, by its name."""
    if is_file(source):
        return holds_store(Path(source))
    return Path(source).suffix in (".db", ".sqlite", ".sqlite3")


def draw_advice(advice: Advice, path: Path) -> None:
    """Draw an advice into a file."""
    from matplotlib.figure import Figure

    from curvewise._selection.pictures.curve_display import CurveDisplay

    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    CurveDisplay.from_advice(advice, ax=figure.add_subplot())
    figure.savefig(path, dpi=150)


def show_advice(advice: Advice, console: Console, *, honest: HonestScore | None = None) -> None:
    """Print the answer, what it rests on, and the candidates that would be the best then.

    And what the choice of the run is expected to score now, if that was noted.
    """
    first, *rest = sentences(advice)
    console.print(Text(first, style="bold"))
    for line in (*rest, *([f"{honest.sentence()}."] if honest else [])):
        console.print(Text(line))
    headings = ("candidate", "now", "expected", f"{advice.level:.0%} interval", "rows", "folds")
    rows = map(_cells, advice.predictions[:N_SHOWN])
    n_more = len(advice.predictions) - N_SHOWN
    caption = f"and {n_more} more" if n_more > 0 else None
    breakable = {"candidate": 10}
    console.print(
        table_of(headings, rows, left=("candidate",), breakable=breakable, caption=caption)
    )


def _cells(prediction: Prediction) -> list[str]:
    low, high = prediction.low, prediction.high
    known = math.isfinite(low) and math.isfinite(high)
    return [
        name_of(prediction.candidate),
        _number(prediction.score_now),
        _number(prediction.score_then),
        f"{_number(low)} to {_number(high)}" if known else "",
        f"{prediction.rows:,}",
        str(prediction.n_folds),
    ]


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else ""
