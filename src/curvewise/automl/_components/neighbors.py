"""Nearest neighbours that make do with fewer rows than neighbours were asked for.

On the first anchors of a learning curve there may be fewer training rows than neighbours: then all
of them are neighbours.
"""

from __future__ import annotations

from typing import Any

from sklearn import neighbors

from curvewise.automl._components.sizes import at_most, for_now


class AtMostAllRows:
    """Mixin for nearest neighbours: at most as many neighbours as there are training rows.

    Examples
    --------
    >>> KNeighborsClassifier(100).fit([[0], [1], [5]], [0, 0, 1]).predict([[5]])
    array([0])
    """

    def kneighbors(
        self,
        X: Any = None,
        n_neighbors: int | None = None,
        return_distance: bool = True,  # noqa: FBT001, FBT002
    ) -> Any:
        """Find the nearest training rows."""
        with self._enough():
            return super().kneighbors(X, n_neighbors, return_distance)  # type: ignore[misc]

    def predict(self, X: Any) -> Any:
        """Predict from the nearest training rows."""
        with self._enough():
            return super().predict(X)  # type: ignore[misc]

    def _enough(self) -> Any:
        # Before fit there is nothing to limit: scikit-learn says that it is not fitted.
        n_rows = getattr(self, "n_samples_fit_", None)
        wanted = self.n_neighbors  # type: ignore[attr-defined]
        return for_now(self, n_neighbors=wanted if n_rows is None else at_most(wanted, n_rows))


class KNeighborsClassifier(AtMostAllRows, neighbors.KNeighborsClassifier):
    """scikit-learn's nearest neighbours, of which there are at most as many as training rows.

    Examples
    --------
    >>> KNeighborsClassifier(100).fit([[0], [1]], [0, 1]).predict_proba([[0]])
    array([[0.5, 0.5]])
    """

    def predict_proba(self, X: Any) -> Any:
        """Give the share of each class among the nearest training rows."""
        with self._enough():
            return super().predict_proba(X)


class KNeighborsRegressor(AtMostAllRows, neighbors.KNeighborsRegressor):
    """scikit-learn's nearest neighbours, of which there are at most as many as training rows.

    Examples
    --------
    >>> KNeighborsRegressor(100).fit([[0], [1]], [0.0, 1.0]).predict([[0]])
    array([0.5])
    """
