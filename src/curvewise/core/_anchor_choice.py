"""Which anchor is worth evaluating next: the one expected to decide at the least cost.

A candidate has been seen at some anchors and lags behind the loss to beat. It can still be pruned
at a larger anchor, or it will have to be evaluated at the target. Rules:

1. *What may come.* Seen from an anchor, the share of its lag that a curve makes up until the target
   has much the same distribution whatever the anchor: about 1 in 8 makes up all of it. So eight
   equally likely shares (`SHARES`), each with a fall that is even over the logarithm of the rows,
   a little or much steeper at first (`BENDS`): 24 curves that go on from the last anchor but one.
   Each is weighed by how well it explains the loss at the last anchor.
2. *What would be decided.* At an anchor, each of these curves would be pruned by the convex bound,
   or jump to the target because it is better already, or because a power law through three anchors
   sees it, or go on. Intervals are taken to be as wide as at the last anchor.
3. *Plans.* None, one or two of the larger anchors, then the target. The expected cost of a plan
   counts an anchor's folds if the curve gets there, and all folds of the target if it is not
   pruned before. The plan of the least expected cost says where to go next; then all is planned
   anew.

So where nothing is expected to be decided before the target, or only for more than it would save,
the target comes next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curvewise.core._intervals import Interval

# Which share of its lag a curve makes up until the target: the middles of the eighths of 2,450 to
# 4,115 pairs of a learner and a loss to beat, seen from a quarter to a sixty-fourth of the target
# (one half of the data sets of the Learning Curve Database's development half).
SHARES = (-0.1, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.15)
# How much steeper a fall is at first than over all, as an exponent: half of the way, 50, 35 and 20%
# of the fall are left. That is the middle half of the same curves.
BENDS = (0.0, 1.2, 2.8)
# No curve is exactly one of the 24: they are allowed to miss by this share of the lag.
TOLERANCE = 0.1
# A power law is fitted to so many anchors at least.
LAW_FROM = 3

Floats = NDArray[np.float64]


class Seen(NamedTuple):
    """What is known of a curve: the anchors so far, and means and intervals of the losses there."""

    anchors: Sequence[int]
    means: Sequence[float]
    intervals: Sequence[Interval]


class AnchorPlan(NamedTuple):
    """Where to go next, what is expected to be spent from there on, and the loss at the target."""

    anchor: int
    cost: float
    loss: float


def choose_anchor(
    seen: Seen, anchors: Sequence[int], costs: Sequence[float], threshold: float
) -> AnchorPlan:
    """Choose among the larger anchors, the last of which is the target.

    ``costs`` are those of all folds that an anchor gets.
    """
    losses, weights = possible_curves(seen, anchors, threshold)
    best = AnchorPlan(anchors[-1], costs[-1], float(weights @ losses[:, -1]))
    for i, anchor in enumerate(anchors[:-1]):
        spent = _spent_after(seen, anchors, costs, threshold, losses, i)
        cost = float(costs[i] + (weights @ spent).min())
        if cost < best.cost:
            best = best._replace(anchor=anchor, cost=cost)
    return best


def _spent_after(
    seen: Seen,
    anchors: Sequence[int],
    costs: Sequence[float],
    threshold: float,
    losses: Floats,
    i: int,
) -> Floats:
    """What each curve (a row) costs from the i-th anchor on, by what is planned after it (columns).

    That is the target at once, or one of the other anchors first.
    """
    half, at_target = seen.intervals[-1].width / 2, costs[-1]
    sizes = np.array(anchors, dtype=float)
    highest = np.full(len(losses), seen.intervals[-1].high)
    here, later = slice(i, i + 1), slice(i + 1, len(anchors) - 1)
    bound = _bounds(losses[:, here] - half, highest, sizes[here], seen.anchors[-1], sizes[-1])
    jumps = losses[:, here] <= threshold
    if len(seen.anchors) + 1 >= LAW_FROM:
        jumps |= losses[:, -1:] <= threshold
    then = _bounds(losses[:, later] - half, losses[:, i] + half, sizes[later], sizes[i], sizes[-1])
    second = np.asarray(costs[later]) + np.where(then > threshold, 0.0, at_target)
    rest = np.column_stack([np.full(len(losses), at_target), second])
    return np.where(bound > threshold, 0.0, np.where(jumps, at_target, rest))


def possible_curves(seen: Seen, anchors: Sequence[int], threshold: float) -> tuple[Floats, Floats]:
    """Give the losses of the 24 curves at larger anchors, and how likely each is."""
    start = max(0, len(seen.anchors) - 2)
    first, last, target = seen.anchors[start], seen.anchors[-1], anchors[-1]
    mean = seen.means[start]
    lag = max(mean, seen.means[-1]) - threshold
    way = np.log(np.array([last, *anchors]) / first) / np.log(target / first)
    fallen = np.concatenate([np.outer(SHARES, _progress(way, bend)) for bend in BENDS])
    losses = mean - lag * fallen
    errors = [interval.width / 4 for interval in seen.intervals[start:]]
    variance = (TOLERANCE * lag) ** 2 + sum(error**2 for error in errors)
    misses = losses[:, 0] - seen.means[-1]
    exponents = misses**2 / (2 * variance) if variance > 0 else np.zeros(len(misses))
    weights = np.exp(exponents.min() - exponents)
    # All go on from where the curve was seen last.
    return losses[:, 1:] - misses[:, None], weights / weights.sum()


def _progress(way: Floats, bend: float) -> Floats:
    """The share of a fall that is done after a share of the way, in logarithms of rows."""
    if bend == 0:
        return way
    progress: Floats = np.expm1(-bend * way) / np.expm1(-bend)
    return progress


def _bounds(
    low: Floats, high_before: Floats, sizes: Floats, before: float, target: float
) -> Floats:
    """The convex bounds for the target at some anchors, from one before them."""
    slopes = (low - high_before[:, None]) / (sizes - before)
    return low + (target - sizes) * np.minimum(0.0, slopes)
