"""An advice as text and as a picture."""

from __future__ import annotations

import math
from pathlib import Path

from rich.console import Console
from rich.text import Text

from curvewise._cli.terminal import table_of
from curvewise.advice import Advice, Prediction
from curvewise.advice._answer import sentences
from curvewise.advice._evidence import name_of

N_SHOWN = 10


def draw_advice(advice: Advice, path: Path) -> None:
    """Draw an advice into a file."""
    from matplotlib.figure import Figure

    from curvewise._selection.pictures.curve_display import CurveDisplay

    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    CurveDisplay.from_advice(advice, ax=figure.add_subplot())
    figure.savefig(path, dpi=150)


def show_advice(advice: Advice, console: Console) -> None:
    """Print the answer, what it rests on, and the candidates that would be the best then."""
    first, *rest = sentences(advice)
    console.print(Text(first, style="bold"))
    for line in rest:
        console.print(Text(line))
    headings = ("candidate", "now", "then", f"{advice.level:.0%} interval", "rows", "folds")
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
