"""Learning curves as pictures, in the manner of scikit-learn's Display objects.

Data and drawing are separate: a `CurveDisplay` stores results, `plot` draws them, and the class
methods do both. matplotlib is imported when something is drawn. Rules:

1. Scores, greater is better; training rows on a logarithmic axis; 95% intervals.
2. One result is shown with all that was known when it ended: single folds, what had to be beaten,
   the optimistic line of a prune, failures on the axis.
3. A few results have a colour and a name each. Many are coloured by how they ended, and only the
   best one is named; failed ones are counted and not drawn.
4. Results that have a single anchor in common are no curves: they stand side by side, by number.
5. The axis shows where the scores are. Intervals may leave it (with two folds they are enormous),
   and so may a few scores that are far below all others where a score has no lower end; their
   number is written there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from curvewise._selection.pictures.advice_picture import draw_advice
from curvewise._selection.pictures.axes import (
    COLOURS,
    OVER,
    draw_few,
    draw_leaders,
    draw_many,
    draw_one,
    draw_side_by_side,
    hull,
    panels,
)
from curvewise._selection.pictures.extrapolation_band import Projection, project
from curvewise.advice._answer import Advice
from curvewise.core._result import ValidationResult, picture_of
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from curvewise._selection.search_cv import CurveSearchCV


class CurveDisplay:
    """Learning curves, drawn with matplotlib.

    Use `from_result`, `from_results`, `from_search` or `from_advice` to make one. The constructor
    only stores.

    Parameters
    ----------
    results
        What to draw.
    best_index
        Which of them is to stand out; None for none.
    leaders
        Who led when, for the second panel: ``(seconds, n_fits, training_rows, candidate, score)``.
    projections
        One extrapolation per result, or none at all.
    score_name
        What the scores are called.
    advice
        What to draw instead of results.

    Attributes
    ----------
    ax_, leader_ax_ : matplotlib Axes
        The panels; the second is None where there is none.
    figure_ : matplotlib Figure
        The figure of the panels.
    lines_, intervals_, folds_, bands_ : list of matplotlib Artist
        The curves (or points side by side), their intervals, the single folds, the extrapolations.
    threshold_, optimistic_, failures_, ending_, leader_line_ : matplotlib Artist or None
        What had to be beaten, the optimistic line, the crosses, the note at the last point of a
        single result; the steps in the second panel.

    Examples
    --------
    >>> import curvewise as cw
    >>> from matplotlib.figure import Figure
    >>> validation = cw.Validation("svc", schedule=9000, policy=cw.LCCV(), best_loss=0.09)
    >>> while not validation.done:
    ...     for task in validation.ask():
    ...         _ = validation.tell(cw.Observation(task, loss=0.12 + 8 / task.anchor))
    >>> display = CurveDisplay.from_result(validation.result, ax=Figure().add_subplot())
    >>> display.ax_.get_xlabel(), display.ending_.get_text()
    ('training rows', 'pruned at 2,048')
    """

    lines_: list[Any]
    intervals_: list[Any]
    folds_: list[Any]
    bands_: list[Any]

    def __init__(
        self,
        results: Sequence[ValidationResult],
        *,
        best_index: int | None = None,
        leaders: Sequence[Any] = (),
        projections: Sequence[Projection] = (),
        score_name: str = "score",
        advice: Advice | None = None,
    ) -> None:
        self.results = results
        self.best_index = best_index
        self.leaders = leaders
        self.projections = projections
        self.score_name = score_name
        self.advice = advice

    @classmethod
    def from_result(
        cls,
        result: ValidationResult,
        *,
        extrapolate: str | bool | None = None,
        until: int | None = None,
        score_name: str = "score",
        ax: Axes | None = None,
    ) -> CurveDisplay:
        """Draw one result.

        Parameters
        ----------
        result
            What `curvewise.validate` gave.
        extrapolate
            The name of a curve model (`curvewise.MODELS`) to draw beyond the last anchor, with its
            95% band; True for the inverse power law, None for no extrapolation.
        until
            How far to extrapolate, in rows; by default to four times the last anchor.
        score_name
            What the scores are called.
        ax
            Where to draw; by default in a new figure.
        """
        return cls.from_results(
            [result], extrapolate=extrapolate, until=until, score_name=score_name, ax=ax
        )

    @classmethod
    def from_results(
        cls,
        results: Sequence[ValidationResult],
        *,
        best_index: int | None = None,
        extrapolate: str | bool | None = None,
        until: int | None = None,
        score_name: str = "score",
        ax: Axes | None = None,
    ) -> CurveDisplay:
        """Draw several results in one panel; see `from_result`.

        Parameters
        ----------
        results
            What to draw.
        best_index
            Which of them is to stand out.
        extrapolate, until, score_name, ax
            As for one result.

        Examples
        --------
        >>> import curvewise as cw
        >>> from matplotlib.figure import Figure
        >>> search = cw.Search(["svc", "forest"], schedule=900, policy=cw.KFoldCV(), n_folds=2)
        >>> for task in search.ask(4):
        ...     _ = search.tell(cw.Observation(task, loss=0.1 + task.fold / 100))
        >>> results = list(search.results.values())
        >>> CurveDisplay.from_results(results, ax=Figure().add_subplot()).ax_.get_title()
        'all at 900 rows'
        """
        projections = []
        if extrapolate is not None and extrapolate is not False:
            model = "ipl" if extrapolate is True else extrapolate
            projections = [project(result, model=model, until=until) for result in results]
        display = cls(
            results, best_index=best_index, projections=projections, score_name=score_name
        )
        return display.plot(ax)

    @classmethod
    def from_search(
        cls,
        search: CurveSearchCV,
        *,
        over: str = "seconds",
        score_name: str = "score",
        ax: Axes | Sequence[Axes] | None = None,
    ) -> CurveDisplay:
        """Draw a whole search: all candidates, and which one led when.

        Parameters
        ----------
        search
            A fitted `curvewise.CurveSearchCV`.
        over
            What the second panel has on its axis: ``"seconds"``, ``"rows"`` or ``"fits"``.
        score_name
            What the scores are called.
        ax
            Where to draw: two axes, or one for the candidates alone; by default a new figure.

        Examples
        --------
        >>> import curvewise as cw
        >>> from matplotlib.figure import Figure
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.svm import SVC
        >>> X, y = load_iris(return_X_y=True)
        >>> search = cw.CurveSearchCV(SVC(), {"C": [0.01, 10]}).fit(X, y)
        >>> display = CurveDisplay.from_search(search, ax=Figure().subplots(1, 2))
        >>> display.leader_ax_.get_title()
        'leader at the end: C=10'
        """
        if not hasattr(search, "results_"):
            raise InvalidParameterError(
                f"{type(search).__name__} has no results_ yet: call fit first."
            )
        display = cls(
            search.results_,
            best_index=getattr(search, "best_index_", None),
            leaders=search.leaders_,
            score_name=score_name,
        )
        return display.plot(ax, over=over)

    @classmethod
    def from_advice(
        cls, advice: Advice, *, score_name: str = "score", ax: Axes | None = None
    ) -> CurveDisplay:
        """Draw what `curvewise.advise` gave: the best curves, and the best score out to then.

        Parameters
        ----------
        advice
            The advice.
        score_name
            What the scores are called.
        ax
            Where to draw; by default in a new figure.

        Examples
        --------
        >>> import curvewise as cw
        >>> from matplotlib.figure import Figure
        >>> curve = cw.LearningCurve(
        ...     cw.Observation(cw.Task("svc", anchor, fold), 0.1 + 9 / anchor, n_test=500)
        ...     for anchor in (256, 512, 1024)
        ...     for fold in range(5)
        ... )
        >>> display = CurveDisplay.from_advice(cw.advise([curve]), ax=Figure().add_subplot())
        >>> len(display.lines_), len(display.bands_)
        (1, 2)
        """
        return cls((), score_name=score_name, advice=advice).plot(ax)

    def plot(
        self,
        ax: Axes | Sequence[Axes] | None = None,
        *,
        over: str = "seconds",
        score_name: str | None = None,
    ) -> CurveDisplay:
        """Draw it.

        Parameters
        ----------
        ax
            Where to draw: one axes, or two if there are leaders; by default a new figure.
        over
            What the second panel has on its axis: ``"seconds"``, ``"rows"`` or ``"fits"``.
        score_name
            What the scores are called; by default what the constructor was told.

        Raises
        ------
        InvalidParameterError
            If there is nothing to draw, or ``over`` or the number of axes cannot work.
        MissingExtraError
            If matplotlib is not installed.
        """
        if over not in OVER:
            raise InvalidParameterError(f"over must be one of {', '.join(OVER)}, got {over!r}.")
        if not len(self.results) and self.advice is None:
            raise InvalidParameterError("results must have at least one result to draw, got none.")
        self.ax_, self.leader_ax_ = panels(ax, second=len(self.leaders) > 0)
        self.figure_ = self.ax_.figure
        limits = (self.ax_.get_xlim(), self.ax_.get_ylim()) if self.ax_.has_data() else None
        self.lines_, self.intervals_, self.folds_, self.bands_ = [], [], [], []
        self.threshold_ = self.optimistic_ = self.failures_ = self.ending_ = None
        self.leader_line_ = None
        pictures = [picture_of(result) for result in self.results]
        anchors = {point.anchor for picture in pictures for point in picture.points}
        if self.advice is not None:
            draw_advice(self, self.advice)
        elif len(pictures) == 1:
            draw_one(self, pictures[0])
        elif len(anchors) == 1:
            draw_side_by_side(self, pictures)
        elif len(pictures) <= len(COLOURS):
            draw_few(self, pictures)
        else:
            draw_many(self, pictures)
        if limits is not None:
            # What was drawn there before stays in sight; a logarithmic axis has no place for 0.
            if limits[0][0] > 0 or self.ax_.get_xscale() != "log":
                self.ax_.set_xlim(*hull(limits[0], self.ax_.get_xlim()))
            self.ax_.set_ylim(*hull(limits[1], self.ax_.get_ylim()))
        self.ax_.set_ylabel(score_name or self.score_name)
        if self.leader_ax_ is not None:
            draw_leaders(self, over)
            self.leader_ax_.set_ylabel(f"{score_name or self.score_name} of the leader")
        return self
