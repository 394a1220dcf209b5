"""A search whose tasks fail, are lost or cancelled, or answer late."""

import math

import pytest

from curvewise import (
    LCCV,
    Failure,
    KFoldCV,
    Observation,
    Race,
    Reason,
    Search,
    Status,
)
from curvewise.core._decisions import Revive
from tests.core.test_search import LEARNERS
from tests.play import observe, play


def test_an_outcome_after_a_cancellation_changes_nothing():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=2)
    task = search.ask()[0]
    search.stop()

    assert search.cancellations() == [task]
    assert search.cancellations() == []
    assert not search.tell(Observation(task, 0.1))
    assert search.results["a"].status is Status.STOPPED
    assert math.isnan(search.results["a"].loss)


def test_a_loss_that_is_nan_at_the_target_fails_the_candidate():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=2)
    for task in search.ask(2):
        search.tell(Observation(task, math.nan if task.fold else 0.1))

    result = search.results["a"]
    assert result.status is Status.FAILED
    assert math.isnan(result.score)
    assert result.explain() == "a failed at 900 rows: the loss is nan"
    assert search.best is None


def test_two_failed_anchors_and_no_success_end_a_candidate():
    search = Search(["a"], schedule=3000, policy=LCCV(), best_loss=0.1)

    tasks = play(search, LEARNERS, failing={("a", 64), ("a", 128)})

    assert search.results["a"].status is Status.FAILED
    assert {task.anchor for task in tasks} == {64, 128}


def test_a_lost_task_is_asked_for_again_but_not_for_ever():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=1)
    for _ in range(3):
        (task,) = search.ask()
        search.tell(Failure(task, Reason.LOST))

    assert search.ask() == []
    assert search.done
    assert search.results["a"].status is Status.FAILED


def test_an_answer_of_a_task_that_was_thought_lost_still_counts():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=1)
    (task,) = search.ask()
    search.tell(Failure(task, Reason.LOST))

    assert search.tell(Observation(task, 0.1))
    assert search.best.loss == 0.1
    assert search.ask() == []


def test_a_task_cancelled_from_outside_is_asked_for_again():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=1)
    for _ in range(5):
        (task,) = search.ask()
        search.tell(Failure(task, Reason.CANCELLED))
    (task,) = search.ask()
    search.tell(Observation(task, 0.1))

    assert search.best.loss == 0.1


def test_a_timeout_keeps_the_folds_that_finished():
    search = Search(["a", "b"], schedule=900, policy=KFoldCV(), n_folds=3)
    for task in search.ask(3):
        if task.fold == 2:
            search.tell(Failure(task, Reason.TIMEOUT))
        else:
            search.tell(Observation(task, 0.1 + task.fold / 10))

    result = search.results["a"]
    assert result.status is Status.STOPPED
    assert result.loss == pytest.approx(0.15)
    assert search.best.candidate == "a"
    for task in search.ask(3):
        search.tell(Observation(task, 0.9))
    assert search.best.candidate == "b"


def test_candidates_pruned_by_a_leader_that_fails_come_back():
    search = Search(["flash", "solid"], schedule=900, policy=Race(), n_folds=4)
    losses = {"flash": 0.01, "solid": 0.3}
    while not search.done:
        for task in search.ask():
            if task.candidate == "flash" and task.fold == 3:
                search.tell(Failure(task, Reason.ERROR, "broke down"))
            else:
                search.tell(observe(task, losses[task.candidate]))

    assert search.results["flash"].status is Status.FAILED
    assert any(isinstance(d, Revive) for d in search.results["solid"].decisions)
    assert search.best.candidate == "solid"


def test_a_lost_task_that_is_reported_twice_counts_once():
    search = Search(["a"], schedule=900, policy=KFoldCV(), n_folds=1)
    (task,) = search.ask()

    assert search.tell(Failure(task, Reason.LOST))
    assert not search.tell(Failure(task, Reason.LOST))
    assert not search.tell(Failure(task, Reason.LOST))
    assert search.ask(5) == [task]


def test_a_late_outcome_of_a_revived_candidate_is_ignored():
    search = Search(["flash", "solid"], schedule=900, policy=Race(), n_folds=4)
    flash, solid = search.ask(2)
    search.tell(observe(solid, 0.3))
    under_way = search.ask(2)
    search.tell(observe(flash, 0.01))
    assert set(search.cancellations()) == set(under_way)
    (more, *_) = search.ask(1)
    search.tell(Failure(more, Reason.ERROR, "broke down"))
    assert search.results["solid"].status is Status.RUNNING

    assert not search.tell(observe(under_way[-1], 0.3))


def test_candidates_pruned_by_an_earlier_leader_come_back_as_well():
    search = Search(["A", "C", "B"], schedule=900, policy=Race(), n_folds=4)
    first_fold = {"A": 0.10, "C": 0.5, "B": 0.01}
    while not search.done:
        for task in search.ask():
            if task.fold and task.candidate != "C":
                search.tell(Failure(task, Reason.ERROR, "broke down"))
            else:
                search.tell(observe(task, first_fold[task.candidate]))

    assert search.best.candidate == "C"
