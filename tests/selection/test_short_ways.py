"""From a result to its report, advice and table in one line."""

import pickle

import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.svm import SVC

import curvewise as cw
from curvewise._report.report_facts import facts_of
from curvewise.errors import InvalidParameterError
from curvewise.executors import RunStore

X, y = load_iris(return_X_y=True)


def search(**settings):
    return cw.CurveSearchCV(SVC(), {"C": [0.001, 0.1, 1, 10]}, random_state=3, **settings)


@pytest.fixture(scope="module")
def fitted():
    return search().fit(X, y)


def test_a_search_without_a_store_writes_its_report(fitted, tmp_path):
    pytest.importorskip("plotly", reason="plotly is not installed")
    path = fitted.report(tmp_path / "report.html", title="Iris")

    assert "<title>Iris</title>" in path.read_text(encoding="utf-8")


def test_what_is_remembered_is_what_a_store_has(tmp_path):
    kept = search(store=tmp_path / "run.db", deterministic=True).fit(X, y)
    remembered = facts_of(kept._run_to_read())
    with RunStore.read(tmp_path / "run.db") as store:
        stored = facts_of(store.run())
    for facts in (remembered, stored):
        # Where each was kept.
        for name in ("created", "updated", "clock"):
            del facts["run"][name]
        facts["settings"] = [row for row in facts["settings"] if "fingerprint" not in row[0]]
        # A store also says by which identity candidates are told apart.
        for each in facts["candidates"]:
            each.pop("key", None)

    assert remembered == stored


def test_the_report_says_what_the_user_has_set(fitted):
    facts = facts_of(fitted._run_to_read())

    assert facts["metric"] == "accuracy"
    assert facts["run"]["given"] == {"metric": "accuracy", "jobs": 1, "seed": 3}
    assert ["seed", "3"] in facts["settings"]
    assert facts["run"]["clock"] > 0


def test_a_leaderboard_is_a_frame_with_the_best_first(fitted):
    frame = fitted.leaderboard()

    assert frame["candidate"].iloc[0] == "C=10"
    assert frame["rank"].iloc[0] == 1
    assert (frame["n_folds"] > 0).all()
    assert (frame["chance"].dropna() < 1).all()


def test_a_search_advises(fitted):
    assert fitted.advise(factor=2).answer in ("yes", "no", "cannot tell")


def test_a_comparison_has_the_same_short_ways(tmp_path):
    pytest.importorskip("plotly", reason="plotly is not installed")
    comparison = cw.compare({"one": SVC(), "ten": SVC(C=10)}, X, y)

    assert comparison.report(tmp_path / "report.html").exists()
    assert comparison.advise().answer in ("yes", "no", "cannot tell")
    assert list(comparison.leaderboard()["candidate"]) == ["ten", "one"]


def test_the_report_of_a_comparison_says_how_it_was_made():
    comparison = cw.compare({"one": SVC(), "ten": SVC(C=10)}, X, y, scoring="f1_macro", n_jobs=1)
    facts = facts_of(comparison._run_to_read())

    assert facts["metric"] == "f1_macro"
    assert facts["run"]["given"] == {"metric": "f1_macro", "jobs": 1}
    assert facts["run"]["clock"] > 0
    assert [each["recipe"] for each in facts["candidates"]] == ["SVC(C=10)", "SVC()"]


def test_a_comparison_that_its_budget_ended_says_so():
    late = {f"C={i}": SVC(C=1 + i) for i in range(300)}
    comparison = cw.compare(late, X, y, time_budget=0.4)

    assert facts_of(comparison._run_to_read())["run"]["status"] == "out of time"


def test_the_result_of_validate_has_the_same_short_ways(tmp_path):
    pytest.importorskip("plotly", reason="plotly is not installed")
    result = cw.validate(SVC(C=10), X, y, policy=cw.WholeCurve(), random_state=7)
    facts = facts_of(result._run_to_read())
    board = result.leaderboard()

    assert isinstance(result, cw.ValidationResult)
    assert "SVC" in result.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert facts["run"]["given"] == {"metric": "accuracy", "jobs": 1, "seed": 7}
    assert facts["candidates"][0]["recipe"] == "SVC(C=10)"
    assert result.advise() == cw.advise(result)
    assert (len(board), board["score"][0], board["n_folds"][0]) == (1, result.score, 5)
    assert board["difference"].isna().all()


def test_a_result_of_validate_that_failed_or_was_pruned_can_be_reported(tmp_path):
    pytest.importorskip("plotly", reason="plotly is not installed")
    pruned = cw.validate(SVC(C=1e-3), X, y, best_score=0.99)
    with pytest.warns(FitFailedWarning):
        failed = cw.validate(SVC(C=-1), X, y)

    assert pruned.status is cw.Status.PRUNED
    assert failed.status is cw.Status.FAILED
    for result in (pruned, failed):
        assert result.report(tmp_path / "report.html").exists()
        assert result.leaderboard()["status"][0] == result.status.value
    assert pruned.advise().answer in ("yes", "no", "cannot tell")
    with pytest.raises(InvalidParameterError, match="no observation to advise on"):
        failed.advise()


def test_the_result_of_validate_is_the_score_to_beat_and_can_be_kept():
    result = cw.validate(SVC(C=10), X, y)
    again = pickle.loads(pickle.dumps(result))
    worse = cw.validate(SVC(C=1e-3), X, y, best_score=again)

    assert again == result
    assert worse.status is cw.Status.PRUNED
    assert facts_of(again._run_to_read()) == facts_of(result._run_to_read())


@pytest.mark.parametrize("name", ["CurveAutoMLClassifier", "CurveAutoMLRegressor"])
def test_an_automl_estimator_has_the_same_short_ways(tmp_path, name):
    pytest.importorskip("plotly", reason="plotly is not installed")
    model = getattr(cw, name)(n_iter=3, cv=3, leave_out=["MLPClassifier"], random_state=0)
    if name.endswith("Regressor"):
        model.set_params(leave_out=["MLPRegressor"])
    model.fit(X, y)
    board = model.leaderboard()

    assert len(board) == 3
    assert board["candidate"][0] == str(model.search_.results_[model.search_.best_index_].candidate)
    assert model.advise().answer in ("yes", "no", "cannot tell")
    page = model.report(tmp_path / "report.html", title="Flowers").read_text(encoding="utf-8")
    assert "<title>Flowers</title>" in page
    assert facts_of(model._run_to_read())["run"]["given"]["candidates"] == 3


def test_an_automl_estimator_that_is_not_fitted_has_nothing_to_say():
    for way in ("report", "advise", "leaderboard"):
        with pytest.raises(NotFittedError):
            getattr(cw.CurveAutoMLClassifier(), way)()


def test_who_is_not_fitted_has_nothing_to_say():
    for way in ("report", "advise", "leaderboard"):
        with pytest.raises(NotFittedError):
            getattr(search(), way)()


def test_watching_needs_a_store(tmp_path):
    pytest.importorskip("plotly", reason="plotly is not installed")
    with pytest.raises(InvalidParameterError, match="needs a store"):
        search().watch()
    with search(store=tmp_path / "run.db").watch() as page:
        assert page.address.startswith("http://127.0.0.1:")


def test_a_missing_pandas_is_said(fitted, monkeypatch):
    import sys

    from curvewise.errors import MissingExtraError

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="curvewise\\[select\\]"):
        fitted.leaderboard()
