"""Forests that look at a power of the number of columns d per split, as in auto-sklearn's space.

The exponent means the same for ten columns and for ten thousand.
"""

from __future__ import annotations

from typing import Any, Self

from sklearn import ensemble

from curvewise.automl._components.sizes import for_now, shape_of


def columns_per_split(exponent: float, n_columns: int) -> int:
    """How many columns a forest looks at: ``max(1, int(d ** p))``.

    Examples
    --------
    >>> columns_per_split(0.5, 100), columns_per_split(0, 100), columns_per_split(1, 100)
    (10, 1, 100)
    """
    return max(1, min(n_columns, int(n_columns**exponent)))


class PowerOfColumns:
    """Mixin for forests: the columns per split are a power of the number of columns.

    Examples
    --------
    >>> forest = RandomForestClassifier(max_features_exponent=0.5, n_estimators=1)
    >>> forest.fit([[0, 0, 0, 0], [1, 1, 1, 1]], [0, 1]).estimators_[0].max_features
    2
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees."""
        shape = shape_of(X)
        if shape is None:
            return super().fit(X, y, sample_weight)  # type: ignore[misc]
        n_columns = columns_per_split(self.max_features_exponent, shape[1])  # type: ignore[attr-defined]
        with for_now(self, max_features=n_columns):
            return super().fit(X, y, sample_weight)  # type: ignore[misc]


class ExtraTreesClassifier(PowerOfColumns, ensemble.ExtraTreesClassifier):
    """scikit-learn's extra trees that look at ``d ** p`` of d columns per split.

    Examples
    --------
    >>> forest = ExtraTreesClassifier(n_estimators=3, random_state=0)
    >>> forest.fit([[0, 0], [1, 1]], [0, 1]).n_features_in_
    2
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_features_exponent: float = 0.5,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
        bootstrap: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_estimators,
            criterion=criterion,
            min_samples_leaf=min_samples_leaf,
            min_samples_split=min_samples_split,
            bootstrap=bootstrap,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.max_features_exponent = max_features_exponent


class ExtraTreesRegressor(PowerOfColumns, ensemble.ExtraTreesRegressor):
    """scikit-learn's extra trees for numbers that look at ``d ** p`` of d columns per split.

    Examples
    --------
    >>> forest = ExtraTreesRegressor(n_estimators=3, random_state=0)
    >>> forest.fit([[0, 0], [1, 1]], [0, 1]).n_features_in_
    2
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_features_exponent: float = 0.5,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
        bootstrap: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_estimators,
            criterion=criterion,
            min_samples_leaf=min_samples_leaf,
            min_samples_split=min_samples_split,
            bootstrap=bootstrap,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.max_features_exponent = max_features_exponent


class RandomForestClassifier(PowerOfColumns, ensemble.RandomForestClassifier):
    """scikit-learn's random forest that looks at ``d ** p`` of d columns per split.

    Examples
    --------
    >>> forest = RandomForestClassifier(n_estimators=3, random_state=0)
    >>> forest.fit([[0, 0], [1, 1]], [0, 1]).n_features_in_
    2
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_features_exponent: float = 0.5,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
        bootstrap: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_estimators,
            criterion=criterion,
            min_samples_leaf=min_samples_leaf,
            min_samples_split=min_samples_split,
            bootstrap=bootstrap,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.max_features_exponent = max_features_exponent


class RandomForestRegressor(PowerOfColumns, ensemble.RandomForestRegressor):
    """scikit-learn's random forest for numbers that looks at ``d ** p`` of d columns per split.

    Examples
    --------
    >>> forest = RandomForestRegressor(n_estimators=3, random_state=0)
    >>> forest.fit([[0, 0], [1, 1]], [0, 1]).n_features_in_
    2
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_features_exponent: float = 0.5,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
        bootstrap: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_estimators,
            criterion=criterion,
            min_samples_leaf=min_samples_leaf,
            min_samples_split=min_samples_split,
            bootstrap=bootstrap,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.max_features_exponent = max_features_exponent
