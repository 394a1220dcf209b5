"""Translations: what our spaces call differently from scikit-learn, for classes and numbers alike.

Each takes the values that were drawn and gives the constructor's arguments. The files of the
default spaces name them; those of users cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sklearn
from sklearn.feature_selection import chi2, f_classif, f_regression
from sklearn.tree import DecisionTreeRegressor

from curvewise.automl._components.column_scores import (
    information_about_classes,
    information_about_numbers,
)

# Since then the passive-aggressive learners are a learning rate of stochastic gradient descent.
PASSIVE_IS_GRADIENT = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8)
MOVED = {
    "sklearn.linear_model.PassiveAggressiveClassifier": "sklearn.linear_model.SGDClassifier",
    "sklearn.linear_model.PassiveAggressiveRegressor": "sklearn.linear_model.SGDRegressor",
}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "chi2": chi2,
    "f_classif": f_classif,
    "f_regression": f_regression,
    "information about classes": information_about_classes,
    "information about numbers": information_about_numbers,
    "max": np.max,
    "mean": np.mean,
    "median": np.median,
}
FUNCTION_ARGUMENTS = {"score_func", "pooling_func"}


def layers(values: dict[str, Any]) -> dict[str, Any]:
    """Give a multi-layer perceptron its layers, all of the same width, and how it stops."""
    values = dict(values)
    sizes = (values.pop("num_nodes_per_layer"),) * values.pop("hidden_layer_depth")
    return {
        **values,
        "early_stopping": values["early_stopping"] == "valid",
        "hidden_layer_sizes": sizes,
    }


def boosting(values: dict[str, Any]) -> dict[str, Any]:
    """Say when gradient boosting stops."""
    values = dict(values)
    stop = values.pop("early_stop")
    values["early_stopping"] = stop != "off"
    if stop == "train":
        values["validation_fraction"] = None
    return values


def shrinkage(values: dict[str, Any]) -> dict[str, Any]:
    """Give linear discriminant analysis its shrinkage, and a solver that can shrink."""
    values = dict(values)
    factor = values.pop("shrinkage_factor", None)
    if values["shrinkage"] == "manual":
        values["shrinkage"] = factor
    return {**values, "solver": "svd" if values["shrinkage"] is None else "lsqr"}


def passive_aggressive(values: dict[str, Any]) -> dict[str, Any]:
    """Give a passive-aggressive learner as stochastic gradient descent, where that is its home."""
    if not PASSIVE_IS_GRADIENT:
        return values
    values = dict(values)
    loss, step = values["loss"], values.pop("C")
    return {
        **values,
        "loss": loss.removeprefix("squared_"),
        "learning_rate": "pa2" if loss.startswith("squared_") else "pa1",
        "penalty": None,
        "eta0": step,
    }


def small_trees(values: dict[str, Any]) -> dict[str, Any]:
    """Give AdaBoost the trees that it boosts."""
    values = dict(values)
    tree = DecisionTreeRegressor(max_depth=values.pop("max_depth"))
    return {**values, "estimator": tree}


def as_percent(values: dict[str, Any]) -> dict[str, Any]:
    """Give RobustScaler its quantiles in percent."""
    # Deviates: 21. The authors pass fractions, which scikit-learn reads as percent.
    return {"quantile_range": (100 * values["q_min"], 100 * values["q_max"])}


def functions(values: dict[str, Any]) -> dict[str, Any]:
    """Give an estimator the functions that a file can only name."""
    given = {name: FUNCTIONS[values[name]] for name in FUNCTION_ARGUMENTS & values.keys()}
    return {**values, **given}


def selection(values: dict[str, Any]) -> dict[str, Any]:
    """Give GenericUnivariateSelect a level of significance, or a share of columns to keep."""
    values = functions(values)
    alpha = values.pop("alpha")
    if "mode" in values:
        return {**values, "param": alpha}
    # Deviates: 22. Mutual information has no p-values; scikit-learn's percentile is in percent.
    return {**values, "mode": "percentile", "param": 100 * alpha}


TRANSLATIONS = {
    function.__name__: function
    for function in (
        *(as_percent, boosting, functions, layers, passive_aggressive),
        *(selection, shrinkage, small_trees),
    )
}
