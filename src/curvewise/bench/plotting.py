"""Cost against quality, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curvewise.errors import InvalidParameter, MissingExtra


def plot_trade_off(summaries: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw each contestant's cost against how often its choice is as good as k-fold's.

    Parameters
    ----------
    summaries
        What `curvewise.bench.summary.summarise` gives.
    path
        Where the picture goes; its ending chooses the format.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("Plotting", "plot") from None
    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for i, summary in enumerate(summaries):
        x, y = summary["cost_mean"], 100 * summary["within_001"]
        axes.scatter(x, y, s=60, color=f"C{i}", zorder=3)
        axes.plot(
            [x, summary["cost_total"]], [y, y], color=f"C{i}", alpha=0.4, linewidth=2, zorder=2
        )
        axes.annotate(
            summary["policy"], (x, y), xytext=(6, 6), textcoords="offset points", fontsize=9
        )
    axes.axvline(1, color="0.6", linewidth=1, linestyle="--")
    axes.set_xlim(left=0)
    axes.margins(y=0.15)
    axes.set_xlabel("cost as a ratio to k-fold CV (dot: mean over data sets, end: ratio of totals)")
    axes.set_ylabel("choice within .001 of k-fold's (% of runs)")
    folds = summaries[0]["folds"]
    axes.set_title(f"{folds} folds, {summaries[0]['n_datasets']} data sets", fontsize=10)
    axes.grid(alpha=0.25)
    try:
        figure.savefig(path, dpi=150)
    except (ValueError, OSError) as error:
        raise InvalidParameter(f"Cannot write the picture {path}: {error}.") from None
