"""Calibrated models: what `calibrate` makes of a search, and how it is saved."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LinearRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB

from curvewise.automl import (
    CurveAutoMLClassifier,
    CurveAutoMLRegressor,
    SavedModel,
    load_model,
    save_model,
)
from curvewise.automl._components.calibrated_model import CalibratedModel
from curvewise.errors import InvalidParameterError


def table(n=1200, n_classes=2, *, labels=None):
    """Columns that say the same six times: naive Bayes is far too sure."""
    rng = np.random.default_rng(0)
    columns = np.repeat(rng.normal(size=(n, 2)), 6, axis=1)
    value = columns.sum(axis=1) + 6 * rng.normal(size=n)
    y = np.digitize(value, np.quantile(value, np.arange(1, n_classes) / n_classes))
    return columns, y if labels is None else np.array(labels)[y]


def searched(X, y, **settings):
    return CurveAutoMLClassifier(
        space=lambda random_state: GaussianNB(),
        n_iter=1,
        timeout_per_candidate=None,
        random_state=0,
        **{"calibrate": True, **settings},
    ).fit(X, y)


@pytest.mark.parametrize(
    ("n_classes", "labels", "method"),
    [(2, ["no", "yes"], "sigmoid"), (3, None, "temperature")],
)
def test_probabilities_of_new_rows_are_better_and_the_file_gives_the_same(
    n_classes, labels, method, tmp_path
):
    X, y = table(2400, n_classes, labels=labels)
    automl = searched(X[:1200], y[:1200])
    told = automl.reliability_
    gain = next(one for one in told.gains if one.method == method)
    before = log_loss(y[1200:], automl.search_.best_estimator_.predict_proba(X[1200:]))
    after = log_loss(y[1200:], automl.predict_proba(X[1200:]))

    assert told.calibrated
    assert told.recommended == method
    assert after < 0.8 * before
    assert after == pytest.approx(gain.log_loss, abs=0.05)
    assert told.sentence().startswith(f"The probabilities are calibrated ({method})")
    path = tmp_path / "model.skops"
    assert not save_model(SavedModel(automl.best_estimator_, {}, "y", "classification"), path)
    loaded = load_model(path).pipeline
    np.testing.assert_array_equal(loaded.predict_proba(X), automl.predict_proba(X))
    np.testing.assert_array_equal(loaded.predict(X), automl.predict(X))


def test_a_threshold_is_one_for_calibrated_probabilities(tmp_path):
    X, y = table()
    rare = (y == 1) & (np.arange(len(y)) % 4 == 0)
    automl = searched(X, rare.astype(int), tune_threshold="f1")
    inner = automl.best_estimator_.estimator_

    assert automl.threshold_.tuned
    assert isinstance(inner, CalibratedModel)
    np.testing.assert_array_equal(automl.predict_proba(X), inner.predict_proba(X))
    expected = automl.predict_proba(X)[:, 1] >= automl.threshold_.threshold
    np.testing.assert_array_equal(automl.predict(X), expected.astype(int))
    path = tmp_path / "model.skops"
    assert not save_model(SavedModel(automl.best_estimator_, {}, "y", "classification"), path)
    np.testing.assert_array_equal(load_model(path).pipeline.predict(X), automl.predict(X))


def test_what_is_reliable_stays_as_it_is():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 600)
    automl = searched(rng.normal(size=(600, 2)) + y[:, None], y)

    assert not automl.reliability_.calibrated
    assert automl.best_estimator_ is automl.search_.best_estimator_


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_fitted_alone_it_does_what_scikit_learn_does(method):
    X, y = table(600, labels=["no", "yes"])
    ours = CalibratedModel(GaussianNB(), method=method).fit(X, y)
    theirs = CalibratedClassifierCV(GaussianNB(), method=method, ensemble=False).fit(X, y)

    # A sigmoid is one of the logit here, and of the probability there.
    close = 1e-6 if method == "isotonic" else 0.25
    assert np.abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < close
    again = clone(ours).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), ours.predict_proba(X))
    assert ours.classes_.tolist() == ["no", "yes"]
    assert ours.n_features_in_ == 12


def test_what_cannot_be_is_said_before_the_search():
    X, y = table(60)
    with pytest.raises(InvalidParameterError, match="keep_predictions"):
        searched(X, y, keep_predictions="none")
    automl = CurveAutoMLRegressor(
        space=lambda random_state: LinearRegression(), n_iter=1, calibrate=True
    )
    with pytest.raises(InvalidParameterError, match="probabilities of classes"):
        automl.fit(X, X[:, 0])
