"""What the fits of folds have found is used by the final fit."""

import math

import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import (
    make_classification,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV, Observation
from curvewise._selection.refit import settled
from curvewise.core import LearningCurve, Task


class Finder(ClassifierMixin, BaseEstimator):
    """Finds its depth by itself: as many as it has rows, in hundreds."""

    def __init__(self, depth=None):
        self.depth = depth

    def fit(self, X, y):
        self.found_params_ = {} if self.depth else {"depth": 1 + len(X) // 100}
        self.tree_ = DecisionTreeClassifier(max_depth=self.depth or 1, random_state=0).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


class Other(Finder):
    """Says something else about itself under the same name."""

    def __init__(self, found=None, depth=None):
        super().__init__(depth)
        self.found = found

    def fit(self, X, y):
        super().fit(X, y)
        self.found_params_ = self.found
        return self


class TestWhatFitsFind:
    def test_the_final_fit_uses_what_the_folds_have_found(self):
        X, y = make_classification(500, random_state=0)
        candidates = {"alone": Finder(), "in a pipeline": make_pipeline(StandardScaler(), Finder())}
        for name, candidate in candidates.items():
            search = CurveSearchCV({name: candidate}, cv=5).fit(X, y)
            best = search.best_estimator_
            learner = best if name == "alone" else best[-1]

            assert learner.depth == 5
            assert learner.found_params_ == {}

    def test_it_is_kept_in_a_store(self, tmp_path):
        X, y = make_classification(500, random_state=0)
        settings = {"cv": 5, "store": tmp_path / "run.db", "random_state": 0}
        CurveSearchCV({"one": Finder()}, **settings).fit(X, y)
        again = CurveSearchCV({"one": Finder()}, **settings).fit(X, y)

        assert [cell.found for cell in again.results_[0].curve] == [{"depth": 5}] * 5
        assert again.best_estimator_.depth == 5

    @pytest.mark.parametrize(
        "found",
        [{"depth": None}, {"depth": "many"}, {"depth": math.nan}, {"depth": True}, {"other": 3}, 5],
        ids=str,
    )
    def test_what_is_no_count_of_its_own_is_not_used(self, found):
        search = CurveSearchCV({"one": Other(found)}, cv=2).fit(*make_classification(99))

        assert search.best_estimator_.depth is None

    @pytest.mark.parametrize("count", [math.nan, math.inf, 1e308])
    def test_what_cannot_be_a_count_is_not_used(self, count):
        found = {"depth": count, "size": 3.0}
        curve = LearningCurve(
            [Observation(Task("one", 64, fold), 0.5, found=found) for fold in range(2)]
        )

        assert settled(curve) == {"size": 3}

    def test_a_search_may_end_without_anything_found(self):
        search = CurveSearchCV({"one": Finder(depth=2)}, cv=3).fit(*make_classification(99))

        assert search.best_estimator_.depth == 2
