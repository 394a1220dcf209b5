"""What a scatter plot shows: each data set with a method and with its reference.

Run times and errors are means over the same cells, those that both methods have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curvewise._bench.experiments.method_comparison import MethodComparison

if TYPE_CHECKING:
    import pandas as pd

QUANTILES = [0.1, 0.9]
# Errors are drawn by the inverse hyperbolic sine: a log scale above this, and 0 has its place.
LINEAR_ERROR = 0.002
ERROR_TICKS = (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)


@dataclass(frozen=True, slots=True)
class Spot:
    """One method on one data set."""

    seconds: float
    error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DatasetPoint:
    """A data set."""

    dataset: str
    own: Spot
    reference: Spot
    n: int
    n_all: int

    @property
    def ratio(self) -> float:
        """The ratio of the run times."""
        seconds = self.reference.seconds
        return self.own.seconds / seconds if seconds > 0 else math.nan


def points_of(each: MethodComparison) -> list[DatasetPoint]:
    """Give the data sets of a comparison, the largest error first."""
    points = []
    for dataset, pairs in each.pairs.groupby("dataset", sort=False):
        own = _spot(pairs.seconds, pairs.error)
        reference = _spot(pairs.reference_seconds, pairs.reference_error)
        n_all = len(pairs) + each.missing.get(str(dataset), 0)
        points.append(DatasetPoint(str(dataset), own, reference, len(pairs), n_all))
    return sorted(points, key=lambda point: -point.own.error)


def span_orders(points: Sequence[DatasetPoint]) -> bool:
    """Whether the errors are so different that a linear axis would heap the small ones up."""
    errors = [spot.error for point in points for spot in (point.own, point.reference)]
    return max(errors) > 10 * max(min(errors), LINEAR_ERROR / 2)


def _spot(seconds: pd.Series, errors: pd.Series) -> Spot:
    low, high = errors.quantile(QUANTILES)
    return Spot(float(seconds.mean()), float(errors.mean()), float(low), float(high))
