"""`SizedByData`: an estimator whose sizes are settled when it sees the data.

Some parameters only make sense for given data: at most as many components as columns, at most as
many neighbours as rows, columns per split as a power of all columns. What holds for which algorithm
stands in one table, `RULES`; what would not fit into memory is refused before it is allocated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRequest, MetadataRouter
from sklearn.utils.metaestimators import available_if

# Two gibibytes of float64 numbers: beyond it a single fit would choke an ordinary machine.
MOST_NUMBERS = 2**28
BYTES = 8
# Parameters of this class that say a size of the estimator in relation to the data.
RELATIVE = ("max_features_exponent", "max_depth_factor")
# What is for this class to answer, or would change the estimator that was given.
OWN = ("_", "fit", "partial_fit", "set_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How data bounds an algorithm; sizes are rows, columns, longer side, or a parameter's name."""

    # A parameter, and the sizes of which it is at most the smallest.
    parameter: str | None = None
    at_most: tuple[str, ...] = ()
    # What takes most memory, and the sizes that multiply to how many numbers that has.
    largest: str = ""
    numbers: tuple[str, ...] = ()


RULES = {
    "FastICA": Rule(parameter="n_components", at_most=("rows", "columns")),
    "FeatureAgglomeration": Rule(
        parameter="n_clusters",
        at_most=("columns",),
        largest="The distances between columns",
        numbers=("columns", "columns"),
    ),
    "KernelPCA": Rule(largest="The kernel matrix", numbers=("rows", "rows")),
    "KNeighborsClassifier": Rule(parameter="n_neighbors", at_most=("rows",)),
    "KNeighborsRegressor": Rule(parameter="n_neighbors", at_most=("rows",)),
    "Nystroem": Rule(
        parameter="n_components",
        at_most=("rows",),
        largest="The approximated kernel",
        numbers=("rows", "n_components"),
    ),
    "PolynomialFeatures": Rule(largest="The polynomial expansion", numbers=("rows", "monomials")),
    "QuantileTransformer": Rule(parameter="n_quantiles", at_most=("rows",)),
    "RBFSampler": Rule(largest="The random features", numbers=("longer side", "n_components")),
}


class SizedByData(MetaEstimatorMixin, BaseEstimator):
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

    def get_metadata_routing(self) -> MetadataRequest | MetadataRouter:
        """Say what metadata the estimator asks for."""
        return self.estimator.get_metadata_routing()

    def __sklearn_tags__(self) -> Tags:
        return get_tags(self.estimator)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith(OWN):
            found = getattr(vars(self).get("estimator_", vars(self).get("estimator")), name, None)
            if callable(found) or (found is not None and name.endswith("_")):
                return found
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _settled(self, X: Any) -> Any:
        """Give a clone of the estimator with the sizes that X allows."""
        estimator = clone(self.estimator)
        shape = _shape_of(X)
        if shape is None:
            return estimator
        n_columns = shape[1]
        sizes = _sizes_for(estimator, X, shape)
        if self.max_features_exponent is not None:
            n_chosen = int(n_columns**self.max_features_exponent)
            sizes["max_features"] = max(1, min(n_columns, n_chosen))
        if self.max_depth_factor is not None:
            sizes["max_depth"] = max(1, round(self.max_depth_factor * n_columns))
        return estimator.set_params(**sizes)


def _sizes_for(estimator: Any, X: Any, shape: tuple[int, int]) -> dict[str, int]:
    """Give the parameters that X limits; an error if something would not fit into memory."""
    kinds = (kind.__name__ for kind in type(estimator).__mro__)
    rule = next((RULES[kind] for kind in kinds if kind in RULES), None)
    if rule is None:
        return {}
    known = estimator.get_params(deep=False)
    known.update({"rows": shape[0], "columns": shape[1], "longer side": max(shape)})
    sizes = {}
    if rule.parameter is not None:
        limit = max(1, min(known[size] for size in rule.at_most))
        if _whole(known[rule.parameter]) and known[rule.parameter] > limit:
            known[rule.parameter] = sizes[rule.parameter] = limit
    if "monomials" in rule.numbers and _whole(estimator.degree):
        refuse_if_too_large(rule.largest, *_expansion(estimator, X, shape))
    elif all(_whole(known.get(size)) for size in rule.numbers):
        refuse_if_too_large(rule.largest, *(int(known[size]) for size in rule.numbers))
    return sizes


def _whole(value: Any) -> bool:
    """Whether this is a size; what is none is for scikit-learn to judge."""
    return isinstance(value, int | np.integer) and int(value) >= 0


def _expansion(polynomials: Any, X: Any, shape: tuple[int, int]) -> tuple[int, ...]:
    """Give the sizes of a polynomial expansion: rows and columns, or its numbers if sparse."""
    if not sparse.issparse(X):
        return shape[0], n_monomials(polynomials, shape[1])
    # Only what is not zero takes memory: monomials of each row's non-zero columns.
    filled, n_rows = np.unique(np.diff(X.tocsr().indptr), return_counts=True)
    sizes = [n_monomials(polynomials, int(n)) for n in filled]
    return (sum(size * int(n) for size, n in zip(sizes, n_rows, strict=True)),)


def n_monomials(polynomials: Any, n_columns: int) -> int:
    """How many columns scikit-learn's PolynomialFeatures makes of so many."""
    degree = polynomials.degree
    if polynomials.interaction_only:
        n = sum(comb(n_columns, k) for k in range(degree + 1))
    else:
        n = comb(n_columns + degree, degree)
    return n if polynomials.include_bias else n - 1


def _shape_of(X: Any) -> tuple[int, int] | None:
    """Give the number of rows and columns; None if X is no table, which `fit` will then say."""
    shape = getattr(X, "shape", None)
    if shape is None:
        try:
            shape = np.asarray(X).shape
        except ValueError:
            return None
    return (int(shape[0]), int(shape[1])) if len(shape) == 2 else None


def refuse_if_too_large(what: str, *sizes: int) -> None:
    """Raise before something is allocated that would not fit into memory."""
    n = prod(sizes)
    if n > MOST_NUMBERS:
        shown = " x ".join(f"{size:,}" for size in sizes)
        raise ValueError(
            f"{what} would have {shown} numbers ({n * BYTES / 2**30:.1f} GiB); "
            f"at most {MOST_NUMBERS * BYTES / 2**30:.2g} GiB are allowed."
        )
