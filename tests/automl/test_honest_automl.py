"""The honest score of AutoML estimators: of the best pipeline, and of an ensemble."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from curvewise.automl import CurveAutoMLClassifier
from curvewise.executors import RunStore
from tests.automl.test_ensemble import fitted

X, Y = make_classification(
    300, 8, n_informative=5, n_redundant=0, class_sep=0.7, flip_y=0.05, random_state=1
)


def drawn(random_state):
    """Models that err on different rows."""
    choices = (
        LogisticRegression(C=random_state.choice([0.1, 1.0])),
        GaussianNB(),
        KNeighborsClassifier(int(random_state.choice([5, 9, 15]))),
        DecisionTreeClassifier(max_depth=int(random_state.choice([3, 5])), random_state=0),
    )
    return choices[random_state.randint(4)]


def searched(**settings):
    return CurveAutoMLClassifier(
        **{
            "space": drawn,
            "n_iter": 10,
            "timeout_per_candidate": None,
            "random_state": 0,
            **settings,
        }
    ).fit(X, Y)


def test_it_is_that_of_the_search():
    automl = searched()

    assert automl.honest_score_ == automl.search_.honest_score_
    assert automl.honest_score_.raw == pytest.approx(automl.best_score_)


def test_that_of_an_ensemble_begins_with_its_own_score_and_is_noted(tmp_path):
    automl, *_ = fitted(ensemble=True, timeout_per_candidate=None, store=tmp_path / "run.db")
    with RunStore.read(tmp_path / "run.db") as store:
        noted = store.run().notes()["honest score"]
    honest = automl.honest_score_

    assert honest.raw == pytest.approx(automl.ensemble_.score)
    assert noted == honest.facts()
    assert honest.optimism <= automl.search_.honest_score_.optimism


def test_without_predictions_there_is_one_as_well():
    assert searched(keep_predictions="none", n_iter=4).honest_score_.how == "folds"


def test_another_fit_has_its_own():
    automl = searched(n_iter=4)
    first = automl.honest_score_
    automl.fit(X, np.roll(Y, 1))

    assert automl.honest_score_ != first
