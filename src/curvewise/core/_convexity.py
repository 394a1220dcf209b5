"""What convexity allows: which intervals fit a convex curve, and how good it can still become.

A learning curve (loss over training rows) is assumed to be convex (Mohr & van Rijn 2023, Sec. IV-A
and IV-B). Rules:

1. Intervals are *convexity-compatible* if some convex function passes through all of them. Exactly
   then, the lower convex hull of their upper ends stays above every lower end. The
   paper's backward construction and its test of increasing slopes both reject feasible sets;
   `slopes_increase` is that test, kept as an option.
2. The *optimistic bound*: the steepest convex continuation falls on along the line from the
   previous interval's upper end to the last one's lower end, and never rises.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curvewise.core._intervals import Interval

# A miss by no more than this share of the losses is rounding.
ROUNDING = 1e-12


def convexity_excesses(anchors: Sequence[int], intervals: Sequence[Interval]) -> list[float]:
    """Give by how much each interval is above every convex curve below all upper ends."""
    hull = np.array(_lower_hull(anchors, [interval.high for interval in intervals]))
    heights = np.interp(anchors, hull[:, 0], hull[:, 1])
    excesses: list[float] = np.subtract([low for low, _ in intervals], heights).tolist()
    return excesses


def convexity_excess(anchors: Sequence[int], intervals: Sequence[Interval]) -> float:
    """Give by how much the intervals miss a convex curve; at most 0 if one fits."""
    return max(convexity_excesses(anchors, intervals))


def convexity_compatible(anchors: Sequence[int], intervals: Sequence[Interval]) -> bool:
    """Tell whether a convex curve passes through every interval (exact, linear time)."""
    return not bends(anchors, intervals)


def bends(anchors: Sequence[int], intervals: Sequence[Interval]) -> list[int]:
    """List the anchors whose intervals no convex curve can reach, the worst first."""
    # Deviates: 2. The printed test rejects intervals that a convex curve fits.
    rounding = ROUNDING * max(max(abs(low), abs(high)) for low, high in intervals)
    excesses = convexity_excesses(anchors, intervals)
    found = sorted(zip(excesses, anchors, strict=True), reverse=True)
    return [anchor for excess, anchor in found if excess > rounding]


def slopes_increase(anchors: Sequence[int], intervals: Sequence[Interval]) -> bool:
    """Tell whether the last optimistic slope is no steeper than the one before (Algorithm 1)."""
    if len(anchors) < 3:
        return True
    return _slope(anchors, intervals, -2) <= _slope(anchors, intervals, -1)


def optimistic_bound(anchors: Sequence[int], intervals: Sequence[Interval], target: int) -> float:
    """Give the lowest loss at the target that a convex curve allows."""
    low = intervals[-1].low
    if len(anchors) < 2:
        return float("-inf")
    # Deviates: 1. The printed formula has the wrong sign. The slope is clipped at 0, because a
    # convex curve need not fall.
    return low + (target - anchors[-1]) * min(0.0, _slope(anchors, intervals, -1))


def _slope(anchors: Sequence[int], intervals: Sequence[Interval], i: int) -> float:
    return (intervals[i].low - intervals[i - 1].high) / (anchors[i] - anchors[i - 1])


def _lower_hull(anchors: Sequence[int], heights: Sequence[float]) -> list[tuple[int, float]]:
    """The lower convex hull of points that are sorted by anchor (Andrew's monotone chain)."""
    hull: list[tuple[int, float]] = []
    for x, y in zip(anchors, heights, strict=True):
        while len(hull) >= 2:
            (x1, y1), (x2, y2) = hull[-2], hull[-1]
            if (y2 - y1) * (x - x2) < (y - y2) * (x2 - x1):
                break
            hull.pop()
        hull.append((x, y))
    return hull
