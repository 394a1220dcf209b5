import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from curvewise._evaluation.shared_steps import FIRST_STEP, Preparation
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


def prepare(preparation, fold=0, transformer=None):
    shared = preparation.shared if transformer is None else transformer
    return preparation.prepare(shared, fold, 2, TRAIN, None, TEST)


def find(preparation, fold=0, transformer=None):
    return preparation.find(preparation.shared if transformer is None else transformer, fold, 2)


def test_a_transformer_is_fitted_once_per_fold_and_anchor():
    log = []
    preparation = Preparation(Centre(log))

    prepared = prepare(preparation)
    found = find(preparation)

    assert prepared.test.tolist() == found.test.tolist() == [[3.0]]
    assert prepared.train.tolist() == found.train.tolist() == [[-1.0], [1.0]]
    assert log == ["fit"]


def test_time_is_counted_where_it_was_spent():
    preparation = Preparation(Centre([]))

    assert prepare(preparation).seconds > 0
    assert find(preparation).seconds == 0


def test_the_least_recently_used_is_dropped():
    preparation = Preparation(Centre([]), n_kept=2)
    for fold in (0, 1):
        prepare(preparation, fold)
    find(preparation)
    prepare(preparation, 2)

    assert find(preparation, 1) is None
    assert find(preparation) is not None
    assert find(preparation, 2) is not None


def test_who_works_in_place_spoils_nothing():
    preparation = Preparation(Centre([]), train_scores=True)
    for prepared in (prepare(preparation), find(preparation)):
        prepared.train[:] = prepared.test[:] = prepared.train_again[:] = 99.0

    found = find(preparation)
    assert found.train.tolist() == found.train_again.tolist() == [[-1.0], [1.0]]
    assert found.test.tolist() == [[3.0]]


def test_a_transformer_needs_no_fit_transform():
    prepared = prepare(Preparation(WithoutFitTransform()))

    assert prepared.train.tolist() == [[11.0], [13.0]]


def test_what_was_prepared_is_not_pickled():
    preparation = Preparation(Centre([]))
    prepare(preparation)

    assert find(pickle.loads(pickle.dumps(preparation))) is None


def test_something_has_to_be_kept():
    with pytest.raises(InvalidParameterError, match="n_kept must be at least 1, got 0"):
        Preparation(Centre([]), n_kept=0)


def test_candidates_with_the_same_first_step_share_it():
    preparation = Preparation(FIRST_STEP)
    first, rest = preparation.split(make_pipeline(StandardScaler(), GaussianNB()))
    longer, others = preparation.split(make_pipeline(StandardScaler(), PCA(), GaussianNB()))
    other, _ = preparation.split(make_pipeline(StandardScaler(with_std=False), GaussianNB()))
    prepare(preparation, transformer=first)

    assert isinstance(rest, GaussianNB)
    assert [name for name, _ in others.steps] == ["pca", "gaussiannb"]
    assert find(preparation, transformer=longer) is not None
    assert find(preparation, transformer=other) is None


@pytest.mark.parametrize("candidate", [GaussianNB(), make_pipeline(GaussianNB())])
def test_a_candidate_without_a_first_step_shares_none(candidate):
    assert Preparation(FIRST_STEP).split(candidate) == (None, candidate)


def test_no_other_word_says_what_is_shared():
    with pytest.raises(InvalidParameterError, match="a transformer or 'first step', got 'all'"):
        Preparation("all")
