"""Fitting a curve that falls to an asymptote, by variable projection.

Our models all have the form ``asymptote + gain * decay(anchor; shape)``: a decay that falls towards
0, with one or two shape parameters. Given the shape, the asymptote and the gain solve a linear
least-squares problem in closed form, so only the shape has to be searched:

1. Look at a grid of shapes at once, and take the best one with a positive gain.
2. Polish it by Levenberg-Marquardt (Mohr & van Rijn 2023, Sec. IV-C) with the linear parameters
   still eliminated: it works on one or two numbers and starts near the optimum.
3. If no shape has a positive gain, the points do not fall, and the best constant is the answer.

A shape lives in a box that leaves out wild extrapolations. It is searched as a unit cube, and what
Levenberg-Marquardt tries outside is clipped.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.optimize import leastsq

from curvewise.core._extrapolation.model import CurveModel, FittedCurve
from curvewise.core._extrapolation.points import Floats, Points, gather_points

# Keeps divisions defined where a decay is the same at all anchors to the last digit.
TINY = 1e-300

# How often two shape parameters are fitted again after one of them ended outside of the box.
N_RESTARTS = 2

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
    ) -> FittedCurve | None:
        """Fit the model to points by weighted least squares, as `CurveModel.fit` says."""
        return fit_falling(self, anchors, losses, weights)

    def box(self, largest: float) -> Sequence[tuple[float, float]]:
        """The limits of each shape parameter for ratios from 1 to `largest`."""
        ...

    def decay(self, shape: Any, ratios: Floats) -> Floats:
        """The decay at each ratio."""
        ...

    def slopes(self, shape: Any, ratios: Floats) -> Sequence[Floats]:
        """The derivatives of the decay by each shape parameter."""
        ...

    def parameters(
        self, asymptote: float, gain: float, shape: Sequence[float], smallest: float
    ) -> tuple[float, ...]:
        """The parameters of the model's formula, for anchors in rows again."""
        ...


def fit_falling(
    model: FallingModel,
    anchors: Sequence[float],
    losses: Sequence[float],
    weights: Sequence[float] | None,
) -> FittedCurve | None:
    """Fit a falling model to points; `CurveModel.fit` says how.

    Examples
    --------
    >>> from curvewise.core._extrapolation import Exponential
    >>> curve = fit_falling(Exponential(), [100, 200, 300], [0.5, 0.3, 0.2], weights=None)
    >>> round(curve.predict(400), 6)
    0.15
    """
    points = gather_points(anchors, losses, weights=weights, n_anchors=model.n_parameters)
    if points is None:
        return None
    problem = Problem(model, points)
    start = problem.best_on_grid() if points.spread > 0.0 else None
    if start is None:
        parameters = model.parameters(points.mean, 0.0, problem.shape([0.5, 0.5]), points.smallest)
        return FittedCurve(model, parameters, points.spread)
    best = problem.polished(start)
    gain = best.gain * points.spread
    asymptote = points.mean - gain * best.level
    return FittedCurve(
        model,
        model.parameters(asymptote, gain, best.shape, points.smallest),
        float(best.residuals.dot(best.residuals)) ** 0.5 * points.spread,
    )


class Projected(NamedTuple):
    """The best curve of one shape; vectors are multiplied by the roots of the weights."""

    position: list[float]
    shape: list[float]
    level: float
    column: Floats
    square: float
    gain: float
    residuals: Floats


class Problem:
    """The least-squares problem in the shape alone."""

    def __init__(self, model: FallingModel, points: Points) -> None:
        self._model = model
        self._points = points
        self._box = model.box(float(points.ratios[-1]))
        self._latest: Projected | None = None

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
        columns -= columns.dot(roots)[:, None] * roots
        along = columns.dot(self._points.deviations)
        explained = along * np.abs(along) / np.maximum((columns * columns).sum(axis=1), TINY)
        best = int(explained.argmax())
        return grid[:, best, 0] if explained[best] > 0.0 else None

    def polished(self, start: Floats) -> Projected:
        """The optimum near a position."""
        for _ in range(N_RESTARTS + 1):
            # MINPACK works in the array that it gets, so it gets a copy. With full_output SciPy
            # returns its messages, where it would otherwise warn.
            end = leastsq(
                lambda position: self._project(position).residuals.copy(),
                start,
                Dfun=self._jacobian,
                col_deriv=True,
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
        place: list[float] = position.tolist()
        # Levenberg-Marquardt asks for the derivatives where it has just asked for the residuals.
        if self._latest is not None and self._latest.position == place:
            return self._latest
        points = self._points
        shape = self.shape(place)
        column = points.roots * self._model.decay(shape, points.ratios)
        level = float(column.dot(points.roots))
        column -= level * points.roots
        square = max(float(column.dot(column)), TINY)
        # Levenberg-Marquardt could otherwise leave for a shape that fits better by rising.
        gain = max(float(column.dot(points.deviations)), 0.0) / square
        residuals = points.deviations - gain * column
        self._latest = Projected(place, shape, level, column, square, gain, residuals)
        return self._latest

    def _jacobian(self, position: Floats) -> Floats:
        """The derivatives of the residuals by position, one row per shape parameter."""
        at = self._project(position)
        points = self._points
        rows = np.zeros((len(self._box), at.column.size))
        slopes = self._model.slopes(at.shape, points.ratios)
        for row, share, slope, (low, high) in zip(
            rows, at.position, slopes, self._box, strict=True
        ):
            change = points.roots * slope
            change -= change.dot(points.roots) * points.roots
            gain_change = change.dot(points.deviations) - 2.0 * at.gain * change.dot(at.column)
            row[:] = (low - high) * (at.gain * change + gain_change / at.square * at.column)
            # Clipping stops a shape parameter at its limit, and the derivative has to say so: the
            # other one is then fitted with this one held, and the search ends when both are.
            rises = float(row.dot(at.residuals)) > 0.0
            outside = not 0.0 <= share <= 1.0
            if outside or (share == 0.0 and rises) or (share == 1.0 and not rises):
                row[:] = 0.0
        return rows
