"""The tables of ``curvewise replay``."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from curvewise._bench.replay_summary import TOLERANCES
from curvewise._cli.terminal import percent

LABEL_WIDTH = 11
CAPTION = (
    "cost, rows: ratio to k-fold, mean over data sets / ratio of totals. .001 to .015: % of runs "
    "whose choice is at most that much worse than k-fold's in true error. gap: the mean of that. "
    "dear: % of data sets on which it cost more than k-fold."
)


def print_replays(summaries: list[dict[str, Any]]) -> None:
    """Print what each policy cost and chose, and where it pruned."""
    console = Console()
    _print_figures(console, summaries)
    large = [{**s, **s["large"]} for s in summaries if s["large"]]
    if large and large[0]["n_datasets"] < summaries[0]["n_datasets"]:
        _print_figures(console, large, note=", targets of 4,096 rows or more")
    _print_prunes(console, summaries)


def _print_figures(console: Console, summaries: list[dict[str, Any]], note: str = "") -> None:
    first = summaries[0]
    table = _table(
        f"{first['n_datasets']} data sets{note}, {first['folds']} folds, "
        f"{first['n_runs']} runs per policy",
        CAPTION,
    )
    longest = max(len(summary["policy"]) for summary in summaries)
    table.add_column("policy", overflow="fold", min_width=min(LABEL_WIDTH, longest))
    for name in ("cost", "rows", ".001", ".005", ".01", ".015", "gap", "worst", "dear"):
        table.add_column(name, justify="right", no_wrap=True)
    for s in summaries:
        table.add_row(
            s["policy"],
            _pair(s["cost_mean"], s["cost_total"]),
            _pair(s["rows_mean"], s["rows_total"]),
            *(percent(s[name]) for name in TOLERANCES),
            f"{s['gap_mean']:.4f}".replace("0.", ".", 1),
            _decimal(s["gap_worst"]),
            percent(s["dearer"]),
        )
    console.print(table)


def _decimal(value: float) -> str:
    """Write a small number as briefly as it can be read."""
    if value >= 1:
        return f"{value:.2f}".removesuffix(".00")
    return f"{value:.3f}".replace("0.", ".", 1)


def _pair(mean: float, total: float) -> str:
    return f"{_decimal(mean)}/{_decimal(total)}"


def _print_prunes(console: Console, summaries: list[dict[str, Any]]) -> None:
    table = _table("where candidates were pruned (anchor as a share of the target)")
    table.add_column("policy", no_wrap=True)
    shares = list(summaries[0]["prunes_by_share"])
    for name in (*shares, "prunes", "lost the winner"):
        table.add_column(name, justify="right")
    for s in summaries:
        n_prunes = sum(s["prunes"].values())
        cells = [f"{share:.0%}" if n_prunes else "" for share in s["prunes_by_share"].values()]
        table.add_row(s["policy"], *cells, f"{n_prunes:,}", f"{s['lost_winner']:.2%}")
    console.print(table)


def _table(title: str, caption: str | None = None) -> Table:
    return Table(
        title=title,
        caption=caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
