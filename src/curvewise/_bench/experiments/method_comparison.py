"""Methods compared: means per data set, and each method against its reference, cell by cell.

Rules:

1. A mean is over cells that have a result, and always comes with how many there are of how many.
2. A method and its reference are compared on pairs: the same data set, the same seed, both done.
   What has no pair is counted, and named with its reason.
3. The *ratio* of a data set is the method's mean run time over its reference's, on pairs. As in the
   paper, data sets count equally in the mean ratio.
4. The *gap* of a pair is the method's error less its reference's: positive is worse.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from curvewise._bench.experiments.experiment_plan import Method
from curvewise._bench.experiments.ledger import Cell, State
from curvewise._bench.experiments.results import Results

TOLERANCES = (0.001, 0.005, 0.01, 0.015)
ROUNDING = 1e-9
SLOW_SHARE = 0.28


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over cells, its standard deviation, and over how many of how many.

    Examples
    --------
    >>> mean_of([0.1, 0.3, None], 4)
    Mean(mean=0.2, spread=0.1414..., n=2, n_all=4)
    """

    mean: float | None
    spread: float | None
    n: int
    n_all: int

    @property
    def whole(self) -> bool:
        """Whether every cell is in it."""
        return self.n == self.n_all


@dataclass(frozen=True, slots=True)
class Pair:
    """One cell of a method beside the same cell of its reference."""

    dataset: str
    seed: int
    seconds: float
    reference_seconds: float
    error: float
    reference_error: float

    @property
    def gap(self) -> float:
        """How much worse the method's choice is; negative if it is better."""
        return self.error - self.reference_error


@dataclass(frozen=True, slots=True)
class Comparison:
    """A method against its reference."""

    method: str
    reference: str
    pairs: Sequence[Pair]
    missing: Mapping[str, int]

    @property
    def n_missing(self) -> int:
        """How many cells of the plan have no pair."""
        return sum(self.missing.values())

    @property
    def datasets(self) -> list[str]:
        """The data sets with at least one pair."""
        return list(dict.fromkeys(pair.dataset for pair in self.pairs))

    def seconds(self, dataset: str) -> tuple[float, float]:
        """The mean run times on a data set: the method's and its reference's."""
        own = [pair for pair in self.pairs if pair.dataset == dataset]
        return (
            math.fsum(pair.seconds for pair in own) / len(own),
            math.fsum(pair.reference_seconds for pair in own) / len(own),
        )

    def ratio(self, dataset: str) -> float:
        """The ratio of the mean run times on a data set."""
        own, reference = self.seconds(dataset)
        return own / reference if reference > 0 else math.nan

    @property
    def ratios(self) -> dict[str, float]:
        """The ratio of run times by data set."""
        return {dataset: self.ratio(dataset) for dataset in self.datasets}

    @property
    def mean_ratio(self) -> float:
        """The mean over data sets of the ratio of run times."""
        return float(np.mean(list(self.ratios.values()))) if self.pairs else math.nan

    @property
    def total_ratio(self) -> float:
        """All of the method's run time over all of its reference's."""
        whole = math.fsum(pair.reference_seconds for pair in self.pairs)
        return math.fsum(pair.seconds for pair in self.pairs) / whole if whole else math.nan

    @property
    def worst(self) -> tuple[str, float] | None:
        """The data set with the largest ratio, and that ratio."""
        return max(self.ratios.items(), key=lambda item: item[1]) if self.pairs else None

    def within(self, tolerance: float) -> float:
        """The share of pairs in which the choice is at most this much worse."""
        if not self.pairs:
            return math.nan
        return float(np.mean([pair.gap <= tolerance + ROUNDING for pair in self.pairs]))

    def near(self, tolerance: float) -> float:
        """The share of pairs in which the choice is at most this much worse or better."""
        if not self.pairs:
            return math.nan
        return float(np.mean([abs(pair.gap) <= tolerance + ROUNDING for pair in self.pairs]))

    @property
    def mean_gap(self) -> float:
        """The mean gap over all pairs."""
        return float(np.mean([pair.gap for pair in self.pairs])) if self.pairs else math.nan

    @property
    def worst_gap(self) -> float:
        """The largest gap of a pair."""
        return max((pair.gap for pair in self.pairs), default=math.nan)

    def on(self, datasets: Sequence[str]) -> Comparison:
        """The same on some data sets only."""
        kept = [pair for pair in self.pairs if pair.dataset in datasets]
        missing = {name: n for name, n in self.missing.items() if name in datasets}
        return Comparison(self.method, self.reference, kept, missing)


def mean_of(values: Sequence[float | None], n_all: int) -> Mean:
    """Average what is there."""
    known = [value for value in values if value is not None]
    if not known:
        return Mean(None, None, 0, n_all)
    spread = float(np.std(known, ddof=1)) if len(known) > 1 else None
    return Mean(math.fsum(known) / len(known), spread, len(known), n_all)


def measure(results: Results, method: Method, dataset: str, key: str) -> Mean:
    """Average one measure of a method over the seeds of a data set."""
    values = [_number(cell, key) for cell in results.done(method.name, dataset)]
    n_all = sum(c.method == method.name and c.dataset == dataset for c in results.cells)
    return mean_of(values, n_all)


def compare(results: Results, method: Method, reference: Method) -> Comparison:
    """Put a method and its reference side by side."""
    others = {(cell.dataset, cell.seed): cell for cell in results.done(reference.name)}
    pairs = []
    for cell in results.done(method.name):
        other = others.get((cell.dataset, cell.seed))
        if other is None:
            continue
        values = [_number(one, key) for one in (cell, other) for key in ("seconds", "error")]
        if None in values:
            continue
        seconds, error, reference_seconds, reference_error = values
        pairs.append(
            Pair(cell.dataset, cell.seed, seconds, reference_seconds, error, reference_error)  # type: ignore[arg-type]
        )
    missing = Counter(cell.dataset for cell in results.cells if cell.method == method.name)
    missing.subtract(pair.dataset for pair in pairs)
    return Comparison(method.name, reference.name, pairs, {k: n for k, n in missing.items() if n})


def comparisons(results: Results) -> list[Comparison]:
    """Compare every method with its reference."""
    return [compare(results, *pair) for pair in results.plan.pairs]


def slow_datasets(results: Results) -> list[str]:
    """Find the slow data sets: by the plan's limit, else the slowest (28%, as in the paper)."""
    references = dict.fromkeys(reference.name for _, reference in results.plan.pairs)
    if not references:
        return []
    method = results.plan.method(next(iter(references)))
    seconds = {
        dataset: mean
        for dataset in results.plan.datasets
        if (mean := measure(results, method, dataset, "seconds").mean) is not None
    }
    slow = [name for name, mean in seconds.items() if mean >= results.plan.settings.slow_seconds]
    if slow or not seconds:
        return slow
    n = max(1, round(SLOW_SHARE * len(seconds)))
    return sorted(seconds, key=lambda name: -seconds[name])[:n]


def open_cells(results: Results) -> list[Cell]:
    """Give the cells that no mean can contain: failed ones first, then those not done yet."""
    states = (State.FAILED, State.RUNNING, State.PENDING)
    return [cell for state in states for cell in results.without_result(state)]


def _number(cell: Cell, key: str) -> float | None:
    value = (cell.result or {}).get(key)
    return float(value) if isinstance(value, int | float) else None
