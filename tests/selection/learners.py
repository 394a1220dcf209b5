"""Learners that keep a diary, interrupt the search, or are greedy."""

from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier


class Diary(ClassifierMixin, BaseEstimator):
    """A tree that notes each fit, and interrupts the search after so many of them."""

    fits: ClassVar[list] = []
    interrupt_after: ClassVar[int | None] = None

    def __init__(self, max_depth=None, criterion="gini"):
        self.max_depth = max_depth
        self.criterion = criterion

    def fit(self, X, y, sample_weight=None):
        if len(Diary.fits) == Diary.interrupt_after:
            raise KeyboardInterrupt
        Diary.fits.append((self.max_depth, X.tobytes()))
        tree = DecisionTreeClassifier(
            max_depth=self.max_depth, criterion=self.criterion, random_state=0
        )
        self.tree_ = tree.fit(X, y, sample_weight)
        self.classes_ = tree.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


class Hungry(ClassifierMixin, BaseEstimator):
    """Predicts the first class; fitting claims so many bytes."""

    def __init__(self, n_bytes=1):
        self.n_bytes = n_bytes

    def fit(self, X, y):
        self.n_claimed_ = np.ones(self.n_bytes, dtype=np.uint8).size
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])
