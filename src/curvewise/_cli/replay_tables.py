"""The tables of ``curvewise replay``."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from curvewise._bench.replay_summary import TOLERANCES
from curvewise._cli.terminal import percent, table_of

LABEL_WIDTH = 11
TOLERANCE_WORDS = (".001", ".005", ".01", ".015")
STYLE: dict[str, Any] = {"padding": (0, 1, 0, 0), "pad_edge": False, "left": ("policy",)}
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
    folds, n_runs = f"{first['folds']} folds", f"{first['n_runs']} runs per policy"
    headings = ("policy", "cost", "rows", *TOLERANCE_WORDS, "gap", "worst", "dear")
    rows = [
        [
            each["policy"],
            _pair(each["cost_mean"], each["cost_total"]),
            _pair(each["rows_mean"], each["rows_total"]),
            *(percent(each[name]) for name in TOLERANCES),
            f"{each['gap_mean']:.4f}".replace("0.", ".", 1),
            _decimal(each["gap_worst"]),
            percent(each["dearer"]),
        ]
        for each in summaries
    ]
    title = f"{first['n_datasets']} data sets{note}, {folds}, {n_runs}"
    longest = max(len(summary["policy"]) for summary in summaries)
    breakable = {"policy": min(LABEL_WIDTH, longest)}
    console.print(
        table_of(headings, rows, breakable=breakable, title=title, caption=CAPTION, **STYLE)
    )


def _print_prunes(console: Console, summaries: list[dict[str, Any]]) -> None:
    rows = []
    for each in summaries:
        n_prunes = sum(each["prunes"].values())
        shares = [f"{share:.0%}" if n_prunes else "" for share in each["prunes_by_share"].values()]
        rows.append([each["policy"], *shares, f"{n_prunes:,}", f"{each['lost_winner']:.2%}"])
    headings = ("policy", *summaries[0]["prunes_by_share"], "prunes", "lost the winner")
    breakable = dict.fromkeys(headings[1:], 1)
    title = "where candidates were pruned (anchor as a share of the target)"
    console.print(table_of(headings, rows, breakable=breakable, title=title, **STYLE))


def _decimal(value: float) -> str:
    """Write a small number as briefly as it can be read."""
    if value >= 1:
        return f"{value:.2f}".removesuffix(".00")
    return f"{value:.3f}".replace("0.", ".", 1)


def _pair(mean: float, total: float) -> str:
    return f"{_decimal(mean)}/{_decimal(total)}"
