"""Learning curves of the best, after a search."""

import math
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

import curvewise as cw
from curvewise import CurveSearchCV, Failure, KFoldCV, Observation, Reason, SearchExtras
from curvewise._selection.learning_curves import SHARE, add_learning_curves, curves_taken, halves
from curvewise.core import LearningCurve, Scale, Status, Task
from curvewise.core._intervals import Interval
from curvewise.core._result import ValidationResult
from curvewise.executors import Ending, ReplayExecutor, RunStore

TARGET = 800


def result_of(name, loss, seconds, n_folds=5):
    curve = LearningCurve(
        Observation(Task(name, TARGET, fold), loss, seconds=seconds) for fold in range(n_folds)
    )
    interval = Interval(-math.inf, math.inf)
    return ValidationResult(name, Status.COMPLETED, loss, interval, curve, (), (), Scale())


def search_of(results, look_up, *, n_workers=1, deadline=None):
    """What is handed over after a search, with an executor that looks everything up."""
    given = SimpleNamespace(
        results_=list(results),
        curves_=[result.curve for result in results],
        best_index_=0,
        ending_=Ending.FINISHED,
        timeout_per_fit=None,
    )
    return SimpleNamespace(
        given=given,
        experiment=SimpleNamespace(folds=SimpleNamespace(target=TARGET)),
        candidates={result.candidate: None for result in results},
        executor=ReplayExecutor(look_up, n_workers=n_workers),
        extras=SearchExtras(deadline=deadline),
        record=None,
    )


def by_rows(seconds):
    """Fits that take so many seconds at the target, by their name, and less on fewer rows."""

    def look_up(task):
        took = seconds[task.candidate] * task.anchor / TARGET
        return Observation(task, 10 / task.anchor, seconds=took)

    return look_up


@given(st.integers(1, 10**7))
def test_anchors_are_halves_of_the_target(target):
    anchors = halves(target)

    assert len(anchors) <= 6
    assert all(32 <= anchor < target for anchor in anchors)
    assert all(abs(larger - 2 * anchor) <= 2 for larger, anchor in pairwise([target, *anchors]))


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=8), st.integers(1, 4))
def test_all_fits_together_take_at_most_their_share(seconds, n_workers):
    results = [result_of(str(i), 0.1 + i / 100, each) for i, each in enumerate(seconds)]
    costs = {result.candidate: cost for result, cost in zip(results, seconds, strict=True)}
    refit = search_of(results, by_rows(costs), n_workers=n_workers)
    add_learning_curves(refit)

    spent = sum(result.seconds for result in results)
    assert refit.given.curve_seconds_ <= SHARE * spent + 1e-9
    assert refit.executor.busy_seconds == pytest.approx(refit.given.curve_seconds_)


def test_the_best_comes_first_then_rivals_that_can_have_all_folds():
    costly = result_of("slow", 0.5, 50.0)
    results = [result_of("best", 0.1, 1.0), result_of("rival", 0.2, 1.0), costly]
    seconds = {"best": 1.0, "rival": 1.0, "slow": 50.0}
    refit = search_of(results, by_rows(seconds))
    add_learning_curves(refit)
    best, rival, slow = refit.given.curves_

    assert best.anchors == (50, 100, 200, 400, 800)
    assert all(best.n(anchor) == 5 for anchor in best.anchors)
    assert rival.n(400) in (0, 5)
    assert slow.anchors == (800,)


def test_one_fold_at_all_sizes_comes_before_further_folds():
    results = [result_of("best", 0.1, 10.0), result_of("other", 0.5, 40.0)]
    refit = search_of(results, by_rows({"best": 10.0, "other": 40.0}))
    add_learning_curves(refit)
    curve = refit.given.curves_[0]

    assert curve.anchors == (50, 100, 200, 400, 800)
    assert curve.n(400) == 1


def test_a_size_that_fails_is_not_tried_again_and_costs_nobody_anything():
    tried = []

    def look_up(task):
        tried.append(task)
        if task.anchor == 100:
            return Failure(task, Reason.ERROR, "a class is missing", 0.001)
        return by_rows({"best": 0.001, "rest": 100.0})(task)

    results = [result_of("best", 0.1, 0.001), result_of("rest", 0.5, 100.0)]
    refit = search_of(results, look_up)
    add_learning_curves(refit)

    assert refit.given.curves_[0].anchors == (50, 200, 400, 800)
    assert sum(task.anchor == 100 for task in tried) == 1
    assert refit.given.results_[0].failures == ()


def test_no_time_left_means_no_curve():
    results = [result_of("best", 0.1, 1.0), result_of("rest", 0.5, 100.0)]
    refit = search_of(results, by_rows({"best": 1.0, "rest": 1.0}), deadline=-1.0)
    add_learning_curves(refit)

    assert refit.executor.n_tasks == 0
    assert refit.given.curves_[0].anchors == (TARGET,)


def test_after_an_interrupted_search_there_is_none():
    refit = search_of([result_of("best", 0.1, 1.0)], by_rows({"best": 0.0}))
    refit.given.ending_ = Ending.INTERRUPTED
    add_learning_curves(refit)

    assert refit.executor.n_tasks == 0


@pytest.mark.parametrize("noted", [None, 3, {}, {"seconds": -1, "n_fits": 2}, {"seconds": "1"}])
def test_a_note_that_is_none_counts_as_nothing(noted):
    assert curves_taken({"learning curves": noted}) == (0.0, 0)


@pytest.fixture(scope="module")
def data():
    return make_classification(500, n_informative=5, flip_y=0.2, random_state=0)


class Costly(DummyClassifier):
    """Predicts the commonest class, and takes as long as a forest for it."""

    def fit(self, X, y):
        RandomForestClassifier(60, random_state=0).fit(X, y)
        return super().fit(X, y)


CANDIDATES = {"bayes": GaussianNB(), "costly": Costly()}


def fitted(data, **settings):
    search = CurveSearchCV(CANDIDATES, policy=KFoldCV(), random_state=0, **settings)
    return search.fit(*data)


@pytest.fixture(scope="module")
def with_curve(data):
    return fitted(data, learning_curve=True)


@pytest.fixture(scope="module")
def without(data):
    return fitted(data)


def test_a_curve_changes_nothing_that_the_search_has_found(with_curve, without):
    results = with_curve.results_

    for column in ("mean_test_score", "status", "n_folds", "anchor", "training_rows"):
        assert np.array_equal(with_curve.cv_results_[column], without.cv_results_[column])
    assert [each.decisions for each in results] == [each.decisions for each in without.results_]
    assert with_curve.best_index_ == without.best_index_
    assert results[with_curve.best_index_].curve.anchors == (50, 100, 200, 400)
    assert with_curve.curves_ == [each.curve for each in results]
    assert not hasattr(without, "curve_seconds_")


def test_advice_rests_on_the_curve(with_curve, without):
    assert cw.advise(with_curve).step.before == 200
    assert cw.advise(without).step is None


def test_a_run_that_goes_on_does_not_repeat_it(data, tmp_path):
    named = {"store": tmp_path / "run.db", "run": "named"}
    first = fitted(data, learning_curve=True, **named)
    with RunStore.read(tmp_path / "run.db") as store:
        before = [outcome.task for outcome in store.run().outcomes()]
        seconds, n_fits = curves_taken(store.run().notes())
        advice = cw.advise(store.run())
    second = fitted(data, learning_curve=True, **named)
    with RunStore.read(tmp_path / "run.db") as store:
        after = [outcome.task for outcome in store.run().outcomes()]
    one, two = (search.curves_[search.best_index_] for search in (first, second))

    assert n_fits > 0 < seconds
    assert advice.step.before == 200
    assert {cell.task for cell in one} <= set(before)
    assert after[: len(before)] == before
    assert len(set(after)) == len(after)
    assert all(two.at(*cell.task[1:]).loss == cell.loss for cell in one)


class Interrupting(GaussianNB):
    """Somebody presses Ctrl-C when it gets fewer rows than a fold has."""

    def fit(self, X, y):
        if len(X) < 400:
            raise KeyboardInterrupt
        return super().fit(X, y)


def test_an_interrupt_leaves_the_answer(data):
    candidates = CANDIDATES | {"bayes": Interrupting()}
    search = CurveSearchCV(candidates, policy=KFoldCV(), random_state=0, learning_curve=True)
    with pytest.warns(UserWarning, match="learning curves are not complete"):
        search.fit(*data)

    assert isinstance(search.best_estimator_, Interrupting)
    assert search.curves_[search.best_index_].anchors == (400,)
