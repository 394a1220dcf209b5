"""What an estimator predicts while it is scored is heard, and not made twice."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from curvewise._evaluation.heard_predictions import Heard
from curvewise.automl._components.fitted_clone import FittedClone
from curvewise.core._predictions import Predictions

X, y = load_iris(return_X_y=True)
CLASSES = np.unique(y)


class Counting(ClassifierMixin, BaseEstimator):
    """Predicts classes by its probabilities, and counts how often it makes them."""

    def fit(self, X, y):
        self.classes_, self.n_asked_ = np.unique(y), 0
        self._model = LogisticRegression(max_iter=1000).fit(X, y)
        return self

    def predict_proba(self, X, sure=False):
        self.n_asked_ += 1
        return np.eye(3)[[0] * len(X)] if sure else self._model.predict_proba(X)

    def predict(self, X):
        return self.classes_[self.predict_proba(X=X, sure=False).argmax(axis=1)]


class Sure(Counting):
    """Predicts by other probabilities than those it tells."""

    def predict(self, X):
        return self.classes_[self.predict_proba(X, sure=True).argmax(axis=1)]


class InParts(Counting):
    """Predicts classes for a part of the rows after the other."""

    def predict(self, X):
        parts = [self.predict_proba(part) for part in np.array_split(X, 4)]
        return self.classes_[np.concatenate(parts).argmax(axis=1)]


class Wrapped(FittedClone):
    """Hands everything over to the estimator that it has fitted."""

    def __init__(self, estimator):
        self.estimator = estimator

    def fit(self, X, y):
        self.estimator_ = self.estimator.fit(X, y)
        return self


class Hesitant(Pipeline):
    """A pipeline that says something else than its last step."""

    def predict_proba(self, X, **params):
        return (super().predict_proba(X, **params) + 1) / 4


def own_score(model, X, y):
    """What a model says of itself, as it is without ``scoring``."""
    return model.score(X, y)


def heard(model, scoring="accuracy"):
    """What is heard while a model is scored, and whether the score is the one without hearing."""
    with Heard(model, X) as hearing:
        score = get_scorer(scoring)(model, X, y)
        predictions = hearing.predictions(CLASSES)
    assert score == get_scorer(scoring)(model, X, y)
    return predictions


@pytest.mark.parametrize(
    "model",
    [
        Counting(),
        make_pipeline(StandardScaler(), Counting()),
        Wrapped(Counting()),
        make_pipeline(StandardScaler(), Wrapped(Counting())),
    ],
    ids=["alone", "at the end", "wrapped", "wrapped at the end"],
)
@pytest.mark.parametrize("measure", [get_scorer("accuracy"), own_score])
def test_probabilities_that_predicting_classes_makes_are_not_made_again(model, measure):
    model.fit(X, y)
    counting = model[-1] if isinstance(model, Pipeline) else model
    counting = getattr(counting, "estimator_", counting)
    with Heard(model, X) as hearing:
        measure(model, X, y)
        predictions = hearing.predictions(CLASSES)

    assert counting.n_asked_ == 1
    assert np.array_equal(predictions.values, model.predict_proba(X))


@pytest.mark.parametrize(
    "model",
    [
        Sure(),
        make_pipeline(StandardScaler(), Sure()),
        Hesitant([("scale", StandardScaler()), ("model", Counting())]),
        make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), Counting())),
        make_pipeline(StandardScaler(), RandomForestClassifier(5, random_state=0)),
        ExtraTreesClassifier(5, random_state=0),
    ],
    ids=["alone", "at the end", "own pipeline", "pipeline in a pipeline", "forest", "trees"],
)
@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss", "roc_auc_ovr"])
def test_what_is_kept_is_what_the_estimator_says(model, scoring):
    model.fit(X, y)

    assert np.array_equal(heard(model, scoring).values, model.predict_proba(X))


@pytest.mark.parametrize("kind", ["float16", "float32", ">f8", "longdouble", "uint8"])
def test_predicted_numbers_of_any_kind_are_kept(kind):
    predicted = np.array([3, 1, 2], dtype=kind)
    kept = Heard(SimpleNamespace(predict=lambda X: predicted), predicted).predictions(None)

    assert Predictions.from_bytes(kept.to_bytes()).values.tolist() == [3, 1, 2]


def test_nothing_is_left_behind():
    model = make_pipeline(StandardScaler(), Wrapped(Counting())).fit(X, y)
    parts = (model, model[-1], model[-1].estimator_)
    before = [set(vars(each)) for each in parts]
    with Heard(model, X), pytest.raises(ZeroDivisionError):
        raise ZeroDivisionError

    assert [set(vars(each)) for each in parts] == before


def test_a_learner_that_asks_itself_in_parts_is_asked_about_all_rows():
    model = make_pipeline(StandardScaler(), InParts()).fit(X, y)
    with Heard(model, X) as heard:
        get_scorer("accuracy")(model, X, y)
    found = heard.predictions(CLASSES)

    assert np.allclose(found.values, model.predict_proba(X))
