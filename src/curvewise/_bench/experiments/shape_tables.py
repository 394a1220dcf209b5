"""The tables of an experiment on curves: how many are convex, and those that are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from curvewise._bench.experiments.convexity_study import (
    COMPETITIVE,
    Shape,
    measured_curves,
    shapes_of,
    summary,
)
from curvewise._bench.experiments.grid import Columns, Grid, percent
from curvewise._bench.experiments.results import Results
from curvewise.errors import InvalidParameterError

MOST_BENT = 30


def shape_grids_of(results: Results) -> list[Grid]:
    """Make the tables of an experiment on curves; none before it has a curve."""
    shapes = shapes_of(measured_curves(results))
    return shape_grids(shapes, results.plan.name) if shapes else []


def shape_grids(shapes: Sequence[Shape], name: str) -> list[Grid]:
    """Make tables: by learner and in all, and the curves that are not convex."""
    if not shapes:
        raise InvalidParameterError("There is no curve with three points or more.")
    learners = sorted({shape.learner for shape in shapes})
    records = [
        {
            "learner": learner,
            **summary([shape for shape in shapes if learner in ("all", shape.learner)]),
        }
        for learner in [*learners, "all"]
    ]
    columns: Columns = {
        "learner": itemgetter("learner"),
        "curves": lambda record: str(record["n_curves"]),
        "convex": lambda record: percent(record["convex_0"]) + "%",
        "within .001": lambda record: percent(record["convex_0.001"]) + "%",
        "within .01": lambda record: percent(record["convex_0.01"]) + "%",
        "points": lambda record: percent(record["points_convex"]) + "%",
        "median excess": lambda record: f"{record['excess_median']:.4f}",
        "worst excess": lambda record: f"{record['excess_worst']:.4f}",
        "competitive": lambda record: str(record["n_competitive"]),
    }
    notes = [
        "Convex: at every observed anchor. Within: no point lies more than that above the line "
        "between its neighbours. Points: the share of inner points that do not lie above it. "
        "Median excess: of the curves that are not convex. Competitive: curves that are not convex "
        f"by more than .01 and end within {COMPETITIVE:g} of the best learner. The paper found 92% "
        "of its curves convex at every point."
    ]
    grid = Grid.of(f"{name}-shapes", "Convexity of learning curves", columns, records, notes)
    return [grid, _bent_grid(shapes, name)]


def _bent_grid(shapes: Sequence[Shape], name: str) -> Grid:
    bent = sorted((s for s in shapes if s.anchor is not None), key=lambda s: -s.excess)
    records = [
        {
            "dataset": shape.dataset,
            "learner": shape.learner,
            "anchor": shape.anchor,
            "excess": shape.excess,
            "behind": shape.behind,
        }
        for shape in bent
    ]
    columns: Columns = {
        "data set": itemgetter("dataset"),
        "learner": itemgetter("learner"),
        "worst at": lambda record: f"{record['anchor']:,}",
        "excess": lambda record: f"{record['excess']:.4f}",
        "ends behind the best by": lambda record: f"{record['behind']:.4f}",
    }
    grid = Grid.of(f"{name}-bent", "Curves that are not convex", columns, records)
    if len(bent) <= MOST_BENT:
        return grid
    note = f"The worst {MOST_BENT} of {len(bent)}; the CSV has all."
    return replace(grid, rows=grid.rows[:MOST_BENT], notes=[note])
