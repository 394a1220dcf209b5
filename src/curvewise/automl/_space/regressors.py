"""Fourteen regressors in the spirit of the paper's classifiers; ranges as in auto-sklearn.

Those with a fixed step size, margin or penalty learn a standardised target (`scale_target`): their
ranges would otherwise mean something else for prices than for shares.
"""

from __future__ import annotations

from dataclasses import replace

from curvewise.automl._space.classifiers import (
    GRADIENT_BOOSTING,
    K_NEIGHBORS,
    MLP,
    SGD,
    SVC,
    TOLERANCE,
    with_kernels,
)
from curvewise.automl._space.component import Component, When
from curvewise.automl._space.parameters import Categorical, Integer, Parameter, Real
from curvewise.automl._space.translations import (
    PASSIVE_IS_GRADIENT,
    passive_aggressive,
    small_trees,
)

MARGIN = Real(0.001, 1.0, log=True)
# The losses of gradient descent that overlook small errors, or weigh them differently.
WITH_EPSILON = ["huber", "epsilon_insensitive", "squared_epsilon_insensitive"]
FOREST: dict[str, Parameter] = {
    "bootstrap": Categorical([True, False]),
    "max_features_exponent": Real(0.1, 1.0),
    "min_samples_leaf": Integer(1, 20),
    "min_samples_split": Integer(2, 20),
}

REGRESSORS = (
    Component(
        target="sklearn.ensemble.AdaBoostRegressor",
        parameters={
            "learning_rate": Real(0.01, 2.0, log=True),
            "loss": Categorical(["linear", "square", "exponential"]),
            "max_depth": Integer(1, 10),
            "n_estimators": Integer(50, 500),
        },
        translate=small_trees,
    ),
    # Its four prior parameters hardly change anything, and would only add weight.
    Component(
        target="sklearn.linear_model.ARDRegression",
        parameters={"threshold_lambda": Real(1e3, 1e5, log=True), "tol": TOLERANCE},
        dense=True,
    ),
    Component(
        target="sklearn.tree.DecisionTreeRegressor",
        parameters={
            "max_depth_factor": Real(0.0, 2.0),
            "min_samples_leaf": Integer(1, 20),
            "min_samples_split": Integer(2, 20),
        },
        sized=True,
    ),
    Component(
        target="sklearn.linear_model.ElasticNet",
        parameters={
            "alpha": Real(1e-5, 10.0, log=True),
            "l1_ratio": Real(0.01, 1.0),
            "tol": TOLERANCE,
        },
        scale_target=True,
    ),
    Component(target="sklearn.ensemble.ExtraTreesRegressor", parameters=FOREST, sized=True),
    replace(
        GRADIENT_BOOSTING,
        target="sklearn.ensemble.HistGradientBoostingRegressor",
        name="HistGradientBoostingRegressor",
        fixed={**GRADIENT_BOOSTING.fixed, "loss": "squared_error"},
    ),
    replace(
        K_NEIGHBORS,
        target="sklearn.neighbors.KNeighborsRegressor",
        name="KNeighborsRegressor",
    ),
    Component(
        target="sklearn.svm.LinearSVR",
        parameters={
            "C": Real(2**-5, 2**15, log=True),
            "epsilon": MARGIN,
            "loss": Categorical(["epsilon_insensitive", "squared_epsilon_insensitive"]),
            "tol": TOLERANCE,
        },
        fixed={"dual": "auto"},
        scale_target=True,
    ),
    replace(
        MLP,
        target="sklearn.neural_network.MLPRegressor",
        name="MLPRegressor",
        scale_target=True,
    ),
    Component(
        name="PassiveAggressiveRegressor",
        target="sklearn.linear_model.SGDRegressor"
        if PASSIVE_IS_GRADIENT
        else "sklearn.linear_model.PassiveAggressiveRegressor",
        parameters={
            "C": Real(1e-5, 10.0, log=True),
            "average": Categorical([False, True]),
            "epsilon": MARGIN,
            "loss": Categorical(["epsilon_insensitive", "squared_epsilon_insensitive"]),
            "tol": TOLERANCE,
        },
        translate=passive_aggressive,
        scale_target=True,
    ),
    Component(target="sklearn.ensemble.RandomForestRegressor", parameters=FOREST, sized=True),
    Component(
        target="sklearn.linear_model.Ridge",
        parameters={"alpha": Real(1e-5, 1e4, log=True), "tol": TOLERANCE},
    ),
    replace(
        SGD,
        target="sklearn.linear_model.SGDRegressor",
        name="SGDRegressor",
        parameters={**SGD.parameters, "loss": Categorical(["squared_error", *WITH_EPSILON])},
        conditions={**SGD.conditions, "epsilon": When("loss", WITH_EPSILON)},
        scale_target=True,
    ),
    *with_kernels("sklearn.svm.SVR", {**SVC, "epsilon": MARGIN}, scale_target=True),
)
