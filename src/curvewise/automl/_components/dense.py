"""A step that makes sparse input dense, for algorithms that cannot take it otherwise."""

from __future__ import annotations

from typing import Any, Self

from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from curvewise.automl._components.sizes import refuse_if_too_large


class Dense(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Make sparse input dense; arrays pass as they are.

    What would not fit into memory is refused, before it is allocated.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Look at the size."""
        _refuse(validate_data(self, X, accept_sparse=True, ensure_all_finite=False))
        return self

    def transform(self, X: Any) -> Any:
        """Make rows dense."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse=True, ensure_all_finite=False)
        _refuse(X)
        return X.toarray() if sparse.issparse(X) else X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _refuse(X: Any) -> None:
    if sparse.issparse(X):
        refuse_if_too_large("The dense matrix", *X.shape)
