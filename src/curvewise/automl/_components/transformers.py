"""Transformers that adapt to rows and columns, and refuse what would not fit into memory."""

from __future__ import annotations

from math import comb
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn import cluster, decomposition, kernel_approximation, preprocessing

from curvewise.automl._components.sizes import (
    at_most,
    for_now,
    refuse_if_too_large,
    shape_of,
)


class FastICA(decomposition.FastICA):
    """scikit-learn's FastICA with at most as many components as rows and columns.

    Examples
    --------
    >>> X = np.random.RandomState(0).laplace(size=(200, 3))
    >>> FastICA(100, random_state=0).fit_transform(X).shape
    (200, 3)
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components."""
        with for_now(self, n_components=self._possible(X)):
            return super().fit(X, y)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the components and express the rows by them."""
        with for_now(self, n_components=self._possible(X)):
            return super().fit_transform(X, y)

    def _possible(self, X: Any) -> Any:
        shape = shape_of(X)
        return self.n_components if shape is None else at_most(self.n_components, min(shape))


class FeatureAgglomeration(cluster.FeatureAgglomeration):
    """scikit-learn's FeatureAgglomeration with at most as many clusters as columns.

    Examples
    --------
    >>> FeatureAgglomeration(25).fit_transform(np.eye(3)).shape
    (3, 3)
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find columns that go together."""
        shape = shape_of(X)
        if shape is None:
            return super().fit(X, y)
        refuse_if_too_large("The distances between columns", shape[1], shape[1])
        with for_now(self, n_clusters=at_most(self.n_clusters, shape[1])):
            return super().fit(X, y)


class KernelPCA(decomposition.KernelPCA):
    """scikit-learn's KernelPCA that refuses a kernel matrix that would not fit into memory.

    Examples
    --------
    >>> KernelPCA(2, kernel="rbf").fit_transform(np.eye(4)).shape
    (4, 2)
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components."""
        shape = shape_of(X)
        if shape is not None:
            refuse_if_too_large("The kernel matrix", shape[0], shape[0])
        return super().fit(X, y)


class Nystroem(kernel_approximation.Nystroem):
    """scikit-learn's Nystroem with at most as many components as rows.

    Examples
    --------
    >>> Nystroem(n_components=100, random_state=0).fit_transform(np.eye(4)).shape
    (4, 4)
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose rows to compare with."""
        shape = shape_of(X)
        if shape is None:
            return super().fit(X, y)
        n_components = at_most(self.n_components, shape[0])
        refuse_if_too_large("The approximated kernel", shape[0], n_components)
        with for_now(self, n_components=n_components):
            return super().fit(X, y)


class RBFSampler(kernel_approximation.RBFSampler):
    """scikit-learn's RBFSampler that refuses an output that would not fit into memory.

    Examples
    --------
    >>> RBFSampler(n_components=5, random_state=0).fit_transform(np.eye(4)).shape
    (4, 5)
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the random features."""
        shape = shape_of(X)
        if shape is not None:
            refuse_if_too_large("The random features", max(shape), self.n_components)
        return super().fit(X, y)


class QuantileTransformer(preprocessing.QuantileTransformer):
    """scikit-learn's QuantileTransformer with at most as many quantiles as rows.

    Examples
    --------
    >>> QuantileTransformer(n_quantiles=1000).fit([[0.0], [1.0]]).n_quantiles_
    2
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the quantiles."""
        shape = shape_of(X)
        n_quantiles = self.n_quantiles if shape is None else at_most(self.n_quantiles, shape[0])
        with for_now(self, n_quantiles=n_quantiles):
            return super().fit(X, y)


class PolynomialFeatures(preprocessing.PolynomialFeatures):
    """scikit-learn's PolynomialFeatures that refuses an expansion that would not fit into memory.

    Examples
    --------
    >>> PolynomialFeatures(2).fit_transform([[2.0, 3.0]])
    array([[1., 2., 3., 4., 6., 9.]])
    >>> PolynomialFeatures(3).fit(np.zeros((100, 1000)))
    Traceback (most recent call last):
    ...
    ValueError: The polynomial expansion would have 100 x 167,668,501 numbers (124.9 GiB); at most 2
    GiB are allowed.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Count the columns of the expansion."""
        shape = shape_of(X)
        if shape is not None and isinstance(self.degree, int | np.integer) and self.degree >= 0:
            what = "The polynomial expansion"
            if sparse.issparse(X):
                # Only what is not zero takes memory: monomials of each row's non-zero columns.
                filled, n_rows = np.unique(np.diff(X.tocsr().indptr), return_counts=True)
                sizes = [self._n_monomials(int(n)) for n in filled]
                n_numbers = sum(size * int(n) for size, n in zip(sizes, n_rows, strict=True))
                refuse_if_too_large(what, n_numbers)
            else:
                refuse_if_too_large(what, shape[0], self._n_monomials(shape[1]))
        return super().fit(X, y)

    def _n_monomials(self, n_columns: int) -> int:
        if self.interaction_only:
            n = sum(comb(n_columns, k) for k in range(self.degree + 1))
        else:
            n = comb(n_columns + self.degree, self.degree)
        return n if self.include_bias else n - 1
