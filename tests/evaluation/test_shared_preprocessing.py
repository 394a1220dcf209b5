"""What candidates share before they are fitted, as an evaluator carries it out."""

from itertools import count

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from curvewise.core._outcome import Reason, Task
from tests.evaluation.test_evaluator import INNER, TARGET, X, evaluator


class CountingImputer(TransformerMixin, BaseEstimator):
    def __init__(self, fits=None):
        self.fits = fits

    def __sklearn_clone__(self):
        return CountingImputer(self.fits)

    def fit(self, X, y=None):
        self.fits.append(len(X))
        self.mean_ = np.nanmean(X, axis=0)
        return self

    def transform(self, X):
        return np.where(np.isnan(X), self.mean_, X)


def test_shared_preprocessing_is_done_once_for_all_candidates():
    fits = []
    evaluate = evaluator(preprocess=CountingImputer(fits))
    for task in (INNER, TARGET):
        for candidate in (GaussianNB(), DummyClassifier(), DecisionTreeClassifier()):
            evaluate(task, candidate)

    assert fits == [30, 120]


def test_shared_preprocessing_at_an_anchor_is_the_first_step_of_a_pipeline():
    data = X.copy()
    data[::7, 1] = np.nan
    tree = DecisionTreeClassifier(random_state=0)
    shared = evaluator(data=data, preprocess=SimpleImputer(), test_cap=20)
    single = evaluator(data=data, test_cap=20)

    for fold in range(5):
        task = Task("candidate", 40, fold)
        expected = single(task, make_pipeline(SimpleImputer(), tree))
        assert shared(task, tree).scores == expected.scores
        assert shared(task, tree).scores == expected.scores


def test_a_shared_first_step_gives_the_scores_of_the_whole_pipeline():
    shared = evaluator(preprocess="first step")
    for candidate in (
        make_pipeline(StandardScaler(), GaussianNB()),
        make_pipeline(StandardScaler(), SimpleImputer(), GaussianNB()),
        GaussianNB(),
    ):
        outcome = shared(TARGET, candidate)

        assert outcome.scores == evaluator()(TARGET, candidate).scores


def test_shared_preprocessing_that_fails_is_a_failure():
    outcome = evaluator(preprocess=make_pipeline("nonsense"))(TARGET, GaussianNB())

    assert outcome.reason is Reason.ERROR


def test_time_for_shared_preprocessing_is_charged_to_nobody(monkeypatch):
    hours = (3600.0 * hour for hour in count())
    monkeypatch.setattr("curvewise._evaluation.shared_steps.perf_counter", lambda: next(hours))
    evaluate = evaluator(preprocess=StandardScaler())

    for outcome in (evaluate(TARGET, DummyClassifier()), evaluate(TARGET, DummyClassifier())):
        assert 0 <= outcome.seconds < 3600
        assert outcome.fit_seconds < 3600
        assert outcome.score_seconds < 3600
