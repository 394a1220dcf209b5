"""`skrub_search`: skrub's searches over data operations, carried out by `CurveSearchCV`.

skrub has two backends of its own, and no way to name another. But what its
``make_randomized_search`` gives holds the search that does the work as a parameter, ``search``.
That is replaced here by a `CurveSearchCV` which takes its space under the name that skrub knows.
Everything that skrub makes of a search (``results_``, ``plot_results``, ``best_learner_``) stays as
it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from sklearn.base import clone

from curvewise._packages import require
from curvewise._selection.search_cv import CurveSearchCV
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from skrub import DataOp, ParamSearch

# What skrub brings along itself.
GIVEN_BY_SKRUB = ("estimator", "space")


def skrub_search(data_op: DataOp, **settings: object) -> ParamSearch:
    """Search over the choices of skrub's data operations, along learning curves.

    Parameters
    ----------
    data_op
        A plan of skrub that ends in a prediction and has choices (``skrub.choose_from``,
        ``choose_float`` and so on).
    **settings
        The parameters of `CurveSearchCV` but ``estimator`` and ``space``: ``n_iter``, ``cv``,
        ``scoring``, ``policy``, ``n_jobs``, ``time_budget``, ``random_state`` and so on. By default
        all combinations of choices are tried, or 10 if a range of numbers is among them.

    Returns
    -------
    skrub.ParamSearch
        What ``data_op.skb.make_randomized_search`` gives, to be fitted on an environment, such as
        ``data_op.skb.get_data()``. After that ``search.curve_search_`` of it is the fitted
        `CurveSearchCV`, with curves and explanations.

    Raises
    ------
    InvalidParameterError
        If there is nothing to search over.
    MissingExtraError
        If skrub is not installed.

    Examples
    --------
    >>> import curvewise as cw
    >>> import skrub  # doctest: +SKIP
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> rows, label = load_iris(return_X_y=True)
    >>> svc = SVC(C=skrub.choose_from([0.1, 1, 10], name="C"))  # doctest: +SKIP
    >>> plan = skrub.X(rows).skb.apply(svc, y=skrub.y(label))  # doctest: +SKIP
    >>> search = cw.skrub_search(plan, random_state=0)  # doctest: +SKIP
    >>> search.fit(plan.skb.get_data()).best_score_  # doctest: +SKIP
    0.98
    """
    require("skrub", "Searching over skrub's data operations", extra="skrub")
    if not hasattr(data_op, "skb"):
        raise InvalidParameterError(
            f"data_op must be a plan of skrub's data operations, got {type(data_op).__name__}."
        )
    for name in GIVEN_BY_SKRUB:
        if name in settings:
            raise InvalidParameterError(
                f"{name} is not to be given: the data operations and their choices are it."
            )
    if not data_op.skb.make_learner().get_param_grid()[0]:
        raise InvalidParameterError(
            "There is nothing to search over: the data operations have no choices "
            "(skrub.choose_from, choose_float, ...)."
        )
    # skrub sets the estimator when it fits.
    given: dict[str, Any] = {"estimator": None, **settings}
    search = data_op.skb.make_randomized_search()
    return search.set_params(search=DataOpSearchCV(**given))


class DataOpSearchCV(CurveSearchCV):
    """A search as skrub drives it: cloned, given a learner, a space and folds, and then fitted."""

    @property
    def param_distributions(self) -> Any:
        """The space, under the name that skrub gives it."""
        return self.space

    @param_distributions.setter
    def param_distributions(self, grids: Any) -> None:
        # A range in steps is a list of values; skrub's own would be taken for a distribution.
        self.space = [
            {
                name: list(values) if isinstance(values, Sequence) else values
                for name, values in grid.items()
            }
            for grid in grids
        ]

    def __sklearn_clone__(self) -> Self:
        """Give a copy that hears as many listeners, and that will tell where it came from."""
        given = self.get_params(deep=False)
        params = {name: clone(value, safe=False) for name, value in given.items()}
        copy = type(self)(**params).equip(self._extras)
        copy._origin = self  # noqa: SLF001 (it is one of us)
        return copy

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Search; whoever made the search finds it as ``curve_search_`` afterwards."""
        # skrub's own default asks the learner for its score, as None does here.
        if getattr(self.scoring, "__module__", "").partition(".")[0] == "skrub":
            self.scoring = None
        origin = self.__dict__.pop("_origin", None)
        super().fit(X, y, **params)
        if origin is not None:
            origin.curve_search_ = self
        return self
