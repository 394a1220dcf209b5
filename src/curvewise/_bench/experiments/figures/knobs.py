"""Each knob of a method in a panel of its own, as in the paper's sensitivity analysis (supplement).

A dot is a setting; the black one is the method with all knobs as they are. The panels have the same
axes, so that a knob that matters is told from one that does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.figures.canvas import METHOD, cells_in, headline, knob_of, plain
from curvewise._bench.experiments.method_comparison import MethodComparison

COLUMNS = 4


def knobs_of(found: Sequence[MethodComparison]) -> dict[str, list[MethodComparison]]:
    """Give the settings of each knob whose method is there without it as well."""
    names = {each.method for each in found}
    knobs: dict[str, list[MethodComparison]] = {}
    for each in found:
        knob, value = knob_of(each.method)
        if value and knob.partition(" ")[0] in names and math.isfinite(each.mean_ratio):
            knobs.setdefault(knob, []).append(each)
    return knobs


def draw_knobs(found: Sequence[MethodComparison], title: str) -> Any:
    """Draw a panel per knob: run time and error of its settings, beside the default."""
    knobs = knobs_of(found)
    n_rows = math.ceil(len(knobs) / COLUMNS)
    figure = new_figure(13, 2.5 * n_rows + 0.8)
    panels = figure.subplots(n_rows, COLUMNS, squeeze=False, sharex=True, sharey=True)
    default = {each.method: each for each in found}
    for axes in panels.flat[len(knobs) :]:
        axes.set_visible(False)
    for axes, (knob, own) in zip(panels.flat, knobs.items(), strict=False):
        where = [(each.mean_ratio, each.mean_gap) for each in own]
        axes.plot(*zip(*where, strict=True), "o", color=METHOD, markersize=5)
        base = default[knob.partition(" ")[0]]
        axes.plot(base.mean_ratio, base.mean_gap, "D", color="black", markersize=5)
        for each, place in zip(own, where, strict=True):
            text = plain(knob_of(each.method)[1])
            axes.annotate(text, place, (4, 4), textcoords="offset points", fontsize=7)
        axes.set_title(plain(knob), fontsize=9)
        axes.axhline(0, color="0.7", linewidth=0.8)
        axes.margins(0.15)
        axes.grid(alpha=0.25)
        axes.tick_params(labelsize=7, labelbottom=True)
    figure.supxlabel("run time as a ratio to the reference (mean over data sets)", fontsize=9)
    figure.supylabel("error less the reference's (mean over cells)", fontsize=9)
    headline(figure, title, cells_in(found), "black: all knobs as they are")
    return figure
