"""What a candidate is worth that ran out of time: its last anchor, or an extrapolation.

    python benchmarks/partial_results.py CURVES.parquet [--draws 4] [--folds 5]

Every recorded learner is cut off at a random power of two below the target, at the third or later,
and the best is chosen by what is known then. Gap: by how much the choice's true error at the target
is worse than the best learner's.
"""

import argparse
import math
import zlib

import numpy as np

from curvewise.core._extrapolation import InversePowerLaw
from curvewise.executors import read_recordings

LAW = InversePowerLaw()
MIN_TARGET, MIN_LEARNERS, MIN_ANCHORS, FIRST_ANCHOR = 512, 5, 3, 64
WAYS = ("last anchor", "power law", "power law without a bound, cut off at 0")


def worth(name, anchors, means, target):
    """Say what a learner is worth that was seen at these anchors."""
    if name == "last anchor":
        return means[-1]
    lowest = 0.0 if name == "power law" else -math.inf
    return max(0.0, LAW.fit(anchors, means, lowest=lowest).predict(target))


def gaps(recording, draws, n_folds):
    """Cut all learners off, several times; give the gap of each way's choice."""
    powers = [
        i
        for i, anchor in enumerate(recording.anchors[:-1])
        if anchor >= FIRST_ANCHOR and math.log2(anchor).is_integer()
    ]
    if len(powers) <= MIN_ANCHORS:
        return
    rng = np.random.default_rng(zlib.crc32(recording.dataset.encode()))
    means = recording.loss[:, :, :n_folds].mean(axis=2)
    for _ in range(draws):
        known = [powers[: rng.integers(MIN_ANCHORS, len(powers) + 1)] for _ in recording.learners]
        for name in WAYS:
            losses = [
                worth(
                    name, [recording.anchors[i] for i in seen], own[seen].tolist(), recording.target
                )
                for own, seen in zip(means, known, strict=True)
            ]
            choice = int(np.argmin(losses))
            yield name, recording.truth[choice] - recording.truth.min()


def main():
    """Print a line for each way to choose."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("curves")
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--folds", type=int, default=5)
    given = parser.parse_args()
    found = {name: [] for name in WAYS}
    for recording in read_recordings(given.curves):
        complete = recording.complete(given.folds)
        if complete is None or len(complete.learners) < MIN_LEARNERS:
            continue
        if complete.target >= MIN_TARGET:
            for name, gap in gaps(complete, given.draws, given.folds):
                found[name].append(gap)
    for name, values in found.items():
        gap = np.array(values)
        print(
            f"{name:42} {len(gap)} choices  mean gap {gap.mean():.4f}  "
            f"within .001 {(gap <= 0.001).mean():.1%}  within .01 {(gap <= 0.01).mean():.1%}  "
            f"worst {gap.max():.3f}"
        )


if __name__ == "__main__":
    main()
