"""Box plots over data sets, as in the paper's Fig. 4: run time, reductions, difference in error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curvewise.bench.experiments.comparison import Comparison
from curvewise.bench.experiments.figures.canvas import log_seconds, new_figure, plain


def draw_boxes(found: Sequence[Comparison], title: str) -> Any:
    """Draw the four panels for every comparison; a box has a data set as its unit.

    Parameters
    ----------
    found
        The comparisons, each with at least one pair.
    title
        Above all panels.
    """
    figure = new_figure(13, 1.6 + 0.45 * max(4, len(found) + 1))
    panels = figure.subplots(1, 4)
    references = dict.fromkeys(each.reference for each in found)
    times = [(each.method, [each.seconds(d)[0] for d in each.datasets]) for each in found]
    for name in references:
        first = next(each for each in found if each.reference == name)
        times.append((name, [first.seconds(d)[1] for d in first.datasets]))
    saved = [(each.method, [_saved(each, d) for d in each.datasets]) for each in found]
    ratios = [(each.method, list(each.ratios.values())) for each in found]
    gaps = [(each.method, [pair.gap for pair in each.pairs]) for each in found]
    _panel(panels[0], times, "run time per data set (s)")
    log_seconds(panels[0])
    _panel(panels[1], saved, "absolute reduction (s, more is better)", at=0)
    _panel(panels[2], ratios, "ratio to the reference (less is better)", at=1)
    _panel(panels[3], gaps, "difference in error, per cell", at=0)
    for edge in (-0.01, 0.01):
        panels[3].axvline(edge, color="0.7", linewidth=0.8, linestyle=":")
    n = max(len(each.datasets) for each in found)
    figure.suptitle(plain(f"{title} ({n} data sets)"), fontsize=11)
    return figure


def _saved(each: Comparison, dataset: str) -> float:
    own, reference = each.seconds(dataset)
    return reference - own


def _panel(
    axes: Any, boxes: Sequence[tuple[str, list[float]]], label: str, *, at: float | None = None
) -> None:
    names = [plain(name) for name, _ in boxes]
    axes.boxplot(
        [values for _, values in boxes],
        orientation="horizontal",
        showmeans=True,
        meanline=True,
        meanprops={"linestyle": "--", "color": "#d55e00"},
        medianprops={"color": "#0072b2"},
        flierprops={"markersize": 3},
    )
    axes.set_yticks(range(1, len(names) + 1), names, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel(label, fontsize=8)
    axes.tick_params(axis="x", labelsize=7)
    axes.grid(axis="x", alpha=0.25)
    if at is not None:
        axes.locator_params(axis="x", nbins=5)
        axes.axvline(at, color="0.6", linewidth=1)
