"""Sizes that data decides are settled in fit, and what was given stays as it was set."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.cluster import FeatureAgglomeration
from sklearn.decomposition import FastICA, KernelPCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, QuantileTransformer
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator

from curvewise.automl import SizedByData
from curvewise.automl._components.sizes import n_monomials

RNG = np.random.RandomState(0)
X = RNG.rand(30, 9)
Y = np.arange(30) % 2
# What is given, and scikit-learn's own estimator with the sizes that 30 rows and 9 columns allow.
PLAIN = [
    (
        SizedByData(DecisionTreeClassifier(random_state=0), max_depth_factor=0.3),
        DecisionTreeClassifier(max_depth=3, random_state=0),
    ),
    (
        SizedByData(DecisionTreeRegressor(random_state=0), max_depth_factor=0.0),
        DecisionTreeRegressor(max_depth=1, random_state=0),
    ),
    *(
        (
            SizedByData(kind(n_estimators=3, random_state=1), max_features_exponent=0.8),
            kind(n_estimators=3, max_features=5, random_state=1),
        )
        for kind in (
            ExtraTreesClassifier,
            ExtraTreesRegressor,
            RandomForestClassifier,
            RandomForestRegressor,
        )
    ),
    (SizedByData(KNeighborsClassifier(100)), KNeighborsClassifier(30)),
    (SizedByData(KNeighborsRegressor(7)), KNeighborsRegressor(7)),
    (SizedByData(FastICA(100, random_state=0)), FastICA(9, random_state=0)),
    (SizedByData(FeatureAgglomeration(25)), FeatureAgglomeration(9)),
    (SizedByData(FeatureAgglomeration(4)), FeatureAgglomeration(4)),
    (SizedByData(KernelPCA(5)), KernelPCA(5)),
    (
        SizedByData(Nystroem(n_components=100, random_state=0)),
        Nystroem(n_components=30, random_state=0),
    ),
    (
        SizedByData(RBFSampler(n_components=50, random_state=0)),
        RBFSampler(n_components=50, random_state=0),
    ),
    (SizedByData(PolynomialFeatures(3)), PolynomialFeatures(3)),
    (
        SizedByData(QuantileTransformer(n_quantiles=1000, random_state=0)),
        QuantileTransformer(n_quantiles=30, random_state=0),
    ),
]


@pytest.mark.parametrize(
    "estimator",
    [
        SizedByData(DecisionTreeClassifier(random_state=0), max_depth_factor=2.0),
        SizedByData(DecisionTreeRegressor(random_state=0), max_depth_factor=2.0),
        SizedByData(ExtraTreesRegressor(5, random_state=0), max_features_exponent=0.5),
        SizedByData(FeatureAgglomeration()),
        SizedByData(KNeighborsClassifier()),
        SizedByData(KNeighborsRegressor()),
        SizedByData(Nystroem(n_components=2, random_state=0)),
        SizedByData(PolynomialFeatures()),
        SizedByData(QuantileTransformer(n_quantiles=10, random_state=0)),
    ],
    ids=lambda one: type(one.estimator).__name__,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_contract(estimator):
    check_estimator(estimator, on_skip=None)


@pytest.mark.parametrize(("sized", "plain"), PLAIN, ids=lambda one: str(one)[:60])
def test_it_answers_as_the_estimator_with_these_sizes_does(sized, plain):
    sized, plain = clone(sized), clone(plain)
    if hasattr(plain, "transform"):
        assert np.array_equal(sized.fit_transform(X), plain.fit_transform(X))
        assert np.array_equal(sized.transform(X[:4]), plain.transform(X[:4]))
        assert list(sized.get_feature_names_out()) == list(plain.get_feature_names_out())
        return
    sized.fit(X, Y)
    plain.fit(X, Y)

    assert np.array_equal(sized.predict(X), plain.predict(X))
    assert sized.score(X, Y) == plain.score(X, Y)
    assert hasattr(sized, "predict_proba") == hasattr(plain, "predict_proba")
    if is_classifier(plain):
        assert np.array_equal(sized.predict_proba(X), plain.predict_proba(X))


def test_a_forest_looks_at_a_power_of_the_columns_that_it_sees():
    forest = SizedByData(RandomForestClassifier(n_estimators=1), max_features_exponent=0.5)
    forest.fit(X, Y)
    again = clone(forest).fit(X[:, :4], Y)

    assert forest.estimators_[0].max_features == 3
    assert again.estimators_[0].max_features == 2
    assert forest.get_params()["max_features_exponent"] == 0.5


def test_an_exponent_of_zero_means_one_column_and_of_one_all():
    for exponent, n_columns in ((0.0, 1), (1.0, 9)):
        forest = SizedByData(RandomForestClassifier(1), max_features_exponent=exponent).fit(X, Y)
        assert forest.estimators_[0].max_features == n_columns


def test_a_tree_has_at_least_one_level():
    tree = SizedByData(DecisionTreeClassifier(), max_depth_factor=0.0).fit(X, Y)

    assert tree.get_depth() == 1


def test_weights_of_rows_reach_the_trees():
    twins = [[0.0], [0.0]]
    tree = SizedByData(DecisionTreeClassifier()).fit(twins, [0, 1], sample_weight=[1.0, 2.0])

    assert tree.predict(twins).tolist() == [1, 1]


def test_weights_of_rows_are_routed_to_the_trees():
    twins = [[0.0], [0.0]]
    with sklearn.config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier().set_fit_request(sample_weight=True)
        pipeline = make_pipeline(SizedByData(tree))
        pipeline.fit(twins, [0, 1], sample_weight=[1.0, 2.0])

    assert pipeline.predict(twins).tolist() == [1, 1]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_all_rows_are_neighbours_if_there_are_fewer_than_asked_for(weights):
    classifier = SizedByData(KNeighborsClassifier(100, weights=weights)).fit(X[:5], Y[:5])
    regressor = SizedByData(KNeighborsRegressor(100)).fit(X[:5], X[:5, 0])

    assert classifier.predict_proba(X).shape == (30, 2)
    assert classifier.kneighbors(X)[0].shape == (30, 5)
    assert regressor.predict(X) == pytest.approx(X[:5, 0].mean())
    assert classifier.estimator.n_neighbors == 100


def test_what_was_given_stays_as_it_was_after_a_failure():
    agglomeration = SizedByData(FeatureAgglomeration(50))

    with pytest.raises(ValueError, match="NaN"):
        agglomeration.fit(np.full((5, 3), np.nan))
    assert agglomeration.estimator.n_clusters == 50


@pytest.mark.parametrize(
    ("transformer", "rows", "message"),
    [
        (PolynomialFeatures(3), np.broadcast_to(0.0, (1000, 2000)), "1,000 x 1,337,337,001"),
        (KernelPCA(10), np.broadcast_to(0.0, (50_000, 3)), "50,000 x 50,000"),
        (Nystroem(n_components=10_000), np.broadcast_to(0.0, (50_000, 3)), "50,000 x 10,000"),
        (RBFSampler(n_components=10_000), np.broadcast_to(0.0, (50_000, 3)), "50,000 x 10,000"),
        (FeatureAgglomeration(2), np.broadcast_to(0.0, (3, 50_000)), "50,000 x 50,000"),
    ],
)
def test_what_would_not_fit_into_memory_fails_before_it_is_made(transformer, rows, message):
    for fit in (SizedByData(transformer).fit, SizedByData(transformer).fit_transform):
        with pytest.raises(ValueError, match=message):
            fit(rows)


def test_a_sparse_expansion_counts_what_is_not_zero():
    few = sparse.random(200, 2000, density=0.001, format="csr", random_state=0)

    assert sparse.issparse(SizedByData(PolynomialFeatures(2)).fit_transform(few))


@pytest.mark.parametrize("interaction_only", [True, False])
@pytest.mark.parametrize("include_bias", [True, False])
def test_the_size_of_an_expansion_is_known_in_advance(interaction_only, include_bias):
    for degree in (2, 3):
        expansion = PolynomialFeatures(
            degree, interaction_only=interaction_only, include_bias=include_bias
        ).fit(X)
        assert n_monomials(expansion, 9) == expansion.n_output_features_


def test_fitted_components_can_be_pickled():
    forest = SizedByData(RandomForestClassifier(n_estimators=2, random_state=0)).fit(X, Y)

    assert np.array_equal(pickle.loads(pickle.dumps(forest)).predict(X), forest.predict(X))


def test_it_is_of_the_kind_of_its_estimator():
    assert is_classifier(SizedByData(KNeighborsClassifier()))
    assert is_regressor(SizedByData(KNeighborsRegressor()))
    assert not hasattr(SizedByData(KNeighborsClassifier()), "transform")
    assert not hasattr(SizedByData(SVC()), "predict_proba")
    assert not hasattr(SizedByData(Nystroem()), "predict")


def test_before_a_fit_there_is_nothing_to_predict_with():
    with pytest.raises(NotFittedError):
        SizedByData(KNeighborsClassifier()).predict(X)
    assert not hasattr(SizedByData(KNeighborsClassifier()), "classes_")


def test_the_estimators_parameters_can_be_searched_over():
    grid = {"estimator__min_samples_leaf": [1, 5], "max_depth_factor": [0.1, 2.0]}
    search = GridSearchCV(SizedByData(DecisionTreeClassifier(random_state=0)), grid, cv=3)

    assert search.fit(X, Y).best_params_.keys() == grid.keys()


def test_frames_go_in_and_come_out():
    frame = pd.DataFrame(X, columns=list("abcdefghi"))
    transformer = SizedByData(QuantileTransformer(n_quantiles=100)).set_output(transform="pandas")

    assert list(transformer.fit_transform(frame).columns) == list(frame.columns)
    assert transformer.feature_names_in_.tolist() == list(frame.columns)
