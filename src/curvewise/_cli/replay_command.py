"""``curvewise replay``: how each policy would have done on recorded curves."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console
from typer import Argument, Option

from curvewise._bench.blank_figure import check_plot
from curvewise._bench.contestant import parse_contestants
from curvewise._bench.experiments.figures.trade_off import plot_replays
from curvewise._bench.replay_summary import TOLERANCES, summarise
from curvewise._bench.replays import Setting, portfolios, replay
from curvewise._cli import options
from curvewise._cli.terminal import bar_of, console_of, percent, print_json, table_of
from curvewise.executors import read_recordings
from curvewise.executors._execution import resolve_n_jobs

LABEL_WIDTH = 11
TOLERANCE_WORDS = (".001", ".005", ".01", ".015")
STYLE: dict[str, Any] = {"padding": (0, 1, 0, 0), "pad_edge": False, "left": ("policy",)}
CAPTION = (
    "cost, rows: ratio to k-fold, mean over data sets / ratio of totals. .001 to .015: % of runs "
    "whose choice is at most that much worse than k-fold's in true error. gap: the mean of that. "
    "over 1: % of data sets on which it cost more than k-fold."
)
CHOICES = (
    "lost the winner: share of prunes that hit k-fold's choice. same winners: share of runs with "
    "k-fold's choice, or with its best m for race:winners=m."
)

EPILOG = """
**Examples**

    curvewise replay curves.parquet

    curvewise replay curves.parquet --policy kfold,lccv,race --folds 5 --json

    curvewise replay curves.parquet --policy race:price=0.001,race,race-stream --plot out.png

    curvewise replay curves.parquet --policy race,race:winners=3,race:winners=5

    curvewise replay recordings --folds 5 --candidates 20

A policy takes settings (`lccv:max_width=0.05:interval=t`); `race-stream` does not know the
candidates in advance; `optuna-wilcoxon` is Optuna's own pruner (with the extra `optuna`). The file
has one row per evaluation with the columns dataset, learner, anchor, seed, valid_err, test_err,
fit_time (whole-numbered errors are error rates times 10,000) and, optionally, n_valid; or it is
what `curvewise bench record` wrote.
"""


def replay_command(
    curves: Annotated[
        Path, Argument(help="A Parquet file of recorded learning curves, or a folder of such.")
    ],
    policy: Annotated[
        str, Option(help="Policies with their settings, separated by commas.")
    ] = "kfold,lccv,race,wilcoxon,halving,hyperband,earlystop,earlystop:rule=aggressive,anova,bbcd",
    folds: options.Folds = 10,
    orders: Annotated[
        int, Option(min=1, help="Random orders (and choices of folds) per data set.")
    ] = 10,
    jobs: options.Jobs = 1,
    workers: Annotated[int, Option(min=1, help="Simulated workers within each search.")] = 1,
    min_target: Annotated[
        int, Option(min=1, help="Leave out data sets with fewer training rows.")
    ] = 512,
    candidates: Annotated[
        int | None,
        Option(
            min=2,
            help="Candidates of each portfolio: a random choice, or perturbed copies besides.",
        ),
    ] = None,
    unknown_scale: Annotated[
        bool,
        Option("--unknown-scale", help="Treat the losses as of unknown scale, not as error rates."),
    ] = False,
    seed: options.Seed = 0,
    plot: options.Plot = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Replay policies over recorded learning curves and compare cost and choices with k-fold."""
    contestants = parse_contestants(policy)
    if plot is not None:
        check_plot(plot)
    setting = Setting(
        n_folds=folds,
        n_orders=orders,
        n_workers=workers,
        n_learners=candidates,
        unknown_scale=unknown_scale,
        random_state=seed,
    )
    n_jobs = resolve_n_jobs(jobs)
    recordings = portfolios(read_recordings(curves), setting, min_target=min_target)
    with bar_of("data sets", quiet=quiet) as progress:
        bar = progress.add_task("replaying", total=len(recordings))
        on_progress = partial(progress.advance, bar)
        runs = replay(recordings, contestants, setting, n_jobs=n_jobs, on_progress=on_progress)
    summaries = summarise(runs, n_folds=folds)
    if as_json:
        print_json(summaries)
    elif not quiet:
        print_replays(summaries)
    if plot is not None:
        plot_replays(summaries, plot)


def print_replays(summaries: list[dict[str, Any]]) -> None:
    """Print what each policy cost and chose, and where it pruned."""
    console = console_of()
    _print_figures(console, summaries)
    large = [{**s, **s["large"]} for s in summaries if s["large"]]
    if large and large[0]["n_datasets"] < summaries[0]["n_datasets"]:
        _print_figures(console, large, note=", targets of 4,096 rows or more")
    _print_prunes(console, summaries)


def _print_figures(console: Console, summaries: list[dict[str, Any]], note: str = "") -> None:
    first = summaries[0]
    folds, n_runs = f"{first['folds']} folds", f"{first['n_runs']} runs per policy"
    headings = ("policy", "cost", "rows", *TOLERANCE_WORDS, "gap", "worst", "over 1")
    rows = [
        [
            each["policy"],
            _pair(each["cost_mean"], each["cost_total"]),
            _pair(each["rows_mean"], each["rows_total"]),
            *(percent(each[name]) for name in TOLERANCES),
            f"{each['gap_mean']:.4f}".replace("0.", ".", 1),
            _decimal(each["gap_worst"]),
            percent(each["costs_more"]),
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
        choices = (f"{each['lost_winner']:.2%}", f"{each['same_winners']:.1%}")
        rows.append([each["policy"], *shares, f"{n_prunes:,}", *choices])
    choices = ("lost the winner", "same winners")
    headings = ("policy", *summaries[0]["prunes_by_share"], "prunes", *choices)
    breakable = dict.fromkeys(headings[1:], 1)
    title = "where candidates were pruned (anchor as a share of the target)"
    style = {**STYLE, "title": title, "caption": CHOICES}
    console.print(table_of(headings, rows, breakable=breakable, **style))


def _decimal(value: float) -> str:
    """Write a small number as briefly as it can be read."""
    if value >= 1:
        return f"{value:.2f}".removesuffix(".00")
    return f"{value:.3f}".replace("0.", ".", 1)


def _pair(mean: float, total: float) -> str:
    return f"{_decimal(mean)}/{_decimal(total)}"
