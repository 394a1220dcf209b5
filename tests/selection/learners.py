"""Learners that keep a diary, interrupt the search, are greedy, or fail when it matters.

Not in the modules of tests, which workers would have to import with all that tests need.
"""

import os
import sys
import threading
import time
from pathlib import Path
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

N_ROWS_OF_IRIS = 150
# What `Counted` trees were fitted in this process, by their depths.
FITS = []


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


class Counted(DecisionTreeClassifier):
    """Says when it is fitted."""

    def fit(self, X, y):
        FITS.append(self.max_depth)
        return super().fit(X, y)


class Killed(DummyClassifier):
    """Is killed while it is fitted, as long as a file is there."""

    def __init__(self, sign="", signal=0):
        super().__init__()
        self.sign = sign
        self.signal = signal

    def fit(self, X, y):
        if Path(self.sign).exists():
            os.kill(os.getpid(), self.signal)
        return super().fit(X, y)


class OnAllRows(DecisionTreeClassifier):
    """A tree that does something else when it gets all rows of iris."""

    def __init__(self, action="exit", random_state=0):
        super().__init__(random_state=random_state)
        self.action = action

    def fit(self, X, y):
        if len(X) == N_ROWS_OF_IRIS:
            if self.action == "exit":
                os._exit(3)
            if self.action == "raise":
                raise RuntimeError("not all rows")
            if self.action == "sleep":
                time.sleep(60)
            if self.action == "grow":
                self.hold_ = bytearray(2_000_000_000)
            if self.action == "cannot be pickled":
                self.lock_ = threading.Lock()
            if self.action.startswith("unpickled: "):
                self.left_ = os.getpid()
        return super().fit(X, y)

    def __setstate__(self, state):
        super().__setstate__(state)
        if self.action == "unpickled: raise" and "left_" in state:
            raise ValueError("I stay where I am")
        if self.action == "unpickled: exit" and "left_" in state:
            sys.exit(3)
