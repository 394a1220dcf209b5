"""Who led when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import LCCV, KFoldCV, Observation, Race, Scale, Search, Status, Task
from curvewise.core._lead_changes import who_led
from tests.play import noise, observe


def changes(*events, **statuses):
    told = [
        (float(second), Observation(Task(name, anchor, fold), loss))
        for second, (name, anchor, fold, loss) in enumerate(events)
    ]
    found = who_led(told, target=900, scale=Scale(), statuses=statuses)
    return [(change.n_fits, change.candidate) for change in found]


def test_a_leader_is_overtaken_only_with_as_many_folds():
    events = [("a", 900, 0, 0.2), ("a", 900, 1, 0.2), ("b", 900, 0, 0.1), ("b", 900, 1, 0.15)]

    assert changes(*events) == [(1, "a"), (2, "a"), (4, "b")]


def test_smaller_anchors_and_failed_candidates_never_lead():
    events = [("a", 64, 0, 0.0), ("b", 900, 0, 0.1), ("c", 900, 0, 0.2)]

    assert changes(*events, b=Status.FAILED) == [(3, "c")]


def test_who_has_its_score_takes_over_from_one_that_never_gets_it():
    events = [("a", 900, 0, 0.1), ("b", 900, 0, 0.2), ("b", 900, 1, 0.2)]

    assert changes(*events, a=Status.PRUNED, b=Status.COMPLETED) == [(1, "a"), (3, "b")]


def test_a_score_on_fewer_folds_is_still_a_score():
    events = [("a", 900, 0, 0.2), ("a", 900, 1, 0.2), ("b", 900, 0, 0.1)]

    assert changes(*events, a=Status.COMPLETED, b=Status.COMPLETED)[-1] == (3, "b")


def test_time_and_cost_are_counted_up_to_the_change():
    told = [(0.5, Observation(Task("a", 64, 0), 0.3)), (2.0, Observation(Task("a", 900, 0), 0.25))]

    (change,) = who_led(told, target=900, scale=Scale(), statuses={"a": Status.COMPLETED})

    assert change == (2.0, 2, 964, "a", 0.75, 1)


@pytest.mark.parametrize("policy", [Race(), LCCV(), KFoldCV()], ids=lambda policy: policy.name)
@given(n=st.integers(1, 6), seed=st.integers(0, 10_000), n_workers=st.integers(1, 8))
def test_the_last_leader_is_the_best_of_the_search(policy, n, seed, n_workers):
    search = Search(range(n), schedule=5000, n_folds=4, policy=policy)
    told = []
    while not search.done:
        for task in search.ask(n_workers):
            # Few different losses: ties are common.
            loss = round(0.3 + 0.1 * noise(seed + task.candidate, task.anchor, task.fold), 1)
            if search.tell(observation := observe(task, loss)):
                told.append((float(len(told)), observation))
    statuses = {result.candidate: result.status for result in search.results.values()}

    last = who_led(told, target=5000, scale=Scale(), statuses=statuses)[-1]

    assert (last.candidate, last.score) == (search.best.candidate, search.best.score)
