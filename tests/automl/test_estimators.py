"""`CurveAutoMLClassifier` and `CurveAutoMLRegressor`: a raw table in, a fitted pipeline out."""

import pickle
import signal
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveAutoMLClassifier, CurveAutoMLRegressor, InvalidParameterError
from curvewise.automl import default_space, paper_space
from curvewise.automl._search_settings import make_search
from curvewise.core._decisions import Complete
from curvewise.errors import MissingExtraError
from curvewise.executors import Listener, RunStore

pytestmark = pytest.mark.filterwarnings("ignore")

FAST = {"n_iter": 6, "timeout_per_candidate": None, "random_state": 3}
IRIS = load_iris()
RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def table():
    """A table with everything that a learner cannot take as it is."""
    n = 240
    kind = RNG.choice(["a", "b", "c"], n)
    size = RNG.normal(size=n) + (kind == "b")
    frame = pd.DataFrame(
        {
            "kind": pd.Categorical(kind),
            "size": np.where(RNG.random(n) < 0.1, np.nan, size),
            "day": pd.date_range("2024-01-01", periods=n, freq="D"),
            "flag": RNG.random(n) < 0.5,
            "same": 1,
            "name": [f"row {i}" for i in range(n)],
        }
    )
    return frame, np.where(kind == "b", "yes", "no")


def test_a_raw_table_is_fitted_and_predicted(table):
    X, y = table
    automl = CurveAutoMLClassifier(**FAST).fit(X, y)

    assert automl.score(X, y) > 0.9
    assert set(automl.predict(X.head(5))) <= {"yes", "no"}
    assert automl.classes_.tolist() == ["no", "yes"]
    assert automl.feature_names_in_.tolist() == list(X.columns)


def test_polars_and_arrays_are_tables_too(table):
    X, y = table
    automl = CurveAutoMLClassifier(**FAST)
    from_polars = clone(automl).fit(pl.from_pandas(X), y).best_score_
    from_array = clone(automl).fit(X.to_numpy(dtype=object), y).best_score_

    assert min(from_polars, from_array) > 0.9


def test_sorted_rows_are_shuffled_into_folds():
    """In blocks, each fold would be tested on numbers that were never trained on."""
    X = np.arange(300.0).reshape(-1, 1)
    y = (X[:, 0] // 60) % 2
    tree = DecisionTreeClassifier(random_state=0)
    automl = CurveAutoMLClassifier(**{**FAST, "n_iter": 1}, space=lambda _: clone(tree))

    assert automl.fit(X, y).best_score_ > 0.95
    assert automl.set_params(cv=KFold(5)).fit(X, y).best_score_ < 0.6


def test_a_number_of_folds_means_those_of_scikit_learn():
    automl = CurveAutoMLRegressor(random_state=7)

    assert make_search(automl.set_params(cv=4), [0, 1]).cv == 4
    assert repr(make_search(automl.set_params(cv=None), [0, 1]).cv) == repr(
        KFold(5, shuffle=True, random_state=7)
    )


def test_it_scores_by_the_metric_of_the_search():
    X, y = load_diabetes(return_X_y=True)
    automl = CurveAutoMLRegressor(**FAST, scoring="neg_mean_absolute_error").fit(X, y)

    assert automl.score(X, y) == -mean_absolute_error(y, automl.predict(X))
    assert automl.search_.score(X, y) == automl.score(X, y)


def test_numbers_are_predicted_by_a_regressor():
    X, y = load_diabetes(return_X_y=True)
    automl = CurveAutoMLRegressor(**{**FAST, "n_iter": 10}).fit(X, y)

    assert is_regressor(automl)
    assert automl.best_score_ > 0.2
    assert automl.predict(X).shape == y.shape


def test_the_leaderboard_has_a_row_per_candidate_and_the_best_first():
    X, y = load_iris(return_X_y=True)
    automl = CurveAutoMLClassifier(**FAST).fit(X, y)
    statuses = [row["status"] for row in automl.leaderboard_]

    assert len(automl.leaderboard_) == 6
    assert automl.leaderboard_[0]["score"] == pytest.approx(automl.best_score_)
    assert statuses == sorted(statuses, key=["completed", "stopped", "pruned", "failed"].index)


def test_the_same_seed_draws_the_same_pipelines():
    X, y = load_iris(return_X_y=True)
    first, second = (CurveAutoMLClassifier(**FAST).fit(X, y) for _ in range(2))
    names = [sorted(row["candidate"] for row in automl.leaderboard_) for automl in (first, second)]

    assert names[0] == names[1]


def test_algorithms_can_be_left_out():
    automl = CurveAutoMLClassifier(leave_out=["SVC", "MLPClassifier"])
    names = {
        each.name for each in make_search(automl, [0, 1]).estimator.space.components("classifier")
    }

    assert not any(name.startswith(("SVC", "MLP")) for name in names)
    with pytest.raises(InvalidParameterError, match="SVCC"):
        make_search(CurveAutoMLClassifier(leave_out="SVCC"), [0, 1])


def test_what_is_not_installed_can_be_left_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "xgboost", None)
    automl = CurveAutoMLClassifier(leave_out=["SVC", "XGBClassifier"])
    names = {
        each.name for each in make_search(automl, [0, 1]).estimator.space.components("classifier")
    }

    assert "SVC" not in names
    assert "XGBClassifier" not in names
    assert "LogisticRegression" in names


def test_a_search_of_boosters_alone_names_their_extra(monkeypatch):
    for name in ("xgboost", "catboost"):
        monkeypatch.setitem(sys.modules, name, None)
    others = {one.name for one in default_space("classification").components("classifier")}

    with pytest.raises(MissingExtraError, match=r"^CatBoost.*XGB.*curvewise\[boosters\]"):
        make_search(CurveAutoMLClassifier(leave_out=sorted(others)), [0, 1])
    with pytest.raises(InvalidParameterError, match="Nothing would be left"):
        make_search(
            CurveAutoMLClassifier(leave_out=[*others, "XGBClassifier", "CatBoostClassifier"]),
            [0, 1],
        )


def test_a_space_may_be_any_sampler():
    X, y = load_iris(return_X_y=True)

    def draw(rng):
        return LogisticRegression(C=10 ** rng.uniform(-3, 3), max_iter=2000)

    automl = CurveAutoMLClassifier(space=draw, **FAST).fit(X, y)

    assert isinstance(automl.best_estimator_.named_steps["model"], LogisticRegression)


def test_a_sampler_without_an_end_is_refused():
    automl = CurveAutoMLClassifier(space=lambda rng: LogisticRegression(), n_iter=None)

    with pytest.raises(InvalidParameterError, match="may go on for ever"):
        automl.fit([[0], [1]], [0, 1])


def test_it_has_the_manners_of_an_estimator():
    automl = CurveAutoMLClassifier(space=paper_space("classification"), n_iter=3)

    assert is_classifier(automl)
    assert clone(automl).get_params()["n_iter"] == 3
    assert not hasattr(automl, "predict_proba")


def test_a_fitted_one_survives_pickling():
    X, y = load_iris(return_X_y=True)
    automl = CurveAutoMLClassifier(**FAST).fit(X, y)
    again = pickle.loads(pickle.dumps(automl))

    assert again.predict(X).tolist() == automl.predict(X).tolist()


def test_an_interrupted_search_takes_the_best_so_far():
    class Impatient(Listener):
        def decided(self, candidate, decision):
            self.completed = isinstance(decision, Complete)

        def told(self, outcome):
            if getattr(self, "completed", False):
                raise KeyboardInterrupt

    X, y = load_iris(return_X_y=True)
    automl = CurveAutoMLClassifier(**FAST, time_budget=600).add_listener(Impatient())
    with pytest.warns(UserWarning, match="The search was interrupted"):
        automl.fit(X, y)

    assert automl.best_score_ > 0.3
    assert len(automl.predict(X)) == 150


def test_a_store_says_what_pipelines_are_made_of_and_what_it_ran_with(tmp_path):
    X, y = load_iris(return_X_y=True)
    automl = CurveAutoMLClassifier(**FAST, store=tmp_path / "run.db")
    automl.note_for_readers({"source": "iris"}).fit(X, y)
    with RunStore.read(tmp_path / "run.db") as store:
        run = store.run(1)
        notes, results = run.notes(), run.results()

    assert notes["source"] == "iris"
    assert notes["task"] == "classification"
    assert "scikit-learn" in notes["versions"]
    assert all(result.parameters["algorithm"] for result in results)


def test_a_learner_of_the_other_kind_is_refused_before_it_fails():
    X, y = load_iris(return_X_y=True)
    space = paper_space("regression")

    with pytest.raises(
        InvalidParameterError, match="is for regression, and the task is classification"
    ):
        CurveAutoMLClassifier(space=space, **FAST).fit(X, y)


class Broken(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise ValueError("broken")


def test_an_interrupt_before_any_result_is_one():
    class Impatient(Listener):
        def told(self, outcome):
            raise KeyboardInterrupt

    X, y = load_iris(return_X_y=True)
    automl = CurveAutoMLClassifier(space=lambda _: Broken(), **FAST).add_listener(Impatient())

    with pytest.raises(KeyboardInterrupt):
        automl.fit(X, y)


@pytest.mark.skipif(sys.platform == "win32", reason="there is another thread for signals")
@pytest.mark.parametrize(
    ("file", "name"), [("honest_choice", "add_honest_score"), ("remote_executor", "close")]
)
def test_a_model_that_is_fitted_is_not_lost_for_an_interrupt(file, name):
    def interrupt(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_name == name and Path(code.co_filename).stem == file:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    automl = CurveAutoMLClassifier(**{**FAST, "timeout_per_candidate": 60})
    sys.setprofile(interrupt)
    try:
        with pytest.warns(UserWarning, match="the model is there"):
            automl.fit(IRIS.data, IRIS.target)
    finally:
        sys.setprofile(None)

    assert automl.predict(IRIS.data).tolist() == automl.search_.predict(IRIS.data).tolist()
