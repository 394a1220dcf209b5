"""How little time a search on many workers can take, whatever decides what they do next.

    python benchmarks/worker_floor.py lcdb-development.parquet --folds 5 --workers 32

A race on one worker is replayed, which makes the fewest fits. Were all of its fits known in
advance, as many workers would still need

- *work*: its seconds divided by the number of workers,
- *at once*: at least the longest of its fits,
- *fold 1 first*: at least the longest way of a candidate that gets its further folds only after the
  first has shown that they are wanted: its anchors and its first fold, then the longest of the
  others.

All are ratios to the simulated time of k-fold CV on as many workers, as means over data sets; below
them stands what the race takes there.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from curvewise._bench.contestant import Contestant
from curvewise._bench.replays import Setting, portfolios, stages
from curvewise.core import LearningCurve, Race
from curvewise.executors import Recording, read_recordings

RACE = Contestant("race", Race())


def fold_1_first(curve: LearningCurve, target: int) -> float:
    """The seconds of a candidate whose further folds begin, all at once, after its first fold."""
    cells = [cell for anchor in curve.anchors for cell in curve.cells(anchor)]
    further = [c.seconds for c in cells if c.task.anchor == target and c.task.fold > 0]
    return sum(cell.seconds for cell in cells) - sum(further) + max(further, default=0.0)


def ratios(recording: Recording, setting: Setting) -> Iterator[tuple[float, float, float, float]]:
    """Give work, at once, fold 1 first and the race as ratios to k-fold CV, for each order."""
    alone = replace(setting, n_workers=1)
    pairs = zip(stages(recording, setting), stages(recording, alone), strict=True)
    for (_, many), (_, one) in pairs:
        reference, _ = many.reference()
        _, cost = many.search(RACE)
        search, least = one.search(RACE)
        curves = [each.curve for each in search.portfolio.contenders.values()]
        longest = max(
            cell.seconds
            for curve in curves
            for anchor in curve.anchors
            for cell in curve.cells(anchor)
        )
        work = least.seconds / setting.n_workers
        way = max(fold_1_first(curve, recording.target) for curve in curves)
        floors = work, max(work, longest), max(work, way), cost.clock
        yield tuple(floor / reference.clock for floor in floors)


def main() -> None:
    """Read the options, and print the means."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("curves", type=Path, help="a file of recorded curves, or a folder of such")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--candidates", type=int, default=200, help="of each portfolio")
    parser.add_argument("--workers", type=int, default=32, help="how many are simulated")
    parser.add_argument("--orders", type=int, default=1)
    options = parser.parse_args()
    setting = Setting(
        n_folds=options.folds,
        n_orders=options.orders,
        n_learners=options.candidates,
        n_workers=options.workers,
    )
    recordings = portfolios(read_recordings(options.curves), setting)
    found = [each for recording in recordings for each in ratios(recording, setting)]
    for place, name in enumerate(("work", "at once", "fold 1 first", "the race")):
        print(f"{name:12} {fmean(each[place] for each in found):.3f}")


if __name__ == "__main__":
    main()
