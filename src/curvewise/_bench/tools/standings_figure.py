"""Scores against time, as a picture: a line per tool, a point per budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.figures.canvas import headline, log_seconds, save
from curvewise._bench.experiments.figures.labels import place_labels
from curvewise._bench.tools.standings import common_rounds, standings

if TYPE_CHECKING:
    import pandas as pd

COLORS = ("#0072b2", "#c44e00", "#007f5c", "#b0508a", "#a87400", "#3a8fc4", "#000000")


def draw_standings(frame: pd.DataFrame) -> Any:
    """Draw the mean normalised score against the mean seconds until the model stood."""
    seconds = common_rounds(frame).groupby(["budget", "tool"], observed=True)
    seconds = seconds["model_seconds"].mean().to_dict()
    figure = new_figure(8, 5)
    axes = figure.add_subplot()
    texts, points, colors = [], [], []
    tools = [str(tool) for tool in frame["tool"].cat.categories]
    found = standings(frame)
    for i, tool in enumerate(tools):
        own = [each for each in found if each["tool"] == tool]
        own = [each for each in own if seconds[each["budget"], tool] > 0]
        if not own:
            continue
        color = COLORS[i % len(COLORS)]
        x = [seconds[each["budget"], tool] for each in own]
        y = [each["normalised_mean"] for each in own]
        low = [each["normalised_mean"] - each["normalised_low"] for each in own]
        high = [each["normalised_high"] - each["normalised_mean"] for each in own]
        axes.errorbar(
            x, y, yerr=[low, high], color=color, marker="o", markersize=5, linewidth=1,
            elinewidth=0.8, alpha=0.9,
        )  # fmt: skip
        texts.append(tool)
        points.append((x[-1], y[-1]))
        colors.append(color)
    log_seconds(axes)
    axes.margins(x=0.15, y=0.1)
    axes.set_xlabel("seconds until the model stood (mean)")
    axes.set_ylabel("normalised score (mean over tables, 95% interval)")
    axes.grid(alpha=0.25)
    n_tables = max((each["n_tables"] for each in found), default=0)
    headline(figure, f"AutoML tools at equal time, {n_tables} tables")
    if points:
        place_labels(axes, texts, points, colors=colors, size=9)
    return figure


def write_figure(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Write the picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return save(draw_standings(frame), folder, "automl-time")
