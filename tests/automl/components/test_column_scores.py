import numpy as np
import pytest

from curvewise.automl._components.column_scores import (
    information_about_classes,
    information_about_numbers,
)

X = np.array([[0, 1], [0.1, 0], [0.2, 1], [5, 0], [5.1, 1], [5.2, 0], [5.3, 1]], dtype=float)


@pytest.mark.parametrize(
    ("score", "y"), [(information_about_classes, X[:, 0] > 1), (information_about_numbers, X[:, 0])]
)
def test_scores_are_the_same_in_every_call(score, y):
    first, second = score(X, y), score(X, y)

    assert np.array_equal(first, second)
    assert first.argmax() == 0
