"""All learning curves of several data sets; those that are not convex stand out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.convexity_study import EXCESSES, Shape
from curvewise._bench.experiments.figures.canvas import SLOWER, headline, plain

PER_FIGURE = 24
COLUMNS = 4
TITLE = (
    "error rate by training rows; red: a point lies more than .01 above the line between its "
    "neighbours"
)


def draw_shapes(shapes: Sequence[Shape], *, note: str = "") -> Iterator[Any]:
    """Draw a panel per data set, at most 24 to a figure."""
    datasets = list(dict.fromkeys(shape.dataset for shape in shapes))
    for start in range(0, len(datasets), PER_FIGURE):
        shown = datasets[start : start + PER_FIGURE]
        n_rows = math.ceil(len(shown) / COLUMNS)
        figure = new_figure(13, 2.4 * n_rows + 0.4)
        panels = figure.subplots(n_rows, COLUMNS, squeeze=False).flat
        for axes in panels:
            axes.set_visible(False)
        for axes, dataset in zip(figure.axes, shown, strict=False):
            axes.set_visible(True)
            _draw(axes, [shape for shape in shapes if shape.dataset == dataset])
            axes.set_title(plain(dataset), fontsize=8)
        headline(figure, TITLE, note)
        yield figure


def _draw(axes: Any, shapes: Sequence[Shape]) -> None:
    for shape in shapes:
        bent = shape.excess > EXCESSES[-1]
        axes.plot(
            *zip(*shape.points, strict=True),
            color=SLOWER if bent else "0.45",
            linewidth=1.2 if bent else 0.7,
            zorder=2 if bent else 1,
        )
    axes.set_xscale("log")
    axes.tick_params(labelsize=6)
    axes.grid(alpha=0.2)
