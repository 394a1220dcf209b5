"""The winner as code, when it is more than one pipeline: pasted, it predicts the same."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification, make_friedman1
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from curvewise._report.report_facts import facts_of
from curvewise._selection.estimator_code import code_of
from curvewise.automl import CurveAutoMLClassifier, CurveAutoMLRegressor
from curvewise.automl._components.calibrated_model import CalibratedModel
from curvewise.automl._components.weighted_models import WeightedClassifier, WeightedRegressor
from curvewise.executors import RunStore

CLASSIFIERS = [
    LogisticRegression(),
    KNeighborsClassifier(15),
    DecisionTreeClassifier(max_depth=4, random_state=0),
]
REGRESSORS = [Ridge(), KNeighborsRegressor(5), DecisionTreeRegressor(max_depth=5, random_state=0)]


def in_turn(models):
    """A space that draws these models, one after the other."""
    left = list(models)
    return lambda random_state: clone(left.pop(0))


def searched(kind, models, X, y, **settings):
    # With scikit-learn's own folds: a calibration is fitted on the same when it is fitted anew.
    settings = {"n_iter": len(models), "cv": 5, "random_state": 0, **settings}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind(space=in_turn(models), timeout_per_candidate=None, **settings).fit(X, y)


def pasted(automl, X, y):
    """Run the code of what was fitted, by itself, and fit what it makes."""
    names = {}
    exec(compile(code_of(automl.best_estimator_), "pasted", "exec"), names)
    return names["model"].fit(X, y)


def in_report(automl):
    return facts_of(automl._run_to_read())["answer"]["recipe"]


@pytest.fixture(scope="module")
def two_classes():
    X, y = make_classification(
        500, n_informative=4, weights=[0.8], class_sep=0.7, flip_y=0.05, random_state=1
    )
    return X, np.where(y == 1, "yes", "no")


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss"])
def test_an_ensemble_of_classifiers(two_classes, scoring):
    X, y = two_classes
    settings = {"ensemble": True, "scoring": scoring}
    automl = searched(CurveAutoMLClassifier, CLASSIFIERS, X, y, **settings)
    again = pasted(automl, X, y)

    assert isinstance(again, WeightedClassifier)
    np.testing.assert_allclose(again.predict_proba(X), automl.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(again.predict(X), automl.predict(X))
    assert in_report(automl) == code_of(automl.best_estimator_)


def test_an_ensemble_of_regressors():
    X, y = make_friedman1(400, noise=2.0, random_state=0)
    automl = searched(CurveAutoMLRegressor, REGRESSORS, X, y, ensemble=True)
    again = pasted(automl, X, y)

    assert isinstance(again, WeightedRegressor)
    np.testing.assert_allclose(again.predict(X), automl.predict(X), rtol=1e-12)
    assert in_report(automl) == code_of(automl.best_estimator_)


def test_a_tuned_threshold(two_classes):
    X, y = two_classes
    settings = {"tune_threshold": "f1", "pos_label": "yes"}
    automl = searched(CurveAutoMLClassifier, CLASSIFIERS[:1], X, y, **settings)
    again = pasted(automl, X, y)

    assert isinstance(again, FixedThresholdClassifier)
    assert again.threshold == automl.threshold_.threshold != 0.5
    np.testing.assert_array_equal(again.predict(X), automl.predict(X))
    assert (again.predict(X) != again.estimator_.predict(X)).any()
    assert in_report(automl) == code_of(automl.best_estimator_)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_calibrated_model(n_classes):
    rng = np.random.default_rng(0)
    # Columns that say the same six times: naive Bayes is far too sure.
    X = np.repeat(rng.normal(size=(1200, 2)), 6, axis=1)
    value = X.sum(axis=1) + 6 * rng.normal(size=1200)
    y = np.digitize(value, np.quantile(value, np.arange(1, n_classes) / n_classes))
    automl = searched(CurveAutoMLClassifier, [GaussianNB()], X, y, calibrate=True)
    again = pasted(automl, X, y)

    assert isinstance(again, CalibratedModel)
    np.testing.assert_allclose(again.predict_proba(X), automl.predict_proba(X), atol=1e-9)
    assert not np.allclose(again.predict_proba(X), again.estimator_.predict_proba(X), atol=0.05)
    assert in_report(automl) == code_of(automl.best_estimator_)


def test_an_ensemble_that_is_calibrated_with_a_threshold_and_a_store(tmp_path):
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(1200, 2)), 6, axis=1)
    y = (X.sum(axis=1) + 6 * rng.normal(size=1200) > 6).astype(int)
    automl = searched(
        CurveAutoMLClassifier,
        [BernoulliNB(binarize=0.0), BernoulliNB(binarize=0.7)],
        X,
        y,
        ensemble=True,
        scoring="roc_auc",
        calibrate=True,
        tune_threshold="f1",
        store=tmp_path / "run.db",
    )
    again = pasted(automl, X, y)

    assert isinstance(again, FixedThresholdClassifier)
    assert isinstance(again.estimator, CalibratedModel)
    assert isinstance(again.estimator.estimator, WeightedClassifier)
    np.testing.assert_allclose(again.predict_proba(X), automl.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(again.predict(X), automl.predict(X))
    with RunStore.read(tmp_path / "run.db") as store:
        assert facts_of(store.run())["answer"]["recipe"] == code_of(automl.best_estimator_)
