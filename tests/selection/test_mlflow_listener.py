"""A search as a run of MLflow."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV, MLflowListener, NoResultError
from curvewise.errors import InvalidParameterError
from tests.selection.learners import Diary

mlflow = pytest.importorskip(
    "mlflow", reason="MLflow is not installed: pip install 'curvewise[mlflow]'"
)
# What MLflow itself is warned of is not ours to mend.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

X, y = load_iris(return_X_y=True, as_frame=True)
SPACE = {"C": [0.001, 1, 10]}


@pytest.fixture(autouse=True)
def tracking(tmp_path):
    """A place of its own for each test."""
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'mlflow.db'}")
    mlflow.create_experiment("test", artifact_location=(tmp_path / "artifacts").as_uri())
    mlflow.set_experiment("test")
    yield
    while mlflow.active_run() is not None:
        mlflow.end_run()
    mlflow.set_tracking_uri(before)


def runs():
    return mlflow.search_runs(output_format="list")


def search(listener, estimator=None, space=SPACE, **settings):
    settings = {"cv": 3, "random_state": 0} | settings
    return CurveSearchCV(estimator or SVC(), space, **settings).add_listener(listener)


def test_settings_scores_candidates_and_the_model_are_logged():
    fitted = search(MLflowListener(run_name="mine", tags={"team": "garden"})).fit(X, y)
    [run] = runs()

    assert run.info.status == "FINISHED"
    assert run.info.run_name == "mine"
    assert run.data.tags["team"] == "garden"
    assert run.data.params["best.C"] == str(fitted.best_params_["C"])
    assert run.data.params["random_state"] == "0"
    assert run.data.metrics["best_score"] == pytest.approx(fitted.best_score_)
    assert run.data.metrics["n_candidates"] == 3
    assert run.data.metrics["leader_score"] == pytest.approx(fitted.best_score_)
    table = mlflow.load_table("candidates.json", run_ids=[run.info.run_id])
    assert sorted(table["candidate"]) == sorted(str(one.candidate) for one in fitted.results_)
    assert mlflow.active_run() is None


def test_the_model_that_is_logged_predicts_the_same_and_has_a_signature():
    fitted = search(MLflowListener(candidates="none")).fit(X, y)
    address = f"runs:/{runs()[0].info.run_id}/model"
    loaded = mlflow.sklearn.load_model(address)
    signature = mlflow.models.get_model_info(address).signature

    np.testing.assert_array_equal(loaded.predict(X), fitted.predict(X))
    assert signature.inputs.input_names() == list(X.columns)


def test_candidates_may_be_nested_runs_with_their_curves():
    listener = MLflowListener(candidates="nested", log_model=False)
    fitted = search(listener, {"bayes": GaussianNB(), "svc": SVC()}, None).fit(X, y)
    children = [run for run in runs() if "mlflow.parentRunId" in run.data.tags]

    assert {run.info.run_name for run in children} == {"bayes", "svc"}
    assert {run.data.tags["curvewise.status"] for run in children} <= {"completed", "pruned"}
    best = next(run for run in children if run.info.run_name == fitted.best_params_["candidate"])
    history = mlflow.MlflowClient().get_metric_history(best.info.run_id, "curve_score")
    anchors = fitted.results_[fitted.best_index_].curve.anchors
    assert [point.step for point in history] == list(anchors)


def test_an_active_run_is_used_and_stays_open():
    with mlflow.start_run() as mine:
        search(MLflowListener(log_model=False)).fit(X, y)

        assert mlflow.active_run().info.run_id == mine.info.run_id
    assert len(runs()) == 1


def test_a_search_without_a_result_is_a_failed_run():
    with pytest.raises(NoResultError):
        search(MLflowListener(), SVC(), {"C": [-1.0]}).fit(X, y)

    assert runs()[0].info.status == "FAILED"
    assert mlflow.active_run() is None


def test_an_interrupted_search_is_a_killed_run(monkeypatch):
    monkeypatch.setattr(Diary, "fits", [])
    monkeypatch.setattr(Diary, "interrupt_after", 2)
    with pytest.raises(KeyboardInterrupt):
        search(MLflowListener(), Diary(), {"max_depth": [1, 2]}).fit(X.to_numpy(), y)

    assert runs()[0].info.status == "KILLED"


def test_without_a_refit_there_is_no_model():
    search(MLflowListener(), refit=False).fit(X, y)

    assert runs()[0].info.status == "FINISHED"


def test_what_mlflow_refuses_does_not_cost_the_results(monkeypatch):
    listener = MLflowListener()
    monkeypatch.setattr(mlflow, "start_run", lambda **_: 1 / 0)
    with pytest.warns(RuntimeWarning, match="MLflowListener failed"):
        fitted = search(listener).fit(X, y)

    assert fitted.best_score_ > 0.9


def test_rows_may_be_arrays_and_lists():
    tree = DecisionTreeClassifier(random_state=0)
    rows = X.to_numpy().tolist()
    search(MLflowListener(candidates="none"), tree, {"max_depth": [1, 3]}).fit(rows, list(y))

    assert runs()[0].info.status == "FINISHED"


def test_another_way_to_log_candidates_is_refused():
    with pytest.raises(InvalidParameterError, match="'table', 'nested' or 'none', got 'all'"):
        MLflowListener(candidates="all")
