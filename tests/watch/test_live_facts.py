"""How far a run is."""

from datetime import timedelta

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from curvewise import CurveSearchCV, SearchExtras
from curvewise._report.report_facts import facts_of
from curvewise._watch.live_facts import is_over, live_facts, progress_of
from curvewise.errors import CurvewiseError
from tests.report.samples import search_on, stored


def test_a_budget_says_what_is_left(tmp_path):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(9), stop_after=12)
        run.note("given", {"budget": 60.0})
        later = run.summary().created + timedelta(seconds=20)
        progress = progress_of(run, now=later)

    assert progress["running"]
    assert (progress["seconds"], progress["left"]) == (20, 40)
    assert progress["under_way"] > 0


def test_of_a_number_of_candidates_those_that_ended_tell(tmp_path):
    with stored(tmp_path / "run.db", target=1000) as run:
        search_on(run, range(5))
        run.note("given", {"candidates": 10})
        run.note("under way", "yes")
        progress = progress_of(run, now=run.summary().created + timedelta(seconds=20))

    assert progress["left"] == 20
    assert not is_over(tmp_path / "run.db", None)


def test_the_clock_of_a_run_that_is_over_stands_still(tmp_path):
    with stored(tmp_path / "run.db", target=1000) as run:
        search_on(run, range(5))
        run.note("given", {"candidates": 10, "budget": 1e6})
        created, updated = run.summary().created, run.summary().updated
        soon, late = (
            progress_of(run, now=updated + timedelta(seconds=seconds)) for seconds in (0, 1000)
        )

    assert soon == late
    assert late["seconds"] == round((updated - created).total_seconds(), 1)
    assert late["left"] is None
    assert is_over(tmp_path / "run.db", None)


def test_nothing_is_said_of_what_is_left_if_nothing_is_known(tmp_path):
    with stored(tmp_path / "run.db") as run:
        assert progress_of(run, now=run.summary().created)["left"] is None


def test_a_run_that_ends_while_it_is_read_is_read_once_more(tmp_path, monkeypatch):
    with stored(tmp_path / "run.db", target=1000) as run:
        search_on(run, range(3), stop_after=2)

        def ends_afterwards(found):
            facts = facts_of(found)
            run.finish()
            return facts

        monkeypatch.setattr("curvewise._watch.live_facts.facts_of", ends_afterwards)
        first = live_facts(tmp_path / "run.db", None)
        monkeypatch.undo()
        then = live_facts(tmp_path / "run.db", None)

    assert (first["run"]["status"], first["live"]["running"]) == ("running", True)
    assert (then["run"]["status"], then["live"]["running"]) == ("finished", False)


def test_a_store_without_a_run_has_no_facts(tmp_path):
    assert live_facts(tmp_path / "none.db", None) is None
    assert not is_over(tmp_path / "none.db", None)


def test_a_run_goes_on_until_all_that_comes_after_its_search_is_done(tmp_path):
    path, seen = tmp_path / "run.db", []

    def look(_):
        facts = live_facts(path, None)
        seen.append((facts["run"]["status"], facts["live"]["running"], is_over(path, None)))

    search = CurveSearchCV({"bayes": GaussianNB()}, store=path, random_state=0)
    search.equip(SearchExtras(lastly=(look,))).fit(*load_iris(return_X_y=True))
    after = live_facts(path, None)

    assert seen == [("finished", True, False)]
    assert after["live"]["running"] is False
    assert "under way" not in after["notes"]
    assert is_over(path, None)


def test_a_run_that_ended_with_an_error_does_not_go_on(tmp_path):
    def fail(_):
        raise CurvewiseError("afterwards")

    path = tmp_path / "run.db"
    search = CurveSearchCV({"dummy": DummyClassifier()}, store=path, random_state=0)
    with pytest.raises(CurvewiseError, match="afterwards"):
        search.equip(SearchExtras(lastly=(fail,))).fit(*load_iris(return_X_y=True))

    assert is_over(path, None)
