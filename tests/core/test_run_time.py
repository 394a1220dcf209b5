"""Seconds as a function of rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import LearningCurve, Observation, Task
from curvewise.core._run_time import predict_seconds, seconds_at


@given(st.floats(0, 3), st.floats(1e-6, 10), st.integers(2, 50))
def test_a_power_law_of_the_rows_is_predicted(exponent, scale, factor):
    curve = LearningCurve(
        Observation(Task("a", size, 0), 0.1, seconds=scale * size**exponent) for size in (64, 256)
    )

    predicted = predict_seconds(curve, 256 * factor)
    assert predicted == pytest.approx(scale * (256 * factor) ** exponent, rel=1e-6)


def test_one_anchor_predicts_nothing():
    curve = LearningCurve([Observation(Task("a", 64, 0), 0.1, seconds=1.0)])

    assert predict_seconds(curve, 128) is None
    assert predict_seconds(curve, 64) == 1.0


def test_a_prediction_is_never_steeper_than_cubic_and_never_falls():
    assert seconds_at(400, {100: 1.0, 200: 100.0}) == pytest.approx(800.0)
    assert seconds_at(400, {100: 2.0, 200: 1.0}) == 1.0
