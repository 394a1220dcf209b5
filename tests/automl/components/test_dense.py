import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import check_estimator

from curvewise.automl._components.dense import Dense


@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_contract():
    check_estimator(Dense(), on_skip=None)


def test_sparse_rows_become_dense_and_others_stay():
    rows = np.array([[0.0, 1.0], [2.0, 0.0]])

    assert np.array_equal(Dense().fit_transform(sparse.csr_array(rows)), rows)
    assert np.array_equal(Dense().fit_transform(rows), rows)


def test_what_would_not_fit_into_memory_is_refused_before_it_is_made():
    with pytest.raises(ValueError, match="50,000 x 50,000"):
        Dense().fit(sparse.csr_array((50_000, 50_000)))
