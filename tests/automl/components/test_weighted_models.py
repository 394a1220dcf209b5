"""One learner with several seeds."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.neural_network import MLPClassifier, MLPRegressor

from curvewise.automl import Categorical, Component, Real
from curvewise.automl._components.weighted_models import averaged
from curvewise.automl._space.description import describe

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_the_mean_of_several_seeds_is_theirs():
    X, y = load_iris(return_X_y=True)
    networks = averaged(MLPClassifier(hidden_layer_sizes=(5,), max_iter=5, random_state=7), 3).fit(
        X, y
    )
    alone = [
        MLPClassifier(hidden_layer_sizes=(5,), max_iter=5, random_state=7 + i).fit(X, y)
        for i in range(3)
    ]

    expected = np.mean([one.predict_proba(X) for one in alone], axis=0)
    assert np.allclose(networks.predict_proba(X), expected)
    assert np.array_equal(networks.predict(X), networks.classes_[expected.argmax(axis=1)])


def test_what_fitting_takes_besides_goes_to_everybody():
    X, y = load_diabetes(return_X_y=True)
    network = MLPRegressor(hidden_layer_sizes=(5,), max_iter=5, random_state=0)
    weights = np.linspace(0, 2, len(y))
    weighted = averaged(network, 2).fit(X, y, sample_weight=weights)

    expected = [
        MLPRegressor(hidden_layer_sizes=(5,), max_iter=5, random_state=i)
        .fit(X, y, sample_weight=weights)
        .predict(X)
        for i in range(2)
    ]
    assert np.allclose(weighted.predict(X), np.mean(expected, axis=0))


@pytest.mark.parametrize(("n_seeds", "kind"), [(1, "MLPRegressor"), (4, "WeightedRegressor")])
def test_a_component_may_draw_how_many_seeds_there_are(n_seeds, kind):
    component = Component(
        target="sklearn.neural_network.MLPRegressor",
        parameters={"n_seeds": Categorical([n_seeds])},
        averaged=True,
    )
    learner = component.sample(np.random.RandomState(0))

    assert type(learner).__name__ == kind
    assert describe(learner)["algorithm"] == "MLPRegressor"
    if n_seeds > 1:
        assert len({one.random_state for one in learner.estimators}) == n_seeds


def test_sizes_are_settled_for_each_of_several():
    X, y = load_diabetes(return_X_y=True)
    component = Component(
        target="sklearn.ensemble.RandomForestRegressor",
        parameters={"max_features_exponent": Real(0.2, 0.9)},
        fixed={"n_estimators": 3},
        sized=True,
        averaged=True,
    )
    forests = component.build({"max_features_exponent": 0.5, "n_seeds": 2}).fit(X, y)

    seeds = [one.estimator_.random_state for one in forests.estimators_]
    assert seeds == [0, 1]
