"""Pictures of a model that predicts numbers, in the manner of scikit-learn's Display objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from curvewise._evaluation.given_types import Estimator
from curvewise._selection.diagnosis.predicted_rows import rows_of_predictions, rows_of_search
from curvewise._selection.diagnosis.residuals import Residuals, residuals
from curvewise._selection.kept_predictions import OutOfFold
from curvewise._selection.pictures.axes import BLACK, BLUE, GREY, panels
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = ("residuals", "predicted", "distribution")


class ResidualDisplay:
    """How far predicted numbers are off, drawn with matplotlib.

    Use `from_search` or `from_predictions` to make one. The constructor only stores.

    Parameters
    ----------
    residuals
        What is left when predicted numbers are taken from true ones: its size, a sample of points,
        bins by prediction, a histogram.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of it.
    artist_ : matplotlib Artist
        The points, or the bars.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = ResidualDisplay.from_predictions(
    ...     [1.0, 2.0, 4.0], [1.0, 2.5, 3.0], ax=Figure().add_subplot()
    ... )
    >>> display.residuals.mean_absolute_error
    0.5
    """

    def __init__(self, residuals: Residuals) -> None:
        self.residuals = residuals

    @classmethod
    def from_search(
        cls, search: Estimator, y: Any, *, kind: str = "residuals", ax: Axes | None = None
    ) -> Self:
        """Draw the residuals of the model of a fitted search.

        Parameters
        ----------
        search
            A search that has kept its predictions: `CurveSearchCV` with ``keep_predictions``, or
            `CurveAutoMLRegressor`.
        y
            What it was fitted on.
        kind
            ``"residuals"`` against predicted values, ``"predicted"`` against true ones, or their
            ``"distribution"``.
        ax
            Where to draw; by default in a new figure.
        """
        return cls(residuals(rows_of_search(search, y))).plot(ax, kind=kind)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        predictions: OutOfFold | ArrayLike,
        *,
        kind: str = "residuals",
        ax: Axes | None = None,
    ) -> Self:
        """Draw the residuals of predictions.

        Parameters
        ----------
        y
            What is true.
        predictions
            An `OutOfFold`, or a number for each row.
        kind, ax
            As for a search.
        """
        return cls(residuals(rows_of_predictions(y, predictions))).plot(ax, kind=kind)

    def plot(self, ax: Axes | None = None, *, kind: str = "residuals") -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw; by default in a new figure.
        kind
            ``"residuals"``, ``"predicted"`` or ``"distribution"``.

        Raises
        ------
        InvalidParameterError
            If ``kind`` is another word.
        """
        if kind not in KINDS:
            raise InvalidParameterError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")
        self.ax_, _ = panels(ax, second=False)
        self.figure_ = self.ax_.figure
        draw = {
            "residuals": self._draw_residuals,
            "predicted": self._draw_predicted,
            "distribution": self._draw_distribution,
        }
        draw[kind]()
        return self

    def _draw_residuals(self) -> None:
        found = self.residuals
        true, predicted = found.points.T
        self._points(predicted, true - predicted)
        self.ax_.axhline(0, color=GREY, linestyle=":", linewidth=1)
        away = [one.residual_high - one.residual for one in found.bins]
        self.ax_.errorbar(
            [one.predicted for one in found.bins],
            [one.residual for one in found.bins],
            yerr=np.nan_to_num(away),
            color=BLACK,
            linewidth=1.2,
            capsize=2,
        )
        self.ax_.set(xlabel="predicted", ylabel="residual (true minus predicted)")

    def _draw_predicted(self) -> None:
        true, predicted = self.residuals.points.T
        self._points(predicted, true)
        ends = [min(true.min(), predicted.min()), max(true.max(), predicted.max())]
        self.ax_.plot(ends, ends, color=GREY, linestyle=":", linewidth=1)
        self.ax_.set(xlabel="predicted", ylabel="true")

    def _draw_distribution(self) -> None:
        found = self.residuals
        self.artist_ = self.ax_.stairs(found.counts, found.edges, fill=True, color=BLUE)
        self.ax_.axvline(0, color=GREY, linestyle=":", linewidth=1)
        self.ax_.set(xlabel="residual (true minus predicted)", ylabel="rows")

    def _points(self, x: Any, y: Any) -> None:
        opacity = 0.65 if len(x) <= 300 else 0.35
        self.artist_ = self.ax_.scatter(x, y, s=12, color=BLUE, alpha=opacity, linewidths=0)
