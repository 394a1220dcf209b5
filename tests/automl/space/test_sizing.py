"""Parameters that data decides are resolved in fit, and stay as they were set."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from curvewise.automl._components.dense import Dense
from curvewise.automl._components.forests import ExtraTreesRegressor, RandomForestClassifier
from curvewise.automl._components.neighbors import KNeighborsClassifier, KNeighborsRegressor
from curvewise.automl._components.transformers import (
    FeatureAgglomeration,
    KernelPCA,
    Nystroem,
    PolynomialFeatures,
    QuantileTransformer,
    RBFSampler,
)
from curvewise.automl._components.trees import DecisionTreeClassifier, DecisionTreeRegressor

RNG = np.random.RandomState(0)
X = RNG.rand(30, 9)
Y = np.arange(30) % 2


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(max_depth_factor=2.0),
        DecisionTreeRegressor(max_depth_factor=2.0),
        Dense(),
        ExtraTreesRegressor(n_estimators=5),
        FeatureAgglomeration(),
        KNeighborsClassifier(),
        KNeighborsRegressor(),
        Nystroem(n_components=2),
        PolynomialFeatures(),
        QuantileTransformer(n_quantiles=10),
    ],
    ids=lambda one: type(one).__name__,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_contract(estimator):
    check_estimator(estimator, on_skip=None)


def test_a_forest_looks_at_a_power_of_the_columns():
    forest = RandomForestClassifier(n_estimators=1, max_features_exponent=0.5).fit(X, Y)
    again = clone(forest).fit(X[:, :4], Y)

    assert forest.estimators_[0].max_features == 3
    assert again.estimators_[0].max_features == 2
    assert forest.get_params()["max_features_exponent"] == 0.5


def test_an_exponent_of_zero_means_one_column_and_of_one_all():
    for exponent, n_columns in ((0.0, 1), (1.0, 9)):
        forest = RandomForestClassifier(n_estimators=1, max_features_exponent=exponent).fit(X, Y)
        assert forest.estimators_[0].max_features == n_columns


def test_a_tree_has_at_least_one_level():
    assert DecisionTreeClassifier(max_depth_factor=0.0).fit(X, Y).get_depth() == 1


def test_weights_of_rows_reach_the_trees():
    twins = [[0.0], [0.0]]
    tree = DecisionTreeClassifier().fit(twins, [0, 1], sample_weight=[1.0, 2.0])

    assert tree.predict(twins).tolist() == [1, 1]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_all_rows_are_neighbours_if_there_are_fewer_than_asked_for(weights):
    classifier = KNeighborsClassifier(100, weights=weights).fit(X[:5], Y[:5])
    regressor = KNeighborsRegressor(100).fit(X[:5], X[:5, 0])

    assert classifier.predict_proba(X).shape == (30, 2)
    assert classifier.kneighbors(X)[0].shape == (30, 5)
    assert regressor.predict(X) == pytest.approx(X[:5, 0].mean())
    assert classifier.n_neighbors == 100


def test_parameters_come_back_after_a_failure():
    agglomeration = FeatureAgglomeration(50)

    with pytest.raises(ValueError, match="NaN"):
        agglomeration.fit(np.full((5, 3), np.nan))
    assert agglomeration.n_clusters == 50


@pytest.mark.parametrize(
    ("transformer", "rows", "message"),
    [
        (PolynomialFeatures(3), np.broadcast_to(0.0, (1000, 2000)), "1,000 x 1,337,337,001"),
        (KernelPCA(10), np.broadcast_to(0.0, (50_000, 3)), "50,000 x 50,000"),
        (Nystroem(n_components=10_000), np.broadcast_to(0.0, (50_000, 3)), "50,000 x 10,000"),
        (RBFSampler(n_components=10_000), np.broadcast_to(0.0, (50_000, 3)), "50,000 x 10,000"),
        (FeatureAgglomeration(2), np.broadcast_to(0.0, (3, 50_000)), "50,000 x 50,000"),
        (Dense(), sparse.csr_array((50_000, 50_000)), "50,000 x 50,000"),
    ],
)
def test_what_would_not_fit_into_memory_fails_before_it_is_made(transformer, rows, message):
    with pytest.raises(ValueError, match=message):
        transformer.fit(rows)


def test_a_sparse_expansion_counts_what_is_not_zero():
    few = sparse.random(200, 2000, density=0.001, format="csr", random_state=0)

    assert sparse.issparse(PolynomialFeatures(2).fit_transform(few))


@pytest.mark.parametrize("interaction_only", [True, False])
@pytest.mark.parametrize("include_bias", [True, False])
def test_the_size_of_an_expansion_is_known_in_advance(interaction_only, include_bias):
    for degree in (2, 3):
        expansion = PolynomialFeatures(
            degree, interaction_only=interaction_only, include_bias=include_bias
        ).fit(X)
        assert expansion._n_monomials(9) == expansion.n_output_features_


def test_fitted_components_can_be_pickled():
    forest = RandomForestClassifier(n_estimators=2, random_state=0).fit(X, Y)

    assert np.array_equal(pickle.loads(pickle.dumps(forest)).predict(X), forest.predict(X))
