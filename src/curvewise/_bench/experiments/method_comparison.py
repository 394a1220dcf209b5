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

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curvewise._bench.experiments.cells import Cell, State
from curvewise._bench.experiments.results import Results

if TYPE_CHECKING:
    import pandas as pd

TOLERANCES = (0.001, 0.005, 0.01, 0.015)
ROUNDING = 1e-9
SLOW_SHARE = 0.28


@dataclass(frozen=True, slots=True, eq=False)
class MethodComparison:
    """A method against its reference.

    ``pairs`` has a row per data set and seed that both have done: ``seconds``, training ``rows``
    and ``error`` of the method and, as ``reference_seconds`` and so on, of the reference, and the
    ``gap``. ``missing`` counts the cells of the plan that have no pair, by data set.
    """

    method: str
    reference: str
    pairs: pd.DataFrame
    missing: Mapping[str, int]

    @property
    def n_missing(self) -> int:
        """How many cells of the plan have no pair."""
        return sum(self.missing.values())

    @property
    def by_dataset(self) -> pd.DataFrame:
        """The mean run times of both and their ratio, by data set."""
        groups = self.pairs.groupby("dataset", sort=False)
        means = groups[["seconds", "reference_seconds"]].mean()
        known = means.reference_seconds.where(means.reference_seconds > 0)
        return means.assign(ratio=means.seconds / known)

    @property
    def datasets(self) -> list[str]:
        """The data sets with at least one pair."""
        return list(self.pairs.dataset.unique())

    @property
    def mean_ratio(self) -> float:
        """The mean over data sets of the ratio of run times."""
        return float(self.by_dataset.ratio.mean(skipna=False))

    @property
    def rows_ratio(self) -> float:
        """The mean over data sets of the ratio of training rows, which no other work disturbs."""
        sums = self.pairs.groupby("dataset", sort=False)[["rows", "reference_rows"]].sum()
        return float((sums.rows / sums.reference_rows.where(sums.reference_rows > 0)).mean())

    @property
    def total_ratio(self) -> float:
        """All of the method's run time over all of its reference's."""
        own, reference = self.pairs[["seconds", "reference_seconds"]].sum()
        return float(own / reference) if reference else float("nan")

    @property
    def worst(self) -> tuple[str, float] | None:
        """The data set with the largest ratio, and that ratio."""
        ratios = self.by_dataset.ratio.dropna()
        return None if ratios.empty else (str(ratios.idxmax()), float(ratios.max()))

    def within(self, tolerance: float) -> float:
        """The share of pairs in which the choice is at most this much worse."""
        return float((self.pairs.gap <= tolerance + ROUNDING).mean())

    def near(self, tolerance: float) -> float:
        """The share of pairs in which the choice is at most this much worse or better."""
        return float((self.pairs.gap.abs() <= tolerance + ROUNDING).mean())

    @property
    def mean_gap(self) -> float:
        """The mean gap over all pairs."""
        return float(self.pairs.gap.mean())

    @property
    def worst_gap(self) -> float:
        """The largest gap of a pair."""
        return float(self.pairs.gap.max())

    def on(self, datasets: Sequence[str]) -> MethodComparison:
        """The same on some data sets only."""
        kept = self.pairs[self.pairs.dataset.isin(datasets)]
        missing = {name: n for name, n in self.missing.items() if name in datasets}
        return MethodComparison(self.method, self.reference, kept, missing)


def means(results: Results, measure: str) -> pd.DataFrame:
    """Average a measure by data set and method.

    The columns are ``mean``, ``spread`` (its standard deviation over seeds), ``n`` (the cells in
    it) and ``n_all`` (those of the plan).
    """
    groups = results.frame.groupby(["dataset", "method"], sort=False)[measure]
    return groups.agg(mean="mean", spread="std", n="count", n_all="size")


def comparisons(results: Results) -> list[MethodComparison]:
    """Compare every method with its reference."""
    return [_compare(results.frame, one.name, other.name) for one, other in results.plan.pairs]


def _compare(frame: pd.DataFrame, method: str, reference: str) -> MethodComparison:
    cells = frame.set_index(["dataset", "seed"])
    measures = ["seconds", "rows", "error"]
    own, other = (
        cells.loc[cells.method == name, measures].dropna(subset=["seconds", "error"])
        for name in (method, reference)
    )
    pairs = own.join(other.add_prefix("reference_"), how="inner").reset_index()
    pairs["gap"] = pairs.error - pairs.reference_error
    missing = Counter(frame.dataset[frame.method == method])
    missing.subtract(pairs.dataset)
    return MethodComparison(method, reference, pairs, {name: n for name, n in missing.items() if n})


def slow_datasets(results: Results) -> list[str]:
    """Find the slow data sets: by the plan's limit, else the slowest (28%, as in the paper).

    Whose run time counts is up to the plan, and the method may be one of an experiment beside it:
    the paper's two tables of slow data sets are both about those that are slow with 80LCCV.
    """
    if not results.plan.pairs:
        return []
    seconds = _seconds_by_dataset(results)
    slow = seconds[seconds >= results.plan.settings.slow_seconds]
    if slow.empty and len(seconds):
        slow = seconds.nlargest(max(1, round(SLOW_SHARE * len(seconds))))
    return list(slow.index)


def _seconds_by_dataset(results: Results) -> pd.Series:
    """The mean run time of the method that says what is slow; of the reference if it is nowhere."""
    _, reference = results.plan.pairs[0]
    clock = results.plan.settings.slow_by
    clocks = [(one, clock) for one in (results, *results.beside)]
    for each, method in [*clocks, (results, reference.name)]:
        own = each.frame[each.frame.method == method]
        own = own[own.dataset.isin(list(results.plan.datasets))]
        seconds = own.groupby("dataset", sort=False).seconds.mean().dropna()
        if len(seconds):
            break
    return seconds


def open_cells(results: Results) -> list[Cell]:
    """Give the cells that no mean can contain: failed ones first, then those not done yet."""
    states = (State.FAILED, State.RUNNING, State.PENDING)
    return [cell for state in states for cell in results.in_state(state)]
