import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curvewise.core._gain import chance_below, expected_gain

means = st.floats(-3, 3)
spreads = st.floats(0.01, 3)
freedoms = st.floats(2.5, 40)


@settings(max_examples=30)
@given(means, spreads, freedoms)
def test_expected_gain_agrees_with_simulation(mean, spread, freedom):
    draws = mean + spread * np.random.default_rng(0).standard_t(freedom, 400_000)
    gains = np.maximum(0, -draws)

    error = gains.std() / np.sqrt(len(gains))
    assert expected_gain(mean, spread, freedom) == pytest.approx(
        gains.mean(), abs=6 * error + 1e-4 * spread
    )


@given(means, spreads, freedoms)
def test_gain_is_at_least_that_of_the_mean_and_falls_as_the_mean_rises(mean, spread, freedom):
    gain = expected_gain(mean, spread, freedom)

    assert gain >= max(0.0, -mean) - 1e-9
    assert expected_gain(mean + 0.1, spread, freedom) <= gain + 1e-12


@given(means, spreads, freedoms, st.floats(0.001, 1000))
def test_gain_scales_with_its_unit(mean, spread, freedom, unit):
    scaled = expected_gain(mean * unit, spread * unit, freedom)

    assert scaled == pytest.approx(unit * expected_gain(mean, spread, freedom), abs=1e-9 * unit)


@given(means)
def test_nothing_unknown_leaves_the_difference_itself(mean):
    assert expected_gain(mean, 0.0, 5) == max(0.0, -mean)


@given(means, freedoms)
def test_chances_of_both_sides_add_up(z, freedom):
    assert chance_below(z, freedom) + chance_below(-z, freedom) == pytest.approx(1)
