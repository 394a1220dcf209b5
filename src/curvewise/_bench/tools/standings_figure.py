"""Scores against time, as a picture: a line per tool, a point per budget."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.figures.canvas import headline, log_seconds, save
from curvewise._bench.experiments.figures.labels import place_labels
from curvewise._bench.tools.standings import common_rounds, standings
from curvewise._text import counted

if TYPE_CHECKING:
    import pandas as pd

ENDS = ("mean", "low", "high")
COLORS = ("#0072b2", "#c44e00", "#007f5c", "#b0508a", "#a87400", "#3a8fc4", "#000000")


def draw_standings(frame: pd.DataFrame) -> Any:
    """Draw the mean normalised score against the mean seconds until the model stood."""
    seconds = common_rounds(frame).groupby(["budget", "tool"], observed=True)
    seconds = seconds["model_seconds"].mean().to_dict()
    found = standings(frame)
    figure = new_figure(8, 5)
    axes = figure.add_subplot()
    tools, points, colors = [], [], []
    lines: list[Any] = []
    for i, tool in enumerate(map(str, frame["tool"].cat.categories)):
        own = [each for each in found if each["tool"] == tool]
        own = [each for each in own if seconds[each["budget"], tool] > 0]
        if not own:
            continue
        x = [seconds[each["budget"], tool] for each in own]
        mean, low, high = ([each[f"normalised_{end}"] for each in own] for end in ENDS)
        color = COLORS[i % len(COLORS)]
        axes.plot(x, mean, color=color, marker="o", markersize=5, linewidth=1, alpha=0.9)
        axes.vlines(x, low, high, color=color, linewidth=0.8, alpha=0.9)
        tools.append(tool)
        points.append((x[-1], mean[-1]))
        colors.append(color)
        lines += pairwise(zip(x, mean, strict=True))
        lines += [((at, a), (at, b)) for at, a, b in zip(x, low, high, strict=True)]
    axes.margins(x=0.15, y=0.1)
    log_seconds(axes)
    axes.set_xlabel("seconds until the model stood (mean)")
    axes.set_ylabel("normalised score (mean over tables, 95% interval)")
    axes.grid(alpha=0.25)
    n_tables = max((each["n_tables"] for each in found), default=0)
    headline(figure, "AutoML tools at equal time", counted(n_tables, "table"))
    if points:
        place_labels(axes, tools, points, colors=colors, lines=lines, size=9)
    return figure


def write_figure(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Write the picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return save(draw_standings(frame), folder, "automl-time")
