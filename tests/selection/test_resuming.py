"""What holds when a search goes on: `docs/how-to/resume.md` promises it."""

import os
import signal
import sqlite3
from contextlib import closing

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

import curvewise as cw
from curvewise.core import Fail
from curvewise.core._outcome import UNCLEAR
from curvewise.errors import StoreError
from curvewise.executors import Limits, Listener, RunStatus, RunStore
from tests.executors.sleepy import Sleepy
from tests.executors.store.searching import begin as begin_formulas
from tests.selection.learners import FITS, Counted, Killed

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")

X, y = load_iris(return_X_y=True)
TASK = cw.Task("svc", 900, 0)
TERMS = {"schedule": cw.Schedule((900,)), "n_folds": 5}


class Mute(DummyClassifier):
    """Cannot say what it is."""

    def __init__(self, raised=ValueError):
        self.raised = raised

    def __repr__(self):
        raise self.raised("\ud800 nothing to say")

    def get_params(self, deep=True):
        raise self.raised("no parameters")


class Giving(DummyClassifier):
    """Raises what it was given."""

    def __init__(self, raised=None):
        super().__init__()
        self.raised = raised

    def fit(self, X, y):
        raise self.raised


class Own(BaseException):
    """No `Exception`."""


def trees(*depths):
    return {f"depth {n}": Counted(max_depth=n, random_state=0) for n in depths}


def search_on(path, candidates, **options):
    search = cw.CurveSearchCV(
        candidates, cv=3, store=path, run="trees", random_state=0, refit=False, **options
    )
    return search.fit(X, y)


def rows_of(path):
    with RunStore.read(path) as store:
        run = store.run("trees")
        return repr((run.decisions(), run.outcomes(), run.results(), run.summary()))


def limited(path, reason, then, now):
    """Meet a limit, and give what is known when the run goes on with another."""
    with RunStore.create(path) as store:
        run = store.begin({}, "data", name="a", limits=Limits(**then), **TERMS)
        run.record(cw.Failure(TASK, reason, "a limit", 1.0))
    with RunStore.open(path) as store:
        run = store.begin({}, "data", name="a", limits=Limits(**now), **TERMS)
        known = run.known(TASK)
        if known is None:
            assert run.record(cw.Observation(TASK, 0.25))
            assert len(run.attempts(TASK)) == 1
    return known


@pytest.mark.parametrize(
    ("reason", "then", "now", "again"),
    [
        (cw.Reason.TIMEOUT, {"timeout_per_fit": 1.0}, {"timeout_per_fit": 100.0}, True),
        (cw.Reason.TIMEOUT, {"timeout_per_candidate": 1.0}, {"timeout_per_candidate": 2}, True),
        (cw.Reason.TIMEOUT, {"timeout_per_candidate": 1.0}, {}, True),
        (cw.Reason.TIMEOUT, {"timeout_per_fit": 1.0}, {"timeout_per_fit": 1.0}, False),
        (cw.Reason.TIMEOUT, {"timeout_per_fit": 1.0}, {"timeout_per_fit": 0.5}, False),
        (cw.Reason.TIMEOUT, {"memory_limit": "1GB"}, {"memory_limit": "2GB"}, False),
        (cw.Reason.MEMORY, {"memory_limit": "1GB"}, {"memory_limit": "2GB"}, True),
        (cw.Reason.MEMORY, {"memory_limit": "1GB"}, {"memory_limit": 10**9}, False),
        (cw.Reason.MEMORY, {}, {"timeout_per_fit": 9.0}, False),
        (cw.Reason.ERROR, {"timeout_per_fit": 1.0}, {"timeout_per_fit": 100.0}, False),
    ],
)
def test_what_met_a_limit_is_tried_again_when_it_is_larger(tmp_path, reason, then, now, again):
    assert (limited(tmp_path / "run.db", reason, then, now) is None) is again


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:No candidate has all of its folds")
@pytest.mark.parametrize("limit", ["timeout_per_candidate", "timeout_per_fit"])
def test_a_search_goes_on_with_who_was_stopped_when_the_limit_is_larger(tmp_path, limit):
    path, slow = tmp_path / "run.db", {"slow": Sleepy(0.01), **trees(2)}
    first = search_on(path, slow, **{limit: 0.6})
    again = search_on(path, slow, **{limit: 0.6})
    larger = search_on(path, slow, **{limit: 60})

    assert first.results_[0].status is cw.Status.STOPPED
    assert repr(again.results_[0]) == repr(first.results_[0])
    assert larger.results_[0].status is not cw.Status.STOPPED


def test_a_store_that_says_nothing_of_limits_stays_as_it_is(tmp_path):
    with RunStore.create(tmp_path / "run.db") as store:
        store.begin({}, "data", name="a", **TERMS).record(
            cw.Failure(TASK, cw.Reason.TIMEOUT, "after 1 s", 1.0)
        )
        run = store.begin({}, "data", name="a", limits=Limits(timeout_per_fit=100), **TERMS)

        assert run.known(TASK).reason is cw.Reason.TIMEOUT


def test_a_finished_run_is_read_and_neither_fitted_nor_decided_anew(tmp_path):
    path = tmp_path / "run.db"
    first = search_on(path, {**trees(1, 2, 5), "fails": Giving(ValueError("no"))})
    before, n_fits = rows_of(path), len(FITS)
    again = search_on(path, {**trees(1, 2, 5), "fails": Giving(ValueError("no"))})

    assert len(FITS) == n_fits
    assert rows_of(path) == before
    assert again.best_index_ == first.best_index_
    assert again.best_score_ == first.best_score_
    assert again.cv_results_["status"].tolist() == first.cv_results_["status"].tolist()
    assert repr(again.results_) == repr(first.results_)
    assert [each.candidate for each in again.leaders_] == [
        each.candidate for each in first.leaders_
    ]


def test_decisions_of_a_finished_run_count_even_if_they_would_be_others_now(tmp_path):
    path = tmp_path / "run.db"
    search_on(path, trees(1, 2, 5))
    with RunStore.open(path) as store:
        # As if another order of outcomes had pruned it, and its worker had died three times.
        store._connection.execute("UPDATE outcomes SET seconds = 7.0 WHERE candidate = 0")
    before = rows_of(path)
    search_on(path, trees(1, 2, 5))

    assert rows_of(path) == before


def test_nobody_is_complete_without_a_loss(tmp_path):
    path = tmp_path / "run.db"
    search_on(path, trees(1, 2))
    with RunStore.open(path) as store:
        store._connection.execute("UPDATE outcomes SET loss = 'nan'")

    with pytest.raises(StoreError, match="was completed, and has no loss of it"):
        search_on(path, trees(1, 2))


def test_a_finished_run_goes_on_with_more_candidates(tmp_path):
    path = tmp_path / "run.db"
    search_on(path, trees(1, 2))
    FITS.clear()
    more = search_on(path, trees(1, 2, 5))

    assert set(FITS) == {5}
    assert len(more.results_) == 3


def test_another_estimator_under_the_same_name_is_refused_in_a_finished_run(tmp_path):
    search_on(tmp_path / "run.db", trees(1, 2))
    other = {"depth 1": Counted(max_depth=9, random_state=0), **trees(2)}

    with pytest.raises(StoreError, match="is another one now"):
        search_on(tmp_path / "run.db", other)


def test_a_finished_run_says_so_until_it_goes_on(tmp_path):
    with RunStore.create(tmp_path / "run.db") as store:
        begin_formulas(store, "kfold").finish()
    search_on(tmp_path / "named.db", trees(1))
    with RunStore.read(tmp_path / "named.db") as store:
        assert store.run("trees").summary().status is RunStatus.FINISHED


@pytest.mark.parametrize("raised", [ValueError, SystemExit, Own])
def test_a_candidate_that_cannot_say_what_it_is_costs_itself_alone(tmp_path, raised):
    candidates = {**trees(2), "mute": Mute(raised)}
    first = search_on(tmp_path / "run.db", candidates)
    again = search_on(tmp_path / "run.db", candidates)

    assert first.results_[first.best_index_].candidate == "depth 2"
    assert first.results_[1].status is cw.Status.FAILED
    assert repr(again.results_) == repr(first.results_)


@pytest.mark.parametrize(
    "raised", [GeneratorExit("gone"), Own("own"), SystemExit("left"), ValueError("half \ud800")]
)
def test_whatever_a_candidate_raises_is_its_failure_with_a_message(tmp_path, raised):
    search = search_on(tmp_path / "run.db", {"bad": Giving(raised), **trees(2)})
    failure = search.results_[0].failures[0]

    assert search.results_[search.best_index_].candidate == "depth 2"
    assert failure.error == type(raised).__name__
    assert failure.headline.endswith(str(raised).replace("\ud800", "\\ud800"))
    assert failure.message.encode("utf-8")


@pytest.mark.skipif(os.name != "posix", reason="it is about signals")
@pytest.mark.slow
@pytest.mark.parametrize(("sent", "again"), [("SIGKILL", True), ("SIGSEGV", False)])
def test_who_failed_for_unclear_reasons_is_tried_again_in_a_finished_run(tmp_path, sent, again):
    sign, path = tmp_path / "sign", tmp_path / "run.db"
    sign.touch()
    killed = Killed(str(sign), getattr(signal, sent))
    first = search_on(path, {**trees(2), "killed": killed}, n_jobs=2)
    sign.unlink()
    with RunStore.read(path) as store:
        (fail,) = (d for _, d in store.run("trees").decisions() if isinstance(d, Fail))
    second = search_on(path, {**trees(2), "killed": killed}, n_jobs=2)
    rows = rows_of(path)
    third = search_on(path, {**trees(2), "killed": killed}, n_jobs=2)

    assert first.results_[1].status is cw.Status.FAILED
    assert fail.failure.message.endswith(UNCLEAR) == again
    assert (second.results_[1].status is cw.Status.FAILED) == (not again)
    assert [r.status for r in third.results_] == [r.status for r in second.results_]
    assert rows_of(path) == rows


class TakenOver(Listener):
    """Lets another process have the run when the search is over."""

    def __init__(self, path):
        self._path = path

    def finished(self, ending):
        with closing(sqlite3.connect(self._path)) as store, store:
            store.execute("UPDATE runs SET writer = 'another'")


def test_an_answer_is_not_lost_for_a_store_that_takes_no_more(tmp_path):
    path = tmp_path / "run.db"
    search = cw.CurveSearchCV(trees(1, 2), cv=3, store=path, learning_curve=True, random_state=0)
    with pytest.warns(UserWarning, match="resumed by another process") as told:
        search.add_listener(TakenOver(path)).fit(X, y)

    assert search.predict(X).shape == y.shape
    assert search.honest_score_.raw == search.best_score_
    assert len([one for one in told if "not noted" in str(one.message)]) == 1


def test_an_interrupt_leaves_a_run_that_goes_on(tmp_path):
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        search_on(path, {**trees(1, 2), "interrupts": Giving(KeyboardInterrupt())})
    with RunStore.read(path) as store:
        assert store.run("trees").summary().status is RunStatus.INTERRUPTED
    FITS.clear()
    with pytest.raises(KeyboardInterrupt):
        search_on(path, {**trees(1, 2), "interrupts": Giving(KeyboardInterrupt())})

    assert FITS == []


def test_a_learner_that_says_fifty_megabytes_does_not_fill_the_store(tmp_path):
    path = tmp_path / "run.db"
    search_on(path, {"loud": Giving(ValueError(50_000_000 * "x")), **trees(2)})

    assert path.stat().st_size < 500_000
