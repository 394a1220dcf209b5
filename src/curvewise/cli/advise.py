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

from curvewise.bench.plotting import check_plot
from curvewise.core.advice import Advice, advise
from curvewise.core.advice.wording import sentences
from curvewise.errors import InvalidParameter
from curvewise.executors.store import RunStore

CODES = {"yes": 0, "no": 3, "cannot tell": 4}
N_SHOWN = 10

EPILOG = """
**Examples**

    curvewise advise run.db --double --min-gain 0.005

    curvewise advise run.db --rows 50000 --json

    curvewise advise run.db --factor 4 --target-score 0.95 --plot advice.png

The exit code is 0 for yes, 3 for no, 4 if it cannot be told; 2 for bad input.
"""


def advise_command(
    source: Annotated[Path, typer.Argument(help="What `curvewise select --store` wrote.")],
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
) -> None:
    """Say whether more rows would improve the best score enough: the answer first."""
    if sum((double, rows is not None, factor is not None)) > 1:
        raise InvalidParameter("Give one of --double, --rows and --factor.")
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
    answer_with(advise_on_store(source, run, question), as_json=as_json, plot=plot)


def advise_on_store(path: Path, run: str | None, question: dict[str, Any]) -> Advice:
    """Advise on a run of a store; by default the latest."""
    with RunStore.read(path) as opened:
        known = opened.runs()
        if not known:
            raise InvalidParameter(f"{path} holds no run.")
        which: int | str = known[-1].id if run is None else run
        if isinstance(which, str) and which.isdigit():
            which = int(which)
        return advise(opened.run(which), **question)


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

    from curvewise.selection.pictures.display import CurveDisplay

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
        texts = [str(each.candidate), _number(each.score_now), _number(each.score_then)]
        texts += [interval if known else "", f"{each.rows:,}", str(each.n_folds)]
        table.add_row(*(Text(text, overflow="ellipsis") for text in texts))
    left = len(advice.predictions) - N_SHOWN
    if left > 0:
        table.caption = f"and {left} more"
    console.print(table)


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else ""
