"""``curvewise replay``: how each policy would have done on recorded curves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from curvewise._bench.contestant import parse_contestants
from curvewise._bench.replay_summary import TOLERANCES, summarise
from curvewise._bench.replays import Setting, portfolios, replay
from curvewise._bench.trade_off_plot import check_plot, check_writable, plot_trade_off
from curvewise.executors._recordings import read_recordings

LABEL_WIDTH = 11

EPILOG = """
**Examples**

    curvewise replay curves.parquet

    curvewise replay curves.parquet --policy kfold,lccv,race --folds 5 --json out.json

    curvewise replay curves.parquet --policy race:price=0.001,race,race-stream --plot out.png

A policy takes knobs (`lccv:max_width=0.05:interval=t`); `race-stream` does not know the candidates
in advance. The file has one row per evaluation with the columns dataset, learner, anchor, seed,
valid_err, test_err, fit_time (whole-numbered errors are error rates times 10,000) and, if you
like, n_valid.
"""


def replay_command(
    curves: Annotated[Path, typer.Argument(help="A Parquet file of recorded learning curves.")],
    policy: Annotated[
        str, typer.Option(help="Policies, separated by commas.")
    ] = "kfold,lccv,race,wilcoxon,halving,hyperband",
    folds: Annotated[int, typer.Option(min=2, help="Folds per candidate.")] = 10,
    orders: Annotated[
        int, typer.Option(min=1, help="Random orders (and choices of folds) per data set.")
    ] = 10,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that share the replay.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Simulated workers within each search.")] = 1,
    min_target: Annotated[
        int, typer.Option(min=1, help="Leave out data sets with fewer training rows.")
    ] = 512,
    candidates: Annotated[
        int | None,
        typer.Option(min=2, help="Enlarge portfolios to this many by perturbed copies."),
    ] = None,
    unknown_scale: Annotated[
        bool,
        typer.Option(
            "--unknown-scale", help="Treat the losses as of unknown scale, not as error rates."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the orders and folds.")] = 0,
    json_path: Annotated[
        Path | None, typer.Option("--json", help="Write the figures to this file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw cost against quality into this file.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no table and no progress.")] = False,
) -> None:
    """Replay policies over recorded learning curves and compare cost and choices with k-fold."""
    contestants = parse_contestants(policy)
    check_writable(json_path)
    if plot is not None:
        check_plot(plot)
    setting = Setting(
        n_folds=folds,
        n_orders=orders,
        n_workers=workers,
        n_learners=candidates,
        unknown_scale=unknown_scale,
        seed=seed,
    )
    recordings = portfolios(read_recordings(curves), setting, min_target=min_target)
    with _progress(quiet=quiet) as progress:
        bar = progress.add_task("replaying", total=len(recordings))
        runs = replay(
            recordings,
            contestants,
            setting,
            n_jobs=jobs,
            on_progress=lambda: progress.advance(bar),
        )
    summaries = summarise(runs, n_folds=folds)
    if not quiet:
        _print(summaries)
    if json_path is not None:
        json_path.write_text(json.dumps(summaries, indent=2) + "\n", encoding="utf-8")
    if plot is not None:
        plot_trade_off(summaries, plot)


def _progress(*, quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("data sets"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=quiet,
    )


def _print(summaries: list[dict[str, Any]]) -> None:
    console = Console()
    _print_figures(console, summaries)
    large = [{**s, **s["large"]} for s in summaries if s["large"]]
    if large and large[0]["n_datasets"] < summaries[0]["n_datasets"]:
        _print_figures(console, large, note=", targets of 4,096 rows or more")
    _print_prunes(console, summaries)


def _print_figures(console: Console, summaries: list[dict[str, Any]], note: str = "") -> None:
    first = summaries[0]
    table = Table(
        title=(
            f"{first['n_datasets']} data sets{note}, {first['folds']} folds, "
            f"{first['n_runs']} runs per policy"
        ),
        caption=(
            "cost, rows: ratio to k-fold, mean over data sets / ratio of totals. .001 to .015: % "
            "of runs whose choice is at most that much worse than k-fold's in true error. gap: "
            "the mean of that. dear: % of data sets on which it cost more than k-fold."
        ),
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
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
            *(_percent(s[name]) for name in TOLERANCES),
            f"{s['gap_mean']:.4f}".replace("0.", ".", 1),
            _decimal(s["gap_worst"]),
            _percent(s["dearer"]),
        )
    console.print(table)


def _decimal(value: float) -> str:
    """Write a small number as briefly as it can be read."""
    if value >= 1:
        return f"{value:.2f}".removesuffix(".00")
    return f"{value:.3f}".replace("0.", ".", 1)


def _pair(mean: float, total: float) -> str:
    return f"{_decimal(mean)}/{_decimal(total)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def _print_prunes(console: Console, summaries: list[dict[str, Any]]) -> None:
    table = Table(
        title="where candidates were pruned (anchor as a share of the target)",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    table.add_column("policy", no_wrap=True)
    shares = list(summaries[0]["prunes_by_share"])
    for name in (*shares, "prunes", "lost the winner"):
        table.add_column(name, justify="right")
    for s in summaries:
        n_prunes = sum(s["prunes"].values())
        cells = [f"{share:.0%}" if n_prunes else "" for share in s["prunes_by_share"].values()]
        table.add_row(s["policy"], *cells, f"{n_prunes:,}", f"{s['lost_winner']:.2%}")
    console.print(table)
