"""What the constants of the race are worth: half and double of each, on recorded curves.

    python benchmarks/constants.py lcdb-development.parquet --folds 10 --orders 2
    python benchmarks/constants.py recordings --folds 5 --orders 10 --candidates 30

Each constant of `curvewise.core._policies.race`, `curvewise.core._policies.race_odds` and
`curvewise.core._prospect` is halved and doubled while all others stay, and the race is replayed:
its cost as a ratio to k-fold CV, and how often its choice is within .001 and .005 of k-fold's.
Constants that matter for streams or for losses of unknown scale only are replayed there, and those
for losses by row in a race by rows, where recordings have them. Three have no place in a replay:
SLOWER (waiting within a time budget), FEWEST_FOLDS (where there is but a score to beat) and
SHORTEST (seconds that cannot be measured).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from curvewise._bench.contestant import Contestant
from curvewise._bench.replay_summary import summarise
from curvewise._bench.replays import Setting, portfolios, replay
from curvewise.core import _prospect
from curvewise.core._policies import Race, race, race_odds
from curvewise.executors import read_recordings
from curvewise.executors._recordings import Recording


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceWithAlpha(Race):
    """A race in which the chance to win below which one is dropped is multiplied."""

    factor: float = 1.0

    @property
    def alpha(self) -> float:
        """Multiply what belongs to the price."""
        return self.factor * min(0.1, 10 * self.price)


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of the race, where it stands, and where it matters."""

    module: ModuleType
    name: str
    streaming: bool = False
    unknown_scale: bool = False
    by_rows: bool = False

    def times(self, factor: float) -> Any:
        """Give its value, or each of its values, multiplied; whole numbers stay whole."""
        value = getattr(self.module, self.name)
        if isinstance(value, tuple):
            return tuple(type(each)(each * factor) for each in value)
        return type(value)(value * factor)


CONSTANTS = (
    Constant(race, "ANCHORS_FROM"),
    Constant(race, "DIVISORS"),
    Constant(race, "BEHIND"),
    Constant(race_odds, "ROWS_WEIGHT", by_rows=True),
    Constant(race_odds, "PRIOR_WEIGHT"),
    Constant(_prospect, "SHARE"),
    Constant(_prospect, "FACTORS"),
    Constant(_prospect, "FEWEST_ROWS"),
    Constant(race, "OPENING", streaming=True),
    Constant(race_odds, "FOLDS_NOISE", unknown_scale=True),
)


@contextmanager
def changed(constant: Constant, value: Any) -> Iterator[None]:
    """Let a constant have another value for a while, in this process."""
    before = getattr(constant.module, constant.name)
    setattr(constant.module, constant.name, value)
    try:
        yield
    finally:
        setattr(constant.module, constant.name, before)


def figures(recordings: Sequence[Recording], contestant: Contestant, setting: Setting) -> str:
    """Replay a race; give its cost and its agreement as fields of a table."""
    runs = replay(recordings, [contestant], setting)
    (summary,) = summarise(runs, n_folds=setting.n_folds)
    cost = f"{summary['cost_mean']:.3f} / {summary['cost_total']:.3f}".replace("0.", ".")
    return f"{cost} | {100 * summary['within_001']:.1f} / {100 * summary['within_005']:.1f}%"


def report(recordings: Sequence[Recording], setting: Setting, names: Sequence[str]) -> None:
    """Print a row for each constant and value."""
    print(f"| {setting.n_folds} folds | value | cost | within .001 / .005 |\n|---|---|---|---|")
    race_, stream = Contestant("race", Race()), Contestant("stream", Race(), streaming=True)
    unknown = replace(setting, unknown_scale=True)
    with_rows = any(recording.rows is not None for recording in recordings)
    by_rows = Contestant("rows", Race(by_rows=True))
    if not names:
        print(f"| as it is | | {figures(recordings, race_, setting)} |")
        if with_rows:
            print(f"| as it is, by rows | | {figures(recordings, by_rows, setting)} |")
        print(f"| as it is, a stream | | {figures(recordings, stream, setting)} |")
        print(f"| as it is, unknown scale | | {figures(recordings, race_, unknown)} |", flush=True)
    for constant in CONSTANTS:
        if (names and constant.name not in names) or (constant.by_rows and not with_rows):
            continue
        contestant = stream if constant.streaming else by_rows if constant.by_rows else race_
        chosen = unknown if constant.unknown_scale else setting
        for factor in (0.5, 2.0):
            value = constant.times(factor)
            with changed(constant, value):
                found = figures(recordings, contestant, chosen)
            print(f"| {constant.name} | {_shown(value)} | {found} |", flush=True)
    if not names or "alpha" in names:
        for factor in (0.5, 2.0):
            policy = RaceWithAlpha(factor=factor)
            found = figures(recordings, Contestant("alpha", policy), setting)
            print(f"| alpha | {_shown(policy.alpha)} | {found} |", flush=True)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{each:.3g}" for each in value)
    return f"{value:g}"


def main() -> None:
    """Read the options, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("curves", type=Path, help="a file of recorded curves, or a folder of such")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--orders", type=int, default=2)
    parser.add_argument("--candidates", type=int, help="of each portfolio; all by default")
    parser.add_argument("--min-target", type=int, default=512)
    parser.add_argument("--only", default="", help="names of constants, separated by commas")
    options = parser.parse_args()
    setting = Setting(n_folds=options.folds, n_orders=options.orders, n_learners=options.candidates)
    recordings = portfolios(read_recordings(options.curves), setting, min_target=options.min_target)
    report(recordings, setting, [name for name in options.only.split(",") if name])


if __name__ == "__main__":
    main()
