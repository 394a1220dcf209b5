"""`CurveSearchCV` has the manners of an estimator: clones, copies, output, parameters."""

import pickle

import joblib
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from curvewise import CurveSearchCV
from tests.selection.test_search_cv import DEPTHS, TREE, X, y


@pytest.mark.parametrize("candidates", [PCA(), [PCA(1), PCA(2)], {"one": PCA(1)}])
def test_set_output_before_the_fit_reaches_the_best_estimator(candidates):
    space = {"n_components": [1, 2]} if isinstance(candidates, PCA) else None

    search = CurveSearchCV(candidates, space).set_output(transform="pandas").fit(X)

    assert isinstance(search.transform(X), pd.DataFrame)


def test_set_output_after_the_fit_reaches_the_best_estimator():
    search = CurveSearchCV(PCA(), {"n_components": [1, 2]}).fit(X)

    assert isinstance(search.set_output(transform="polars").transform(X), pl.DataFrame)


@pytest.mark.parametrize(
    "search",
    [
        CurveSearchCV(TREE, DEPTHS),
        CurveSearchCV([TREE, GaussianNB()]),
        CurveSearchCV({"tree": TREE, "bayes": GaussianNB()}),
    ],
    ids=["space", "list", "dictionary"],
)
class TestManners:
    def test_a_clone_is_unfitted_and_set_to_the_same(self, search):
        fitted = clone(search).fit(X, y)

        again = clone(fitted)

        assert not hasattr(again, "best_estimator_")
        assert repr(again) == repr(search)
        assert again.fit(X, y).best_params_ == fitted.best_params_

    def test_a_fit_leaves_the_settings_alone(self, search):
        before = {name: id(value) for name, value in search.get_params(deep=False).items()}

        search = search.fit(X, y)

        after = {name: id(value) for name, value in search.get_params(deep=False).items()}
        assert after == before

    def test_the_users_estimators_are_never_fitted(self, search):
        clone(search).fit(X, y)

        assert not hasattr(TREE, "tree_")

    def test_a_fitted_search_survives_pickling(self, search):
        fitted = clone(search).fit(X, y)

        again = pickle.loads(pickle.dumps(fitted))

        assert_array_equal(again.predict(X), fitted.predict(X))
        assert [result.history() for result in again.results_] == [
            result.history() for result in fitted.results_
        ]
        assert again.best_params_ == fitted.best_params_

    def test_a_fitted_search_survives_joblib(self, search, tmp_path):
        fitted = clone(search).fit(X, y)
        joblib.dump(fitted, tmp_path / "search")

        again = joblib.load(tmp_path / "search")

        assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))

    def test_the_diagram_shows_the_candidates(self, search):
        fitted = clone(search).fit(X, y)

        assert "DecisionTreeClassifier" in search._repr_html_()
        assert "DecisionTreeClassifier" in fitted._repr_html_()

    def test_it_is_what_its_candidates_are(self, search):
        assert is_classifier(search)
        assert not is_regressor(search)


def test_nested_parameters_can_be_read_and_set():
    search = CurveSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [1, 10]})

    search.set_params(estimator__svc__kernel="linear", space={"svc__C": [0.1]}, cv=3)

    assert search.get_params()["estimator__svc__kernel"] == "linear"
    assert search.fit(X, y).best_estimator_["svc"].kernel == "linear"
    assert search.n_splits_ == 3
