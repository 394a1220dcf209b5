import numpy as np

from curvewise.automl._components.gaps import summarise


def test_a_summary_says_what_is_missing_what_varies_and_what_is_in_the_middle():
    summary = summarise(np.array([[1.0, 7.0], [3.0, 7.0], [np.nan, 7.0]]))

    assert summary.n_missing.tolist() == [1, 0]
    assert summary.varies.tolist() == [True, False]
    assert summary.medians.tolist() == [2.0, 7.0]
