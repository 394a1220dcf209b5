"""Thresholds of what a search has found, and how reliable its probabilities are."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import f1_score, get_scorer, make_scorer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.tree import DecisionTreeClassifier

from curvewise._selection.label_metrics import label_metric
from curvewise._selection.threshold_choice import ScoredRows, best_threshold
from curvewise.automl import (
    CurveAutoMLClassifier,
    CurveAutoMLRegressor,
    SavedModel,
    load_model,
    save_model,
)
from curvewise.errors import InvalidParameterError
from curvewise.executors import RunStore

X, NUMBERS = make_classification(
    400, weights=[0.9], n_informative=4, class_sep=0.7, flip_y=0, random_state=0
)
TEXT = np.where(NUMBERS == 1, "bad", "good")
CV = KFold(5, shuffle=True, random_state=0)


def searched(y=NUMBERS, *, model=None, cv=CV, groups=None, **settings):
    automl = CurveAutoMLClassifier(
        space=lambda random_state: clone(model or LogisticRegression()),
        n_iter=1,
        timeout_per_candidate=None,
        random_state=0,
        cv=cv,
        **{"tune_threshold": "f1", **settings},
    )
    return automl.fit(X, y) if groups is None else automl.fit(X, y, groups=groups)


@pytest.fixture(scope="module")
def usual():
    """A linear model, tuned for f1."""
    return searched()


def f1(y_true, y_pred):
    return 2 * np.sum(y_true * y_pred) / max(np.sum(y_true) + np.sum(y_pred), 1)


def test_the_model_predicts_with_the_threshold_and_keeps_its_probabilities(usual):
    automl = usual
    found = automl.threshold_
    inner = automl.search_.best_estimator_

    assert isinstance(automl.best_estimator_, FixedThresholdClassifier)
    assert found.tuned
    assert found.threshold < found.default_threshold == 0.5
    np.testing.assert_array_equal(automl.predict_proba(X), inner.predict_proba(X))
    expected = automl.predict_proba(X)[:, 1] >= found.threshold
    np.testing.assert_array_equal(automl.predict(X), expected.astype(int))
    assert automl.n_features_in_ == X.shape[1]
    assert automl.classes_.tolist() == [0, 1]


def test_what_is_told_is_measured_on_other_folds(usual):
    automl = usual
    found = automl.threshold_
    probabilities = cross_val_predict(
        automl.search_.best_estimator_, X, NUMBERS, cv=CV, method="predict_proba"
    )[:, 1]
    said = np.zeros(len(X), dtype=bool)
    for rest, part in CV.split(X):
        rows = ScoredRows(
            probabilities[rest], NUMBERS[rest] == 1, probabilities[rest] > 0.5, (0.0, 2.0)
        )
        metric = label_metric("f1", np.array([0, 1]), positive=1)
        said[part] = probabilities[part] >= best_threshold(rows, metric)

    assert found.score == pytest.approx(f1_score(NUMBERS, said))
    assert found.default_score == pytest.approx(f1_score(NUMBERS, probabilities > 0.5))
    assert found.score > found.default_score


def test_the_score_of_the_search_stays_what_it_is(usual):
    automl = usual

    assert automl.best_score_ == automl.search_.best_score_
    assert automl.leaderboard_[0]["score"] == pytest.approx(automl.best_score_)
    predicted = automl.predict(X)
    assert automl.score(X, NUMBERS) == pytest.approx((predicted == NUMBERS).mean())


@pytest.mark.parametrize(
    ("y", "pos_label"),
    [
        (NUMBERS, None),
        (NUMBERS == 1, None),
        (np.where(NUMBERS == 1, 1, -1), None),
        (TEXT, "bad"),
        (pd.Series(TEXT, dtype="category"), "bad"),
        (np.where(NUMBERS == 1, 1, 2), 1),
    ],
    ids=["numbers", "truth", "signs", "text", "categories", "first"],
)
def test_labels_of_every_kind_have_the_same_threshold(usual, y, pos_label, tmp_path):
    automl = searched(y, pos_label=pos_label)
    positive = np.asarray(automl.predict(X)) == automl.threshold_.pos_label

    assert automl.threshold_.threshold == pytest.approx(usual.threshold_.threshold, abs=1e-4)
    assert np.mean(positive == (usual.predict(X) == 1)) > 0.99
    path = tmp_path / "model.skops"
    kinds = {f"c{i}": "number" for i in range(X.shape[1])}
    assert save_model(SavedModel(automl.best_estimator_, kinds, "y", "classification"), path) == []
    loaded = load_model(path).pipeline
    np.testing.assert_array_equal(loaded.predict(X), automl.predict(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), automl.predict_proba(X))


def test_decision_values_have_thresholds_as_well():
    automl = searched(TEXT, model=RidgeClassifier(), pos_label="bad")
    found = automl.threshold_
    # The positive class is the first one: its values are the negative ones.
    expected = -automl.decision_function(X) >= found.threshold

    assert (found.method, found.default_threshold) == ("decision_function", 0.0)
    assert found.tuned
    np.testing.assert_array_equal(automl.predict(X) == "bad", expected)
    assert not hasattr(automl, "reliability_")


def test_who_has_no_scores_stays_as_he_is():
    with pytest.warns(UserWarning, match="neither probabilities nor decision values"):
        automl = searched(model=NoScores())

    assert not hasattr(automl, "threshold_")
    assert automl.best_estimator_ is automl.search_.best_estimator_


class NoScores(NearestCentroid):
    """Gives classes only."""

    predict_proba = property()
    decision_function = property()


def test_the_default_stays_if_it_is_better():
    automl = searched((X[:, 0] > 0).astype(int), model=DecisionTreeClassifier())
    found = automl.threshold_

    assert not found.tuned
    assert found.threshold == found.default_threshold
    assert found.score <= found.default_score
    assert automl.best_estimator_ is automl.search_.best_estimator_
    assert "the default of 0.5 stays" in found.sentence()


@pytest.mark.parametrize("metric", [f1, make_scorer(f1_score)], ids=["function", "scorer"])
def test_a_metric_may_be_a_callable(usual, metric):
    found = searched(tune_threshold=metric).threshold_

    assert found.metric in ("f1", "f1_score")
    assert found.score == pytest.approx(usual.threshold_.score, abs=0.05)
    assert found.tuned


def test_a_metric_that_fails_late_costs_the_threshold_only():
    def fickle(y_true, y_pred):
        if len(y_true) < len(X):
            raise RuntimeError("not so few")
        return 1.0

    with pytest.warns(UserWarning, match="fickle raised RuntimeError: not so few"):
        automl = searched(tune_threshold=fickle)
    assert not hasattr(automl, "threshold_")
    assert automl.predict(X).shape == (400,)


@pytest.mark.parametrize(
    ("cv", "groups"),
    [
        (RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0), None),
        (ShuffleSplit(4, test_size=0.2, random_state=0), None),
        (GroupKFold(3), np.arange(400) // 20),
    ],
    ids=["repeated", "incomplete", "groups"],
)
def test_folds_of_every_kind_will_do(cv, groups):
    automl = searched(cv=cv, groups=groups)

    assert automl.threshold_.tuned
    assert automl.threshold_.score > automl.threshold_.default_score
    known = next(iter(automl.oof_predictions_.values())).known
    assert automl.reliability_.n_rows == known.sum()


def test_one_fold_is_not_enough():
    with pytest.warns(UserWarning, match="predictions of 2 folds"):
        searched(cv=ShuffleSplit(1, random_state=0))


def test_an_ensemble_gets_a_threshold_of_its_own(tmp_path):
    models = [GaussianNB(), LogisticRegression(), KNeighborsClassifier(15)]
    left = [*models]
    automl = CurveAutoMLClassifier(
        space=lambda random_state: clone(left.pop()),
        n_iter=3,
        ensemble=True,
        scoring="neg_log_loss",
        tune_threshold="f1",
        timeout_per_candidate=None,
        random_state=0,
        cv=CV,
    ).fit(X, NUMBERS)
    inner = automl.ensemble_.estimator

    assert automl.threshold_.tuned
    assert automl.best_estimator_.estimator_ is inner
    assert automl.best_score_ == automl.ensemble_.score
    scorer = get_scorer("neg_log_loss")
    assert automl.score(X, NUMBERS) == pytest.approx(scorer(inner, X, NUMBERS))
    path = tmp_path / "model.skops"
    assert not save_model(SavedModel(automl.best_estimator_, {}, "y", "classification"), path)
    np.testing.assert_array_equal(load_model(path).pipeline.predict(X), automl.predict(X))


def test_a_clone_is_fitted_anew_with_the_same_threshold(usual):
    again = clone(usual.best_estimator_).fit(X, NUMBERS)

    np.testing.assert_array_equal(again.predict(X), usual.predict(X))


def test_in_workers_as_well(usual):
    automl = searched(timeout_per_fit=60, n_jobs=2)

    assert automl.threshold_ == usual.threshold_


def test_fitting_again_forgets_the_threshold():
    automl = searched()
    automl.set_params(tune_threshold=None, keep_predictions="none").fit(X, NUMBERS)

    assert not hasattr(automl, "threshold_")
    assert not hasattr(automl, "reliability_")


@pytest.mark.parametrize(
    ("settings", "y", "why"),
    [
        ({}, np.arange(400) % 3, "two classes, and this one has 3"),
        ({}, TEXT, "pos_label='bad' or pos_label='good'"),
        ({"pos_label": "worse"}, TEXT, "got 'worse'"),
        ({"tune_threshold": "roc_auc"}, NUMBERS, "judges probabilities"),
        ({"tune_threshold": lambda y: 1}, NUMBERS, r"<lambda>\(y, y\) raised TypeError"),
        ({"keep_predictions": "none"}, NUMBERS, "keep_predictions 'best' or 'all'"),
        ({"tune_threshold": None, "pos_label": 1}, NUMBERS, "is for tune_threshold"),
    ],
)
def test_what_cannot_be_is_said_before_the_search(settings, y, why):
    with pytest.raises(InvalidParameterError, match=why):
        searched(y, model=Never(), **settings)


class Never(DecisionTreeClassifier):
    """Must not be fitted."""

    def fit(self, X, y):
        """Say that it was."""
        raise AssertionError("fitted")


def test_numbers_have_no_threshold():
    automl = CurveAutoMLRegressor(
        space=lambda random_state: LinearRegression(), n_iter=1, tune_threshold="f1"
    )
    with pytest.raises(InvalidParameterError, match="numbers have no threshold"):
        automl.fit(X, X[:, 0])


def test_the_store_has_it_for_the_report(tmp_path):
    automl = searched(store=tmp_path / "run.db", run="named")
    with RunStore.open(tmp_path / "run.db") as store:
        notes = store.run().notes()

    assert notes["threshold"] == automl.threshold_.facts()
    assert notes["calibration"] == automl.reliability_.facts()
    automl.set_params(tune_threshold=None).fit(X, NUMBERS)
    with RunStore.open(tmp_path / "run.db") as store:
        assert store.run().notes()["threshold"] is None


def test_a_model_that_is_too_sure_is_to_be_calibrated():
    rng = np.random.default_rng(0)
    columns = np.repeat(rng.normal(size=(800, 2)), 6, axis=1)
    y = (columns.sum(axis=1) + 6 * rng.normal(size=800) > 0).astype(int)
    automl = CurveAutoMLClassifier(
        space=lambda random_state: GaussianNB(),
        n_iter=1,
        timeout_per_candidate=None,
        random_state=0,
    ).fit(columns, y)

    assert automl.reliability_.recommended == "sigmoid"
    assert not hasattr(automl, "threshold_")
