"""Pictures of a model that predicts classes, in the manner of scikit-learn's Display objects.

Data and drawing are separate: the class methods compute and draw, the constructors only store, and
`plot` draws again. All of it is about rows that the model had not seen: out-of-fold predictions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from curvewise._evaluation.given_types import Estimator
from curvewise._selection.diagnosis.class_scores import Confusion, confusion
from curvewise._selection.diagnosis.predicted_rows import (
    PredictedRows,
    rows_of_predictions,
    rows_of_search,
)
from curvewise._selection.diagnosis.ranking_curves import ClassRanking, class_rankings
from curvewise._selection.kept_predictions import OutOfFold
from curvewise._selection.pictures.axes import COLOURS, GREY, panels
from curvewise._text import cut, one_line
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 24
KINDS = {
    "roc": ("false positive rate", "true positive rate"),
    "precision_recall": ("recall", "precision"),
}


class ConfusionDisplay:
    """Which classes are taken for which, drawn with matplotlib.

    Use `from_search` or `from_predictions` to make one. The constructor only stores.

    Parameters
    ----------
    labels
        The classes.
    counts
        A row for each true class, a column for each predicted one.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of it.
    image_ : matplotlib Artist
        The shaded cells.
    texts_ : list of matplotlib Artist
        What stands in them.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = ConfusionDisplay.from_predictions(
    ...     ["ham", "spam", "spam"], ["ham", "ham", "spam"], classes=["ham", "spam"],
    ...     ax=Figure().add_subplot(),
    ... )
    >>> display.counts.tolist()
    [[1, 0], [1, 1]]
    """

    def __init__(self, labels: Sequence[str], counts: ArrayLike) -> None:
        self.labels = labels
        self.counts = np.asarray(counts)

    @classmethod
    def from_search(
        cls, search: Estimator, y: Any, *, shares: bool = False, ax: Axes | None = None
    ) -> Self:
        """Draw the confusion of the model of a fitted search.

        Parameters
        ----------
        search
            A search that has kept its predictions: `CurveSearchCV` with ``keep_predictions``, or
            `CurveAutoMLClassifier`.
        y
            What it was fitted on.
        shares
            Whether to show shares of the true class in the place of rows.
        ax
            Where to draw; by default in a new figure.
        """
        return cls._of(rows_of_search(search, y)).plot(ax, shares=shares)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        predictions: OutOfFold | ArrayLike,
        *,
        classes: ArrayLike | None = None,
        shares: bool = False,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the confusion of predictions.

        Parameters
        ----------
        y
            What is true.
        predictions
            An `OutOfFold`, predicted classes, or a column of probabilities for each class.
        classes
            The classes in sorted order; an `OutOfFold` knows them.
        shares, ax
            As for a search.
        """
        return cls._of(rows_of_predictions(y, predictions, classes)).plot(ax, shares=shares)

    @classmethod
    def _of(cls, rows: PredictedRows) -> Self:
        found = confusion(rows)
        return cls(found.labels, found.counts)

    def plot(self, ax: Axes | None = None, *, shares: bool = False) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw; by default in a new figure.
        shares
            Whether to show shares of the true class in the place of rows.
        """
        self.ax_, _ = panels(ax, second=False)
        self.figure_ = self.ax_.figure
        found = Confusion(tuple(self.labels), self.counts)
        # A rare class has its own full shade: what matters is its share.
        self.image_ = self.ax_.imshow(found.shares, cmap="Blues", vmin=0, vmax=1)
        self.texts_ = [
            self.ax_.text(
                k,
                i,
                f"{found.shares[i, k]:.0%}" if shares else f"{self.counts[i, k]:,}",
                ha="center",
                va="center",
                color="white" if found.shares[i, k] > 0.5 else "black",
            )
            for i in range(len(self.labels))
            for k in range(len(self.labels))
            if self.counts[i, k]
        ]
        names = [short(label) for label in self.labels]
        places = range(len(names))
        turned = {"rotation": 45, "ha": "right"} if max(map(len, names)) > 4 else {}
        self.ax_.set_xticks(places, names, **turned)
        self.ax_.set_yticks(places, names)
        self.ax_.set_xlabel("predicted")
        self.ax_.set_ylabel("true")
        return self


class RankingDisplay:
    """ROC or precision-recall curves of classes, each against the others, drawn with matplotlib.

    Use `from_search` or `from_predictions` to make one. The constructor only stores.

    Parameters
    ----------
    rankings
        Both curves of each class, with pointwise 95% bands from resamples of the rows (bootstrap).

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of it.
    lines_, bands_ : list of matplotlib Artist
        The curves, and their bands.

    Examples
    --------
    >>> import curvewise as cw
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = cw.CurveSearchCV({"bayes": GaussianNB()}, keep_predictions="best").fit(X, y)
    >>> display = cw.RankingDisplay.from_search(search, y, ax=Figure().add_subplot())
    >>> round(display.rankings[0].roc.area, 3)
    0.98...
    """

    lines_: list[Any]
    bands_: list[Any]

    def __init__(self, rankings: Sequence[ClassRanking]) -> None:
        self.rankings = rankings

    @classmethod
    def from_search(
        cls, search: Estimator, y: Any, *, kind: str = "roc", ax: Axes | None = None
    ) -> Self:
        """Draw the curves of the model of a fitted search.

        Parameters
        ----------
        search
            A search that has kept its predictions: `CurveSearchCV` with ``keep_predictions``, or
            `CurveAutoMLClassifier`.
        y
            What it was fitted on.
        kind
            ``"roc"`` or ``"precision_recall"``.
        ax
            Where to draw; by default in a new figure.
        """
        return cls(class_rankings(rows_of_search(search, y))).plot(ax, kind=kind)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        predictions: OutOfFold | ArrayLike,
        *,
        classes: ArrayLike | None = None,
        kind: str = "roc",
        ax: Axes | None = None,
    ) -> Self:
        """Draw the curves of predictions.

        Parameters
        ----------
        y
            What is true.
        predictions
            An `OutOfFold`, or a column of probabilities or decision values for each class.
        classes
            The classes in sorted order; an `OutOfFold` knows them.
        kind, ax
            As for a search.
        """
        rows = rows_of_predictions(y, predictions, classes)
        return cls(class_rankings(rows)).plot(ax, kind=kind)

    def plot(self, ax: Axes | None = None, *, kind: str = "roc") -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw; by default in a new figure.
        kind
            ``"roc"`` or ``"precision_recall"``.

        Raises
        ------
        InvalidParameterError
            If there is no curve to draw: the model gives classes only, or ``kind`` is another word.
        """
        if kind not in KINDS:
            raise InvalidParameterError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")
        if not self.rankings:
            raise InvalidParameterError(
                "There are no curves: the model gives neither probabilities nor decision values."
            )
        self.ax_, _ = panels(ax, second=False)
        self.figure_ = self.ax_.figure
        self.lines_, self.bands_ = [], []
        for i, each in enumerate(self.rankings):
            self._draw(each, kind, COLOURS[i % len(COLOURS)], dashed=i >= len(COLOURS))
        guess = [0, 1] if kind == "roc" else [self.rankings[0].share] * 2
        if kind == "roc" or len(self.rankings) == 1:
            self.ax_.plot([0, 1], guess, color=GREY, linestyle=":", linewidth=1)
        below, beside = KINDS[kind]
        self.ax_.set(xlabel=below, ylabel=beside, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        self.ax_.legend(loc="lower right" if kind == "roc" else "lower left", fontsize="small")
        return self

    def _draw(self, each: ClassRanking, kind: str, colour: str, *, dashed: bool) -> None:
        curve = each.roc if kind == "roc" else each.precision_recall
        x, y = curve.x, curve.y
        if kind == "roc":
            x, y = np.concatenate([[0.0], x]), np.concatenate([[0.0], y])
        label = f"{short(each.label)}: {curve.area:.3f}"
        if np.isfinite(curve.area_low):
            label += f" ({curve.area_low:.3f} to {curve.area_high:.3f})"
        self.lines_ += self.ax_.plot(
            x, y, color=colour, linewidth=1.5, label=label, linestyle="--" if dashed else "-"
        )
        if curve.low is not None and len(self.rankings) <= 3:
            band = self.ax_.fill_between(
                curve.x, curve.low, curve.high, color=colour, alpha=0.18, linewidth=0
            )
            self.bands_.append(band)


def short(label: object) -> str:
    """Cut a label; matplotlib would read dollar signs as formulas."""
    return cut(one_line(str(label)), LONGEST).replace("$", r"\$")
