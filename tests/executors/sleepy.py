"""A learner that takes as long as it has rows."""

import time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Sleepy(ClassifierMixin, BaseEstimator):
    """Predicts the majority; fitting takes so many seconds per row."""

    def __init__(self, seconds_per_row=0.001):
        self.seconds_per_row = seconds_per_row

    def fit(self, X, y):
        time.sleep(len(X) * self.seconds_per_row)
        self.classes_, counts = np.unique(y, return_counts=True)
        self.majority_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.majority_)
