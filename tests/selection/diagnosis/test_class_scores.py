"""Which classes are taken for which, and how well each is found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from curvewise._selection.diagnosis.class_scores import class_scores, confusion
from curvewise.errors import InvalidParameterError
from tests.selection.diagnosis.rows import of_classes, of_numbers


@given(st.integers(1, 80), st.integers(2, 6), st.integers(0, 10**6))
def test_counts_and_scores_are_scikit_learns(n, n_classes, seed):
    rows = of_classes(n, n_classes, seed=seed)
    counts = confusion_matrix(rows.truth, rows.places, labels=range(n_classes))
    expected = precision_recall_fscore_support(
        rows.truth, rows.places, labels=range(n_classes), zero_division=np.nan
    )
    scores = class_scores(rows)

    assert np.array_equal(confusion(rows).counts, counts)
    assert np.allclose([one.precision for one in scores], expected[0], equal_nan=True)
    assert np.allclose([one.recall for one in scores], expected[1], equal_nan=True)
    assert np.allclose([one.f1 for one in scores], expected[2], equal_nan=True)
    assert [one.n_rows for one in scores] == expected[3].tolist()


@given(st.integers(21, 60), st.integers(0, 10**6))
def test_of_many_classes_the_rest_is_one_and_no_row_is_lost(n_classes, seed):
    rows = of_classes(300, n_classes, seed=seed)
    found = confusion(rows)

    assert len(found.labels) == 20
    assert found.counts.sum() == 300
    assert found.labels[-1] == f"{found.n_merged} others"
    assert found.n_merged == n_classes - 19
    assert np.all(found.shares <= 1)


def test_numbers_have_no_classes():
    with pytest.raises(InvalidParameterError, match="predicts numbers"):
        confusion(of_numbers(10))
