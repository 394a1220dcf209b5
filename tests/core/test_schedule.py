import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Schedule
from curvewise.errors import InvalidParameterError

targets = st.integers(1, 10**7)


@given(targets, st.integers(0, 10), st.sampled_from([2, 3, 4, 1.5, 2**0.5]))
def test_geometric_schedule_ascends_to_the_target(target, min_exp, base):
    schedule = Schedule.geometric(target, min_exp=min_exp, base=base)

    assert schedule.target == target
    assert list(schedule.anchors) == sorted(set(schedule.anchors))


@given(targets, st.integers(0, 10))
def test_inner_anchors_of_base_two_are_together_at_most_the_target(target, min_exp):
    schedule = Schedule.geometric(target, min_exp=min_exp)

    assert sum(schedule.inner) <= target


@given(targets)
def test_fractions_stay_between_smallest_and_target(target):
    schedule = Schedule.fractions(target, (64, 16, 4), smallest=32)

    assert schedule.target == target
    assert all(32 <= anchor < target for anchor in schedule.inner)


@given(st.sets(st.integers(1, 10**6), min_size=1), st.sets(st.integers(1, 10**6)))
def test_among_keeps_to_the_available_anchors(wanted, available):
    schedule = Schedule(tuple(sorted(wanted)))

    nearest = schedule.among(sorted(available | {schedule.target}))

    assert nearest.target == schedule.target
    assert set(nearest.inner) <= available


@pytest.mark.parametrize(
    ("anchors", "message"),
    [
        ((), "at least one anchor"),
        ((0, 5), "at least 1 row"),
        ((64, 64), "must increase, got 64 after 64"),
        ((128, 64), "must increase, got 64 after 128"),
        ((64.5, 128), "whole number, got 64.5"),
    ],
)
def test_impossible_anchors_are_refused(anchors, message):
    with pytest.raises(InvalidParameterError, match=message):
        Schedule(anchors)


def test_a_target_that_is_not_available_is_refused():
    with pytest.raises(InvalidParameterError, match="target anchor 300 is not available"):
        Schedule((64, 300)).among([64, 128])


@pytest.mark.parametrize("knobs", [{"base": 1}, {"min_exp": -1}])
def test_impossible_knobs_are_refused(knobs):
    with pytest.raises(InvalidParameterError):
        Schedule.geometric(1000, **knobs)
