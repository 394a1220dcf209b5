"""How reliable probabilities are, in the manner of scikit-learn's Display objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from curvewise._evaluation.given_types import Estimator
from curvewise._selection.diagnosis.predicted_rows import (
    PredictedRows,
    rows_of_predictions,
    rows_of_search,
)
from curvewise._selection.kept_predictions import OutOfFold
from curvewise._selection.pictures.axes import BLACK, BLUE, GREY, panels
from curvewise._selection.pictures.class_displays import short
from curvewise._selection.reliability import reliability_bins
from curvewise._selection.reliability_result import ReliabilityBin
from curvewise.core._intervals import share_interval
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ReliabilityDisplay:
    """Predicted probabilities against what was observed, drawn with matplotlib.

    Use `from_search` or `from_predictions` to make one. The constructor only stores.

    Parameters
    ----------
    bins
        Rows with similar probabilities: what was predicted, and what was observed.
    subject
        Whose probability it is.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of it.
    line_, intervals_ : matplotlib Artist
        The bins, and their 95% intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> p = np.random.default_rng(0).uniform(size=500)
    >>> y = np.random.default_rng(1).uniform(size=500) < p
    >>> display = ReliabilityDisplay.from_predictions(
    ...     y, np.column_stack([1 - p, p]), classes=[False, True], ax=Figure().add_subplot()
    ... )
    >>> len(display.bins), display.subject
    (10, 'True')
    """

    def __init__(self, bins: Sequence[ReliabilityBin], *, subject: str = "") -> None:
        self.bins = bins
        self.subject = subject

    @classmethod
    def from_search(cls, search: Estimator, y: Any, *, ax: Axes | None = None) -> Self:
        """Draw how reliable the probabilities of the model of a fitted search are.

        Parameters
        ----------
        search
            A search that has kept its predictions: `CurveSearchCV` with ``keep_predictions``, or
            `CurveAutoMLClassifier`.
        y
            What it was fitted on.
        ax
            Where to draw; by default in a new figure.
        """
        return cls._of(rows_of_search(search, y)).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        predictions: OutOfFold | ArrayLike,
        *,
        classes: ArrayLike | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw how reliable probabilities are.

        Parameters
        ----------
        y
            What is true.
        predictions
            An `OutOfFold`, or a column of probabilities for each class.
        classes
            The classes in sorted order; an `OutOfFold` knows them.
        ax
            Where to draw; by default in a new figure.
        """
        return cls._of(rows_of_predictions(y, predictions, classes)).plot(ax)

    @classmethod
    def _of(cls, rows: PredictedRows) -> Self:
        if rows.classes is None or rows.method != "predict_proba":
            raise InvalidParameterError("The model gives no probabilities.")
        subject, bins = reliability_bins(rows.values, np.asarray(rows.truth), rows.classes)
        return cls(bins, subject=subject)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw; by default in a new figure.
        """
        self.ax_, _ = panels(ax, second=False)
        self.figure_ = self.ax_.figure
        self.ax_.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        x, y = [one.predicted for one in self.bins], [one.observed for one in self.bins]
        (self.line_,) = self.ax_.plot(x, y, "o-", color=BLUE, linewidth=1.2, markersize=5)
        low, high = np.array([share_interval(one.observed, one.n_rows) for one in self.bins]).T
        # In rounding, an end may lie on the wrong side of a share of 0 or 1.
        away = np.maximum([y - low, high - y], 0)
        self.intervals_ = self.ax_.errorbar(
            x, y, yerr=away, fmt="none", ecolor=BLACK, elinewidth=1, capsize=2
        )
        whose = f" of {short(self.subject)}" if self.subject else ""
        self.ax_.set(xlabel=f"predicted probability{whose}", ylabel="share observed")
        self.ax_.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        return self
