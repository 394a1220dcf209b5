"""Searches over skrub's data operations."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from curvewise import CurveSearchCV, KFoldCV, skrub_search
from curvewise.errors import InvalidParameterError
from curvewise.executors import Listener

skrub = pytest.importorskip(
    "skrub", reason="skrub is not installed: pip install 'curvewise[skrub]'"
)
pytestmark = pytest.mark.slow

TABLE = load_iris(as_frame=True).frame


class Counting(Listener):
    n = 0

    def told(self, outcome):
        self.n += 1


def plan(*, ranged=False):
    data = skrub.var("table", TABLE)
    X = data.drop(columns="target").skb.mark_as_X()
    y = data["target"].skb.mark_as_y()
    values = skrub.choose_float(0.1, 10, log=True, name="C")
    listed = skrub.choose_from([0.1, 1.0, 10.0], name="C")
    svc = SVC(C=values if ranged else listed)
    model = skrub.choose_from({"svc": svc, "logistic": LogisticRegression()}, name="model")
    return X.skb.apply(StandardScaler()).skb.apply(model, y=y)


def test_all_combinations_are_tried_and_named_after_the_choices():
    given = plan()
    search = skrub_search(given, cv=3, random_state=0).fit(given.skb.get_data())
    names = {result.candidate for result in search.search.curve_search_.results_}

    assert names == {"C=0.1, model=svc", "C=1, model=svc", "C=10, model=svc", "model=logistic"}
    assert len(search.results_) == 4
    assert search.results_["mean_test_score"][0] == search.best_score_


def test_the_score_is_that_of_skrubs_own_search():
    given = plan()
    ours = skrub_search(given, cv=3, policy=KFoldCV()).fit(given.skb.get_data())
    theirs = given.skb.make_grid_search(cv=3).fit(given.skb.get_data())

    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    np.testing.assert_allclose(ours.results_["mean_test_score"], theirs.results_["mean_test_score"])


def test_the_best_learner_predicts_from_an_environment():
    given = plan(ranged=True)
    search = skrub_search(given, n_iter=4, cv=3, random_state=0).fit(given.skb.get_data())
    copied = pickle.loads(pickle.dumps(search))

    assert len(search.search.curve_search_.results_) == 4
    np.testing.assert_array_equal(
        search.best_learner_.predict({"table": TABLE}), copied.predict({"table": TABLE})
    )


def test_workers_limits_and_a_store_work(tmp_path):
    given, store = plan(), tmp_path / "run.db"
    settings = {"cv": 3, "n_jobs": 2, "timeout_per_candidate": 60, "random_state": 0}
    first = skrub_search(given, store=store, **settings).fit(given.skb.get_data())
    counting = Counting()
    again = skrub_search(given, store=store, **settings)
    again.search.add_listener(counting)
    again.fit(given.skb.get_data())

    assert again.best_score_ == first.best_score_
    assert counting.n > 0


def test_folds_of_the_plan_are_used():
    data = skrub.var("table", TABLE)
    folds = StratifiedKFold(4, shuffle=True, random_state=1)
    X = data.drop(columns="target").skb.mark_as_X(cv=folds)
    svc = SVC(C=skrub.choose_from([1, 10], name="C"))
    given = X.skb.apply(svc, y=data["target"].skb.mark_as_y())

    assert skrub_search(given).fit(given.skb.get_data()).n_splits_ == 4


def test_a_clone_is_unfitted_and_leaves_the_fitted_one_alone():
    given = plan()
    search = skrub_search(given, cv=3).fit(given.skb.get_data())
    fresh = clone(search)

    assert not hasattr(fresh.search, "curve_search_")
    assert search.search.curve_search_.best_score_ == search.best_score_


def test_a_pipeline_of_skrub_is_searched_like_any_other():
    pipeline = skrub.tabular_pipeline(LogisticRegression())
    space = {"logisticregression__C": [0.001, 1.0]}
    X, y = TABLE.drop(columns="target"), TABLE["target"]

    assert CurveSearchCV(pipeline, space, cv=3).fit(X, y).best_params_ == {
        "logisticregression__C": 1.0
    }


@pytest.mark.parametrize(
    ("given", "settings", "says"),
    [
        (SVC(), {}, "must be a plan of skrub's data operations, got SVC"),
        (None, {"space": {"C": [1]}}, "space is not to be given"),
    ],
)
def test_what_makes_no_sense_is_refused(given, settings, says):
    with pytest.raises(InvalidParameterError, match=says):
        skrub_search(given or plan(), **settings)


def test_a_plan_without_choices_is_refused():
    given = skrub.X(TABLE.drop(columns="target")).skb.apply(SVC(), y=skrub.y(TABLE["target"]))

    with pytest.raises(InvalidParameterError, match="have no choices"):
        skrub_search(given)
