import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin

from curvewise._evaluation.shared_steps import Preparation
from curvewise.errors import InvalidParameterError

TRAIN = np.array([[1.0], [3.0]])
TEST = np.array([[5.0]])


class Centre(TransformerMixin, BaseEstimator):
    """Subtracts the mean; says so each time."""

    def __init__(self, log=None):
        self.log = log

    def __sklearn_clone__(self):
        return Centre(self.log)

    def fit(self, X, y=None):
        self.log.append("fit")
        self.mean_ = X.mean()
        return self

    def transform(self, X):
        return X - self.mean_


class WithoutFitTransform:
    def __sklearn_clone__(self):
        return WithoutFitTransform()

    def fit(self, X, y):
        return self

    def transform(self, X):
        return X + 10.0


def test_a_transformer_is_fitted_once_per_fold_and_anchor():
    log = []
    preparation = Preparation(Centre(log))

    prepared = preparation.prepare((0, 2), TRAIN, None, TEST)
    found = preparation.find((0, 2))

    assert prepared.test.tolist() == found.test.tolist() == [[3.0]]
    assert prepared.train.tolist() == found.train.tolist() == [[-1.0], [1.0]]
    assert log == ["fit"]


def test_time_is_counted_where_it_was_spent():
    preparation = Preparation(Centre([]))

    assert preparation.prepare((0, 2), TRAIN, None, TEST).seconds > 0
    assert preparation.find((0, 2)).seconds == 0


def test_the_least_recently_used_is_dropped():
    preparation = Preparation(Centre([]), n_kept=2)
    for fold in (0, 1):
        preparation.prepare((fold, 2), TRAIN, None, TEST)
    preparation.find((0, 2))
    preparation.prepare((2, 2), TRAIN, None, TEST)

    assert preparation.find((1, 2)) is None
    assert preparation.find((0, 2)) is not None
    assert preparation.find((2, 2)) is not None


def test_who_works_in_place_spoils_nothing():
    preparation = Preparation(Centre([]), train_scores=True)
    for prepared in (preparation.prepare((0, 2), TRAIN, None, TEST), preparation.find((0, 2))):
        prepared.train[:] = prepared.test[:] = prepared.train_again[:] = 99.0

    found = preparation.find((0, 2))
    assert found.train.tolist() == found.train_again.tolist() == [[-1.0], [1.0]]
    assert found.test.tolist() == [[3.0]]


def test_a_transformer_needs_no_fit_transform():
    prepared = Preparation(WithoutFitTransform()).prepare((0, 2), TRAIN, None, TEST)

    assert prepared.train.tolist() == [[11.0], [13.0]]


def test_what_was_prepared_is_not_pickled():
    preparation = Preparation(Centre([]))
    preparation.prepare((0, 2), TRAIN, None, TEST)

    assert pickle.loads(pickle.dumps(preparation)).find((0, 2)) is None


def test_something_has_to_be_kept():
    with pytest.raises(InvalidParameterError, match="n_kept must be at least 1, got 0"):
        Preparation(Centre([]), n_kept=0)
