"""The paper's nine feature pre-processors: they make new columns, or choose some.

Seven of them do not look at the target. The two that select columns by their relation to it come
twice: for classes and for numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.feature_selection import chi2, f_classif, f_regression

from curvewise.automl._components.column_scores import (
    information_about_classes,
    information_about_numbers,
)
from curvewise.automl._space.component import Component, When
from curvewise.automl._space.parameters import Categorical, Integer, Real

GAMMA = Real(2**-15, 8.0, log=True)
# scikit-learn takes each number of a sparse matrix for a category, and fails where none repeats.
MEASURED = When("score_func", [information_about_classes, information_about_numbers])


def kept_variance(values: dict[str, Any]) -> dict[str, Any]:
    """Give PCA the share of the variance that is to be kept.

    Examples
    --------
    >>> kept_variance({"keep_variance": 0.9, "whiten": True})
    {'whiten': True, 'n_components': 0.9}
    """
    values = dict(values)
    share = values.pop("keep_variance")
    return {**values, "n_components": share}


def selection(values: dict[str, Any]) -> dict[str, Any]:
    """Give GenericUnivariateSelect a level of significance, or a share of columns to keep.

    Examples
    --------
    >>> selection({"alpha": 0.1, "score_func": chi2, "mode": "fdr"})["param"]
    0.1
    >>> selection({"alpha": 0.1, "score_func": information_about_classes})["mode"]
    'percentile'
    """
    values = dict(values)
    alpha = values.pop("alpha")
    if "mode" in values:
        return {**values, "param": alpha}
    # Mutual information has no p-values. Deviates: scikit-learn's percentile is in percent.
    return {**values, "mode": "percentile", "param": 100 * alpha}


FAST_ICA = Component(
    name="FastICA",
    target="curvewise.automl._components.transformers.FastICA",
    parameters={
        "algorithm": Categorical(["parallel", "deflation"]),
        "fun": Categorical(["logcosh", "exp", "cube"]),
        "whiten": Categorical([False, "unit-variance"]),
        "n_components": Integer(10, 2000),
    },
    conditions={"n_components": When("whiten", ["unit-variance"])},
    dense=True,
    gives_negative=True,
)

FEATURE_AGGLOMERATION = Component(
    name="FeatureAgglomeration",
    target="curvewise.automl._components.transformers.FeatureAgglomeration",
    parameters={
        "metric": Categorical(["euclidean", "manhattan", "cosine"]),
        "linkage": Categorical(["ward", "complete", "average"]),
        "n_clusters": Integer(2, 400),
        "pooling_func": Categorical([np.mean, np.median, np.max]),
    },
    forbidden=[{"metric": ["manhattan", "cosine"], "linkage": ["ward"]}],
    dense=True,
)

KERNEL_PCA = Component(
    name="KernelPCA",
    target="curvewise.automl._components.transformers.KernelPCA",
    parameters={
        "kernel": Categorical(["poly", "rbf", "sigmoid", "cosine"]),
        "n_components": Integer(10, 2000),
        "coef0": Real(-1.0, 1.0),
        "degree": Integer(2, 5),
        "gamma": GAMMA,
    },
    conditions={
        "coef0": When("kernel", ["poly", "sigmoid"]),
        "degree": When("kernel", ["poly"]),
        "gamma": When("kernel", ["poly", "rbf"]),
    },
    gives_negative=True,
)

RBF_SAMPLER = Component(
    name="RBFSampler",
    target="curvewise.automl._components.transformers.RBFSampler",
    parameters={"gamma": GAMMA, "n_components": Integer(50, 10000, log=True)},
    gives_negative=True,
)

NYSTROEM = Component(
    name="Nystroem",
    target="curvewise.automl._components.transformers.Nystroem",
    parameters={
        "kernel": Categorical(["poly", "rbf", "sigmoid", "cosine", "chi2"]),
        "n_components": Integer(50, 10000, log=True),
        "coef0": Real(-1.0, 1.0),
        "degree": Integer(2, 5),
        "gamma": GAMMA,
    },
    conditions={
        "coef0": When("kernel", ["poly", "sigmoid"]),
        "degree": When("kernel", ["poly"]),
        "gamma": When("kernel", ["poly", "rbf", "sigmoid", "chi2"]),
    },
    dense=When("kernel", ["chi2"]),
    needs_nonnegative=When("kernel", ["chi2"]),
    gives_negative=True,
)

PCA = Component(
    name="PCA",
    target="sklearn.decomposition.PCA",
    parameters={"keep_variance": Real(0.5, 0.9999), "whiten": Categorical([False, True])},
    translate=kept_variance,
    dense=True,
    gives_negative=True,
)

POLYNOMIAL_FEATURES = Component(
    name="PolynomialFeatures",
    target="curvewise.automl._components.transformers.PolynomialFeatures",
    parameters={
        "degree": Integer(2, 3),
        "include_bias": Categorical([True, False]),
        "interaction_only": Categorical([False, True]),
    },
)

SELECT_PERCENTILE = Component(
    name="SelectPercentile",
    target="sklearn.feature_selection.SelectPercentile",
    parameters={
        "percentile": Real(1.0, 99.0),
        "score_func": Categorical([chi2, f_classif, information_about_classes]),
    },
    dense=MEASURED,
    needs_nonnegative=When("score_func", [chi2]),
)

GENERIC_UNIVARIATE_SELECT = Component(
    name="GenericUnivariateSelect",
    target="sklearn.feature_selection.GenericUnivariateSelect",
    parameters={
        "alpha": Real(0.01, 0.5),
        "score_func": Categorical([chi2, f_classif, information_about_classes]),
        "mode": Categorical(["fpr", "fdr", "fwe"]),
    },
    conditions={"mode": When("score_func", [chi2, f_classif])},
    dense=MEASURED,
    translate=selection,
    needs_nonnegative=When("score_func", [chi2]),
)

SELECT_PERCENTILE_FOR_NUMBERS = Component(
    name="SelectPercentile",
    target="sklearn.feature_selection.SelectPercentile",
    parameters={
        "percentile": Real(1.0, 99.0),
        "score_func": Categorical([f_regression, information_about_numbers]),
    },
    dense=MEASURED,
)

GENERIC_UNIVARIATE_SELECT_FOR_NUMBERS = Component(
    name="GenericUnivariateSelect",
    target="sklearn.feature_selection.GenericUnivariateSelect",
    parameters={
        "alpha": Real(0.01, 0.5),
        "score_func": Categorical([f_regression, information_about_numbers]),
        "mode": Categorical(["fpr", "fdr", "fwe"]),
    },
    conditions={"mode": When("score_func", [f_regression])},
    dense=MEASURED,
    translate=selection,
)

WITHOUT_TARGET = (
    FAST_ICA,
    FEATURE_AGGLOMERATION,
    KERNEL_PCA,
    RBF_SAMPLER,
    NYSTROEM,
    PCA,
    POLYNOMIAL_FEATURES,
)
FOR_CLASSES = (*WITHOUT_TARGET, SELECT_PERCENTILE, GENERIC_UNIVARIATE_SELECT)
FOR_NUMBERS = (
    *WITHOUT_TARGET,
    SELECT_PERCENTILE_FOR_NUMBERS,
    GENERIC_UNIVARIATE_SELECT_FOR_NUMBERS,
)
