"""Two candidates on common folds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.core import LearningCurve, Observation, Scale, Task
from curvewise.core._difference import difference_of
from curvewise.core._intervals import UNKNOWN

OTHER = [0.10, 0.20, 0.15, 0.12, 0.18]
LOSSES = st.lists(st.floats(0, 1), min_size=1, max_size=10)


def curve(losses, *, anchor=900, n_test=500, more=()):
    cells = [(anchor, i, loss) for i, loss in enumerate(losses)]
    return LearningCurve(
        Observation(Task("c", rows, fold), loss, n_test=n_test)
        for rows, fold, loss in (*cells, *more)
    )


def compared(own, other=OTHER, *, scale=None, **known):
    scale = scale or Scale()
    return difference_of(curve(own, **known), curve(other, **known), target=900, scale=scale)


@given(LOSSES, LOSSES)
def test_the_chances_of_both_add_up_to_one(own, other):
    one, two = compared(own, other), compared(other, own)

    assert one.mean == pytest.approx(-two.mean)
    # The noise of a fold is that of the one who is asked about.
    if len(own) == len(other) and sorted(own) == sorted(other):
        assert one.chance + two.chance == pytest.approx(1)


@given(LOSSES, st.floats(0.001, 0.5))
def test_who_is_further_behind_has_less_of_a_chance(other, further):
    level = compared(other, other)
    behind = compared([loss + further for loss in other], other)

    assert level.chance == pytest.approx(0.5)
    assert behind.chance < 0.5


@given(LOSSES, LOSSES, st.sampled_from([0.5, 0.9, 0.95]))
def test_an_interval_holds_as_much_as_it_says(own, other, level):
    difference = compared(own, other)
    low, high = difference.interval(level=level)

    assert low < difference.mean < high
    assert difference.below(high) - difference.below(low) == pytest.approx(level, abs=1e-6)


def test_pairing_tells_apart_what_differs_by_less_than_the_folds_do():
    behind = compared([loss + 0.01 for loss in OTHER], n_test=20_000)

    assert behind.chance < 0.01
    assert behind.interval().low > 0


def test_more_folds_make_surer():
    chances = [compared([loss + 0.02 for loss in OTHER[:n]]).chance for n in range(1, 6)]

    assert chances == sorted(chances, reverse=True)


def test_without_noise_the_spread_of_the_others_folds_counts():
    terms = {"scale": Scale.unbounded(), "n_test": None}
    near = compared([loss + 0.001 + 0.05 * (-1) ** i for i, loss in enumerate(OTHER)], **terms)
    far = compared([loss + 0.5 for loss in OTHER], **terms)

    assert near.chance > 0.3
    assert far.chance < 0.01


def test_nothing_is_said_of_a_single_fold_without_noise():
    difference = compared([0.2], [0.1], scale=Scale.unbounded(), n_test=None)

    assert difference.chance is None
    assert difference.interval() == UNKNOWN


def test_who_never_reached_the_target_is_compared_at_an_anchor():
    early = curve([0.6], anchor=100, more=[(300, 0, 0.55)])
    other = curve(OTHER, more=[(300, 0, 0.25)])
    difference = difference_of(early, other, target=900, scale=Scale())

    assert difference.anchor == 300
    assert difference.chance < 0.05


def test_who_shares_no_rows_cannot_be_compared():
    assert difference_of(curve([0.6], anchor=100), curve(OTHER), target=900, scale=Scale()) is None
