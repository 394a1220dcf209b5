"""Intervals that say how little is known."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.core import LearningCurve, Observation, Scale, Task
from curvewise.core._fold_noise import loss_interval, noise_at
from curvewise.core._intervals import UNKNOWN, mean_interval

RATES = st.lists(st.floats(0, 1), min_size=1, max_size=10)


def curve(losses, **known):
    return LearningCurve(
        Observation(Task("c", 900, i), loss, **known) for i, loss in enumerate(losses)
    )


@given(RATES, st.integers(1, 5000))
def test_an_interval_of_a_rate_has_a_width_and_holds_the_mean(losses, n_test):
    seen = curve(losses, n_test=n_test)
    low, high = loss_interval(seen, 900, Scale())

    assert 0 <= low <= seen.mean(900) < high < math.inf


@given(st.floats(0, 1), st.integers(1, 9), st.integers(2, 5000))
def test_more_folds_and_more_test_rows_make_it_narrower(loss, n, n_test):
    def width(n, n_test):
        interval = loss_interval(curve(n * [loss], n_test=n_test), 900, Scale())
        return interval.high - loss

    assert width(n + 1, n_test) < width(n, n_test)
    assert width(n, 2 * n_test) < width(n, n_test)


def test_folds_that_agree_have_the_noise_of_their_test_rows():
    stable = loss_interval(curve(3 * [1 / 30], n_test=30), 900, Scale())

    assert stable.low == 0
    assert 0.05 < stable.high < 0.1


def test_the_noise_that_a_metric_knows_counts():
    seen = curve([0.2, 0.2], noise=0.01, n_test=30)

    assert noise_at(seen, 900, Scale.unbounded()) == 0.01
    assert loss_interval(seen, 900, Scale.unbounded()).width > 0.2


def test_without_noise_the_folds_are_all_there_is():
    seen = curve([1.0, 1.2, 1.1])

    found, students = (
        loss_interval(seen, 900, Scale.unbounded()),
        mean_interval([1.0, 1.2, 1.1], kind="t"),
    )
    assert found == pytest.approx(students)


@pytest.mark.parametrize("losses", [[], [0.2], [0.2, 0.2, 0.2]])
def test_where_nothing_is_known_there_is_no_interval(losses):
    assert loss_interval(curve(losses), 900, Scale.unbounded()) == UNKNOWN
