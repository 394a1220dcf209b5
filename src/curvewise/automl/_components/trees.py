"""Trees whose depth is a multiple of the number of columns d, as in auto-sklearn's space.

The factor means the same for ten columns and for ten thousand.
"""

from __future__ import annotations

from typing import Any, Self

from sklearn import tree

from curvewise.automl._components.sizes import for_now, shape_of


def depth(factor: float, n_columns: int) -> int:
    """How deep a tree may grow: ``max(1, round(factor * d))``.

    Examples
    --------
    >>> depth(0.5, 9), depth(0.0, 9)
    (4, 1)
    """
    return max(1, round(factor * n_columns))


class DepthByColumns:
    """Mixin for trees: the depth is a multiple of the number of columns.

    Examples
    --------
    >>> DecisionTreeClassifier(max_depth_factor=0.5).fit([[0, 0], [1, 1]], [0, 1]).get_depth()
    1
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree."""
        shape = shape_of(X)
        levels = None if shape is None else depth(self.max_depth_factor, shape[1])  # type: ignore[attr-defined]
        with for_now(self, max_depth=levels):
            return super().fit(X, y, sample_weight)  # type: ignore[misc]


class DecisionTreeClassifier(DepthByColumns, tree.DecisionTreeClassifier):
    """scikit-learn's decision tree with a depth that is a multiple of the number of columns.

    Examples
    --------
    >>> DecisionTreeClassifier(max_depth_factor=2.0).fit([[0], [1], [2]], [0, 1, 0]).get_depth()
    2
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth_factor: float = 0.5,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            criterion=criterion,
            min_samples_leaf=min_samples_leaf,
            min_samples_split=min_samples_split,
            random_state=random_state,
        )
        self.max_depth_factor = max_depth_factor


class DecisionTreeRegressor(DepthByColumns, tree.DecisionTreeRegressor):
    """scikit-learn's regression tree with a depth that is a multiple of the number of columns.

    Examples
    --------
    >>> DecisionTreeRegressor(max_depth_factor=2.0).fit([[0], [1], [2]], [0, 1, 0]).get_depth()
    2
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        max_depth_factor: float = 0.5,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            criterion=criterion,
            min_samples_leaf=min_samples_leaf,
            min_samples_split=min_samples_split,
            random_state=random_state,
        )
        self.max_depth_factor = max_depth_factor
