"""Wrong prunes on recorded curves, what preventing them costs, and how often a test errs.

    python benchmarks/wrong_prunes.py curves.parquet --policy lccv,adaptive --folds 10 --part unseen
    python benchmarks/wrong_prunes.py curves.parquet --alarms 0.05,0.1,0.2

A prune is *wrong* if the candidate's mean over all folds at the target is better than the loss that
it had to beat. ``--part`` takes the data sets on which rules were chosen, or the 42 that were
looked at once, afterwards: every second one with a number of at most 1597 among those that can be
replayed with 5 folds. The reference is k-fold CV on the same folds.

With ``--alarms``, the test of a curve's shape (`curvewise.core._curve_shape`) is put to curves that
are falling and convex by construction: the mean curve is replaced by the nearest falling convex one
from below, and every fold keeps its own deviation from the mean. Counted are looks, one at each
anchor from the second to a quarter of the target.

The files are those of `curvewise replay`, or means and standard errors over 25 splits (LCDB 1.1,
columns ``val_err`` and ``val_se``). Of those, folds are simulated: normal around the mean, half of
the variance a fold's own at all anchors, half an anchor's; where mean and standard error are the
same as at the anchor before, so is every fold (a learner that predicts the same). A fold then costs
its rows.
"""

import argparse
import zlib
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import pandas as pd

from curvewise import LearningCurve, Observation, Search, Task
from curvewise._bench.contestant import parse_contestants
from curvewise._bench.replays import Setting, portfolios
from curvewise.core._convexity import _lower_hull
from curvewise.core._curve_shape import ill_shape
from curvewise.core._decisions import Prune
from curvewise.executors import Recording, read_recordings
from curvewise.executors._loop import run
from curvewise.executors._replay_executor import ReplayExecutor

N_SPLITS = 25
LAST_UNSEEN = 1597


def recordings_of(path):
    """Read recorded folds, or simulate them from means and standard errors."""
    if "val_se" not in pd.read_parquet(path).columns:
        return read_recordings(path)
    return [simulated(str(name), frame) for name, frame in pd.read_parquet(path).groupby("dataset")]


def part_of(recordings, part, n_folds):
    """Choose the data sets on which rules were chosen, those that were not looked at, or all."""
    replayed = portfolios(recordings, Setting(n_folds=5))
    names = sorted((one.dataset for one in replayed), key=int)
    unseen = {name for name in names[1::2] if int(name) <= LAST_UNSEEN}
    return [
        one
        for one in portfolios(recordings, Setting(n_folds=n_folds))
        if part == "all" or (one.dataset in unseen) == (part == "unseen")
    ]


def simulated(name, frame):
    """Draw 25 folds of every learner that has all powers of two and the target."""
    target = frame.anchor.max()
    powers = {2**i for i in range(5, 30)}
    frame = frame[frame.anchor.isin(powers) | (frame.anchor == target)]
    table = {
        column: frame.pivot_table(column, "learner", "anchor", observed=True)
        for column in ("val_err", "val_se", "test_err")
    }
    mean, error = (table[column].to_numpy(float) for column in ("val_err", "val_se"))
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    own, at_anchor = rng.normal(size=(2, *mean.shape, N_SPLITS)) / np.sqrt(2)
    deviations = (own[:, :1] + at_anchor) * error[:, :, None] * np.sqrt(N_SPLITS)
    loss = np.clip(mean[:, :, None] + deviations, 0, 1)
    for i in range(1, mean.shape[1]):
        same = (mean[:, i] == mean[:, i - 1]) & (error[:, i] == error[:, i - 1])
        loss[same, i] = loss[same, i - 1]
    anchors = tuple(int(size) for size in table["val_err"].columns)
    test = np.repeat(table["test_err"].to_numpy(float)[:, :, None], N_SPLITS, axis=2)
    seconds = np.broadcast_to(np.array(anchors, dtype=float)[None, :, None], loss.shape)
    learners = tuple(map(str, table["val_err"].index))
    n_test = max(1, min(5000, anchors[-1] // 9))
    return Recording(name, learners, anchors, loss, seconds, test, n_test)


def search_one(recording, contestants, n_folds, n_orders):
    """Give a row of figures for every contestant and order on one data set."""
    rows = []
    for order in range(n_orders):
        rng = np.random.default_rng([0, zlib.crc32(recording.dataset.encode()), order])
        learners = rng.permutation(len(recording.learners)).tolist()
        seeds = rng.choice(recording.n_seeds, n_folds, replace=False)
        rows += [measure(recording, one, learners, seeds) for one in contestants]
    return rows


def measure(recording, contestant, learners, seeds):
    """Run one search over recorded curves."""

    def look_up(task):
        where = task.candidate, recording.anchors.index(task.anchor), seeds[task.fold]
        loss, seconds = float(recording.loss[where]), float(recording.seconds[where])
        return Observation(task, loss, seconds=seconds, n_test=recording.n_test)

    schedule = contestant.policy.schedule(recording.target).among(recording.anchors)
    search = Search(learners, schedule=schedule, policy=contestant.policy, n_folds=len(seeds))
    executor = ReplayExecutor(look_up)
    run(search, executor)
    full = recording.loss[:, -1, seeds].mean(axis=1)
    ends = {one.candidate: one.trace[-1] for one in search.portfolio.contenders.values()}
    lead = [end.threshold - full[c] for c, end in ends.items() if isinstance(end, Prune)]
    best = min(learners, key=full.__getitem__)
    n_reference = len(seeds) * len(learners)
    truth = recording.truth
    return {
        "policy": contestant.label,
        "dataset": recording.dataset,
        "cost": executor.busy_seconds,
        "cost_kfold": recording.seconds[:, -1, seeds].sum(),
        "rows": executor.n_rows,
        "rows_kfold": n_reference * recording.target,
        "fits": executor.n_tasks / n_reference,
        "gap": truth[search.best.candidate] - truth[best],
        "prunes": len(lead),
        "wrong": sum(one > 1e-12 for one in lead),
        "wrong_by_001": sum(one > 0.001 for one in lead),
        "wrong_by_005": sum(one > 0.005 for one in lead),
        "lost_best": isinstance(ends[best], Prune),
    }


def summary(frame):
    """Summarise the searches of one policy."""
    figures = {}
    for what in ("cost", "rows"):
        ratios = (frame[what] / frame[f"{what}_kfold"]).groupby(frame.dataset).mean()
        sums = frame.groupby("dataset")[[what, f"{what}_kfold"]].mean().sum()
        figures[what] = f"{ratios.mean():.3f} / {sums.iloc[0] / sums.iloc[1]:.3f}"
        if what == "cost":
            figures["costs more"] = f"{(ratios > 1).mean():.0%}"
    figures["fits"] = f"{frame.fits.mean():.2f}"
    within = [f"{(frame.gap <= most + 1e-9).mean():.1%}" for most in (0.001, 0.005)]
    figures["within .001 / .005"] = " / ".join(within)
    figures["worst gap"] = f"{frame.gap.max():.3f}"
    figures["prunes"] = frame.prunes.sum()
    wrong = frame[["wrong", "wrong_by_001", "wrong_by_005"]].sum()
    figures["wrong / by .001 / by .005"] = " / ".join(map(str, wrong))
    figures["lost k-fold's choice"] = frame.lost_best.sum()
    return pd.Series(figures)


def alarms_one(recording, alphas, n_folds, n_draws=5):
    """Count what the test says about falling convex curves with the folds' own deviations."""
    rng = np.random.default_rng([0, zlib.crc32(recording.dataset.encode())])
    anchors, rows = recording.anchors, []
    usable = [i for i, size in enumerate(anchors) if 64 <= size <= recording.target / 4]
    for losses in recording.loss:
        mean = np.minimum.accumulate(losses.mean(axis=1))
        hull = np.array(_lower_hull(anchors, mean))
        convex = np.interp(anchors, hull[:, 0], hull[:, 1])
        made = losses - losses.mean(axis=1, keepdims=True) + convex[:, None]
        for _ in range(n_draws):
            seeds = rng.choice(recording.n_seeds, n_folds, replace=False)
            curve = LearningCurve(
                Observation(
                    Task(0, anchors[i], fold), float(made[i, seed]), n_test=recording.n_test
                )
                for i in usable
                for fold, seed in enumerate(seeds)
            )
            for n in range(2, len(usable) + 1):
                seen = [anchors[i] for i in usable[:n]]
                rows += [
                    (alpha, ill_shape(curve, seen, recording.target, alpha=alpha) or "nothing")
                    for alpha in alphas
                ]
    return rows


def main():
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path")
    parser.add_argument("--policy", default="lccv,lccv:shape_alpha=0.1,adaptive")
    parser.add_argument("--alarms", help="error rates of the test, separated by commas")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--orders", type=int, default=5)
    parser.add_argument("--part", choices=["all", "chosen", "unseen"], default="all")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    recordings = part_of(recordings_of(arguments.path), arguments.part, arguments.folds)
    print(f"{len(recordings)} data sets, {arguments.folds} folds")
    if arguments.alarms:
        alphas = [float(part) for part in arguments.alarms.split(",")]
        work = partial(alarms_one, alphas=alphas, n_folds=arguments.folds)
    else:
        contestants = parse_contestants(arguments.policy)
        work = partial(
            search_one,
            contestants=contestants,
            n_folds=arguments.folds,
            n_orders=arguments.orders,
        )
    with ProcessPoolExecutor(arguments.jobs) as pool:
        rows = [row for part in pool.map(work, recordings) for row in part]
    if arguments.alarms:
        frame = pd.DataFrame(rows, columns=["alpha", "found"])
        print(frame.groupby("alpha").found.value_counts(normalize=True).unstack().round(4))
        print(f"{len(frame) // len(alphas)} looks")
        return
    frame = pd.DataFrame(rows)
    table = pd.DataFrame(
        {label: summary(part) for label, part in frame.groupby("policy", sort=False)}
    )
    print(table.T.to_string())


if __name__ == "__main__":
    main()
