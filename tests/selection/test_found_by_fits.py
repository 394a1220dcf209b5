"""What the fits of folds have found is used by the final fit."""

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import (
    make_classification,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV


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

    def test_a_search_may_end_without_anything_found(self):
        search = CurveSearchCV({"one": Finder(depth=2)}, cv=3).fit(*make_classification(99))

        assert search.best_estimator_.depth == 2
