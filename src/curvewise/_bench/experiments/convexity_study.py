"""Are learning curves convex? How many are, where others are not, and how badly (supplement).

Rules:

1. A curve is the mean loss by anchor. It is *convex at a point* if that lies on or below the line
   between its neighbours, in training rows; the ends are always convex.
2. The *excess* of a point is how far it lies above that line. Means over a few splits are noisy:
   shares are given for an excess of 0 (as in the paper), .001 and .01. An excess is *beyond noise*
   if it is more than .01 and more than three of its standard errors, where these are known.
3. Whether it matters: how far the learner ends behind the best one of its data set. A curve that is
   not convex and ends within .01 of the best could cost LCCV its winner.
4. A curve that was recorded at many anchors within a doubling is looked at about once in each: the
   noise of neighbours that are near would hide its shape.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from curvewise._bench.experiments.grid import load_pandas
from curvewise._bench.experiments.results import Results
from curvewise.errors import UnreadableCurvesError

EXCESSES = (0.0, 0.001, 0.01)
COMPETITIVE = 0.01
ROUNDING = 1e-12
FEWEST_POINTS = 3
N_ERRORS = 3
# Anchors are dense if the typical one is less than this times the one before.
DENSE = 1.5
# What may be called the loss, and its standard error, in a file of recorded curves.
LOSSES = {
    "valid_err": "valid_se",
    "val_err": "val_se",
    "test_error": "test_se",
    "test_err": "test_se",
}
KEYS = ("dataset", "learner", "anchor")
ERROR_UNIT = 10_000

# Anchor, mean loss, and its standard error where it is known.
Points = Sequence[tuple[float, ...]]
Curves = list[tuple[str, dict[str, Points]]]


@dataclass(frozen=True, slots=True)
class Bend:
    """By how much an inner point lies above the line between its neighbours."""

    excess: float
    anchor: int
    error: float

    @property
    def beyond_noise(self) -> bool:
        """Whether chance does not explain it."""
        return self.excess > EXCESSES[-1] and self.excess > N_ERRORS * self.error


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of one learning curve."""

    dataset: str
    learner: str
    points: Points
    excess: float
    anchor: int | None
    behind: float

    @property
    def competitive(self) -> bool:
        """Whether it is clearly not convex and ends near the best, so that LCCV may lose it."""
        return self.excess > EXCESSES[-1] and self.behind <= COMPETITIVE


def bends(points: Points) -> list[Bend]:
    """Look at all inner points; without standard errors nothing is beyond noise."""
    found = []
    for left, middle, right in zip(points, points[1:], points[2:], strict=False):
        share = (middle[0] - left[0]) / (right[0] - left[0])
        line = left[1] + (right[1] - left[1]) * share
        errors = [point[2] if len(point) > 2 else math.inf for point in (left, middle, right)]
        error = math.hypot((1 - share) * errors[0], errors[1], share * errors[2])
        found.append(Bend(middle[1] - line, int(middle[0]), error))
    return found


def worst_point(points: Points) -> tuple[float, int | None]:
    """Find the point that is least convex: its excess and its anchor, or 0 and None."""
    worst = max(bends(points), key=lambda bend: bend.excess, default=Bend(0.0, 0, 0.0))
    return (worst.excess, worst.anchor) if worst.excess > ROUNDING else (0.0, None)


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


def recorded_curves(path: Path, *, min_anchor: int = 1) -> Curves:
    """Take mean curves out of a file: a row per split, or means with their standard errors."""
    frame, loss = _recorded(path)
    frame = frame[frame.anchor >= min_anchor]
    if "seed" in frame:
        groups = frame.groupby(list(KEYS), observed=True)[loss]
        means = groups.agg(["mean", "sem"]).reset_index()
    else:
        error = LOSSES[loss] if LOSSES[loss] in frame else None
        means = frame[list(KEYS)].assign(mean=frame[loss], sem=frame[error] if error else np.nan)
    found: dict[str, dict[str, Points]] = {}
    for (dataset, learner), curve in means.sort_values("anchor").groupby(list(KEYS[:2])):
        known = curve[["anchor", "mean", "sem"]].fillna({"sem": math.inf}).to_numpy().tolist()
        found.setdefault(str(dataset), {})[str(learner)] = _thinned([tuple(one) for one in known])
    return list(found.items())


def _recorded(path: Path) -> tuple[Any, str]:
    """Read a file; give it and the name of the column of losses."""
    try:
        frame = load_pandas().read_parquet(path)
    except FileNotFoundError:
        raise UnreadableCurvesError(f"There is no file {path}.") from None
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise UnreadableCurvesError(f"{path} is not a Parquet file: {reason}") from None
    loss = next((name for name in LOSSES if name in frame), None)
    missing = [name for name in KEYS if name not in frame]
    if missing or loss is None:
        raise UnreadableCurvesError(
            f"{path} lacks the column {(missing or ['valid_err'])[0]}; curves need "
            f"{', '.join(KEYS)} and one of {', '.join(LOSSES)}."
        )
    frame["learner"] = frame.learner.astype(str)
    if frame[loss].dtype.kind in "iu":
        frame[loss] = frame[loss] / ERROR_UNIT
    # Evaluations that failed have none.
    return frame.dropna(subset=[loss]), loss


def _thinned(points: Points) -> Points:
    """Keep about one anchor per doubling if there are many (rule 4), the largest first."""
    anchors = np.array([point[0] for point in points])
    if len(points) < FEWEST_POINTS or np.median(anchors[1:] / anchors[:-1]) >= DENSE:
        return points
    kept = [points[-1]]
    for point in reversed(points[:-1]):
        if 2 * point[0] <= kept[-1][0]:
            kept.append(point)
    return kept[::-1]


def measured_curves(results: Results) -> Curves:
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
    inner = [bends(shape.points) for shape in shapes]
    beyond = np.array([any(bend.beyond_noise for bend in each) for each in inner])
    competitive = np.array([shape.competitive for shape in shapes])
    return {
        "n_curves": len(shapes),
        **{f"convex_{most:g}": float(np.mean(excess <= most)) for most in EXCESSES},
        "points_convex": float(np.mean([b.excess <= ROUNDING for each in inner for b in each])),
        "excess_median": float(np.median(bent)) if len(bent) else 0.0,
        "excess_worst": float(excess.max()),
        "n_competitive": int(competitive.sum()),
        "beyond_noise": float(beyond.mean()),
        "n_beyond_and_competitive": int((beyond & competitive).sum()),
    }


def by_learner(shapes: Sequence[Shape]) -> list[dict[str, Any]]:
    """Give the figures of each learner, and of all in the end."""
    learners = sorted({shape.learner for shape in shapes})
    return [
        {
            "learner": learner,
            **summary([shape for shape in shapes if learner in ("all", shape.learner)]),
        }
        for learner in [*learners, "all"]
    ]


def study_of(shapes: Sequence[Shape], source: str, *, min_anchor: int = 1) -> dict[str, Any]:
    """Give what a page needs as JSON: figures, and the curves that could cost LCCV its winner."""
    bent = sorted((shape for shape in shapes if shape.competitive), key=lambda s: -s.excess)
    return {
        "study": "convexity",
        "name": f"convexity-{source}" + (f"-from-{min_anchor}" if min_anchor > 1 else ""),
        "source": source,
        "min_anchor": min_anchor,
        "n_datasets": len({shape.dataset for shape in shapes}),
        "by_learner": by_learner(shapes),
        "bent": [{**asdict(one), "points": [p[:2] for p in one.points]} for one in bent],
    }
