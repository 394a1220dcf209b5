"""Run time against error for many methods at once: knobs one by one, or tools beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curvewise.bench.experiments.comparison import Comparison
from curvewise.bench.experiments.figures.canvas import METHOD, REFERENCE, new_figure, plain


def draw_trade_off(found: Sequence[Comparison], title: str) -> Any:
    """Draw a point per method: mean ratio of run times and mean difference in error.

    Parameters
    ----------
    found
        The comparisons, each with at least one pair.
    title
        Above the picture.
    """
    figure = new_figure(9, 6)
    axes = figure.add_subplot()
    for each in found:
        race = each.method.lower().startswith("race")
        x, y = each.mean_ratio, each.mean_gap
        axes.scatter(x, y, s=28, color=METHOD if race else REFERENCE, zorder=3)
        axes.annotate(
            plain(each.method), (x, y), xytext=(5, 3), textcoords="offset points", fontsize=7
        )
    axes.axvline(1, color="0.6", linewidth=1)
    axes.axhline(0, color="0.6", linewidth=1)
    axes.set_xlim(left=0)
    axes.margins(x=0.15, y=0.1)
    axes.set_xlabel("run time as a ratio to the reference (mean over data sets)")
    axes.set_ylabel("error of the choice less the reference's (mean over cells)")
    axes.grid(alpha=0.25)
    figure.suptitle(plain(title), fontsize=11)
    return figure
