"""How curves are drawn with matplotlib; `CurveDisplay` says what.

Every function draws into a display that has its axes, and keeps the artists on it.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._packages import require
from curvewise._sketch import Picture, lowest_shown
from curvewise._text import cut, cut_middle, one_line
from curvewise.core._portfolio import Status
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from curvewise._selection.pictures.curve_display import CurveDisplay

# Okabe and Ito's colours, which everybody tells apart, without the yellow, which white swallows.
BLUE, RED, GREEN, PURPLE, ORANGE, SKY, BLACK = COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
)  # fmt: skip
GREY = "#9a9a9a"
STYLES = {
    Status.PRUNED: (GREY, "-", 0.5),
    Status.RUNNING: (PURPLE, ":", 0.9),
    Status.STOPPED: (ORANGE, "--", 0.9),
    Status.COMPLETED: (BLUE, "-", 0.8),
}
OVER = {
    "seconds": ("seconds", "seconds"),
    "rows": ("training_rows", "training rows of all fits"),
    "fits": ("n_fits", "fits"),
}
# So many curves of a kind can still be told apart.
CROWD = 200
LONGEST_LABEL = 40
LONGEST_TITLE = 160


def panels(ax: Any, *, second: bool) -> tuple[Any, Any]:
    """The axes of both panels; the second may be None."""
    require("matplotlib", "Plotting", extra="plot")
    if ax is None:
        from matplotlib import pyplot

        ratios, width = ((3, 2), 11.0) if second else ((1,), 6.8)
        _, grid = pyplot.subplots(
            1, len(ratios), figsize=(width, 4.6), width_ratios=ratios, squeeze=False,
            layout="constrained",
        )  # fmt: skip
        ax = grid[0]
    axes = [ax] if hasattr(ax, "plot") else list(ax)
    if not 1 <= len(axes) <= 1 + second:
        raise InvalidParameterError(
            f"ax must be {'one or two' if second else 'one'}, got {len(axes)}."
        )
    return axes[0], axes[1] if len(axes) == 2 else None


def hull(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The smallest range that has both in it."""
    return min(*one, *other), max(*one, *other)


def draw_one(display: CurveDisplay, picture: Picture) -> None:
    """One result, with all that was known when it ended (rule 2)."""
    ax, others = display.ax_, []
    if picture.threshold is not None:
        where = f" at {picture.threshold_anchor:,} rows" if picture.threshold_anchor else ""
        label = f"to beat{where}: {picture.threshold:.4g}"
        display.threshold_ = ax.axhline(picture.threshold, color=RED, ls="--", lw=1.2, label=label)
        others.append(picture.threshold)
    if picture.optimistic:
        label = f"at best: {picture.optimistic[-1][1]:.4g}"
        line = list(zip(*picture.optimistic, strict=True))
        (display.optimistic_,) = ax.plot(*line, color=BLUE, ls=":", lw=1.4, label=label)
        others += line[1]
    _draw_curve(display, picture, 0, color=BLUE, label="mean of the folds")
    if picture.folds:
        places = np.array(picture.folds).T
        display.folds_ = [ax.scatter(*places, s=14, color=BLUE, alpha=0.35, lw=0, label="folds")]
    if picture.failures:
        anchors = sorted(set(picture.failures))
        display.failures_ = ax.scatter(
            anchors, [0.0] * len(anchors), marker="x", color=RED, s=50, clip_on=False, zorder=5,
            transform=ax.get_xaxis_transform(), label=f"failed ({len(picture.failures)})",
        )  # fmt: skip
    _note_ending(display, picture)
    _show_rows(display, [picture])
    _show_scores(display, [score for _, score in picture.folds], others)
    show_title(ax, cut(one_line(display.results[0].explain()), LONGEST_TITLE))
    show_legend(ax)


def _note_ending(display: CurveDisplay, picture: Picture) -> None:
    """Write at the last point how it ended."""
    ax = display.ax_
    if picture.points:
        # At the side where the curve is not.
        place: Any = {"xytext": (8, -4), "ha": "left"}
        if len(picture.points) > 1:
            place = {"xytext": (-6, -20), "ha": "right"}
        display.ending_ = ax.annotate(
            picture.ending, picture.points[-1][:2], textcoords="offset points", fontsize=9,
            fontweight="bold", zorder=6, **place,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 1},
        )  # fmt: skip
    else:
        display.ending_ = ax.text(0.5, 0.5, picture.ending, ha="center", transform=ax.transAxes)


def _draw_curve(display: CurveDisplay, picture: Picture, i: int, **style: Any) -> None:
    """Means, intervals and the extrapolation of one result."""
    ax, color = display.ax_, style["color"]
    if display.projections:
        projection = display.projections[i]
        line = ax.plot(projection.rows, projection.scores, color=color, ls=(0, (6, 2)), lw=1)
        if len(display.results) == 1:
            line[0].set_label(f"extrapolation ({projection.model})")
        display.bands_ += line
        if projection.low is not None:
            rows, low, high = projection.rows, projection.low, projection.high
            band = ax.fill_between(rows, low, high, color=color, alpha=0.13, lw=0)
            display.bands_.append(band)
    known = [point for point in picture.points if math.isfinite(point.low)]
    if known:
        anchors, scores, low, high = np.array(known).T
        # As lists: of arrays with one number matplotlib 3.10 takes the wrong path, with a warning.
        around = [(scores - low).tolist(), (high - scores).tolist()]
        bars = ax.errorbar(anchors, scores, around, fmt="none", color=color, capsize=3, lw=1.2)
        display.intervals_.append(bars)
    if picture.points:
        means = np.array([point[:2] for point in picture.points]).T
        display.lines_ += ax.plot(*means, marker="o", ms=5, **style)


def draw_few(display: CurveDisplay, pictures: Sequence[Picture]) -> None:
    """A colour and a name for each result (rule 3)."""
    for i, (picture, result) in enumerate(zip(pictures, display.results, strict=True)):
        best = i == display.best_index
        dash = STYLES.get(result.status, ("", "-"))[1]
        label = _label(display, pictures, i)
        style = {"ls": dash, "lw": 2.6 if best else 1.5, "zorder": 4 if best else 3}
        _draw_curve(display, picture, i, color=COLOURS[i], label=label, **style)
        if not picture.points:
            display.ax_.plot([], [], ls="none", label=label)
    _show_curves(display, pictures)


def draw_many(display: CurveDisplay, pictures: Sequence[Picture]) -> None:
    """Curves coloured by how they ended, the best one named (rule 3)."""
    from matplotlib.collections import LineCollection

    ax = display.ax_
    for status, (color, dash, alpha) in STYLES.items():
        curves = [[point[:2] for point in pictures[i].points] for i in _of_status(display, status)]
        curves = [curve for curve in curves if curve]
        if curves:
            # The more there are, the fainter each: where they are dense stays visible.
            share = min(1.0, max(0.15, CROWD / len(curves)))
            style: Any = {"color": color, "alpha": alpha * share, "zorder": 2}
            label = f"{status.value} ({len(curves)})"
            lines = LineCollection(curves, linestyles=dash, linewidths=1, label=label, **style)
            display.lines_.append(ax.add_collection(lines))
            ends = np.array([curve[-1] for curve in curves]).T
            display.lines_.append(ax.scatter(*ends, s=9, lw=0, **style))
    _count_failed(display)
    if display.best_index is not None:
        best = pictures[display.best_index]
        label = _label(display, pictures, display.best_index)
        _draw_curve(display, best, display.best_index, color=RED, label=label, lw=2.4, zorder=4)
    _show_curves(display, pictures)


def draw_side_by_side(display: CurveDisplay, pictures: Sequence[Picture]) -> None:
    """Scores by the number of the candidate, all at the same anchor (rule 4)."""
    ax, best, n = display.ax_, display.best_index, len(pictures)
    folds = [(i, score) for i in range(n) for _, score in pictures[i].folds]
    dots = {"s": 10 if n <= 60 else 5, "lw": 0, "zorder": 1}
    display.folds_ = [ax.scatter(*np.array(folds).T, color=BLACK, alpha=0.22, **dots)]
    groups = [
        (f"{status.value} ({len(own)})", own, *STYLES[status][::2])
        for status in STYLES
        if (own := [i for i in _of_status(display, status) if pictures[i].points])
    ]
    if best is not None and pictures[best].points:
        groups.append((_label(display, pictures, best), [best], RED, 1.0))
    for zorder, (label, own, color, alpha) in enumerate(groups, start=2):
        points = [pictures[i].points[0] for i in own]
        style = {"color": color, "alpha": alpha, "zorder": zorder}
        bars = [(i, *point[2:]) for i, point in zip(own, points, strict=True)]
        bars = [bar for bar in bars if math.isfinite(bar[1])]
        if bars:
            display.intervals_.append(ax.vlines(*np.array(bars).T, lw=1.2, **style))
        size = 60 if own == [best] and color == RED else 26 if n <= 60 else 12
        scores = [point.score for point in points]
        display.lines_.append(ax.scatter(own, scores, s=size, lw=0, label=label, **style))
    _count_failed(display)
    anchor = next(picture.points[0].anchor for picture in pictures if picture.points)
    show_title(ax, f"all at {anchor:,} rows")
    ax.set_xlim(-0.7, n - 0.3)
    if n <= 12:
        names = [name_of(result.candidate) for result in display.results]
        ax.set_xticks(range(n), names, rotation=30, ha="right", parse_math=False)
    else:
        ax.set_xlabel("candidate")
        ax.locator_params(axis="x", integer=True)
    _show_scores(display, [score for _, score in folds])
    show_legend(ax, loc="best")


def draw_leaders(display: CurveDisplay, over: str) -> None:
    """The leader's score as the search went on."""
    ax, (attribute, label) = display.leader_ax_, OVER[over]
    steps = [(getattr(each, attribute), each.score) for each in display.leaders]
    steps = [step for step in steps if math.isfinite(step[1])]
    # The last one led until the end, which is known for what can be counted.
    n_fits = sum(len(result.curve) + len(result.failures) for result in display.results)
    rows = sum(result.training_rows for result in display.results)
    end = {"fits": n_fits, "rows": rows}.get(over, 0)
    if steps:
        x, y = zip(*steps, strict=True)
        (display.leader_line_,) = ax.step(
            (*x, max(end, x[-1])), (*y, y[-1]), where="post", color=RED, lw=1.8
        )
        ax.scatter(x, y, color=RED, s=22, zorder=3)
        show_title(ax, f"leader at the end: {name_of(display.leaders[-1].candidate)}")
    ax.set_xlabel(label)
    if over != "seconds":
        ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.locator_params(axis="x", nbins=5)
    ax.margins(x=0.06, y=0.12)
    ax.grid(alpha=0.25)


def _of_status(display: CurveDisplay, status: Status) -> list[int]:
    """The numbers of the results that ended so, without the best one."""
    results = enumerate(display.results)
    return [i for i, each in results if each.status is status and i != display.best_index]


def _label(display: CurveDisplay, pictures: Sequence[Picture], i: int) -> str:
    best = "best: " if i == display.best_index else ""
    return f"{best}{name_of(display.results[i].candidate)}, {pictures[i].ending}"


def _count_failed(display: CurveDisplay) -> None:
    n_failed = len(_of_status(display, Status.FAILED))
    if n_failed:
        display.ax_.plot([], [], ls="none", label=f"failed ({n_failed}, not drawn)")


def name_of(candidate: Any) -> str:
    """A short name that is no number alone."""
    text = candidate if isinstance(candidate, str) else f"candidate {candidate}"
    text = cut_middle(one_line(text), LONGEST_LABEL) or "candidate"
    # matplotlib leaves out what begins with an underscore.
    return f" {text}" if text.startswith("_") else text


def _show_curves(display: CurveDisplay, pictures: Sequence[Picture]) -> None:
    """The axes of several curves, and their names."""
    _show_rows(display, pictures)
    _show_scores(display, [point.score for picture in pictures for point in picture.points])
    show_legend(display.ax_)


def _show_rows(display: CurveDisplay, pictures: Sequence[Picture]) -> None:
    rows = {point.anchor for picture in pictures for point in picture.points}
    rows.update(anchor for picture in pictures for anchor in picture.failures)
    rows.update(picture.target for picture in pictures if picture.optimistic and picture.target)
    rows.update(round(projection.rows[-1]) for projection in display.projections)
    rows_axis(display.ax_, rows)


def rows_axis(ax: Any, rows: Collection[int]) -> None:
    """A logarithmic axis with a tick at every anchor, or at every other one if they are many."""
    ticks = sorted(rows, reverse=True)[:: 1 + len(rows) // 9]
    ax.set_xscale("log", base=2)
    ax.set_xticks(ticks, [f"{row:,}" for row in ticks])
    ax.set_xticks([], minor=True)
    if ticks:
        ax.set_xlim(min(rows) / 1.25, max(rows) * 1.25)
    ax.set_xlabel("training rows")


def scores_axis(ax: Any, low: float, high: float, *, below: float = 1.0) -> float:
    """An axis with some space around the scores; give the lowest that it shows."""
    space = 0.12 * (high - low) or 0.1 * abs(high) or 0.5
    ax.set_ylim(low - below * space, high + space)
    ax.grid(alpha=0.25)
    return low - below * space


def _show_scores(
    display: CurveDisplay, scores: Sequence[float], others: Sequence[float] = ()
) -> None:
    """Let the axis show where the scores are (rule 5)."""
    ax = display.ax_
    if not scores:
        ax.grid(alpha=0.25)
        ax.set_yticks([])
        return
    bounded = display.results[0].scale.unit is not None
    for projection in display.projections:
        others = [*others, *projection.scores]
    low = min([lowest_shown(scores, bounded=bounded), *others])
    lowest = scores_axis(ax, low, max([*scores, *others]), below=1.5)
    n_below = sum(score < lowest for score in scores)
    if n_below:
        text = f"{n_below} of {len(scores)} scores are lower"
        ax.text(0.01, 0.01, text, fontsize=8, color="0.3", transform=ax.transAxes)


def show_legend(ax: Any, *, loc: str = "lower right", opaque: bool = True) -> None:
    """Name what is drawn; where curves rise, there is space at the lower right."""
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    legend = ax.legend(handles, labels, fontsize=8, loc=loc, framealpha=0.85)
    for text in legend.get_texts():
        # A dollar in a name is a dollar.
        text.set_parse_math(False)
    for handle in legend.legend_handles if opaque else ():
        handle.set_alpha(1)


def show_title(ax: Any, text: str) -> None:
    """Write above the axes what is to be seen."""
    ax.set_title(textwrap.fill(text, 80), fontsize=10, parse_math=False)
