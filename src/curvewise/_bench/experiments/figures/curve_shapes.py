"""The shapes of learning curves: all of several data sets, and how many are convex by learner."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.convexity_study import EXCESSES, Shape
from curvewise._bench.experiments.figures.canvas import FASTER, SLOWER, headline, plain

PER_FIGURE = 24
COLUMNS = 4
MOST_NAMED = 2
# The parts of a bar: up to which share they go.
BARS = (
    ("convex", "convex_0", FASTER),
    ("within .001", "convex_0.001", "#7cc7ad"),
    ("within .01", "convex_0.01", "#dddddd"),
    ("more", None, SLOWER),
)
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
            own = [shape for shape in shapes if shape.dataset == dataset]
            _draw(axes, own)
            # A few curves are told by the names of their learners.
            few = [shape.learner for shape in own] if len(own) <= MOST_NAMED else []
            axes.set_title(plain(": ".join(filter(None, [dataset, ", ".join(few)]))), fontsize=8)
        headline(figure, TITLE, note)
        yield figure


def draw_shares(records: Sequence[Mapping[str, Any]], title: str) -> Any:
    """Draw a bar per learner: how many of its curves are convex, nearly so, and clearly not."""
    shown = sorted(records, key=lambda record: (record["learner"] != "all", record["convex_0.01"]))
    figure = new_figure(9, 1.6 + 0.22 * len(shown))
    axes = figure.add_subplot()
    names = [plain(f"{each['learner']} ({each['n_curves']})") for each in shown]
    before = [0.0] * len(shown)
    for label, key, color in BARS:
        shares = [100 * (1.0 if key is None else each[key]) for each in shown]
        widths = [share - left for share, left in zip(shares, before, strict=True)]
        axes.barh(names, widths, left=before, color=color, label=label)
        before = shares
    lost = [100 * (1 - each["beyond_noise"]) for each in shown]
    axes.plot(lost, names, "|", color="black", markersize=9, label="beyond noise: right of this")
    axes.set(xlim=(0, 100), xlabel="% of curves", ylim=(-0.6, len(shown) - 0.4))
    axes.tick_params(labelsize=8)
    figure.legend(loc="outside lower center", ncols=5, fontsize=8, frameon=False)
    headline(figure, title)
    return figure


def _draw(axes: Any, shapes: Sequence[Shape]) -> None:
    for shape in shapes:
        bent = shape.excess > EXCESSES[-1]
        axes.plot(
            *zip(*(point[:2] for point in shape.points), strict=True),
            color=SLOWER if bent else "0.45",
            linewidth=1.2 if bent else 0.7,
            zorder=2 if bent else 1,
        )
    axes.set_xscale("log")
    axes.tick_params(labelsize=6)
    axes.tick_params(axis="x", which="minor", labelbottom=False)
    axes.grid(alpha=0.2)
