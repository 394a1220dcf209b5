"""The paper's pre-processors: seven for data and nine for features.

The first change the scale of columns, or drop some; the second make new columns, or choose some.
Two of these choose columns by their relation to the target, so they come twice: for classes and for
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.feature_selection import chi2, f_classif, f_regression

from curvewise.automl._components.column_scores import (
    information_about_classes,
    information_about_numbers,
)
from curvewise.automl._space.component import Component, When
from curvewise.automl._space.parameters import Categorical, Integer, Parameter, Real
from curvewise.automl._space.translations import as_percent, selection

DATA_PREPROCESSORS = (
    Component(
        target="sklearn.preprocessing.MinMaxScaler",
        dense=True,
        gives_negative=False,
    ),
    Component(target="sklearn.preprocessing.Normalizer"),
    Component(
        target="sklearn.preprocessing.PowerTransformer",
        dense=True,
        gives_negative=True,
    ),
    Component(
        target="sklearn.preprocessing.QuantileTransformer",
        parameters={
            "n_quantiles": Integer(10, 2000),
            "output_distribution": Categorical(["uniform", "normal"]),
        },
        dense=True,
        gives_negative=When("output_distribution", ["normal"]),
        sized=True,
    ),
    Component(
        target="sklearn.preprocessing.RobustScaler",
        parameters={"q_max": Real(0.7, 0.999), "q_min": Real(0.001, 0.3)},
        translate=as_percent,
        dense=True,
        gives_negative=True,
    ),
    Component(
        target="sklearn.preprocessing.StandardScaler",
        dense=True,
        gives_negative=True,
    ),
    Component(target="sklearn.feature_selection.VarianceThreshold"),
)

KERNEL: dict[str, Parameter] = {
    "coef0": Real(-1.0, 1.0),
    "degree": Integer(2, 5),
    "gamma": Real(2**-15, 8.0, log=True),
}
WITHOUT_TARGET = (
    Component(
        target="sklearn.decomposition.FastICA",
        parameters={
            "algorithm": Categorical(["parallel", "deflation"]),
            "fun": Categorical(["logcosh", "exp", "cube"]),
            "whiten": Categorical([False, "unit-variance"]),
            "n_components": Integer(10, 2000),
        },
        conditions={"n_components": When("whiten", ["unit-variance"])},
        dense=True,
        gives_negative=True,
        sized=True,
    ),
    Component(
        target="sklearn.cluster.FeatureAgglomeration",
        parameters={
            "metric": Categorical(["euclidean", "manhattan", "cosine"]),
            "linkage": Categorical(["ward", "complete", "average"]),
            "n_clusters": Integer(2, 400),
            "pooling_func": Categorical([np.mean, np.median, np.max]),
        },
        forbidden=[{"metric": ["manhattan", "cosine"], "linkage": ["ward"]}],
        dense=True,
        sized=True,
    ),
    Component(
        target="sklearn.decomposition.KernelPCA",
        parameters={
            "kernel": Categorical(["poly", "rbf", "sigmoid", "cosine"]),
            "n_components": Integer(10, 2000),
            **KERNEL,
        },
        conditions={
            "coef0": When("kernel", ["poly", "sigmoid"]),
            "degree": When("kernel", ["poly"]),
            "gamma": When("kernel", ["poly", "rbf"]),
        },
        gives_negative=True,
        sized=True,
    ),
    Component(
        target="sklearn.kernel_approximation.RBFSampler",
        parameters={"gamma": KERNEL["gamma"], "n_components": Integer(50, 10000, log=True)},
        gives_negative=True,
        sized=True,
    ),
    Component(
        target="sklearn.kernel_approximation.Nystroem",
        parameters={
            "kernel": Categorical(["poly", "rbf", "sigmoid", "cosine", "chi2"]),
            "n_components": Integer(50, 10000, log=True),
            **KERNEL,
        },
        conditions={
            "coef0": When("kernel", ["poly", "sigmoid"]),
            "degree": When("kernel", ["poly"]),
            "gamma": When("kernel", ["poly", "rbf", "sigmoid", "chi2"]),
        },
        dense=When("kernel", ["chi2"]),
        needs_nonnegative=When("kernel", ["chi2"]),
        gives_negative=True,
        sized=True,
    ),
    Component(
        target="sklearn.decomposition.PCA",
        # The share of the variance that is kept.
        parameters={"n_components": Real(0.5, 0.9999), "whiten": Categorical([False, True])},
        dense=True,
        gives_negative=True,
    ),
    Component(
        target="sklearn.preprocessing.PolynomialFeatures",
        parameters={
            "degree": Integer(2, 3),
            "include_bias": Categorical([True, False]),
            "interaction_only": Categorical([False, True]),
        },
        sized=True,
    ),
)


def selectors(
    tests: Sequence[Callable[..., Any]], information: Callable[..., Any]
) -> tuple[Component, ...]:
    """Give what chooses columns by tests of their relation to the target, and by information."""
    scores = Categorical([*tests, information])
    # scikit-learn takes each number of a sparse matrix for a category, and fails if none repeats.
    dense = When("score_func", [information])
    needs_nonnegative = When("score_func", [chi2])
    return (
        Component(
            target="sklearn.feature_selection.SelectPercentile",
            parameters={"percentile": Real(1.0, 99.0), "score_func": scores},
            dense=dense,
            needs_nonnegative=needs_nonnegative,
        ),
        Component(
            target="sklearn.feature_selection.GenericUnivariateSelect",
            parameters={
                "alpha": Real(0.01, 0.5),
                "score_func": scores,
                "mode": Categorical(["fpr", "fdr", "fwe"]),
            },
            conditions={"mode": When("score_func", tests)},
            translate=selection,
            dense=dense,
            needs_nonnegative=needs_nonnegative,
        ),
    )


FOR_CLASSES = (*WITHOUT_TARGET, *selectors([chi2, f_classif], information_about_classes))
FOR_NUMBERS = (*WITHOUT_TARGET, *selectors([f_regression], information_about_numbers))
