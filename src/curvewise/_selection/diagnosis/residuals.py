"""What is left of numbers when the predicted ones are taken away: its size, shape and trend.

A residual is what is true minus what was predicted. Of many rows a sample is drawn, always the
same; all of them count in the numbers, the bins and the histogram.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from curvewise._selection.diagnosis.predicted_rows import Array, PredictedRows
from curvewise.errors import InvalidParameterError

MOST_POINTS = 1_000
N_BINS = 10
N_BARS = 30
# The ends of the histogram: of rows beyond them only the number is shown.
TAIL = 0.005
# Residuals that differ by less, in proportion, are the same but for rounding.
ROUNDING = 1e-12
NORMAL = 1.96


@dataclass(frozen=True, slots=True)
class ResidualBin:
    """Rows with similar predictions.

    Parameters
    ----------
    low, high, predicted
        The smallest, the largest and the mean prediction.
    residual
        The mean residual: above 0, predictions are too small.
    residual_low, residual_high
        Its 95% interval; NaN for a single row.
    spread
        The standard deviation of the residuals.
    n_rows
        How many rows.
    """

    low: float
    high: float
    predicted: float
    residual: float
    residual_low: float
    residual_high: float
    spread: float
    n_rows: int


@dataclass(frozen=True, slots=True)
class Residuals:
    """The residuals of a model that predicts numbers.

    Parameters
    ----------
    n_rows
        How many rows have a prediction.
    r2, mean_absolute_error, root_mean_squared_error
        How large they are together; R² is NaN if all true values are the same.
    bias
        Their mean: above 0, predictions are too small on average.
    half_within, most_within
        Half of the rows are off by at most the first, 90% by at most the second.
    points
        True and predicted values of a sample of rows, a pair each.
    bins
        Rows by their prediction, about as many in each.
    edges, counts
        The histogram of residuals.
    n_beyond
        How many residuals are left and right of it.
    """

    n_rows: int
    r2: float
    mean_absolute_error: float
    root_mean_squared_error: float
    bias: float
    half_within: float
    most_within: float
    points: Array
    bins: tuple[ResidualBin, ...]
    edges: Array
    counts: Array
    n_beyond: int


def residuals(rows: PredictedRows) -> Residuals:
    """Look at the residuals of predicted numbers."""
    if rows.classes is not None:
        raise InvalidParameterError("The model predicts classes, and this is about numbers.")
    y, predicted = np.asarray(rows.y, dtype=np.float64), rows.values
    left = rows.residuals
    size = np.abs(left)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        squares, spread = float((left**2).sum()), float(((y - y.mean()) ** 2).sum())
    edges, counts = _histogram(left)
    return Residuals(
        n_rows=len(y),
        r2=1 - squares / spread if spread > 0 else math.nan,
        mean_absolute_error=float(size.mean()),
        root_mean_squared_error=math.sqrt(squares / len(y)),
        bias=float(left.mean()),
        half_within=float(np.quantile(size, 0.5)),
        most_within=float(np.quantile(size, 0.9)),
        points=np.column_stack([y, predicted])[_sample(len(y))],
        bins=_bins(predicted, left),
        edges=edges,
        counts=counts,
        n_beyond=int(len(y) - counts.sum()),
    )


def _sample(n: int) -> Array:
    """Choose which rows are drawn as points: always the same ones."""
    if n <= MOST_POINTS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, MOST_POINTS, replace=False))


def _bins(predicted: Array, left: Array) -> tuple[ResidualBin, ...]:
    """Put rows together by their predictions; equal predictions stay together."""
    edges = np.unique(np.quantile(predicted, np.linspace(0, 1, N_BINS + 1)[1:-1]))
    which = np.searchsorted(edges, predicted, side="left")
    return tuple(_bin(predicted[inside], left[inside]) for inside in _each(which))


def _each(which: Array) -> list[Array]:
    return [which == one for one in np.unique(which)]


def _bin(predicted: Array, left: Array) -> ResidualBin:
    n, mean = len(left), float(left.mean())
    spread = float(left.std(ddof=1)) if n > 1 else math.nan
    away = NORMAL * spread / math.sqrt(n)
    return ResidualBin(
        float(predicted.min()),
        float(predicted.max()),
        float(predicted.mean()),
        mean,
        mean - away,
        mean + away,
        spread,
        n,
    )


def _histogram(left: Array) -> tuple[Array, Array]:
    """Count residuals in bars of one width, without the outermost where those are far off."""
    low, high = (float(end) for end in np.quantile(left, [TAIL, 1 - TAIL]))
    widest = 3 * (high - low)
    if left.max() - left.min() <= widest:
        low, high = float(left.min()), float(left.max())
    largest = max(abs(low), abs(high))
    if not high - low > ROUNDING * largest:
        away = max(largest, 1.0) * 1e-6
        low, high = low - away, high + away
    counts, edges = np.histogram(left, bins=min(N_BARS, max(5, len(left) // 5)), range=(low, high))
    return edges, counts
