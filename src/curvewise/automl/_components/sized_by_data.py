"""`SizedByData`: an estimator whose sizes are settled when it sees the data."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator, clone
from sklearn.utils.metaestimators import available_if

from curvewise.automl._components.fitted_clone import FittedClone
from curvewise.automl._components.sizes import shape_of, sizes_for

# Parameters of this class that say a size of the estimator in relation to the data.
RELATIVE = ("max_features_exponent", "max_depth_factor")


class SizedByData(FittedClone):
    """An estimator whose sizes are settled by the rows and columns that it is fitted on.

    On the first anchors of a learning curve there are few rows, and pre-processing changes how many
    columns there are. So a nearest-neighbours learner gets at most as many neighbours as rows,
    FastICA at most as many components as rows and columns, Nystroem at most as many as rows,
    QuantileTransformer at most as many quantiles as rows, and FeatureAgglomeration at most as many
    clusters as columns. A polynomial expansion, a kernel matrix or whatever else would take more
    than 2 GiB is an error before it is made.

    A clone of the estimator is fitted; what was given stays as it is, and settles anew for other
    data. All else (``predict``, ``transform``, ``classes_``, ``feature_names_in_``, ...) is what
    the fitted estimator has.

    Parameters
    ----------
    estimator
        The estimator, unfitted.
    max_features_exponent
        The estimator's ``max_features`` as a power of the number of columns: 0.5 for the square
        root, 0 for one column, 1 for all. None leaves ``max_features`` as it is.
    max_depth_factor
        The estimator's ``max_depth`` as a multiple of the number of columns, rounded, and at least
        1. None leaves ``max_depth`` as it is.

    Attributes
    ----------
    estimator_
        The fitted estimator, with the sizes that it got.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> neighbours = SizedByData(KNeighborsClassifier(100)).fit([[0], [1], [5]], [0, 0, 1])
    >>> neighbours.estimator_.n_neighbors, neighbours.predict([[5]]).tolist()
    (3, [0])
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> forest = SizedByData(RandomForestClassifier(n_estimators=2), max_features_exponent=0.5)
    >>> forest.fit([[0, 0, 0, 0], [1, 1, 1, 1]], [0, 1]).estimator_.max_features
    2
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        *,
        max_features_exponent: float | None = None,
        max_depth_factor: float | None = None,
    ) -> None:
        self.estimator = estimator
        self.max_features_exponent = max_features_exponent
        self.max_depth_factor = max_depth_factor

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Settle the sizes, and fit.

        Parameters
        ----------
        X, y
            The data.
        **params
            What the estimator's ``fit`` takes besides, such as ``sample_weight``.
        """
        self.estimator_ = self._settled(X).fit(X, y, **params)
        return self

    @available_if(lambda self: hasattr(self.estimator, "fit_transform"))
    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Settle the sizes, fit, and transform the same rows; for transformers.

        Parameters
        ----------
        X, y
            The data.
        **params
            What the estimator's ``fit_transform`` takes besides.
        """
        estimator = self._settled(X)
        transformed = estimator.fit_transform(X, y, **params)
        self.estimator_ = estimator
        return transformed

    @available_if(lambda self: hasattr(self.estimator, "set_output"))
    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose what ``transform`` gives: ``"default"``, ``"pandas"`` or ``"polars"``.

        Parameters
        ----------
        transform
            The kind of output; None leaves it as it is.
        """
        for one in (self.estimator, getattr(self, "estimator_", None)):
            if one is not None:
                one.set_output(transform=transform)
        return self

    def _settled(self, X: Any) -> Any:
        """Give a clone of the estimator with the sizes that X allows."""
        estimator = clone(self.estimator)
        shape = shape_of(X)
        if shape is None:
            return estimator
        n_columns = shape[1]
        sizes = sizes_for(estimator, X, shape)
        if self.max_features_exponent is not None:
            n_chosen = int(n_columns**self.max_features_exponent)
            sizes["max_features"] = max(1, min(n_columns, n_chosen))
        if self.max_depth_factor is not None:
            sizes["max_depth"] = max(1, round(self.max_depth_factor * n_columns))
        return estimator.set_params(**sizes)
