"""Pictures of what columns have to do with a model: what they are worth, and scores by level."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from curvewise._evaluation.given_types import Estimator
from curvewise._evaluation.scorers import resolve_scoring
from curvewise._selection.diagnosis.level_scores import ScoresByLevel, scores_by_level
from curvewise._selection.diagnosis.predicted_rows import rows_of_predictions, rows_of_search
from curvewise._selection.kept_predictions import OutOfFold
from curvewise._selection.pictures.axes import BLACK, BLUE, GREY, panels
from curvewise._text import cut, one_line
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 30


class ImportanceDisplay:
    """What columns are worth to a model, drawn with matplotlib.

    Use `from_search` to make one. The constructor only stores.

    Parameters
    ----------
    importances
        What a search has as ``importances_``: a dictionary per column, the most important first.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of it.
    bars_ : matplotlib Artist
        The bars.

    Examples
    --------
    >>> import curvewise as cw
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> search = cw.CurveSearchCV({"bayes": GaussianNB()}, importance=True).fit(X, y)
    >>> display = cw.ImportanceDisplay.from_search(search, ax=Figure().add_subplot())
    >>> sorted(one["column"] for one in display.importances[:2])
    ['x2', 'x3']
    """

    def __init__(self, importances: Sequence[Mapping[str, Any]]) -> None:
        self.importances = importances

    @classmethod
    def from_search(cls, search: Estimator, *, n: int = 20, ax: Axes | None = None) -> Self:
        """Draw what columns are worth to the best of a fitted search.

        Parameters
        ----------
        search
            A search with ``importances_``: `CurveSearchCV` with ``importance``, or
            `CurveAutoMLClassifier` or `CurveAutoMLRegressor`.
        n
            How many columns to draw.
        ax
            Where to draw; by default in a new figure.
        """
        if not hasattr(search, "importances_"):
            raise InvalidParameterError(
                f"{type(search).__name__} has no importances_: call fit with importance=True first."
            )
        return cls(search.importances_).plot(ax, n=n)

    def plot(self, ax: Axes | None = None, *, n: int = 20) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw; by default in a new figure.
        n
            How many columns to draw.

        Raises
        ------
        InvalidParameterError
            If no column was measured.
        """
        shown = self.importances[:n]
        if not shown:
            raise InvalidParameterError("There are no importances: no column was measured.")
        self.ax_, _ = panels(ax, second=False)
        self.figure_ = self.ax_.figure
        places = list(range(len(shown)))
        values = [one["importance"] for one in shown]
        self.bars_ = self.ax_.barh(places, values, color=BLUE, height=0.6)
        sure = [i for i in places if math.isfinite(shown[i]["low"])]
        self.ax_.errorbar(
            [values[i] for i in sure],
            sure,
            xerr=[values[i] - shown[i]["low"] for i in sure],
            fmt="none",
            ecolor=BLACK,
            elinewidth=1,
            capsize=2,
        )
        self.ax_.set_yticks(places, [_short(one["column"]) for one in shown])
        self.ax_.invert_yaxis()
        self.ax_.set_xlabel("score lost when the column is shuffled")
        return self


class LevelDisplay:
    """How good a model is on the levels of a column, drawn with matplotlib.

    Use `from_search` or `from_predictions` to make one. The constructor only stores.

    Parameters
    ----------
    scores
        The score of each level with its 95% interval, and that of all rows.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of it.
    points_ : matplotlib Artist
        The scores.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = LevelDisplay.from_predictions(
    ...     [0, 1, 1, 0], [0, 1, 0, 0], ["north", "north", "south", "south"], classes=[0, 1],
    ...     ax=Figure().add_subplot(),
    ... )
    >>> [(one.level, one.n_rows, one.score) for one in display.scores.levels]
    [('north', 2, 1.0), ('south', 2, 0.5)]
    """

    def __init__(self, scores: ScoresByLevel) -> None:
        self.scores = scores

    @classmethod
    def from_search(
        cls, search: Estimator, y: Any, by: ArrayLike, *, ax: Axes | None = None
    ) -> Self:
        """Draw the scores of the model of a fitted search, by the levels of a column.

        Every row counts the same, also if the search was given weights.

        Parameters
        ----------
        search
            A search that has kept its predictions: `CurveSearchCV` with ``keep_predictions``,
            `CurveAutoMLClassifier` or `CurveAutoMLRegressor`.
        y
            What it was fitted on.
        by
            A value for each row: of any column, also of one that is no feature.
        ax
            Where to draw; by default in a new figure.
        """
        rows, metric = rows_of_search(search, y), getattr(search, "scoring", None)
        # Of several metrics, and of one's own, there is no single one to measure here.
        scoring = resolve_scoring(metric) if isinstance(metric, str) else None
        return cls(scores_by_level(rows, by, column=_name(by), scoring=scoring)).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        predictions: OutOfFold | ArrayLike,
        by: ArrayLike,
        *,
        classes: ArrayLike | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the accuracy, or R², of predictions by the levels of a column.

        Parameters
        ----------
        y
            What is true.
        predictions
            An `OutOfFold`, numbers, predicted classes, or a column of probabilities for each class.
        by
            A value for each row.
        classes
            The classes in sorted order; an `OutOfFold` knows them.
        ax
            Where to draw; by default in a new figure.
        """
        rows = rows_of_predictions(y, predictions, classes)
        return cls(scores_by_level(rows, by, column=_name(by))).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw; by default in a new figure.
        """
        self.ax_, _ = panels(ax, second=False)
        self.figure_ = self.ax_.figure
        levels = self.scores.levels
        places = list(range(len(levels)))
        away = np.nan_to_num([[one.score - one.low, one.high - one.score] for one in levels])
        self.points_ = self.ax_.errorbar(
            [one.score for one in levels], places, xerr=away.T, fmt="o", color=BLUE, capsize=2
        )
        self.ax_.axvline(self.scores.score, color=GREY, linestyle=":", linewidth=1)
        names = [f"{_short(one.level)} ({one.n_rows:,})" for one in levels]
        self.ax_.set_yticks(places, names)
        self.ax_.invert_yaxis()
        self.ax_.set_xlabel(f"{self.scores.metric.replace('_', ' ')}; dotted: all rows")
        self.ax_.set_ylabel(_short(self.scores.column))
        return self


def _name(by: Any) -> str:
    return str(getattr(by, "name", None) or "level")


def _short(label: object) -> str:
    """Cut a label; matplotlib would read dollar signs as formulas."""
    return cut(one_line(str(label)), LONGEST).replace("$", r"\$")
