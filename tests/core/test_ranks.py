"""Who ranks before whom."""

import math
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from curvewise import LearningCurve, Observation, Status, Task
from curvewise.core._ranks import ORDER, best_of, is_estimated, places, rank, shared_ranks


class Ended(NamedTuple):
    status: Status
    loss: float = math.nan


def curve(*points):
    return LearningCurve(Observation(Task("c", *place), loss) for *place, loss in points)


@given(st.lists(st.builds(Ended, st.sampled_from(list(Status)), st.floats(0, 1)), max_size=8))
def test_how_it_ended_counts_more_than_the_loss(results):
    ordered = sorted(results, key=rank)

    assert [ORDER.index(each.status) for each in ordered] == sorted(
        ORDER.index(each.status) for each in results
    )


def test_of_those_with_a_loss_the_smaller_comes_first_and_a_loss_before_none():
    small, large, none = (
        Ended(Status.STOPPED, 0.1),
        Ended(Status.STOPPED, 0.2),
        Ended(Status.STOPPED),
    )

    assert sorted([none, large, small], key=rank) == [small, large, none]


def test_without_a_loss_who_came_further_comes_first():
    pruned = Ended(Status.PRUNED)
    near, far = curve((64, 0, 0.1)), curve((900, 0, 0.3))
    often, better = curve((900, 0, 0.4), (900, 1, 0.4)), curve((900, 0, 0.2))

    ordered = sorted([near, far, often, better, curve()], key=lambda each: rank(pruned, each))
    assert ordered == [often, better, far, near, curve()]


def test_among_equals_the_first_that_came_is_the_best():
    first, second = ("first", Status.COMPLETED, 0.1), ("second", Status.COMPLETED, 0.1)

    class Named(NamedTuple):
        name: str
        status: Status
        loss: float

    assert best_of([Named(*first), Named(*second)]).name == "first"


def test_a_complete_result_is_better_than_any_partial_one():
    partial, complete = Ended(Status.STOPPED, 0.1), Ended(Status.COMPLETED, 0.4)

    assert best_of([partial, complete]) is complete
    assert best_of([partial, Ended(Status.PRUNED)]) is partial
    assert best_of([Ended(Status.FAILED)]) is None


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=9))
def test_shared_ranks_are_those_of_a_competition(losses):
    assert shared_ranks(losses) == rankdata(losses, method="min").tolist()


def test_those_without_a_loss_share_the_last_rank():
    assert shared_ranks([math.nan, 0.5, math.nan]) == [2, 1, 2]
    assert shared_ranks([math.nan]) == [1]


@given(st.lists(st.builds(Ended, st.sampled_from(list(Status)), st.floats(0, 1)), max_size=8))
def test_where_partial_results_compete_the_best_has_the_smallest_loss(results):
    known = [each.loss for each in results if each.status in (Status.COMPLETED, Status.STOPPED)]

    best = best_of(results, partial_results=True)
    assert not known or best.loss == min(known)


@given(st.lists(st.builds(Ended, st.sampled_from(list(Status)), st.floats(0, 1)), max_size=8))
def test_everybody_has_a_place_and_only_the_completed_have_it_for_sure(results):
    numbers = places([(one, curve()) for one in results])
    order = sorted(range(len(results)), key=lambda i: rank(results[i], curve()))

    assert [numbers[i] for i in order] == sorted(numbers)
    assert all(1 <= number <= len(results) for number in numbers)
    assert [is_estimated(one) for one in results] == [
        one.status is not Status.COMPLETED for one in results
    ]


def test_equal_ones_share_a_place_and_the_next_place_is_left_out():
    same, last = Ended(Status.COMPLETED, 0.1), Ended(Status.PRUNED)

    assert places([(last, curve()), (same, curve()), (same, curve())]) == [3, 1, 1]
