"""Fourteen regressors in the spirit of the paper's classifiers; ranges as in auto-sklearn.

Those with a fixed step size, margin or penalty learn a standardised target (`scale_target`): their
ranges would otherwise mean something else for prices than for shares.
"""

from __future__ import annotations

from curvewise.automl._space.classifiers import GRADIENT_BOOSTING as BOOSTED_CLASSIFIER
from curvewise.automl._space.classifiers import K_NEIGHBORS as NEIGHBORS_CLASSIFIER
from curvewise.automl._space.classifiers import MLP as MLP_CLASSIFIER
from curvewise.automl._space.classifiers import SVC, TOLERANCE
from curvewise.automl._space.component import Component, When
from curvewise.automl._space.parameters import Categorical, Integer, Parameter, Real
from curvewise.automl._space.translations import (
    PASSIVE_IS_GRADIENT,
    boosting,
    layers,
    passive_aggressive,
    small_trees,
)

MARGIN = Real(0.001, 1.0, log=True)

ADA_BOOST = Component(
    name="AdaBoostRegressor",
    target="sklearn.ensemble.AdaBoostRegressor",
    parameters={
        "learning_rate": Real(0.01, 2.0, log=True),
        "loss": Categorical(["linear", "square", "exponential"]),
        "max_depth": Integer(1, 10),
        "n_estimators": Integer(50, 500),
    },
    translate=small_trees,
)

# Its four prior parameters hardly change anything, and would only add weight.
ARD = Component(
    name="ARDRegression",
    target="sklearn.linear_model.ARDRegression",
    parameters={
        "threshold_lambda": Real(1e3, 1e5, log=True),
        "tol": TOLERANCE,
    },
    dense=True,
)

DECISION_TREE = Component(
    name="DecisionTreeRegressor",
    target="curvewise.automl._components.trees.DecisionTreeRegressor",
    parameters={
        "max_depth_factor": Real(0.0, 2.0),
        "min_samples_leaf": Integer(1, 20),
        "min_samples_split": Integer(2, 20),
    },
)

ELASTIC_NET = Component(
    name="ElasticNet",
    target="sklearn.linear_model.ElasticNet",
    parameters={"alpha": Real(1e-5, 10.0, log=True), "l1_ratio": Real(0.01, 1.0), "tol": TOLERANCE},
    scale_target=True,
)

FOREST: dict[str, Parameter] = {
    "bootstrap": Categorical([True, False]),
    "max_features_exponent": Real(0.1, 1.0),
    "min_samples_leaf": Integer(1, 20),
    "min_samples_split": Integer(2, 20),
}
EXTRA_TREES = Component(
    name="ExtraTreesRegressor",
    target="curvewise.automl._components.forests.ExtraTreesRegressor",
    parameters=FOREST,
)
RANDOM_FOREST = Component(
    name="RandomForestRegressor",
    target="curvewise.automl._components.forests.RandomForestRegressor",
    parameters=FOREST,
)

GRADIENT_BOOSTING = Component(
    name="HistGradientBoostingRegressor",
    target="sklearn.ensemble.HistGradientBoostingRegressor",
    parameters=BOOSTED_CLASSIFIER.parameters,
    fixed={**BOOSTED_CLASSIFIER.fixed, "loss": "squared_error"},
    conditions=BOOSTED_CLASSIFIER.conditions,
    translate=boosting,
    dense=True,
)

K_NEIGHBORS = Component(
    name="KNeighborsRegressor",
    target="curvewise.automl._components.neighbors.KNeighborsRegressor",
    parameters=NEIGHBORS_CLASSIFIER.parameters,
)

LINEAR_SVR = Component(
    name="LinearSVR",
    target="sklearn.svm.LinearSVR",
    parameters={
        "C": Real(2**-5, 2**15, log=True),
        "epsilon": MARGIN,
        "loss": Categorical(["epsilon_insensitive", "squared_epsilon_insensitive"]),
        "tol": TOLERANCE,
    },
    fixed={"dual": "auto"},
    scale_target=True,
)

MLP = Component(
    name="MLPRegressor",
    target="sklearn.neural_network.MLPRegressor",
    parameters=MLP_CLASSIFIER.parameters,
    fixed=MLP_CLASSIFIER.fixed,
    translate=layers,
    scale_target=True,
)

PASSIVE_AGGRESSIVE = Component(
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
)

RIDGE = Component(
    name="Ridge",
    target="sklearn.linear_model.Ridge",
    parameters={"alpha": Real(1e-5, 1e4, log=True), "tol": TOLERANCE},
)

SGD = Component(
    name="SGDRegressor",
    target="sklearn.linear_model.SGDRegressor",
    parameters={
        "alpha": Real(1e-7, 0.1, log=True),
        "average": Categorical([False, True]),
        "learning_rate": Categorical(["optimal", "invscaling", "constant"]),
        "loss": Categorical(
            ["squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive"]
        ),
        "penalty": Categorical(["l1", "l2", "elasticnet"]),
        "tol": TOLERANCE,
        "epsilon": Real(1e-5, 0.1, log=True),
        "eta0": Real(1e-7, 0.1, log=True),
        "l1_ratio": Real(1e-9, 1.0, log=True),
        "power_t": Real(1e-5, 1.0),
    },
    conditions={
        "epsilon": When("loss", ["huber", "epsilon_insensitive", "squared_epsilon_insensitive"]),
        "eta0": When("learning_rate", ["invscaling", "constant"]),
        "l1_ratio": When("penalty", ["elasticnet"]),
        "power_t": When("learning_rate", ["invscaling"]),
    },
    scale_target=True,
)

SVR: dict[str, Parameter] = {**SVC, "epsilon": MARGIN}
SVR_LINEAR = Component(
    name="SVR(linear)",
    target="sklearn.svm.SVR",
    parameters=SVR,
    fixed={"kernel": "linear"},
    scale_target=True,
)
SVR_RBF = Component(
    name="SVR(rbf)",
    target="sklearn.svm.SVR",
    parameters=SVR,
    fixed={"kernel": "rbf"},
    scale_target=True,
)
SVR_POLY = Component(
    name="SVR(poly)",
    target="sklearn.svm.SVR",
    parameters={**SVR, "coef0": Real(-1.0, 1.0), "degree": Integer(2, 5)},
    fixed={"kernel": "poly"},
    scale_target=True,
)
SVR_SIGMOID = Component(
    name="SVR(sigmoid)",
    target="sklearn.svm.SVR",
    parameters={**SVR, "coef0": Real(-1.0, 1.0)},
    fixed={"kernel": "sigmoid"},
    scale_target=True,
)

REGRESSORS = (
    ADA_BOOST,
    ARD,
    DECISION_TREE,
    ELASTIC_NET,
    EXTRA_TREES,
    GRADIENT_BOOSTING,
    K_NEIGHBORS,
    LINEAR_SVR,
    MLP,
    PASSIVE_AGGRESSIVE,
    RANDOM_FOREST,
    RIDGE,
    SGD,
    SVR_LINEAR,
    SVR_RBF,
    SVR_POLY,
    SVR_SIGMOID,
)
