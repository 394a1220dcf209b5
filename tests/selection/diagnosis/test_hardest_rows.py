"""The rows on which a model errs most."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curvewise._selection.diagnosis.hardest_rows import MOST_ROWS, hard_rows
from curvewise._selection.diagnosis.predicted_rows import rows_of_predictions
from tests.selection.diagnosis.rows import of_classes, of_numbers


@given(st.integers(1, 60), st.integers(2, 4), st.integers(0, 10**6))
def test_no_other_row_gave_its_class_less(n, n_classes, seed):
    rows = of_classes(n, n_classes, seed=seed)
    given_to_truth = rows.values[np.arange(n), rows.truth]
    listed = hard_rows(rows)

    assert len(listed) == min(n, MOST_ROWS)
    assert [one.probability for one in listed] == sorted(given_to_truth)[:MOST_ROWS]
    assert all(rows.y[one.row] == one.true for one in listed)


@given(st.integers(1, 60), st.integers(0, 10**6))
def test_no_other_residual_is_larger(n, seed):
    rows = of_numbers(n, seed=seed)
    listed = hard_rows(rows, n=5)
    sizes = sorted(np.abs(rows.residuals), reverse=True)[:5]

    assert [abs(one.residual) for one in listed] == sizes
    assert all(one.true - one.predicted == one.residual for one in listed)


def test_without_probabilities_only_rows_that_were_wrong_are_listed():
    listed = hard_rows(rows_of_predictions([0, 1, 1], [0, 0, 1], [0, 1]))

    assert [(one.row, one.true, one.predicted, one.probability) for one in listed] == [
        (1, 1, 0, None)
    ]


def test_of_decision_values_the_furthest_behind_comes_first():
    values = [[2.0, 1.0, 0.0], [9.0, 1.0, 0.0], [0.0, 5.0, 0.0]]
    listed = hard_rows(rows_of_predictions([1, 1, 1], values, [0, 1, 2]))

    assert [one.row for one in listed] == [1, 0]
