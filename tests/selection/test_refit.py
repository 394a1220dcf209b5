"""The fit on all rows: a task under the search's limits, and what comes if it fails."""

import threading
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV, Observation, SearchExtras
from curvewise._selection.refit import GRACE, MOST, Refit, final_seconds, known_score
from curvewise.core import LearningCurve, Scale, Status, Task
from curvewise.errors import InvalidParameterError, NoResultError
from curvewise.executors import RunStore
from tests.selection.learners import OnAllRows


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def search_with(action, **settings):
    candidates = {"tree": OnAllRows(action), "dummy": DummyClassifier()}
    limits = {"timeout_per_candidate": 5, "memory_limit": "1GB", "random_state": 0}
    return CurveSearchCV(candidates, **(limits | settings))


@pytest.mark.parametrize("action", ["exit", "raise", "grow"])
def test_the_next_best_takes_the_place_of_who_cannot_be_fitted(action, iris):
    search = search_with(action)
    said = "tree, could not be fitted on all rows .*dummy was taken"
    with pytest.warns(UserWarning, match=said) as warned:
        search.fit(*iris)

    assert [each.filename for each in warned] == [__file__]
    assert isinstance(search.best_estimator_, DummyClassifier)
    assert search.best_params_ == {"estimator": "dummy"} or search.best_index_ == 1
    assert 0.2 < search.best_score_ < 0.5


def test_a_final_fit_has_the_limits_of_the_search(iris):
    search = search_with("sleep", timeout_per_candidate=2)
    begun = time.monotonic()
    with pytest.warns(UserWarning, match="time limit of 2 s"):
        search.fit(*iris)

    assert time.monotonic() - begun < 30


def test_a_final_fit_ends_when_the_budget_does(iris):
    search = search_with("sleep", timeout_per_candidate=50)
    search.equip(SearchExtras(deadline=time.monotonic() + 1))
    with pytest.warns(UserWarning, match="dummy was taken"):
        search.fit(*iris)


def test_rows_in_tuples_are_fitted_in_a_worker(iris):
    X, y = iris
    limits = {"timeout_per_candidate": 50, "cv": 2}
    search = CurveSearchCV({"dummy": DummyClassifier()}, **limits).fit(
        tuple(map(tuple, X)), tuple(y)
    )

    assert isinstance(search.best_estimator_, DummyClassifier)


def test_a_final_fit_that_works_in_place_does_not_reach_the_data(iris):
    X, y = iris
    given = X.copy()
    scaled = make_pipeline(StandardScaler(copy=False), DummyClassifier())
    CurveSearchCV({"scaled": scaled}, cv=2).fit(given, y)

    assert (given == X).all()


def test_a_model_that_cannot_leave_its_worker_is_fitted_here(iris):
    search = search_with("cannot be pickled").fit(*iris)

    assert isinstance(search.best_estimator_.lock_, type(threading.Lock()))
    assert search.best_index_ == 0


@pytest.mark.parametrize("action", ["unpickled: raise", "unpickled: exit"])
def test_who_cannot_be_unpickled_is_passed_over(iris, action):
    search = search_with(action, timeout_per_candidate=30)
    with pytest.warns(UserWarning, match="its model cannot be unpickled"):
        search.fit(*iris)

    assert isinstance(search.best_estimator_, DummyClassifier)


def test_what_was_found_stays_if_nothing_can_be_fitted(iris):
    search = CurveSearchCV({"tree": OnAllRows("raise")}, timeout_per_fit=9, random_state=0)
    with pytest.raises(NoResultError, match="tree: RuntimeError: not all rows"):
        search.fit(*iris)

    assert search.best_score_ > 0.9
    assert not hasattr(search, "best_estimator_")


def test_without_limits_it_raises_here_as_in_scikit_learn(iris):
    with pytest.raises(RuntimeError, match="not all rows"):
        CurveSearchCV({"tree": OnAllRows("raise")}, random_state=0).fit(*iris)


def test_who_was_chosen_by_a_callable_has_no_substitute(iris):
    search = search_with("raise", refit=lambda _: 0)
    with pytest.raises(NoResultError):
        search.fit(*iris)


def curve_of(*seconds_by_anchor):
    curve = LearningCurve()
    for anchor, seconds in seconds_by_anchor:
        curve.add(Observation(Task("a", anchor, 0), 0.25, seconds=seconds))
    return curve


def test_more_rows_take_longer():
    quick, slow = curve_of((80, 1.0)), curve_of((20, 0.1), (40, 0.4))

    assert final_seconds(quick, target=80, n_rows=100) > 100 / 80
    assert final_seconds(slow, target=80, n_rows=100) > 1.6


def refit_of(seconds, losses, *, left):
    """Make a refit among candidates with these seconds and losses, the first of them the best."""
    results = [
        SimpleNamespace(
            curve=curve_of((80, each)), status=Status.COMPLETED, loss=loss, candidate=f"{index}"
        )
        for index, (each, loss) in enumerate(zip(seconds, losses, strict=True))
    ]
    refit = object.__new__(Refit)
    object.__setattr__(refit, "given", SimpleNamespace(results_=results))
    folds = SimpleNamespace(target=80, n_rows=100)
    object.__setattr__(refit, "experiment", SimpleNamespace(folds=folds))
    extras = SearchExtras(deadline=time.monotonic() + left)
    object.__setattr__(refit, "extras", extras)
    return refit


@given(
    st.lists(st.tuples(st.floats(0.01, 100), st.floats(0, 1)), min_size=1, max_size=12),
    st.floats(0.5, 100),
)
def test_the_best_for_whom_there_is_time_comes_first(candidates, left):
    seconds, losses = zip(*sorted(candidates, key=lambda one: one[1]), strict=True)
    refit = refit_of(seconds, losses, left=left)
    order = list(refit._order(0))
    needed = [final_seconds(curve_of((80, each)), target=80, n_rows=100) for each in seconds]
    # Time passes while this is looked at: who is at the edge may be on either side.
    in_time = [index for index, each in enumerate(needed) if each < left + GRACE / 2 - 0.5]
    too_slow = [index for index, each in enumerate(needed) if each > left + GRACE / 2]

    assert len(order) == len(set(order)) == min(MOST, len(seconds))
    if in_time:
        assert order[0] <= in_time[0]
        assert order[0] not in too_slow
    elif len(too_slow) == len(seconds):
        assert needed[order[0]] == min(needed)


def test_the_score_of_who_has_none_is_its_mean_where_it_came_furthest():
    curve = curve_of((20, 0.1), (80, 0.1))
    pruned = SimpleNamespace(score=float("nan"), curve=curve, scale=Scale())

    assert known_score(pruned) == 0.75


def test_a_store_notes_who_took_the_place_of_the_best(iris, tmp_path):
    search = search_with("raise", store=tmp_path / "run.db")
    with pytest.warns(UserWarning, match="dummy was taken"):
        search.fit(*iris)
    with RunStore.read(tmp_path / "run.db") as store:
        noted = store.run().notes()["taken"]

    assert noted["candidate"] == "dummy"
    assert "tree, could not be fitted on all rows (RuntimeError: not all rows" in noted["reason"]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_when_the_time_is_over_no_further_fit_on_all_rows_begins(n_jobs, iris):
    trees = {f"tree {i}": DecisionTreeClassifier(random_state=i) for i in range(3)}
    fitted = []
    for left in (-60.0, 60.0):
        extras = SearchExtras(
            deadline=time.monotonic() + left,
            lastly=(lambda refit: fitted.append(refit.fit_several([0, 1, 2])),),
        )
        CurveSearchCV(trees, n_jobs=n_jobs, random_state=0).equip(extras).fit(*iris)

    assert [len(each) for each in fitted] == [0, 3]


def test_who_cannot_be_fitted_beside_the_best_is_left_out_in_this_process_too(iris):
    fitted = []
    extras = SearchExtras(lastly=(lambda refit: fitted.append(refit.fit_several([0, 1])),))
    candidates = {"dummy": DummyClassifier(), "tree": OnAllRows("raise")}
    CurveSearchCV(candidates, refit=False, random_state=0).equip(extras).fit(*iris)

    assert [sorted(each) for each in fitted] == [[0]]


@pytest.mark.parametrize("place", ["afterwards", "lastly"])
def test_what_fails_after_the_search_costs_a_warning_and_not_the_answer(place, iris):
    done = []

    def broken(refit):
        raise ZeroDivisionError("of all things")

    extras = SearchExtras(**{place: (broken, lambda refit: done.append("the next"))})
    search = CurveSearchCV({"dummy": DummyClassifier()}, random_state=0).equip(extras)
    said = "has its answer, but 'broken', which came after it, failed: ZeroDivisionError: of all"
    with pytest.warns(UserWarning, match=said) as warned:
        search.fit(*iris)

    assert [each.filename for each in warned] == [__file__]
    assert done == ["the next"]
    assert search.predict(iris[0][:1]) in iris[1]


def test_what_is_refused_after_the_search_is_refused(iris):
    def refuse(refit):
        raise InvalidParameterError("that does not suit the data")

    search = CurveSearchCV({"dummy": DummyClassifier()}).equip(SearchExtras(lastly=(refuse,)))
    with pytest.raises(InvalidParameterError, match="does not suit"):
        search.fit(*iris)
