"""How lucky the best of many is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curvewise.core._luck import (
    USUAL_CORRELATION,
    covariance_of,
    luck,
    projected,
    usual_correlation,
)

DRAWS = np.random.default_rng(0).standard_normal((40, 400))
random_states = st.integers(0, 10**6).map(np.random.RandomState)


def candidates_of(rng, n):
    """Losses with a covariance that some rows could have given."""
    effects = rng.normal(size=(n, 30)) * 0.01 + rng.normal(size=30) * 0.01
    return rng.uniform(0.1, 0.2, size=n), effects @ effects.T


@given(random_states)
def test_one_candidate_alone_has_no_luck(rng):
    losses, covariance = candidates_of(rng, 1)

    assert luck(losses, covariance, DRAWS) == 0


@given(random_states, st.integers(2, 10))
def test_candidates_that_are_one_and_the_same_have_no_luck(rng, n):
    losses = np.full(n, rng.uniform(0, 1))
    covariance = np.full((n, n), rng.uniform(0, 0.1))

    assert luck(losses, covariance, DRAWS) == pytest.approx(0, abs=1e-9)


@given(random_states, st.integers(1, 20), st.integers(1, 5))
def test_luck_is_never_negative(rng, n, n_best):
    losses, covariance = candidates_of(rng, n)

    assert luck(losses, covariance, DRAWS, n_best=min(n, n_best)) >= 0


@given(random_states, st.integers(2, 20))
def test_the_order_of_candidates_changes_nothing(rng, n):
    losses, covariance = candidates_of(rng, n)
    order = rng.permutation(n)
    shuffled = luck(losses[order], covariance[np.ix_(order, order)], DRAWS)

    assert shuffled == pytest.approx(luck(losses, covariance, DRAWS), abs=1e-12)


@given(random_states, st.floats(0.01, 100), st.floats(-5, 5))
def test_luck_has_the_unit_of_the_losses_and_no_origin(rng, factor, shift):
    losses, covariance = candidates_of(rng, 8)
    found = luck(factor * losses + shift, factor**2 * covariance, DRAWS)

    assert found == pytest.approx(factor * luck(losses, covariance, DRAWS), rel=1e-6, abs=1e-9)


def test_who_is_far_ahead_was_not_lucky():
    assert luck(np.array([0.1, 0.4, 0.4]), np.diag([1e-4] * 3), DRAWS) == 0


def test_several_of_the_best_together_have_less_luck_than_the_best():
    losses = np.full(20, 0.1)
    covariance = np.diag(np.full(20, 1e-4))

    assert luck(losses, covariance, DRAWS, n_best=5) < luck(losses, covariance, DRAWS)


@settings(max_examples=5)
@given(random_states, st.sampled_from([5, 20, 40]), st.sampled_from([0.0, 0.5, 0.9]))
def test_of_equals_the_luck_is_what_the_best_is_below_the_truth(rng, n, correlation):
    sizes = 0.01 * np.ones(n)
    covariance = covariance_of(sizes**2, np.full((n, n), correlation), usual=0.0)
    root = np.linalg.cholesky(covariance)
    told, true = [], []
    for _ in range(150):
        losses = 0.3 + root @ rng.normal(size=n)
        told.append(luck(losses, covariance, DRAWS))
        true.append(0.3 - losses.min())

    # The noise that all have in common is no luck of the choice, but part of what is true.
    error = np.std(np.subtract(told, true)) / np.sqrt(len(told))
    assert np.mean(told) == pytest.approx(np.mean(true), abs=4 * error)


@given(random_states, st.integers(2, 8), st.integers(2, 6))
def test_candidates_with_all_folds_keep_their_means(rng, n, n_folds):
    table = rng.uniform(size=(n, n_folds))

    assert projected(table, 0, rng.uniform(size=n)) == pytest.approx(table.mean(axis=1))


def test_who_was_dropped_on_hard_folds_is_not_held_to_be_bad():
    hard_first = np.array([[0.3, 0.1, 0.1, 0.1], [0.3, np.nan, np.nan, np.nan]])
    as_the_best, by_itself = (projected(hard_first, 0, np.full(2, slope)) for slope in (1.0, 0.0))

    assert as_the_best == pytest.approx([0.15, 0.15])
    assert by_itself == pytest.approx([0.15, 0.3])


def test_pairs_of_which_nothing_is_known_are_as_alike_as_is_usual():
    nothing = np.full((2, 2), np.nan)
    covariance = covariance_of(np.array([1.0, 4.0]), nothing, usual=usual_correlation(nothing))

    assert covariance == pytest.approx(
        np.array([[1, 2 * USUAL_CORRELATION], [2 * USUAL_CORRELATION, 4]])
    )
