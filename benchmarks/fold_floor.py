"""How little a rule can cost that drops candidates fold by fold, if it knew all but the future.

    python benchmarks/fold_floor.py benchmarks/recordings --folds 10          # and --folds 5

What a race does not know costs it time: which candidate will win, and by how much differences vary
from fold to fold. A rule that knows both is replayed on recorded candidates at the target:

1. The winner of k-fold CV is known from the start, and gets its k folds.
2. Every other candidate gets its folds in their order until the chance that its mean difference
   ends below 0 is less than alpha. That difference is normal, with the variance that its k
   differences really have.

*Sweep* is what is left if one fold is enough to drop any other candidate. No small training sets
are used: below 4,096 rows a race uses none either.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from statistics import NormalDist, fmean

import numpy as np
from numpy.typing import NDArray

from curvewise._bench.replays import Setting, portfolios
from curvewise.executors import Recording, read_recordings

ALPHAS = (0.02, 0.04, 0.1)
NORMAL = NormalDist()
Floats = NDArray[np.float64]


def n_folds_needed(differences: Floats, alpha: float) -> int:
    """Count the folds until the chance to end ahead of the winner is below alpha."""
    k = len(differences)
    deviation = float(differences.std(ddof=1))
    for n in range(1, k):
        mean = float(differences[:n].mean())
        spread = deviation * math.sqrt(1 / n - 1 / k)
        if mean > 0 and (spread == 0 or NORMAL.cdf(-mean / spread) < alpha):
            return n
    return k


def costs(recording: Recording, folds: Floats) -> list[float]:
    """Give the sweep and the rule for each alpha, as ratios to the seconds of k-fold CV."""
    losses = recording.loss[:, -1, :][:, folds]
    seconds = np.nan_to_num(recording.seconds[:, -1, :][:, folds])
    able = ~np.isnan(losses).any(axis=1)
    # A candidate that fails does so on its first fold.
    first, whole = seconds[:, 0].sum(), seconds[able].sum() + seconds[~able, 0].sum()
    losses, seconds = losses[able], seconds[able]
    winner = losses.mean(axis=1).argmin()
    rest = seconds[winner, 1:].sum()
    found = [float((first + rest) / whole)]
    for alpha in ALPHAS:
        further = sum(
            own[1 : n_folds_needed(loss - losses[winner], alpha)].sum()
            for place, (loss, own) in enumerate(zip(losses, seconds, strict=True))
            if place != winner
        )
        found.append(float((first + rest + further) / whole))
    return found


def main() -> None:
    """Read the options, and print a row for each data set and the means."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("curves", type=Path, help="a file of recorded curves, or a folder of such")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--orders", type=int, default=10, help="orders of the folds")
    options = parser.parse_args()
    setting = Setting(n_folds=options.folds)
    rows = []
    print("| data set | rows | sweep | " + " | ".join(f"alpha {a:g}" for a in ALPHAS) + " |")
    print("|---" * (3 + len(ALPHAS)) + "|")
    for recording in portfolios(read_recordings(options.curves), setting):
        rng = np.random.default_rng(0)
        drawn = [
            costs(recording, rng.permutation(recording.n_seeds)[: options.folds])
            for _ in range(options.orders)
        ]
        rows.append([fmean(column) for column in zip(*drawn, strict=True)])
        shown = " | ".join(f"{value:.2f}" for value in rows[-1])
        print(f"| {recording.dataset} | {recording.target:,} | {shown} |")
    shown = " | ".join(f"{fmean(column):.3f}" for column in zip(*rows, strict=True))
    print(f"| mean | | {shown} |")


if __name__ == "__main__":
    main()
