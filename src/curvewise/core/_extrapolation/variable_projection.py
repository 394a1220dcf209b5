"""Fitting a curve that falls to an asymptote, by variable projection.

Our models all have the form ``asymptote + gain * decay(anchor; shape)``: a decay that falls towards
0, with one or two shape parameters. Given the shape, the asymptote and the gain solve a linear
least-squares problem in closed form, so only the shape has to be searched:

1. Look at a grid of shapes at once, and take the best one with a positive gain.
2. Polish it by Levenberg-Marquardt (Mohr & van Rijn 2023, Sec. IV-C) with the linear parameters
   still eliminated: it works on one or two numbers and starts near the optimum.
3. If no shape has a positive gain, the points do not fall, and the best constant is the answer.
4. The asymptote is at least the lowest loss that the metric allows (Sec. IV-C: a >= 0). For a shape
   whose best asymptote is lower, the best curve has its asymptote there: the problem is convex in
   both linear parameters. A loss that is lower itself shows that there is no such bound.

A shape lives in a box that leaves out wild extrapolations. It is searched as a unit cube, and what
Levenberg-Marquardt tries outside is clipped.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from curvewise.core._extrapolation.model import CurveModel, FittedCurve
from curvewise.core._extrapolation.points import Floats, Points, gather_points

# Keeps divisions defined where a decay is the same at all anchors to the last digit.
TINY = 1e-300

# How often two shape parameters are fitted again after one of them ended outside of the box.
N_RESTARTS = 2

# Where a search begins that would begin at the upper edge of the box.
INSIDE = 1.0 - 1e-6

# Positions in the unit cube by number of shape parameters, as (parameter, position, 1).
GRIDS: dict[int, Floats] = {
    1: np.linspace(0.0, 1.0, 48).reshape(1, -1, 1),
    2: np.stack(np.meshgrid(np.linspace(0.0, 1.0, 16), np.linspace(0.0, 1.0, 24))).reshape(
        2, -1, 1
    ),
}


class FallingModel(CurveModel, Protocol):
    """What the projection needs to know of a model.

    Ratios are anchors over the smallest anchor. A shape is a sequence of numbers, or of column
    vectors where many shapes are looked at together.
    """

    def fit(
        self,
        anchors: Sequence[float],
        losses: Sequence[float],
        *,
        weights: Sequence[float] | None = None,
        lowest: float = 0.0,
    ) -> FittedCurve | None:
        """Fit the model to points by weighted least squares, as `CurveModel.fit` says."""
        points = gather_points(anchors, losses, weights=weights, n_anchors=self.n_parameters)
        if points is None:
            return None
        problem = Problem(self, points, lowest)
        start = problem.best_on_grid() if points.spread > 0.0 else None
        if start is None:
            shape = problem.shape([0.5, 0.5])
            constant = self.parameters(points.mean, 0.0, shape, points.smallest)
            return FittedCurve(self, constant, points.spread)
        best = problem.polished(start)
        gain = best.gain * points.spread
        asymptote = points.mean - gain * best.level if best.level is not None else lowest
        return FittedCurve(
            self,
            self.parameters(asymptote, gain, best.shape, points.smallest),
            float(best.residuals.dot(best.residuals)) ** 0.5 * points.spread,
        )

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of each shape parameter for ratios from 1 to `largest`."""
        ...

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The decay at each ratio."""
        ...

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters of the model's formula, for anchors in rows again."""
        ...


class Projected(NamedTuple):
    """The best curve of one shape; vectors are multiplied by the roots of the weights."""

    shape: list[float]
    # The mean of the decay; None if the asymptote is the lowest loss.
    level: float | None
    gain: float
    residuals: Floats


class Problem:
    """The least-squares problem in the shape alone."""

    def __init__(self, model: FallingModel, points: Points, lowest: float) -> None:
        self._model = model
        self._points = points
        self._box = model.box(float(points.ratios[-1]))
        # How far the mean is above the lowest loss, in spreads; all there is to know of the bound.
        self._room = math.inf
        if points.lowest >= lowest and points.spread > 0.0:
            self._room = (points.mean - lowest) / points.spread
            self._heights = points.deviations + self._room * points.roots

    def shape(self, position: Sequence[float]) -> list[float]:
        """The shape at a position, which is clipped to the unit cube."""
        return [
            low + min(max(share, 0.0), 1.0) * (high - low)
            for share, (low, high) in zip(position, self._box, strict=False)
        ]

    def best_on_grid(self) -> Floats | None:
        """The position with the least squared error and a positive gain, if there is one."""
        roots = self._points.roots
        grid = GRIDS[len(self._box)]
        shapes = [
            low + shares * (high - low) for shares, (low, high) in zip(grid, self._box, strict=True)
        ]
        columns = roots * self._model.decay(shapes, self._points.ratios)
        levels = columns.dot(roots)
        centred = columns - levels[:, None] * roots
        along = centred.dot(self._points.deviations)
        squares = np.maximum((centred * centred).sum(axis=1), TINY)
        explained = along * np.abs(along) / squares
        # Below the bound, the squares of what the best curve with its asymptote there leaves.
        below = along * levels > self._room * squares
        if below.any():
            explained[below] = 1.0 - self._errors_at_bound(columns[below])
        best = int(explained.argmax())
        return grid[:, best, 0] if explained[best] > 0.0 else None

    def _errors_at_bound(self, columns: Floats) -> Floats:
        """The squared error of each column's best multiple, the asymptote being the lowest loss."""
        gains = columns.dot(self._heights) / np.maximum((columns * columns).sum(axis=1), TINY)
        left = self._heights - gains[:, None] * columns
        errors: Floats = (left * left).sum(axis=1)
        return errors

    def polished(self, start: Floats) -> Projected:
        """The optimum near a position."""
        # Loaded when it is first needed: it takes longer to load than all of curvewise.
        from scipy.optimize import leastsq

        for _ in range(N_RESTARTS + 1):
            # With full_output SciPy returns its messages, where it would otherwise warn.
            end = leastsq(
                lambda position: self._project(position).residuals,
                # Just inside, for beyond the upper edge all differences are 0.
                np.minimum(start, INSIDE),
                full_output=True,
                xtol=1e-6,
                ftol=1e-9,
                maxfev=100,
            )[0]
            start = np.clip(end, 0.0, 1.0)
            # A parameter that was clipped on the way may have its optimum inside after all.
            if len(start) == 1 or np.array_equal(start, end):
                break
        return self._project(end)

    def _project(self, position: Floats) -> Projected:
        points = self._points
        shape = self.shape(position.tolist())
        column = points.roots * self._model.decay(shape, points.ratios)
        level = float(column.dot(points.roots))
        centred = column - level * points.roots
        square = max(float(centred.dot(centred)), TINY)
        # Levenberg-Marquardt could otherwise leave for a shape that fits better by rising.
        gain = max(float(centred.dot(points.deviations)), 0.0) / square
        if gain * level <= self._room:
            return Projected(shape, level, gain, points.deviations - gain * centred)
        gain = float(column.dot(self._heights)) / max(float(column.dot(column)), TINY)
        return Projected(shape, None, gain, self._heights - gain * column)
