import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import (
    Failure,
    KFoldCV,
    Observation,
    Race,
    Reason,
    Search,
    Status,
)
from curvewise.core._time_limit import TimeLimit
from curvewise.errors import InvalidParameterError


def slow(task, seconds_per_row):
    return Observation(task, 0.2, seconds=task.anchor * seconds_per_row, n_test=500)


def finish(search, seconds_per_row):
    spent = 0.0
    while not search.done:
        for task in search.ask():
            outcome = slow(task, seconds_per_row[task.candidate])
            spent += outcome.seconds
            search.tell(outcome)
    return spent


def test_a_candidate_that_cannot_finish_is_stopped_long_before_its_limit():
    search = Search(["quick", "slow"], schedule=8000, n_folds=5, limit=TimeLimit(per_candidate=100))
    spent = finish(search, {"quick": 0.0001, "slow": 0.05})

    result = search.results["slow"]
    assert result.status is Status.STOPPED
    assert "do not fit into the" in result.explain()
    assert spent < 80
    assert search.best.candidate == "quick"


def test_without_foresight_it_is_stopped_when_its_time_is_used_up():
    limit = TimeLimit(per_candidate=100, foresee=False)
    search = Search(["slow"], schedule=1000, policy=KFoldCV(), n_folds=5, limit=limit)
    while not search.done:
        for task in search.ask():
            search.tell(slow(task, 0.03))

    assert search.results["slow"].status is Status.COMPLETED

    search = Search(["slow"], schedule=1000, policy=Race(), n_folds=5, limit=limit)
    (task,) = search.ask()
    search.tell(slow(task, 0.2))

    assert "its 100 s are used up" in search.results["slow"].explain()
    assert search.best.loss == 0.2


@given(st.integers(1, 10), st.floats(0.1, 1000), st.integers(1, 10))
def test_an_allowance_never_exceeds_what_is_left(n_folds, seconds, n_workers):
    limit = TimeLimit(per_candidate=seconds)
    search = Search(["a"], schedule=9000, policy=KFoldCV(), n_folds=n_folds, limit=limit)
    tasks = search.ask(n_workers)

    allowances = [search.allowance(task) for task in tasks]
    assert sum(allowances) <= seconds + 1e-9
    assert min(allowances) > 0


def test_an_anchor_gets_a_part_of_the_limit():
    search = Search(["a"], schedule=32_000, n_folds=5, limit=TimeLimit(per_candidate=100))
    (task,) = search.ask()

    assert task.anchor == 1000
    assert search.allowance(task) == 20.0


def test_without_foresight_an_anchor_may_take_what_is_left():
    limit = TimeLimit(per_candidate=100, foresee=False)
    search = Search(["a"], schedule=32_000, n_folds=5, limit=limit)
    (task,) = search.ask()

    assert search.allowance(task) == 100.0


def test_a_limit_per_fit_holds_beside_the_one_per_candidate():
    limit = TimeLimit(per_candidate=100, per_fit=3)
    search = Search(["a"], schedule=1000, policy=KFoldCV(), n_folds=2, limit=limit)
    (task,) = search.ask()

    assert search.allowance(task) == 3


@given(st.integers(1, 8), st.lists(st.floats(0.01, 0.3), min_size=5, max_size=5))
def test_what_is_granted_at_once_never_exceeds_what_is_left(n_workers, shares):
    limit = TimeLimit(per_candidate=10, foresee=False)
    search = Search(["a"], schedule=1000, policy=KFoldCV(), n_folds=5, limit=limit)
    granted = {}
    while not search.done:
        for task in search.ask(n_workers - len(granted)):
            granted[task] = search.allowance(task)
        spent = 10 - sum(granted.values()) + 1e-9
        assert search.portfolio.contenders["a"].seconds_spent <= spent
        task, seconds = granted.popitem()
        search.tell(Observation(task, 0.1, seconds=seconds * shares[task.fold]))


def test_folds_that_have_not_begun_take_no_share():
    limit = TimeLimit(per_candidate=10)
    search = Search(["a"], schedule=1000, policy=KFoldCV(), n_folds=10, limit=limit)
    (task,) = search.ask(1)

    assert search.allowance(task) == 10


def one_against_a_leader(n_folds):
    limit = TimeLimit(per_candidate=100)
    search = Search(["leader", "other"], schedule=1000, n_folds=n_folds, limit=limit)
    (task,) = search.ask()
    assert search.allowance(task) == 100
    search.tell(Observation(task, 0.2, seconds=1.0, n_test=500))
    (task,) = search.ask()
    assert task.candidate == "other"
    return search, task


def test_a_fold_that_never_ends_costs_its_share_of_the_limit():
    search, task = one_against_a_leader(n_folds=5)

    assert search.allowance(task) == 25.0
    search.tell(Failure(task, Reason.TIMEOUT, seconds=25.0))
    assert search.results["other"].status is Status.STOPPED


def test_a_fold_that_is_a_little_too_slow_does_not_end_a_candidate():
    search, task = one_against_a_leader(n_folds=5)
    search.tell(Observation(task, 0.1, seconds=21.0))

    assert search.results["other"].status is Status.RUNNING


@given(st.integers(2, 10), st.floats(1.001, 1.5))
def test_a_fold_ends_only_where_the_candidate_would_be_found_hopeless(n_folds, factor):
    search, task = one_against_a_leader(n_folds)
    search.tell(Observation(task, 0.1, seconds=min(99.0, factor * search.allowance(task))))

    assert "do not fit into the" in search.results["other"].explain()


def test_no_limit_is_no_allowance():
    search = Search(["a"], schedule=1000)

    assert search.allowance(search.ask()[0]) is None


@given(st.integers(0, 10**6))
def test_counting_rows_makes_decisions_independent_of_seconds(seed):
    def decisions(factor):
        search = Search(range(6), schedule=5000, n_folds=4, count_rows=True)
        while not search.done:
            for task in search.ask(3):
                loss = 0.2 + (hash((seed, task)) % 1000) / 10_000
                seconds = factor * (1 + hash((task, factor)) % 7)
                search.tell(Observation(task, loss, seconds=seconds, n_test=300))
        return [result.decisions for result in search.results.values()]

    assert decisions(1.0) == decisions(1000.0)


@pytest.mark.parametrize("knobs", [{"per_candidate": 0}, {"per_fit": -1}])
def test_impossible_limits_are_refused(knobs):
    with pytest.raises(InvalidParameterError, match="must be above 0"):
        TimeLimit(**knobs)
