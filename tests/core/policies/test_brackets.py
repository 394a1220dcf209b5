from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Halving, Hyperband, Search, Status
from curvewise.errors import InvalidParameterError
from tests.play import play, power_law


def run(policy, n, n_workers=1, target=9000):
    learners = {i: power_law(0.05 + i / 100) for i in range(n)}
    search = Search(list(learners), schedule=target, policy=policy, n_folds=2)
    tasks = play(search, learners, n_workers=n_workers)
    return search, tasks


@given(st.integers(1, 40), st.integers(1, 9), st.sampled_from([Halving(), Hyperband()]))
def test_the_best_of_crossing_free_curves_wins(n, n_workers, policy):
    search, _ = run(policy, n, n_workers)

    assert search.best.candidate == 0
    assert search.done


def test_a_third_goes_on_at_each_rung():
    _, tasks = run(Halving(), 27)

    per_anchor = Counter(task.anchor for task in tasks if task.fold == 0)
    assert per_anchor == {333: 27, 1000: 9, 3000: 3, 9000: 1}


def test_hyperband_begins_its_brackets_at_different_anchors():
    _, tasks = run(Hyperband(), 27)

    first = {}
    for task in tasks:
        first.setdefault(task.candidate, task.anchor)
    assert set(first.values()) == {333, 1000, 3000, 9000}
    per_bracket = Counter(first.values())
    assert per_bracket[333] > per_bracket[1000] > per_bracket[3000]


def test_a_failed_candidate_does_not_stop_the_others():
    learners = {i: power_law(i / 20) for i in range(9)}
    search = Search(list(learners), schedule=9000, policy=Halving(), n_folds=2)
    play(search, learners, failing={(0, 1000)})

    assert search.best.candidate == 1
    assert search.results[0].status is Status.FAILED


def test_if_all_fail_at_a_rung_all_go_on():
    learners = {i: power_law(i / 20) for i in range(9)}
    search = Search(list(learners), schedule=9000, policy=Halving(), n_folds=2)
    play(search, learners, failing={(i, 1000) for i in range(9)})

    assert search.best.candidate == 0


def test_brackets_do_not_wait_for_each_other():
    search = Search(range(27), schedule=9000, policy=Hyperband(), n_folds=2)
    tasks = search.ask(1000)

    assert {task.candidate for task in tasks} == set(range(27))


def test_it_needs_to_know_all_candidates():
    with pytest.raises(InvalidParameterError, match="halving needs to know all candidates"):
        Search(iter(range(3)), schedule=9000, policy=Halving()).ask()


def test_impossible_rates_are_refused():
    with pytest.raises(InvalidParameterError, match="eta must be at least 2"):
        Halving(eta=1)
