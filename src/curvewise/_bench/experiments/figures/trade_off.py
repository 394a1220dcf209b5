"""Run time against error for many methods at once: knobs one by one, or tools beside each other.

Each knob has its colour and mark, its values stand beside their points, and the legend names it. A
method without a knob has its name beside its point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.figures.canvas import cells_in, headline, knob_of, plain
from curvewise._bench.experiments.figures.labels import place_labels
from curvewise._bench.experiments.method_comparison import MethodComparison

# Together they tell 77 knobs apart. Colours that everybody can tell apart, dark enough for text.
COLORS = ("#0072b2", "#c44e00", "#007f5c", "#b0508a", "#a87400", "#3a8fc4", "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*")


def draw_trade_off(found: Sequence[MethodComparison], title: str) -> Any:
    """Draw a point per method: mean ratio of run times and mean difference in error."""
    knobs: dict[str, list[MethodComparison]] = {}
    for each in found:
        if math.isfinite(each.mean_ratio):
            knobs.setdefault(knob_of(each.method)[0], []).append(each)
    has_values = any(knob_of(each.method)[1] for each in found)
    figure = new_figure(12 if has_values else 9, 7 if has_values else 6)
    axes = figure.add_subplot()
    texts, points, colors, lines = [], [], [], []
    for i, (knob, own) in enumerate(knobs.items()):
        color, mark = COLORS[i % len(COLORS)], MARKS[i % len(MARKS)]
        where = [(each.mean_ratio, each.mean_gap) for each in own]
        values = [knob_of(each.method)[1] for each in own]
        axes.plot(
            *zip(*where, strict=True),
            color=color, marker=mark, markersize=5, linewidth=0.6, alpha=0.9, zorder=3,
            label=plain(knob) if any(values) else None,
        )  # fmt: skip
        texts += [value or knob for value in values]
        points += where
        colors += [color] * len(own)
        lines += list(pairwise(where))
    axes.axvline(1, color="0.6", linewidth=1)
    axes.axhline(0, color="0.6", linewidth=1)
    axes.margins(x=0.1, y=0.1)
    axes.set_xlim(left=0)
    axes.set_xlabel("run time as a ratio to the reference (mean over data sets)")
    axes.set_ylabel("error of the choice less the reference's (mean over cells)")
    axes.grid(alpha=0.25)
    if has_values:
        figure.legend(loc="outside right center", fontsize=8, frameon=False)
    headline(figure, title, cells_in(found))
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    lines += [((left, 0), (right, 0)), ((1, low), (1, high))]
    place_labels(axes, texts, points, colors=colors, lines=lines, size=8)
    return figure
