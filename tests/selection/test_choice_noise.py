"""How noisy a choice is: the luck of the best of many."""

import tracemalloc

import numpy as np
import pytest

from curvewise._selection.choice_noise import MOST, N_DRAWS, ChoiceNoise
from curvewise.core._luck import covariance_of, luck, projected, usual_correlation


def noise_of_all(variances, kept, correlations):
    """Give the covariance of all candidates, one row and column for each."""
    everybody = np.full((len(variances), len(variances)), np.nan)
    everybody[np.ix_(kept, kept)] = correlations
    return covariance_of(variances, everybody, usual=usual_correlation(everybody))


@pytest.mark.parametrize("n_kept", [0, 3, 12])
def test_the_luck_is_that_of_a_table_of_all_pairs(n_kept):
    rng = np.random.default_rng(0)
    variances = rng.uniform(1e-4, 4e-4, 12)
    kept = np.array([0, 5, 2, *range(6, 12), 1, 3, 4][:n_kept], dtype=int)
    correlations = np.corrcoef(rng.normal(size=(max(n_kept, 1), 40)))
    correlations = np.reshape(correlations, (-1, max(n_kept, 1)))[:n_kept, :n_kept]
    table = rng.uniform(0.1, 0.13, size=(12, 5))
    table[6:, 3:] = np.nan

    covariance = noise_of_all(variances, kept, correlations)
    losses = projected(table, 0, np.clip(covariance[0] / covariance[0, 0], 0.0, 1.0))
    draws = np.random.default_rng(0).standard_normal((12, N_DRAWS))
    order = np.argsort(losses, kind="stable")
    expected = luck(losses[order], covariance[np.ix_(order, order)], draws)

    found = ChoiceNoise(variances, kept, correlations, "rows").luck(table)
    assert found == pytest.approx(expected)
    assert found > 0


def test_twenty_thousand_candidates_take_no_table_of_all_pairs():
    n, n_kept = 20_000, 40
    rng = np.random.default_rng(0)
    noise = ChoiceNoise(np.full(n, 1e-4), np.arange(n_kept), np.eye(n_kept) * 0.5 + 0.5, "rows")
    table = rng.uniform(0.1, 0.2, size=(n, 5))
    tracemalloc.start()
    try:
        noise.luck(table)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 50 * n * MOST
