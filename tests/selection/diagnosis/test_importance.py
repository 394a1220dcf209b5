"""What columns are worth to the best, measured after a search."""

import math
import os
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

import curvewise as cw
from curvewise import CurveSearchCV, KFoldCV, LearningCurve, Observation, Task
from curvewise._selection.diagnosis.importance import (
    FEWEST_SECONDS,
    MOST_NOTED,
    NOTE,
    _importance,
    add_importance,
)
from curvewise.executors import RunStore


@pytest.fixture(scope="module")
def data():
    """Only the first two of six columns have to do with the target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    return X, (X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=400) > 0).astype(int)


def fitted(data, **settings):
    candidates = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    settings = {"policy": KFoldCV(), "random_state": 0, "importance": True} | settings
    return CurveSearchCV(candidates, **settings).fit(*data)


def test_columns_that_tell_the_target_come_first(data):
    found = fitted(data).importances_

    assert {one["column"] for one in found[:2]} == {"x0", "x1"}
    assert [one["n_repeats"] for one in found] == [5] * 6
    assert all(one["low"] < one["importance"] < one["high"] for one in found[:2])
    assert found == sorted(found, key=lambda one: -one["importance"])


@pytest.mark.parametrize(
    ("drops", "known"), [([0.1, 0.2], False), ([0.1] * 3, False), ([0.1, 0.2, 0.1], True)]
)
def test_an_interval_has_a_width_or_is_not_known(drops, known):
    found = _importance("column", drops)

    assert (found.low < found.importance < found.high) is known
    assert math.isnan(found.low) is not known


def test_the_same_seed_gives_the_same_importances_on_any_executor(data):
    here = fitted(data).importances_

    assert fitted(data).importances_ == here
    assert fitted(data, random_state=1).importances_ != here


@pytest.mark.slow
def test_worker_processes_measure_the_same(data):
    here = fitted(data).importances_

    assert fitted(data, n_jobs=2, timeout_per_fit=60).importances_ == here


def test_columns_are_those_before_the_preprocessing(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcdef"))
    shared = fitted((frame, y), preprocess=StandardScaler())

    assert {one["column"] for one in shared.importances_} == set("abcdef")
    assert {one["column"] for one in shared.importances_[:2]} == {"a", "b"}


def test_nothing_that_the_search_has_found_changes(data):
    with_it, without = fitted(data), fitted(data, importance=False)

    assert not hasattr(without, "importances_")
    assert with_it.best_score_ == without.best_score_
    assert np.array_equal(with_it.predict(data[0]), without.predict(data[0]))


def test_a_store_notes_what_was_measured(data, tmp_path):
    search = fitted(data, store=tmp_path / "run.db")
    with RunStore.open(tmp_path / "run.db") as store:
        noted = store.run().notes()[NOTE]

    assert noted["columns"] == search.importances_
    assert (noted["n_columns"], noted["n_rows"], noted["why"]) == (6, 400, "")


def test_a_note_has_a_bounded_number_of_columns(tmp_path):
    X, y = make_classification(n_samples=100, n_features=80, random_state=0)
    search = fitted((X, y), store=tmp_path / "run.db", cv=2)
    with RunStore.open(tmp_path / "run.db") as store:
        noted = store.run().notes()[NOTE]

    assert len(noted["columns"]) == MOST_NOTED < len(search.importances_)


def test_data_without_columns_of_its_own_says_so(data, tmp_path):
    X, y = data
    candidates = {"logistic": LogisticRegression()}
    search = CurveSearchCV(candidates, importance=True, store=tmp_path / "run.db", random_state=0)
    search.fit(sparse.csr_array(X), y)
    with RunStore.open(tmp_path / "run.db") as store:
        noted = store.run().notes()[NOTE]

    assert search.importances_ == []
    assert "cannot be shuffled" in noted["why"]


class Moody(ClassifierMixin, BaseEstimator):
    """Predicts until it is told not to."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        if os.environ.get("CURVEWISE_TEST_PREDICTS") == "no":
            raise RuntimeError("not now")
        return np.full(len(X), self.classes_[0])


def test_who_fails_when_columns_are_shuffled_costs_importances_only(data, monkeypatch, tmp_path):
    class Failing(cw.executors._listener.Listener):
        def finished(self, ending):
            monkeypatch.setenv("CURVEWISE_TEST_PREDICTS", "no")

    settings = {"policy": KFoldCV(), "store": tmp_path / "run.db", "random_state": 0}
    search = CurveSearchCV({"moody": Moody()}, importance=True, **settings)
    search.add_listener(Failing()).fit(*data)
    with RunStore.open(tmp_path / "run.db") as store:
        noted = store.run().notes()[NOTE]

    assert search.importances_ == []
    assert "not now" in noted["why"]
    assert search.best_index_ == 0


def test_without_time_for_a_fit_there_are_none(data, tmp_path):
    """A deadline that is over leaves nothing."""
    search = CurveSearchCV(
        {"bayes": GaussianNB()}, importance=True, store=tmp_path / "run.db", random_state=0
    )
    search.equip(cw.SearchExtras(deadline=0.0)).fit(*data)
    with RunStore.open(tmp_path / "run.db") as store:
        noted = store.run().notes()[NOTE]

    assert search.importances_ == []
    assert noted["why"].startswith("There was no time to shuffle columns")
    assert FEWEST_SECONDS > 1


def test_a_best_without_a_fit_on_a_whole_fold_has_none_and_it_is_said(data, tmp_path):
    def forget_folds(refit):
        (result,) = refit.given.results_
        curve = LearningCurve([Observation(Task(result.candidate, 40, 0), 0.5)])
        refit.given.results_[0] = replace(result, curve=curve)
        add_importance(refit)

    search = CurveSearchCV({"bayes": GaussianNB()}, store=tmp_path / "r", random_state=0)
    search.equip(cw.SearchExtras(lastly=(forget_folds,))).fit(*data)
    with RunStore.read(tmp_path / "r") as store:
        noted = store.run().notes()["importance"]

    assert search.importances_ == []
    assert noted["why"].endswith("the best was never fitted on all rows of a fold.")
