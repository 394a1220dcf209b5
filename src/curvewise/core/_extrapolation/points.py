"""The points that a curve is fitted to, in units that do not matter.

Anchors are taken relative to the smallest one, and losses relative to their weighted mean and
spread: error rates, squared errors of 1e9 and log losses of 1e-9 are then the same problem.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import InvalidParameterError

Floats = NDArray[np.float64]

# Below this share of the largest loss, differences between losses are rounding errors.
NEGLIGIBLE = 1e-12


@dataclass(frozen=True, slots=True)
class Points:
    """Points in relative units."""

    smallest: float
    ratios: Floats
    roots: Floats
    deviations: Floats
    mean: float
    spread: float
    lowest: float


def gather_points(
    anchors: Sequence[float],
    losses: Sequence[float],
    *,
    weights: Sequence[float] | None = None,
    n_anchors: int = 1,
) -> Points | None:
    """The finite points of positive weight; None if they have fewer than `n_anchors` anchors."""
    s, y, w = _checked(anchors, losses, weights)
    if s.size == 0 or 1 + np.count_nonzero(s[1:] > s[:-1]) < n_anchors:
        return None
    smallest = float(s[0])
    # Dividing first keeps sums and squares of extreme losses within the range of floats.
    magnitude = float(np.abs(y).max()) or 1.0
    roots = np.sqrt(w / w.sum())
    scaled = roots * (y / magnitude)
    mean = float(roots.dot(scaled))
    deviations = scaled - mean * roots
    spread = float(deviations.dot(deviations)) ** 0.5
    if spread > NEGLIGIBLE:
        deviations /= spread
    else:
        spread = 0.0
    return Points(
        smallest,
        s / smallest,
        roots,
        deviations,
        mean * magnitude,
        spread * magnitude,
        float(y.min()),
    )


def _checked(
    anchors: Sequence[float], losses: Sequence[float], weights: Sequence[float] | None
) -> tuple[Floats, Floats, Floats]:
    """Anchors, losses and weights of the points that count, sorted."""
    s = np.asarray(anchors, dtype=np.float64)
    y = np.asarray(losses, dtype=np.float64)
    w = np.ones(s.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if s.ndim != 1 or not s.shape == y.shape == w.shape:
        raise InvalidParameterError(
            "anchors, losses and weights must be sequences of the same length, "
            f"got shapes {s.shape}, {y.shape} and {w.shape}."
        )
    counts = np.isfinite(s) & np.isfinite(y) & (w != 0.0)
    if not counts.all():
        s, y, w = s[counts], y[counts], w[counts]
    if s.size == 0:
        return s, y, w
    if not s.min() > 0.0:
        raise InvalidParameterError(f"anchors must be positive numbers of rows, got {s.min():g}.")
    if weights is not None:
        if not (w.min() > 0.0 and w.max() < np.inf):
            raise InvalidParameterError(f"weights must be finite and at least 0, got {w.tolist()}.")
        w = w / w.max()
    # A sum in another order differs in its last digit; sorted points always give the same fit.
    order = np.lexsort((w, y, s))
    return s[order], y[order], w[order]
