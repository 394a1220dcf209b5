"""What finishing a candidate could bring, also if it is nearly the leader."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curvewise import Observation, Race, Search
from curvewise.core._prospect import (
    Prospect,
    allow_for_twins,
    chance_below,
    expected_gain,
    prospect,
)

SETTINGS = {"noise": 1e-5, "n_folds": 10, "n_test": 5000, "prior_weight": 6}
UNLIKE = Prospect(gain=1e-3, chance=0.4)

differences = st.lists(st.floats(-0.1, 0.1), min_size=1, max_size=9)
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


@given(differences, st.floats(1e-9, 1e-2), st.none() | st.integers(1, 10**6))
def test_gains_are_never_negative_and_chances_are_chances(seen, noise, n_test):
    settings = {**SETTINGS, "noise": noise, "n_test": n_test}
    gain, chance = allow_for_twins(UNLIKE, seen, **settings)

    assert 0 <= gain < math.inf
    assert 0 <= chance <= 1


@given(differences)
def test_the_order_of_the_folds_changes_nothing(seen):
    one = allow_for_twins(UNLIKE, seen, **SETTINGS)
    other = allow_for_twins(UNLIKE, seen[::-1], **SETTINGS)

    assert one == other


@given(st.lists(st.floats(-1e-4, 1e-4), min_size=2, max_size=9))
def test_finishing_a_twin_brings_less_than_finishing_an_unlike_candidate(seen):
    assert allow_for_twins(UNLIKE, seen, **SETTINGS).gain < UNLIKE.gain


@given(st.lists(st.floats(0.02, 0.1), min_size=1, max_size=9))
def test_who_is_far_off_is_no_twin(seen):
    assert allow_for_twins(UNLIKE, seen, **SETTINGS) == pytest.approx(UNLIKE)


@given(st.integers(1, 9), st.integers(1, 20))
def test_with_few_test_rows_equal_errors_say_nothing(n, n_test):
    settings = {**SETTINGS, "noise": 0.2 / n_test, "n_test": n_test}

    assert allow_for_twins(UNLIKE, [0.0] * n, **settings).gain > UNLIKE.gain / 10


def test_more_folds_make_it_surer():
    gains = [allow_for_twins(UNLIKE, [1e-5] * n, **SETTINGS).gain for n in range(1, 9)]

    assert gains == sorted(gains, reverse=True)


def test_a_candidate_with_all_folds_has_no_prospect_to_change():
    assert allow_for_twins(UNLIKE, [0.0] * 10, **SETTINGS) is UNLIKE


def test_what_is_known_has_no_spread():
    assert prospect(-0.5, 0.0, 6) == Prospect(0.5, 1.0)


def test_a_race_among_twins_is_cheap():
    """Twenty penalties that make no difference: none is worth all of its folds but the winner."""
    search = Search(range(20), schedule=2000, policy=Race(), n_folds=10)
    while not search.done:
        for task in search.ask():
            loss = 0.2 + 0.01 * math.sin(task.fold) + 1e-5 * (task.candidate % 7)
            search.tell(Observation(task, loss, seconds=1.0, n_test=10_000))

    assert sum(len(result.curve) for result in search.results.values()) < 0.5 * 200
