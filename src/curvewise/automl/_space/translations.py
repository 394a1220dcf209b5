"""Translations: what the space calls differently from scikit-learn, for classes and numbers alike.

Each takes the values that were drawn and gives the constructor's arguments.
"""

from __future__ import annotations

from typing import Any

import sklearn

# Since then the passive-aggressive learners are a learning rate of stochastic gradient descent.
PASSIVE_IS_GRADIENT = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8)


def layers(values: dict[str, Any]) -> dict[str, Any]:
    """Give a multi-layer perceptron its layers, all of the same width, and how it stops.

    Examples
    --------
    >>> layers({"hidden_layer_depth": 2, "num_nodes_per_layer": 32, "early_stopping": "valid"})
    {'early_stopping': True, 'hidden_layer_sizes': (32, 32)}
    """
    values = dict(values)
    sizes = (values.pop("num_nodes_per_layer"),) * values.pop("hidden_layer_depth")
    return {
        **values,
        "early_stopping": values["early_stopping"] == "valid",
        "hidden_layer_sizes": sizes,
    }


def boosting(values: dict[str, Any]) -> dict[str, Any]:
    """Say when gradient boosting stops.

    Examples
    --------
    >>> boosting({"early_stop": "train", "n_iter_no_change": 5})
    {'n_iter_no_change': 5, 'early_stopping': True, 'validation_fraction': None}
    """
    values = dict(values)
    stop = values.pop("early_stop")
    values["early_stopping"] = stop != "off"
    if stop == "train":
        values["validation_fraction"] = None
    return values


def shrinkage(values: dict[str, Any]) -> dict[str, Any]:
    """Give linear discriminant analysis its shrinkage, and a solver that can shrink.

    Examples
    --------
    >>> shrinkage({"shrinkage": "manual", "shrinkage_factor": 0.3})
    {'shrinkage': 0.3, 'solver': 'lsqr'}
    >>> shrinkage({"shrinkage": None})
    {'shrinkage': None, 'solver': 'svd'}
    """
    values = dict(values)
    factor = values.pop("shrinkage_factor", None)
    if values["shrinkage"] == "manual":
        values["shrinkage"] = factor
    return {**values, "solver": "svd" if values["shrinkage"] is None else "lsqr"}


def passive_aggressive(values: dict[str, Any]) -> dict[str, Any]:
    """Give a passive-aggressive learner as stochastic gradient descent, where that is its home.

    Examples
    --------
    >>> "hinge" in passive_aggressive({"C": 0.5, "loss": "hinge"}).values()
    True
    """
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
    """Give AdaBoost the trees that it boosts.

    Examples
    --------
    >>> small_trees({"max_depth": 3, "learning_rate": 0.1})
    {'learning_rate': 0.1, 'estimator': DecisionTreeRegressor(max_depth=3)}
    """
    from sklearn.tree import DecisionTreeRegressor

    values = dict(values)
    tree = DecisionTreeRegressor(max_depth=values.pop("max_depth"))
    return {**values, "estimator": tree}


def as_percent(values: dict[str, Any]) -> dict[str, Any]:
    """Give RobustScaler its quantiles in percent.

    Examples
    --------
    >>> as_percent({"q_min": 0.25, "q_max": 0.75})
    {'quantile_range': (25.0, 75.0)}
    """
    # Deviates: the authors pass fractions, which scikit-learn reads as percent.
    return {"quantile_range": (100 * values["q_min"], 100 * values["q_max"])}


def selection(values: dict[str, Any]) -> dict[str, Any]:
    """Give GenericUnivariateSelect a level of significance, or a share of columns to keep.

    Examples
    --------
    >>> selection({"alpha": 0.1, "score_func": "chi2", "mode": "fdr"})["param"]
    0.1
    >>> selection({"alpha": 0.1, "score_func": "mutual information"})["mode"]
    'percentile'
    """
    values = dict(values)
    alpha = values.pop("alpha")
    if "mode" in values:
        return {**values, "param": alpha}
    # Mutual information has no p-values. Deviates: scikit-learn's percentile is in percent.
    return {**values, "mode": "percentile", "param": 100 * alpha}
