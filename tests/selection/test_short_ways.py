"""From a result to its report, advice and table in one line."""

import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
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
