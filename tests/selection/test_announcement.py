"""Listeners hear how a fit ended, also what comes after its run."""

import pytest
from sklearn.datasets import load_iris
from sklearn.svm import SVC

from curvewise import CurveAutoMLClassifier, CurveSearchCV, NoResultError
from curvewise.executors import Listener

X, y = load_iris(return_X_y=True)


class Ear(Listener):
    """Notes how fits ended."""

    def __init__(self):
        self.heard = []

    def fitted(self, estimator, X, y):
        self.heard.append((estimator, hasattr(estimator, "best_estimator_"), len(X), len(y)))

    def failed(self, error):
        self.heard.append(type(error))


class Broken(Listener):
    def fitted(self, estimator, X, y):
        raise RuntimeError("deaf")


def test_a_listener_hears_of_the_fitted_search():
    ear = Ear()
    search = CurveSearchCV(SVC(), {"C": [1, 10]}).add_listener(ear).fit(X, y)

    assert ear.heard == [(search, True, 150, 150)]


@pytest.mark.parametrize(
    ("space", "error"), [({"C": [-1.0]}, NoResultError), ({"nonsense": [1]}, ValueError)]
)
def test_a_listener_hears_of_what_went_wrong(space, error):
    ear = Ear()
    with pytest.raises(error):
        CurveSearchCV(SVC(), space).add_listener(ear).fit(X, y)

    [heard] = ear.heard
    assert issubclass(heard, error)


def test_a_listener_that_fails_then_does_not_cost_the_fit():
    search = CurveSearchCV(SVC(), {"C": [1, 10]}).add_listener(Broken())
    with pytest.warns(RuntimeWarning, match="Broken failed"):
        search.fit(X, y)

    assert search.best_score_ > 0.9


@pytest.mark.slow
def test_of_an_automl_estimator_it_hears_once_when_all_is_done():
    pytest.importorskip("pandas")
    ear = Ear()
    model = CurveAutoMLClassifier(n_iter=2, leave_out=("MLPClassifier",), random_state=0)
    model.add_listener(ear).fit(X, y)

    assert ear.heard == [(model, True, 150, 150)]
