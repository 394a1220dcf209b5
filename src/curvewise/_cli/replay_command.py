"""``curvewise replay``: how each policy would have done on recorded curves."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from curvewise._bench.blank_figure import check_plot
from curvewise._bench.contestant import parse_contestants
from curvewise._bench.replay_summary import summarise
from curvewise._bench.replays import Setting, portfolios, replay
from curvewise._bench.trade_off_plot import plot_trade_off
from curvewise._cli import options
from curvewise._cli.replay_tables import print_replays
from curvewise._cli.terminal import bar_of, print_json
from curvewise.executors import read_recordings
from curvewise.executors._execution import resolve_n_jobs

EPILOG = """
**Examples**

    curvewise replay curves.parquet

    curvewise replay curves.parquet --policy kfold,lccv,race --folds 5 --json

    curvewise replay curves.parquet --policy race:price=0.001,race,race-stream --plot out.png

A policy takes knobs (`lccv:max_width=0.05:interval=t`); `race-stream` does not know the candidates
in advance. The file has one row per evaluation with the columns dataset, learner, anchor, seed,
valid_err, test_err, fit_time (whole-numbered errors are error rates times 10,000) and, if you
like, n_valid.
"""


def replay_command(
    curves: Annotated[Path, Argument(help="A Parquet file of recorded learning curves.")],
    policy: Annotated[
        str, Option(help="Policies with their knobs, separated by commas.")
    ] = "kfold,lccv,race,wilcoxon,halving,hyperband",
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
        int | None, Option(min=2, help="Enlarge portfolios to this many by perturbed copies.")
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
        plot_trade_off(summaries, plot)
