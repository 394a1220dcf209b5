"""Each knob of a method in a panel of its own, as in the paper's sensitivity analysis (supplement).

A dot is a setting; the black one is the method with all knobs as they are. Panels have the same
errors, and those of a method the same run times, so that one sees which knobs matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.figures.canvas import METHOD, cells_in, headline, knob_of, plain
from curvewise._bench.experiments.figures.labels import place_labels
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
    panels = figure.subplots(n_rows, COLUMNS, squeeze=False, sharey=True).flatten()
    default = {each.method: each for each in found}
    for axes in panels[len(knobs) :]:
        axes.set_visible(False)
    for axes, (knob, own) in zip(panels, knobs.items(), strict=False):
        method = knob.partition(" ")[0]
        _draw(axes, own, default[method])
        # The same run times for all knobs of a method.
        alike = [each for each in knobs if each.partition(" ")[0] == method]
        first = panels[list(knobs).index(alike[0])]
        if axes is not first:
            axes.sharex(first)
        axes.set_title(plain(knob), fontsize=9)
    figure.supxlabel("run time as a ratio to the reference (mean over data sets)", fontsize=9)
    figure.supylabel("error less the reference's (mean over cells)", fontsize=9)
    headline(figure, title, cells_in(found), "black: all knobs as they are")
    for axes, (knob, own) in zip(panels, knobs.items(), strict=False):
        # The default has no label, but none may cover it.
        shown = [*own, default[knob.partition(" ")[0]]]
        texts = [*(knob_of(each.method)[1] for each in own), ""]
        place_labels(axes, texts, _places(shown), colors=[METHOD] * len(shown))
    return figure


def _places(found: Sequence[MethodComparison]) -> list[tuple[float, float]]:
    return [(each.mean_ratio, each.mean_gap) for each in found]


def _draw(axes: Any, own: Sequence[MethodComparison], default: MethodComparison) -> None:
    axes.plot(*zip(*_places([default]), strict=True), "D", color="black", markersize=6)
    axes.plot(*zip(*_places(own), strict=True), "o", color=METHOD, markersize=4)
    axes.axhline(0, color="0.7", linewidth=0.8)
    axes.margins(0.2)
    axes.grid(alpha=0.25)
    axes.tick_params(labelsize=7, labelleft=True)
