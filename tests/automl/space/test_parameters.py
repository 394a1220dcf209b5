import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.automl._space.parameters import Categorical, Constant, Integer, Real
from curvewise.errors import InvalidParameterError

SEEDS = st.integers(0, 2**32 - 1).map(np.random.RandomState)


@given(low=st.integers(1, 50), width=st.integers(0, 10**6), log=st.booleans(), rng=SEEDS)
def test_integers_stay_within_their_bounds(low, width, log, rng):
    parameter = Integer(low, low + width, log=log)

    drawn = parameter.draw(rng)

    assert low <= drawn <= low + width
    assert type(drawn) is int


@given(
    low=st.floats(1e-10, 1e3),
    ratio=st.floats(1.0, 1e9),
    log=st.booleans(),
    rng=SEEDS,
)
def test_reals_stay_within_their_bounds(low, ratio, log, rng):
    parameter = Real(low, low * ratio, log=log)

    assert low <= parameter.draw(rng) <= low * ratio


def test_every_integer_is_drawn():
    rng = np.random.RandomState(0)

    assert {Integer(2, 5).draw(rng) for _ in range(200)} == {2, 3, 4, 5}
    assert {Integer(1, 4, log=True).draw(rng) for _ in range(200)} == {1, 2, 3, 4}


def test_small_numbers_are_as_likely_as_large_ones_on_a_logarithmic_scale():
    rng = np.random.RandomState(0)
    drawn = np.array([Real(1e-4, 1.0, log=True).draw(rng) for _ in range(2000)])

    assert 0.45 < np.mean(drawn < 1e-2) < 0.55


def test_weights_are_numbers_of_values_and_at_most_ten_for_numbers():
    assert Categorical(list("abcdefghijkl")).n_weight == 12
    assert Integer(1, 3).n_weight == 3
    assert Integer(10, 2000).n_weight == 10
    assert Real(0.0, 1.0).n_weight == 10
    assert Constant(7).n_weight == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Categorical([]), "at least one value"),
        (lambda: Categorical("gini"), "must be a list"),
        (lambda: Integer(5, 2), "at least 5"),
        (lambda: Integer(0, 5, log=True), "at least 1"),
        (lambda: Integer(0.5, 2), "whole number"),
        (lambda: Real(0.0, 1.0, log=True), "above 0"),
        (lambda: Real(0.0, float("inf")), "finite"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make, message):
    with pytest.raises(InvalidParameterError, match=message):
        make()
