"""Scatter plots as in the supplement: each data set with a method and with its reference.

The points are means over seeds; vertical lines go from the 10th to the 90th percentile of the
error. The dashed line between the two points is green where the method is faster, and says by how
much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from curvewise.bench.experiments.comparison import Comparison
from curvewise.bench.experiments.figures.canvas import (
    FASTER,
    METHOD,
    REFERENCE,
    SLOWER,
    log_seconds,
    new_figure,
    plain,
)
from curvewise.bench.experiments.ledger import Cell
from curvewise.bench.experiments.results import Results

AIDS = {"1 min": 60, "30 min": 1800, "1 h": 3600, "10 h": 36_000}


def draw_scatter(results: Results, each: Comparison) -> Any:
    """Draw a method against its reference, data set by data set.

    Parameters
    ----------
    results
        The experiment.
    each
        One of its comparisons, with at least one pair.
    """
    figure = new_figure(10, 7)
    axes = figure.add_subplot()
    seconds: list[float] = []
    for dataset in each.datasets:
        own, reference = each.seconds(dataset)
        errors = _errors(results, each.method, dataset), _errors(results, each.reference, dataset)
        means = float(np.mean(errors[0])), float(np.mean(errors[1]))
        faster = own <= reference
        color = FASTER if faster else SLOWER
        axes.plot([own, reference], means, color=color, linestyle="--", linewidth=0.9, zorder=1)
        for x, values, dot in ((own, errors[0], METHOD), (reference, errors[1], REFERENCE)):
            low, high = np.percentile(values, [10, 90])
            axes.plot([x, x], [low, high], color=dot, linewidth=2, alpha=0.4, zorder=2)
            axes.scatter(x, np.mean(values), color=dot, s=18, zorder=3)
        change = f"{dataset}: {own - reference:+.0f} s ({each.ratio(dataset):.2f})"
        middle = float(np.sqrt(own * reference)), float(np.mean(means))
        axes.annotate(plain(change), middle, fontsize=6, color=color, ha="center", va="bottom")
        seconds += [own, reference]
    _finish(axes, each, min(seconds), max(seconds))
    figure.suptitle(plain(f"{results.plan.title}: {each.method} and {each.reference}"), fontsize=11)
    return figure


def _finish(axes: Any, each: Comparison, least: float, most: float) -> None:
    log_seconds(axes)
    for name, where in AIDS.items():
        if least <= where <= most:
            axes.axvline(where, color="0.3", linewidth=0.8, linestyle="--", zorder=0)
            axes.text(where, 1.0, name, fontsize=7, transform=axes.get_xaxis_transform())
    for name, color in ((each.method, METHOD), (each.reference, REFERENCE)):
        axes.scatter([], [], color=color, s=18, label=plain(name))
    axes.legend(fontsize=8)
    axes.set_xlabel("run time of the search (s)")
    axes.set_ylabel("error rate of the choice")
    axes.grid(alpha=0.2)


def _errors(results: Results, method: str, dataset: str) -> list[float]:
    found: list[Cell] = results.done(method, dataset)
    values = [(cell.result or {}).get("error") for cell in found]
    return [float(value) for value in values if value is not None]
