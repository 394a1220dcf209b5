"""The short ways of a search, also of one that an AutoML estimator keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from sklearn.utils.validation import check_is_fitted

from curvewise._selection.compare import Comparison
from curvewise._selection.remembered_run import RememberedRun, run_of_search
from curvewise._selection.short_ways import ShortWays
from curvewise._services import service
from curvewise.core._policy import competes_partially
from curvewise.core._result import ValidationResult
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    from pandas import DataFrame


class LivePage(Protocol):
    """A page about a run that is being written: a `curvewise.Watch`."""

    @property
    def address(self) -> str:
        """Where the page is."""

    def close(self, *, grace: float = 0.0) -> None:
        """End it."""


class SearchShortWays(ShortWays):
    """What a fitted search can say of its results."""

    def leaderboard(self) -> DataFrame:
        """Give a row per candidate, the best first, as a pandas data frame.

        The columns are those of `Comparison.table`.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        search = self._fitted_search()
        compete = competes_partially(search.policy)
        return Comparison(search.results_, partial_results=compete).to_frame()

    def watch(self) -> LivePage:
        """Show the run in a browser or a notebook while it is being written.

        Call it before ``fit``; the last expression of a notebook's cell shows the page.

        Returns
        -------
        LivePage
            A `curvewise.Watch`, with its ``address``; ``close()`` ends it.

        Raises
        ------
        InvalidParameterError
            If the search has no ``store``.
        """
        given: Any = self
        if given.store is None:
            raise InvalidParameterError("watch needs a store: give the search a file as store.")
        page: LivePage = service("watch")(given.store, run=given.run)
        return page

    def _fitted_search(self) -> Any:
        """Give the search: this one, or that of an AutoML estimator."""
        search = getattr(self, "search_", self)
        check_is_fitted(search, "results_")
        return search

    def _run_to_read(self) -> RememberedRun:
        return run_of_search(self._fitted_search())

    def _results_to_read(self) -> list[ValidationResult]:
        results: list[ValidationResult] = self._fitted_search().results_
        return results
