"""Box plots over data sets, as in the paper's Fig. 4: run time, reductions, difference in error.

The four panels have the same rows: the methods, and below them their references, which have a run
time only. A method that lacks cells says so in its row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curvewise._bench.blank_figure import new_figure
from curvewise._bench.experiments.figures.canvas import (
    METHOD,
    SLOWER,
    cells_in,
    headline,
    log_seconds,
    n_of,
    plain,
)
from curvewise._bench.experiments.method_comparison import MethodComparison

MEDIAN, MEAN = {"color": METHOD, "linewidth": 1.5}, {"color": SLOWER, "linestyle": "--"}


def draw_boxes(found: Sequence[MethodComparison], title: str) -> Any:
    """Draw the four panels for every comparison; a box has a data set as its unit."""
    # A reference is measured on the cells of the method that has most.
    most = {each.reference: each for each in sorted(found, key=lambda each: len(each.pairs))}
    rows = [(each.method, each) for each in found] + list(most.items())
    figure = new_figure(13, 1.7 + 0.26 * max(6, len(rows)))
    panels = figure.subplots(1, 4, sharey=True)
    times = [each.by_dataset.seconds for each in found]
    times += [each.by_dataset.reference_seconds for each in most.values()]
    _panel(panels[0], times, "run time per data set (s)")
    log_seconds(panels[0])
    saved = [each.by_dataset.eval("reference_seconds - seconds") for each in found]
    _panel(panels[1], saved, "absolute reduction (s, more is better)", at=0)
    _panel(
        panels[2],
        [each.by_dataset.ratio for each in found],
        "ratio to the reference (less is better)",
        at=1,
    )
    _panel(panels[3], [each.pairs.gap for each in found], "difference in error, per cell", at=0)
    for edge in (-0.01, 0.01):
        panels[3].axvline(edge, color="0.7", linewidth=0.8, linestyle=":")
    names = [plain(_row(name, each)) for name, each in rows]
    panels[0].set(ylim=(len(rows) + 0.6, 0.4))
    panels[0].set_yticks(range(1, len(rows) + 1), names, fontsize=8)
    _legend(figure, panels[0])
    n = max(len(each.datasets) for each in found)
    headline(figure, title, f"{n} data sets" if n > 1 else "1 data set", cells_in(found))
    return figure


def _row(name: str, each: MethodComparison) -> str:
    said = n_of(len(each.pairs), len(each.pairs) + each.n_missing)
    return f"{name} ({said})" if said else name


def _panel(axes: Any, rows: Sequence[Any], label: str, *, at: float | None = None) -> None:
    axes.boxplot(
        rows,
        orientation="horizontal",
        showmeans=True,
        meanline=True,
        meanprops=MEAN,
        medianprops=MEDIAN,
        flierprops={"markersize": 3},
    )
    axes.set_xlabel(label, fontsize=9)
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(axis="x", alpha=0.25)
    if at is not None:
        axes.locator_params(axis="x", nbins=5)
        axes.axvline(at, color="0.6", linewidth=1)


def _legend(figure: Any, axes: Any) -> None:
    axes.plot([], [], **MEDIAN, label="median")
    axes.plot([], [], **MEAN, label="mean")
    axes.plot([], [], "s", markerfacecolor="none", color="black", label="25th to 75th percentile")
    axes.plot([], [], "|-", color="black", label="farthest within 1.5 box widths")
    axes.plot([], [], "o", markersize=3, markerfacecolor="none", color="black", label="beyond")
    figure.legend(loc="outside lower center", ncols=5, fontsize=8, frameon=False)
