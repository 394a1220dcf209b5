"""Cost against quality for many methods at once: knobs one by one, or tools beside each other.

Each knob has its colour and mark, its values stand beside their points, and the legend names it. A
method without a knob has its name beside its point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.figures.canvas import cells_in, headline, knob_of, plain
from curvewise._bench.experiments.figures.labels import place_labels

if TYPE_CHECKING:
    from curvewise._bench.experiments.method_comparison import MethodComparison

# Together they tell 77 knobs apart. Colours that everybody can tell apart, dark enough for text.
COLORS = ("#0072b2", "#c44e00", "#007f5c", "#b0508a", "#a87400", "#3a8fc4", "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*")


class Point(NamedTuple):
    """A method, taken apart into its knob and what that is set to, and where it stands."""

    knob: str
    value: str
    x: float
    y: float


def draw_trade_off(found: Sequence[MethodComparison], title: str) -> Any:
    """Draw a point per method: mean ratio of run times and mean difference in error."""
    points = [Point(*knob_of(each.method), each.mean_ratio, each.mean_gap) for each in found]
    return _draw(
        [point for point in points if math.isfinite(point.x)],
        "run time as a ratio to the reference (mean over data sets)",
        "error of the choice less the reference's (mean over cells)",
        title,
        cells_in(found),
        level=0,
    )


def plot_replays(summaries: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw each policy's cost against how often its choice is as good as k-fold's."""
    points, bars = [], []
    for summary in summaries:
        family, _, setting = summary["policy"].partition(":")
        points.append(Point(family, setting, summary["cost_mean"], 100 * summary["within_001"]))
        bars.append((points[-1][2:], (summary["cost_total"], points[-1].y)))
    first = summaries[0]
    figure = _draw(
        points,
        "cost as a ratio to k-fold CV (mark: mean over data sets, end of the bar: of totals)",
        "choice within .001 of k-fold's (% of runs)",
        f"{first['folds']} folds, {first['n_datasets']} data sets",
        bars=bars,
    )
    figure.savefig(path, dpi=150)


def _draw(
    points: Sequence[Point],
    x: str,
    y: str,
    *titles: str,
    level: float | None = None,
    bars: Sequence[Any] = (),
) -> Any:
    """Draw points, each family of one knob as a line, and say what the axes are."""
    has_values = any(point.value for point in points)
    figure = new_figure(12 if has_values else 9, 7 if has_values else 6)
    axes = figure.add_subplot()
    colors, lines = {}, list(bars)
    for bar in bars:
        axes.plot(*zip(*bar, strict=True), color="0.8", linewidth=3, zorder=1)
    for i, knob in enumerate(dict.fromkeys(point.knob for point in points)):
        own = [point for point in points if point.knob == knob]
        where = [(point.x, point.y) for point in own]
        colors[knob] = COLORS[i % len(COLORS)]
        axes.plot(
            *zip(*where, strict=True),
            color=colors[knob], marker=MARKS[i % len(MARKS)], markersize=5, linewidth=0.6,
            alpha=0.9, zorder=3, label=plain(knob) if any(point.value for point in own) else None,
        )  # fmt: skip
        lines += list(pairwise(where))
    axes.axvline(1, color="0.6", linewidth=1)
    if level is not None:
        axes.axhline(level, color="0.6", linewidth=1)
    axes.margins(x=0.1, y=0.1)
    axes.set_xlim(left=0)
    axes.set(xlabel=x, ylabel=y)
    axes.grid(alpha=0.25)
    if has_values:
        figure.legend(loc="outside right center", fontsize=8, frameon=False)
    headline(figure, *titles)
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    lines += [((left, level or 0), (right, level or 0)), ((1, low), (1, high))]
    place_labels(
        axes,
        [point.value or point.knob for point in points],
        [(point.x, point.y) for point in points],
        colors=[colors[point.knob] for point in points],
        lines=lines,
        size=8,
    )
    return figure
