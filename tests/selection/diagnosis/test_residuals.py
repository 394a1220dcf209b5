"""Residuals of models that predict numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from curvewise._selection.diagnosis.predicted_rows import rows_of_predictions
from curvewise._selection.diagnosis.residuals import MOST_POINTS, N_BINS, residuals
from curvewise.errors import InvalidParameterError
from tests.selection.diagnosis.rows import of_classes, of_numbers

values = st.floats(-1e6, 1e6, width=32)


@given(st.lists(st.tuples(values, values), min_size=1, max_size=60))
def test_no_row_is_lost_and_sizes_are_scikit_learns(pairs):
    y, predicted = np.array(pairs, dtype=float).T
    found = residuals(rows_of_predictions(y, predicted))

    assert found.mean_absolute_error == pytest.approx(mean_absolute_error(y, predicted))
    assert found.root_mean_squared_error == pytest.approx(root_mean_squared_error(y, predicted))
    assert sum(one.n_rows for one in found.bins) == len(y)
    assert found.counts.sum() + found.n_beyond == len(y)
    assert len(found.bins) <= N_BINS
    assert len(found.edges) == len(found.counts) + 1
    assert np.all(np.diff(found.edges) > 0)


def test_r2_is_scikit_learns():
    rows = of_numbers(200)

    assert residuals(rows).r2 == pytest.approx(r2_score(rows.y, rows.values))


def test_of_many_rows_a_sample_is_drawn_that_is_always_the_same():
    rows = of_numbers(5_000)
    one, other = residuals(rows), residuals(rows)

    assert len(one.points) == MOST_POINTS
    assert np.array_equal(one.points, other.points)
    assert one.n_rows == 5_000


def test_a_residual_that_is_far_off_does_not_flatten_the_histogram():
    rng = np.random.default_rng(0)
    y = rng.normal(size=1_000)
    y[0] = 1e6
    found = residuals(rows_of_predictions(y, np.zeros(1_000)))

    assert found.n_beyond >= 1
    assert found.edges[-1] < 10


def test_a_lean_shows_in_the_bins():
    y = np.linspace(0, 10, 500)
    found = residuals(rows_of_predictions(y, 0.5 * y))

    assert [one.residual > 0 for one in found.bins] == [True] * len(found.bins)
    assert found.bins[-1].residual > found.bins[0].residual
    assert found.bias == pytest.approx(2.5)


def test_classes_have_no_residuals():
    with pytest.raises(InvalidParameterError, match="predicts classes"):
        residuals(of_classes(10, 2))


def test_residuals_that_differ_by_rounding_only_have_a_histogram():
    y = np.linspace(0, 1, 200)
    found = residuals(rows_of_predictions(y, y - 0.1))

    assert found.counts.sum() == 200
    assert np.all(np.diff(found.edges) > 0)
