"""Scatter plots as in the supplement: each data set with a method and with its reference.

A data set is two points and a dashed line between them, green where the method is faster. It has a
number in the plot and a line in the key beside it. Run times and errors are means over the same
cells, those that both methods have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.figures.canvas import (
    FASTER,
    METHOD,
    REFERENCE,
    SLOWER,
    cells_in,
    headline,
    log_seconds,
    n_of,
    plain,
    short_names,
)
from curvewise._bench.experiments.figures.labels import place_labels
from curvewise._bench.experiments.method_comparison import MethodComparison
from curvewise._text import cut

if TYPE_CHECKING:
    import pandas as pd

AIDS = {"1 min": 60, "30 min": 1800, "1 h": 3600, "10 h": 36_000}
LONGEST_LABEL = 28
ROW = 0.17  # Inches for a line of the key.
QUANTILES = [0.1, 0.9]
# Errors are drawn by the inverse hyperbolic sine: a log scale above this, and 0 has its place.
LINEAR_ERROR = 0.002
ERROR_TICKS = (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)


@dataclass(frozen=True, slots=True)
class Spot:
    """One method on one data set."""

    seconds: float
    error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DatasetPoint:
    """A data set."""

    dataset: str
    own: Spot
    reference: Spot
    n: int
    n_all: int

    @property
    def ratio(self) -> float:
        """The ratio of the run times."""
        seconds = self.reference.seconds
        return self.own.seconds / seconds if seconds > 0 else math.nan


def points_of(each: MethodComparison) -> list[DatasetPoint]:
    """Give the data sets of a comparison, the largest error first."""
    points = []
    for dataset, pairs in each.pairs.groupby("dataset", sort=False):
        own = _spot(pairs.seconds, pairs.error)
        reference = _spot(pairs.reference_seconds, pairs.reference_error)
        n_all = len(pairs) + each.missing.get(str(dataset), 0)
        points.append(DatasetPoint(str(dataset), own, reference, len(pairs), n_all))
    return sorted(points, key=lambda point: -point.own.error)


def span_orders(points: Sequence[DatasetPoint]) -> bool:
    """Whether the errors are so different that a linear axis would heap the small ones up."""
    errors = [spot.error for point in points for spot in (point.own, point.reference)]
    return max(errors) > 10 * max(min(errors), LINEAR_ERROR / 2)


def _spot(seconds: pd.Series, errors: pd.Series) -> Spot:
    low, high = errors.quantile(QUANTILES)
    return Spot(float(seconds.mean()), float(errors.mean()), float(low), float(high))


def draw_scatter(each: MethodComparison, title: str) -> Any:
    """Draw a method against its reference, data set by data set."""
    points = points_of(each)
    empty = {name: n for name, n in each.missing.items() if name not in each.datasets}
    height = max(7.0, 1.5 + ROW * (len(points) + len(empty) + 1))
    figure = new_figure(12, height)
    axes, beside = figure.subplots(1, 2, width_ratios=(7, 3))
    for point in points:
        _draw(axes, point)
    _scales(axes, points)
    _key(beside, points, empty, n_lines=round((height - 1.5) / ROW))
    headline(figure, f"{title}: {each.method} and {each.reference}", cells_in([each]))
    _legend(figure, axes, each)
    place_labels(
        axes,
        [str(number) for number in range(1, len(points) + 1)],
        [(point.own.seconds, point.own.error) for point in points],
        colors=["black"] * len(points),
        lines=[line for point in points for line in _lines(point)],
    )
    return figure


def _lines(point: DatasetPoint) -> list[list[tuple[float, float]]]:
    """The line between the two points, and a bar at each from the low to the high error."""
    both = (point.own, point.reference)
    bars = [[(spot.seconds, spot.low), (spot.seconds, spot.high)] for spot in both]
    return [[(spot.seconds, spot.error) for spot in both], *bars]


def _color(point: DatasetPoint) -> str:
    return FASTER if point.own.seconds <= point.reference.seconds else SLOWER


def _draw(axes: Any, point: DatasetPoint) -> None:
    between, *bars = _lines(point)
    axes.plot(
        *zip(*between, strict=True), color=_color(point), linestyle="--", linewidth=0.9, zorder=1
    )
    for spot, bar, color in zip(between, bars, (METHOD, REFERENCE), strict=True):
        axes.plot(*zip(*bar, strict=True), color=color, linewidth=3, alpha=0.4, zorder=2)
        axes.scatter(*spot, color=color, s=18, zorder=3)


def _scales(axes: Any, points: Sequence[DatasetPoint]) -> None:
    log_seconds(axes)
    axes.set_xlabel("run time of the search (s)")
    axes.set_ylabel("error rate of the choice")
    if span_orders(points):
        axes.set_yscale("asinh", linear_width=LINEAR_ERROR)
        low, high = axes.get_ylim()
        ticks = [tick for tick in ERROR_TICKS if low <= tick <= high]
        axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.set_yticks([], minor=True)
    axes.grid(alpha=0.2)
    low, high = axes.get_xlim()
    for name, where in AIDS.items():
        if low <= where <= high:
            axes.axvline(where, color="0.3", linewidth=0.8, linestyle=":", zorder=0)
            axes.annotate(
                name, (where, 1), (0, 3), axes.get_xaxis_transform(), "offset points",
                fontsize=7, ha="center",
            )  # fmt: skip


def _legend(figure: Any, axes: Any, each: MethodComparison) -> None:
    for name, color in ((each.method, METHOD), (each.reference, REFERENCE)):
        axes.scatter([], [], color=color, s=18, label=plain(f"{name}, mean over seeds"))
    axes.plot([], [], color="0.5", linewidth=3, alpha=0.5, label="10th to 90th percentile of seeds")
    for name, color in (("faster", FASTER), ("slower", SLOWER)):
        axes.plot([], [], color=color, linestyle="--", label=plain(f"{each.method} is {name}"))
    figure.legend(loc="outside lower center", ncols=5, fontsize=8, frameon=False)


def _key(
    axes: Any, points: Sequence[DatasetPoint], empty: Mapping[str, int], *, n_lines: int
) -> None:
    """List the data sets by their numbers: difference and ratio of run times, number of seeds."""
    names = short_names([*(point.dataset for point in points), *empty])
    rows = [("", "data set", "seconds", "ratio", "seeds", "black")]
    for number, point in enumerate(points, start=1):
        change = point.own.seconds - point.reference.seconds
        seconds = f"{change:+.1f}" if abs(change) < 10 else f"{change:+,.0f}"
        seeds = n_of(point.n, point.n_all) or str(point.n)
        name = names[point.dataset]
        rows.append((str(number), name, seconds, f"{point.ratio:.2f}", seeds, _color(point)))
    rows += [("", names[name], "", "", f"0 of {n}", "0.4") for name, n in empty.items()]
    axes.set_axis_off()
    axes.set(xlim=(0, 1), ylim=(max(n_lines, len(rows)), 0))
    for i, (*texts, color) in enumerate(rows):
        for x, text, side in zip((0.06, 0.09, 0.7, 0.84, 1), texts, "rlrrr", strict=True):
            axes.text(
                x, i + 0.5, plain(cut(text, LONGEST_LABEL)), color=color, fontsize=7.5, va="center",
                ha={"l": "left", "r": "right"}[side],
            )  # fmt: skip
