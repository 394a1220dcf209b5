"""Cost against quality, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curvewise._bench.blank_figure import new_figure


def plot_trade_off(summaries: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw each contestant's cost against how often its choice is as good as k-fold's."""
    figure = new_figure(7.5, 4.5)
    axes = figure.add_subplot()
    families = dict.fromkeys(summary["policy"].partition(":")[0] for summary in summaries)
    for i, family in enumerate(families):
        own = [s for s in summaries if s["policy"].partition(":")[0] == family]
        _draw_family(axes, family, sorted(own, key=lambda s: s["cost_mean"]), color=f"C{i}")
    axes.axvline(1, color="0.6", linewidth=1, linestyle="--")
    axes.set_xlim(left=0)
    axes.margins(x=0.1, y=0.1)
    axes.set_xlabel("cost as a ratio to k-fold CV (dot: mean over data sets, end: ratio of totals)")
    axes.set_ylabel("choice within .001 of k-fold's (% of runs)")
    folds = summaries[0]["folds"]
    axes.set_title(f"{folds} folds, {summaries[0]['n_datasets']} data sets", fontsize=10)
    axes.grid(alpha=0.25)
    figure.savefig(path, dpi=150)


def _draw_family(axes: Any, family: str, own: Sequence[dict[str, Any]], *, color: str) -> None:
    """Draw one policy; where it has several settings, they form a curve."""
    points = [(summary["cost_mean"], 100 * summary["within_001"]) for summary in own]
    axes.plot(*zip(*points, strict=True), color=color, linewidth=1, alpha=0.6, zorder=2)
    for i, (summary, (x, y)) in enumerate(zip(own, points, strict=True)):
        axes.plot(
            [x, summary["cost_total"]], [y, y], color=color, alpha=0.25, linewidth=3, zorder=1
        )
        axes.scatter(x, y, s=50, color=color, zorder=3)
        _, _, setting = summary["policy"].partition(":")
        text = setting if setting else family
        place = (7, -4) if not setting else ((7, -11) if i % 2 else (7, 5))
        weight = "normal" if setting else "bold"
        axes.annotate(
            text,
            (x, y),
            xytext=place,
            textcoords="offset points",
            fontsize=7 if setting else 9,
            fontweight=weight,
        )
