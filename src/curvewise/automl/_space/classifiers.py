"""The paper's fourteen classifiers; the support vector machine comes with four kernels."""

from __future__ import annotations

from collections.abc import Mapping

from curvewise.automl._space.component import Component, When
from curvewise.automl._space.parameters import Categorical, Integer, Parameter, Real
from curvewise.automl._space.translations import (
    PASSIVE_IS_GRADIENT,
    boosting,
    layers,
    passive_aggressive,
    shrinkage,
)

TOLERANCE = Real(1e-5, 0.1, log=True)
BAYES: dict[str, Parameter] = {
    "alpha": Real(0.01, 100.0, log=True),
    "fit_prior": Categorical([True, False]),
}
FOREST: dict[str, Parameter] = {
    "bootstrap": Categorical([True, False]),
    "criterion": Categorical(["gini", "entropy"]),
    "max_features_exponent": Real(0.0, 1.0),
    "min_samples_leaf": Integer(1, 20),
    "min_samples_split": Integer(2, 20),
}
# The paper's GradientBoosting has this one's parameters, and today's name for its loss.
GRADIENT_BOOSTING = Component(
    target="sklearn.ensemble.HistGradientBoostingClassifier",
    parameters={
        "early_stop": Categorical(["off", "valid", "train"]),
        "l2_regularization": Real(1e-10, 1.0, log=True),
        "learning_rate": Real(0.01, 1.0, log=True),
        "max_leaf_nodes": Integer(3, 2047, log=True),
        "min_samples_leaf": Integer(1, 200, log=True),
        "n_iter_no_change": Integer(1, 20),
        "validation_fraction": Real(0.01, 0.4),
    },
    fixed={"loss": "log_loss", "max_bins": 255, "scoring": "loss", "tol": 1e-7},
    conditions={
        "n_iter_no_change": When("early_stop", ["valid", "train"]),
        "validation_fraction": When("early_stop", ["valid"]),
    },
    translate=boosting,
    dense=True,
)
K_NEIGHBORS = Component(
    target="sklearn.neighbors.KNeighborsClassifier",
    parameters={
        "n_neighbors": Integer(1, 100, log=True),
        "p": Categorical([1, 2]),
        "weights": Categorical(["uniform", "distance"]),
    },
    sized=True,
)
MLP = Component(
    target="sklearn.neural_network.MLPClassifier",
    parameters={
        "activation": Categorical(["tanh", "relu"]),
        "alpha": Real(1e-7, 0.1, log=True),
        "early_stopping": Categorical(["valid", "train"]),
        "hidden_layer_depth": Integer(1, 3),
        "learning_rate_init": Real(1e-4, 0.5, log=True),
        "num_nodes_per_layer": Integer(16, 264, log=True),
    },
    fixed={"solver": "adam", "n_iter_no_change": 32, "tol": 1e-4, "validation_fraction": 0.1},
    translate=layers,
)
SGD = Component(
    target="sklearn.linear_model.SGDClassifier",
    parameters={
        "alpha": Real(1e-7, 0.1, log=True),
        "average": Categorical([False, True]),
        "learning_rate": Categorical(["optimal", "invscaling", "constant"]),
        "loss": Categorical(["hinge", "log_loss", "modified_huber", "squared_hinge", "perceptron"]),
        "penalty": Categorical(["l1", "l2", "elasticnet"]),
        "tol": TOLERANCE,
        "epsilon": Real(1e-5, 0.1, log=True),
        "eta0": Real(1e-7, 0.1, log=True),
        "l1_ratio": Real(1e-9, 1.0, log=True),
        "power_t": Real(1e-5, 1.0),
    },
    conditions={
        "epsilon": When("loss", ["modified_huber"]),
        "eta0": When("learning_rate", ["invscaling", "constant"]),
        "l1_ratio": When("penalty", ["elasticnet"]),
        "power_t": When("learning_rate", ["invscaling"]),
    },
)
SVC: dict[str, Parameter] = {
    "C": Real(2**-5, 2**15, log=True),
    # The linear kernel takes no gamma; it has its share in the paper's weights all the same.
    "gamma": Real(2**-15, 8.0, log=True),
    "shrinking": Categorical([True, False]),
    "tol": TOLERANCE,
}
KERNELS: dict[str, dict[str, Parameter]] = {
    "linear": {},
    "rbf": {},
    "poly": {"coef0": Real(-1.0, 1.0), "degree": Integer(2, 5)},
    "sigmoid": {"coef0": Real(-1.0, 1.0)},
}


def with_kernels(
    target: str, parameters: Mapping[str, Parameter], *, scale_target: bool = False
) -> tuple[Component, ...]:
    """Give a support vector machine once per kernel."""
    return tuple(
        Component(
            target=target,
            name=f"{target.rpartition('.')[2]}({kernel})",
            parameters={**parameters, **of_kernel},
            fixed={"kernel": kernel},
            scale_target=scale_target,
        )
        for kernel, of_kernel in KERNELS.items()
    )


CLASSIFIERS = (
    Component(target="sklearn.naive_bayes.BernoulliNB", parameters=BAYES),
    Component(
        target="sklearn.tree.DecisionTreeClassifier",
        parameters={
            "criterion": Categorical(["gini", "entropy"]),
            "max_depth_factor": Real(0.0, 2.0),
            "min_samples_leaf": Integer(1, 20),
            "min_samples_split": Integer(2, 20),
        },
        sized=True,
    ),
    Component(target="sklearn.ensemble.ExtraTreesClassifier", parameters=FOREST, sized=True),
    Component(target="sklearn.naive_bayes.GaussianNB", dense=True),
    GRADIENT_BOOSTING,
    K_NEIGHBORS,
    Component(
        target="sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
        parameters={
            "shrinkage": Categorical([None, "auto", "manual"]),
            "tol": TOLERANCE,
            "shrinkage_factor": Real(0.0, 1.0),
        },
        conditions={"shrinkage_factor": When("shrinkage", ["manual"])},
        translate=shrinkage,
        dense=True,
    ),
    *with_kernels("sklearn.svm.SVC", SVC),
    MLP,
    Component(target="sklearn.naive_bayes.MultinomialNB", parameters=BAYES, needs_nonnegative=True),
    Component(
        name="PassiveAggressiveClassifier",
        target="sklearn.linear_model.SGDClassifier"
        if PASSIVE_IS_GRADIENT
        else "sklearn.linear_model.PassiveAggressiveClassifier",
        parameters={
            "C": Real(1e-5, 10.0, log=True),
            "average": Categorical([False, True]),
            "loss": Categorical(["hinge", "squared_hinge"]),
            "tol": TOLERANCE,
        },
        translate=passive_aggressive,
    ),
    Component(
        target="sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis",
        parameters={"reg_param": Real(0.0, 1.0)},
        dense=True,
    ),
    Component(target="sklearn.ensemble.RandomForestClassifier", parameters=FOREST, sized=True),
    SGD,
)
