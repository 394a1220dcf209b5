"""Are learning curves convex? How many are, where others are not, and how badly (supplement).

Rules:

1. A curve is the mean loss by anchor. It is *convex at a point* if that lies on or below the line
   between its neighbours, in training rows; the ends are always convex.
2. The *excess* of a point is how far it lies above that line. Means over a few splits are noisy:
   shares are given for an excess of 0 (as in the paper), .001 and .01.
3. Whether it matters: how far the learner ends behind the best one of its data set. A curve that is
   not convex and ends within .01 of the best could cost LCCV its winner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from curvewise._bench.experiments.results import Results
from curvewise.executors._recordings import Recording

EXCESSES = (0.0, 0.001, 0.01)
COMPETITIVE = 0.01
ROUNDING = 1e-12
FEWEST_POINTS = 3

Points = Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of one learning curve."""

    dataset: str
    learner: str
    points: Points
    excess: float
    anchor: int | None
    behind: float


def worst_point(points: Points) -> tuple[float, int | None]:
    """Find the point that is least convex: its excess and its anchor, or 0 and None."""
    excess, anchor = max(excesses(points), key=itemgetter(0), default=(0.0, 0))
    return (excess, anchor) if excess > ROUNDING else (0.0, None)


def excesses(points: Points) -> list[tuple[float, int]]:
    """Give by how much each inner point lies above the line between its neighbours."""
    found = []
    for (a, left), (b, middle), (c, right) in zip(points, points[1:], points[2:], strict=False):
        line = left + (right - left) * (b - a) / (c - a)
        found.append((middle - line, b))
    return found


def shapes_of(curves: Iterable[tuple[str, Mapping[str, Points]]]) -> list[Shape]:
    """Look at the curves of several data sets; those with fewer than three points are left out."""
    shapes = []
    for dataset, by_learner in curves:
        long = {name: points for name, points in by_learner.items() if len(points) >= FEWEST_POINTS}
        if not long:
            continue
        last = max(points[-1][0] for points in long.values())
        ends = [points[-1][1] for points in long.values() if points[-1][0] == last]
        for learner, points in long.items():
            excess, anchor = worst_point(points)
            behind = points[-1][1] - min(ends)
            shapes.append(Shape(dataset, learner, points, excess, anchor, behind))
    return shapes


def recorded_curves(recordings: Iterable[Recording]) -> list[tuple[str, dict[str, Points]]]:
    """Take mean curves out of recordings."""
    found = []
    for recording in recordings:
        counts = (~np.isnan(recording.loss)).sum(axis=2)
        sums = np.nansum(recording.loss, axis=2)
        curves: dict[str, Points] = {
            learner: [
                (anchor, float(sums[i, j] / counts[i, j]))
                for j, anchor in enumerate(recording.anchors)
                if counts[i, j]
            ]
            for i, learner in enumerate(recording.learners)
        }
        found.append((recording.dataset, curves))
    return found


def measured_curves(results: Results) -> list[tuple[str, dict[str, Points]]]:
    """Take curves out of an experiment on curves; seeds are kept apart."""
    return [
        (
            cell.dataset if cell.seed == 0 else f"{cell.dataset}, seed {cell.seed}",
            {name: [(int(a), float(v)) for a, v in points] for name, points in curves.items()},
        )
        for method in results.plan.methods
        for cell in results.done(method.name)
        if (curves := (cell.result or {}).get("curves"))
    ]


def summary(shapes: Sequence[Shape]) -> dict[str, Any]:
    """Give the figures of some curves."""
    excess = np.array([shape.excess for shape in shapes])
    bent = excess[excess > 0]
    inner = [one for shape in shapes for one, _ in excesses(shape.points)]
    return {
        "n_curves": len(shapes),
        **{f"convex_{most:g}": float(np.mean(excess <= most)) for most in EXCESSES},
        "points_convex": float(np.mean([e <= ROUNDING for e in inner])),
        "excess_median": float(np.median(bent)) if len(bent) else 0.0,
        "excess_worst": float(excess.max()),
        "n_competitive": sum(
            shape.excess > EXCESSES[-1] and shape.behind <= COMPETITIVE for shape in shapes
        ),
    }
