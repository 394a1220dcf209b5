"""`CurveSearchCV` is a search of scikit-learn's kind: same folds, same table, same manners."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import loguniform
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_multilabel_classification,
)
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, RandomizedSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import get_tags

from curvewise import CurveSearchCV, KFoldCV, Status
from curvewise.core._decisions import Complete
from curvewise.executors import Listener

X, y = load_iris(return_X_y=True)
TUMOURS = tuple(part[::3] for part in load_breast_cancer(return_X_y=True))
DIGITS = tuple(part[::6] for part in load_digits(return_X_y=True))
DIABETES = tuple(part[::2] for part in load_diabetes(return_X_y=True))
RNG = np.random.default_rng(0)
WEIGHTS = RNG.uniform(0.1, 2.0, 150)
GROUPS = RNG.integers(0, 20, 150)
TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [1, 2, 5]}
NEIGHBOURS = {"n_neighbors": [1, 5, 25]}


@dataclass
class Case:
    data: tuple
    estimator: Any
    space: Any
    settings: dict = field(default_factory=dict)
    params: dict = field(default_factory=dict)


CASES = {
    "iris, neighbours": Case((X, y), KNeighborsClassifier(), NEIGHBOURS),
    "wine, pipeline": Case(
        load_wine(return_X_y=True),
        make_pipeline(StandardScaler(), SVC()),
        {"svc__C": [0.01, 1, 10], "svc__kernel": ["linear", "rbf"]},
        {"scoring": "f1_macro"},
    ),
    "tumours, tree": Case(TUMOURS, TREE, DEPTHS, {"scoring": "roc_auc", "cv": 3}),
    "digits, bayes": Case(
        DIGITS,
        MultinomialNB(),
        [{"alpha": [0.1, 1, 100]}, {"fit_prior": [False]}],
        {"cv": StratifiedKFold(3, shuffle=True, random_state=1)},
    ),
    "diabetes, ridge": Case(DIABETES, Ridge(), {"alpha": [0.01, 1, 100]}),
    "diabetes, neighbours": Case(
        DIABETES, KNeighborsRegressor(), NEIGHBOURS, {"scoring": "neg_mean_absolute_error"}
    ),
    "tumours, several metrics": Case(
        TUMOURS,
        TREE,
        DEPTHS,
        {
            "scoring": {"hits": make_scorer(accuracy_score), "area": "roc_auc"},
            "refit": "area",
            "return_train_score": True,
        },
    ),
    "diabetes, training scores": Case(
        DIABETES, DecisionTreeRegressor(random_state=0), DEPTHS, {"return_train_score": True}
    ),
    "iris, sample weights": Case((X, y), TREE, DEPTHS, params={"sample_weight": WEIGHTS}),
    "iris, groups": Case((X, y), TREE, DEPTHS, {"cv": GroupKFold(4)}, {"groups": GROUPS}),
    "multilabel": Case(
        make_multilabel_classification(120, 6, random_state=0),
        KNeighborsClassifier(),
        NEIGHBOURS,
        {"scoring": "f1_macro"},
    ),
    "sparse": Case((sparse.csr_array(X), y), MultinomialNB(), {"alpha": [0.1, 1, 100]}),
}


def fit(case, **more):
    search = CurveSearchCV(case.estimator, case.space, **case.settings, **more)
    return search.fit(*case.data, **case.params)


def fit_grid(case):
    search = GridSearchCV(case.estimator, case.space, **case.settings)
    return search.fit(*case.data, **case.params)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_with_k_fold_it_is_a_grid_search(case):
    grid = fit_grid(case)

    search = fit(case, policy=KFoldCV())

    for column, values in grid.cv_results_.items():
        if not column.endswith("_time"):
            assert_array_equal(search.cv_results_[column], values, err_msg=column)
    assert search.best_index_ == grid.best_index_
    assert search.best_params_ == grid.best_params_
    assert search.best_score_ == grid.best_score_
    assert search.n_splits_ == grid.n_splits_
    assert search.multimetric_ == grid.multimetric_
    assert_array_equal(search.predict(case.data[0]), grid.predict(case.data[0]))
    assert search.score(*case.data) == grid.score(*case.data)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_chosen_one_has_its_exact_score(case):
    grid = fit_grid(case)

    search = fit(case, random_state=0)

    column = f"mean_test_{search.refit if search.multimetric_ else 'score'}"
    assert search.best_score_ == grid.cv_results_[column][search.best_index_]
    assert search.results_[search.best_index_].status is Status.COMPLETED


def test_the_same_seed_draws_what_a_randomized_search_draws():
    space = {"C": loguniform(0.01, 100), "kernel": ["linear", "rbf"]}
    random = RandomizedSearchCV(SVC(), space, n_iter=4, random_state=3).fit(X, y)

    search = CurveSearchCV(SVC(), space, n_iter=4, random_state=3, policy=KFoldCV()).fit(X, y)

    assert search.cv_results_["params"] == random.cv_results_["params"]
    assert_array_equal(search.cv_results_["mean_test_score"], random.cv_results_["mean_test_score"])


def test_of_distributions_ten_are_drawn():
    search = CurveSearchCV(GaussianNB(), {"var_smoothing": loguniform(1e-9, 1)}, random_state=0)

    assert len(search.fit(X, y).results_) == 10


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_data_frames_are_taken_as_they_are(frame):
    names = ["a", "b", "c", "d"]
    table = frame({name: X[:, i] for i, name in enumerate(names)})
    pipeline = make_pipeline(StandardScaler(), KNeighborsClassifier())
    space = {"kneighborsclassifier__n_neighbors": [1, 5]}

    search = CurveSearchCV(pipeline, space).fit(table, y)

    assert search.feature_names_in_.tolist() == names
    assert search.n_features_in_ == 4
    assert search.score(table, y) > 0.9


def test_arrays_have_no_feature_names():
    search = CurveSearchCV(TREE, DEPTHS).fit(X, y)

    assert not hasattr(search, "feature_names_in_")


def test_a_transformer_goes_there_and_back():
    search = CurveSearchCV(PCA(), {"n_components": [1, 4]}).fit(X)

    assert search.best_params_ == {"n_components": 4}
    assert_allclose(search.inverse_transform(search.transform(X)), X)


def test_with_metadata_routing_everybody_gets_what_was_asked_for():
    tree = clone(TREE)
    scorer = get_scorer("accuracy")
    with config_context(enable_metadata_routing=True):
        tree.set_fit_request(sample_weight=True)
        scorer.set_score_request(sample_weight=True)
        settings = {"cv": GroupKFold(4), "scoring": scorer}
        params = {"sample_weight": WEIGHTS, "groups": GROUPS}
        grid = GridSearchCV(tree, DEPTHS, **settings).fit(X, y, **params)

        search = CurveSearchCV(tree, DEPTHS, policy=KFoldCV(), **settings).fit(X, y, **params)

        assert_array_equal(
            search.cv_results_["mean_test_score"], grid.cv_results_["mean_test_score"]
        )
        assert search.score(X, y, sample_weight=WEIGHTS) == grid.score(X, y, sample_weight=WEIGHTS)


def test_a_callable_chooses():
    search = CurveSearchCV(TREE, DEPTHS, policy=KFoldCV(), refit=lambda table: 0).fit(X, y)

    assert search.best_index_ == 0
    assert search.best_params_ == {"max_depth": 1}
    assert search.best_estimator_.max_depth == 1
    assert not hasattr(search, "best_score_")


def test_a_callable_that_takes_nan_for_the_greatest_mean_is_warned_of():
    search = CurveSearchCV(TREE, DEPTHS, refit=lambda table: table["mean_test_score"].argmax())

    with pytest.warns(UserWarning, match="pruned"):
        search.fit(X, y)


def test_without_a_refit_the_best_is_known_and_not_fitted():
    search = CurveSearchCV(TREE, DEPTHS, refit=False).fit(X, y)

    assert search.best_params_ == {"max_depth": 5}
    assert not hasattr(search, "best_estimator_")
    assert not hasattr(search, "refit_time_")


def test_of_several_metrics_the_one_to_refit_by_decides():
    scoring = ["recall", "precision"]
    by_recall = CurveSearchCV(TREE, DEPTHS, scoring=scoring, refit="recall").fit(*TUMOURS)
    by_precision = CurveSearchCV(TREE, DEPTHS, scoring=scoring, refit="precision").fit(*TUMOURS)

    means = by_recall.cv_results_["mean_test_recall"]
    assert by_recall.best_score_ == np.nanmax(means)
    means = by_precision.cv_results_["mean_test_precision"]
    assert by_precision.best_score_ == np.nanmax(means)


def test_several_metrics_without_a_refit_choose_nothing():
    search = CurveSearchCV(TREE, DEPTHS, scoring=["accuracy", "f1_macro"], refit=False).fit(X, y)

    assert not hasattr(search, "best_index_")
    assert set(search.scorer_) == {"accuracy", "f1_macro"}


def test_a_metric_that_cannot_take_the_sample_weights_is_warned_of():
    def half(estimator, X, y):
        return 0.5

    with pytest.warns(UserWarning, match="does not support sample_weight"):
        CurveSearchCV(TREE, DEPTHS, scoring=half).fit(X, y, sample_weight=WEIGHTS)


def test_a_sampler_is_asked_as_often_as_wanted():
    def draw(rng):
        return DecisionTreeClassifier(max_depth=rng.randint(1, 9), random_state=0)

    search = CurveSearchCV(draw, n_iter=6, random_state=0).fit(X, y)
    again = CurveSearchCV(draw, n_iter=6, random_state=0).fit(X, y)

    assert len(search.results_) == 6
    assert search.best_estimator_.max_depth == again.best_estimator_.max_depth
    assert search.cv_results_["params"][1] == {"candidate": "DecisionTreeClassifier (2)"}


def test_candidates_of_different_kinds_compete():
    candidates = {
        "tree": TREE,
        "bayes": GaussianNB(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    }

    search = CurveSearchCV(candidates, policy=KFoldCV()).fit(X, y)

    assert search.cv_results_["param_candidate"].tolist() == list(candidates)
    assert search.best_params_ == {"candidate": "tree"}
    assert type(search.best_estimator_) is DecisionTreeClassifier


def test_arrays_of_other_libraries_are_not_claimed_to_work():
    class Claims(DecisionTreeClassifier):
        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.array_api_support = True
            return tags

    assert not get_tags(CurveSearchCV(Claims(), DEPTHS)).array_api_support


class TestReview:
    """What a reviewer found."""

    def test_within_a_budget_there_is_a_complete_candidate_before_all_have_been_looked_at(self):
        class Never(Listener):
            complete = False

            def started(self, search):
                self.search = search

            def decided(self, candidate, decision):
                self.complete |= isinstance(decision, Complete)

            def told(self, outcome):
                if self.complete and not self.search.done:
                    self.search.stop("one is enough")

        search = CurveSearchCV(TREE, {"max_depth": list(range(1, 60))}, time_budget=600)
        search.add_listener(Never()).fit(X, y)

        assert search.cv_results_["mean_test_score"][search.best_index_] == search.best_score_
        assert "the search ended before its turn" in search.results_[-1].explain()

    def test_nothing_of_an_earlier_fit_is_left(self):
        frame = pd.DataFrame(X, columns=list("abcd"))
        search = CurveSearchCV(TREE, DEPTHS).fit(frame, y)
        search.set_params(refit=False).fit(X, y)

        assert not hasattr(search, "best_estimator_")
        assert not hasattr(search, "feature_names_in_")

    def test_warnings_name_the_file_of_the_caller(self):
        search = CurveSearchCV(TREE, DEPTHS, refit=lambda table: table["mean_test_score"].argmax())

        with pytest.warns(UserWarning, match="refit chose") as caught:
            search.fit(X, y)

        assert caught[0].filename == __file__

    def test_preprocessing_and_routed_weights_go_together(self):
        with config_context(enable_metadata_routing=True):
            tree = DecisionTreeClassifier(random_state=0).set_fit_request(sample_weight=True)
            scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
            search = CurveSearchCV(tree, DEPTHS, scoring=scorer, preprocess=StandardScaler())
            search.fit(X, y, sample_weight=WEIGHTS)

        assert search.predict(X).shape == y.shape

    def test_an_iterator_of_folds_survives_routing(self):
        with config_context(enable_metadata_routing=True):
            tree = DecisionTreeClassifier(random_state=0).set_fit_request(sample_weight=True)
            scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
            folds = StratifiedKFold(3).split(X, y)
            search = CurveSearchCV(tree, DEPTHS, cv=folds, scoring=scorer)
            search.fit(X, y, sample_weight=WEIGHTS)

        assert search.n_splits_ == 3

    def test_shared_preprocessing_gives_the_scores_of_a_pipeline(self):
        inside = CurveSearchCV(
            make_pipeline(StandardScaler(), SVC()), {"svc__C": [0.1, 1, 10]}, policy=KFoldCV()
        ).fit(X, y)
        shared = CurveSearchCV(
            SVC(), {"C": [0.1, 1, 10]}, preprocess=StandardScaler(), policy=KFoldCV()
        ).fit(X, y)

        assert_array_equal(
            shared.cv_results_["mean_test_score"], inside.cv_results_["mean_test_score"]
        )
        assert_array_equal(shared.predict(X), inside.predict(X))
        assert list(shared.best_estimator_.named_steps) == ["preprocess", "model"]
