"""Ensembles: who predicts together, and what that is worth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_diabetes, make_classification, make_friedman1
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import average_precision_score, get_scorer, make_scorer, r2_score
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import curvewise as cw
from curvewise._evaluation.prediction_scores import prediction_score
from curvewise._report.report_facts import facts_of
from curvewise.automl import (
    CurveAutoMLClassifier,
    CurveAutoMLRegressor,
    SavedModel,
    load_model,
    save_model,
)
from curvewise.automl._components.weighted_models import WeightedClassifier, WeightedRegressor
from curvewise.automl._ensemble import with_winners
from curvewise.automl._ensemble_selection import (
    MOST_MEMBERS,
    N_STEPS,
    choose_ensemble,
    mixed,
    select,
)
from curvewise.errors import InvalidParameterError
from curvewise.executors import RunStore

numbers = st.integers(0, 10**6).map(np.random.RandomState)


@settings(max_examples=40, deadline=None)
@given(numbers, st.integers(1, 9))
def test_an_ensemble_is_at_least_as_good_as_its_best_where_it_was_chosen(rng, n_models):
    y = rng.normal(size=60)
    predictions = [y + rng.normal(scale=rng.uniform(0.1, 2), size=60) for _ in range(n_models)]
    stacked, rows = np.stack(predictions), np.arange(60)
    counts = select(stacked, y, rows, r2_score)

    assert 1 <= counts.sum() <= N_STEPS
    assert np.count_nonzero(counts) <= MOST_MEMBERS
    best = max(r2_score(y, one) for one in predictions)
    assert r2_score(y, mixed(stacked, counts)) >= best - 1e-12


def test_what_is_chosen_is_measured_on_other_rows():
    rng = np.random.RandomState(0)
    y = rng.normal(size=200)
    # Models that predict nothing: on the rows that they are chosen on some look good.
    predictions = [rng.normal(scale=0.3, size=200) for _ in range(30)]
    parts = [test for _, test in KFold(5).split(y)]
    choice = choose_ensemble(predictions, y, parts, r2_score)

    assert choice.score < r2_score(y, mixed(np.stack(predictions), choice.counts))
    assert choice.weights.sum() == pytest.approx(1)


def test_errors_that_differ_cancel_out():
    rng = np.random.RandomState(1)
    y = rng.normal(size=300)
    predictions = [y + rng.normal(size=300) for _ in range(4)]
    parts = [test for _, test in KFold(5).split(y)]
    choice = choose_ensemble(predictions, y, parts, r2_score)

    assert np.count_nonzero(choice.counts) >= 3
    assert choice.score > choice.single_score + 0.2


@pytest.mark.parametrize("metric", ["accuracy", "neg_log_loss", "roc_auc", "f1", "neg_brier_score"])
def test_metrics_on_predictions_are_those_of_scorers(metric):
    X, y = make_classification(200, flip_y=0.3, random_state=0)
    model = GaussianNB().fit(X[:100], y[:100])
    score = prediction_score(cw.resolve_scoring(metric), np.array([0, 1]))
    expected = get_scorer(metric)(model, X[100:], y[100:])

    assert score(y[100:], model.predict_proba(X[100:])) == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["accuracy", "neg_log_loss", "roc_auc_ovr", "f1_macro"])
def test_metrics_of_several_classes(metric):
    X, y = make_classification(300, n_classes=3, n_informative=4, random_state=0)
    model = GaussianNB().fit(X[:100], y[:100])
    score = prediction_score(cw.resolve_scoring(metric), np.arange(3))
    expected = get_scorer(metric)(model, X[100:], y[100:])

    assert score(y[100:], model.predict_proba(X[100:])) == pytest.approx(expected)


@pytest.mark.parametrize("labels", [[0, 1], [1, 2]])
@pytest.mark.parametrize("positive", [0, 1])
def test_the_positive_class_of_a_metric_is_that_of_its_scorer(labels, positive):
    X, y = make_classification(200, flip_y=0.3, weights=[0.8], random_state=0)
    classes = np.array(labels)
    model = GaussianNB().fit(X[:100], classes[y[:100]])
    scorer = make_scorer(
        average_precision_score, response_method="predict_proba", pos_label=labels[positive]
    )
    score = prediction_score(cw.resolve_scoring(scorer), classes)
    expected = scorer(model, X[100:], classes[y[100:]])

    assert score(classes[y[100:]], model.predict_proba(X[100:])) == pytest.approx(expected)


def test_a_metric_whose_positive_class_is_1_takes_its_column_wherever_that_is():
    X, y = make_classification(200, flip_y=0.3, weights=[0.8], random_state=0)
    model = GaussianNB().fit(X[:100], y[:100] + 1)
    score = prediction_score(cw.resolve_scoring("average_precision"), np.array([1, 2]))
    expected = get_scorer("average_precision")(model, X[100:], y[100:] + 1)

    assert score(y[100:] + 1, model.predict_proba(X[100:])) == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["accuracy", "neg_log_loss", "roc_auc", "f1"])
def test_rows_count_as_much_as_their_weights(metric):
    X, y = make_classification(200, flip_y=0.3, random_state=0)
    weights = np.random.default_rng(0).uniform(0, 5, size=100)
    model = GaussianNB().fit(X[:100], y[:100])
    score = prediction_score(cw.resolve_scoring(metric), np.array([0, 1]))
    expected = get_scorer(metric)(model, X[100:], y[100:], sample_weight=weights)
    found = score(y[100:], model.predict_proba(X[100:]), sample_weight=weights)

    assert found == pytest.approx(expected)


def test_rows_without_one_of_the_classes_have_a_log_loss():
    score = prediction_score(cw.resolve_scoring("neg_log_loss"), np.arange(3))
    values = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3]])

    assert score(np.array([0, 1]), values) == pytest.approx(np.log(0.5))


def test_a_callable_of_ones_own_has_no_score_here():
    assert prediction_score(cw.resolve_scoring(lambda *_: 1.0), None) is None


CLASSIFIERS = [
    GaussianNB(),
    LogisticRegression(),
    DecisionTreeClassifier(max_depth=3, random_state=0),
    KNeighborsClassifier(15),
]
REGRESSORS = [Ridge(), DecisionTreeRegressor(max_depth=5, random_state=0), KNeighborsRegressor(20)]


def draws_from(estimators):
    """Give the estimators one after the other, for ever."""
    left = []

    def draw(random_state):
        if not left:
            left.extend(reversed(estimators))
        return clone(left.pop())

    return draw


def fitted(**settings):
    X, y = make_classification(400, n_informative=5, flip_y=0.1, random_state=3)
    automl = CurveAutoMLClassifier(
        space=draws_from(CLASSIFIERS),
        n_iter=4,
        random_state=0,
        scoring="neg_log_loss",
        **settings,
    )
    return automl.fit(X, y), X, y


def test_an_ensemble_takes_the_place_of_the_best(tmp_path):
    automl, X, _ = fitted(ensemble=True, n_jobs=2)
    ensemble = automl.ensemble_
    expected = sum(
        weight * one.predict_proba(X)
        for weight, one in zip(
            ensemble.weights.values(), automl.best_estimator_.estimators_, strict=True
        )
    )

    assert isinstance(automl.best_estimator_, WeightedClassifier)
    assert sum(ensemble.weights.values()) == pytest.approx(1)
    assert ensemble.score > ensemble.single_score
    assert automl.best_score_ == ensemble.score
    assert ensemble.prediction_cost > 1
    np.testing.assert_allclose(automl.predict_proba(X), expected)
    assert set(automl.classes_) == {0, 1}


def test_without_time_limits_members_are_fitted_here():
    automl, X, y = fitted(ensemble=True, timeout_per_candidate=None)

    assert len(automl.ensemble_.weights) > 1
    assert automl.score(X, y) < 0


def test_an_ensemble_of_regressors():
    X, y = make_friedman1(400, noise=1.0, random_state=0)
    automl = CurveAutoMLRegressor(
        space=draws_from(REGRESSORS),
        n_iter=3,
        ensemble=True,
        timeout_per_candidate=None,
        random_state=0,
    ).fit(X, y)

    assert isinstance(automl.best_estimator_, WeightedRegressor)
    assert automl.ensemble_.score > automl.ensemble_.single_score


def test_an_ensemble_is_saved_and_loaded_without_pickle(tmp_path):
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = WeightedRegressor.of([one.fit(X, y) for one in map(clone, REGRESSORS)], [2, 1, 1])
    path = tmp_path / "model.skops"
    kinds = dict.fromkeys(X.columns, "number")
    foreign = save_model(SavedModel(model, kinds, "target", "regression"), path)

    assert not foreign
    np.testing.assert_array_equal(load_model(path).pipeline.predict(X), model.predict(X))


def test_without_predictions_there_is_no_ensemble():
    with pytest.raises(InvalidParameterError, match="keep_predictions"):
        fitted(ensemble=True, keep_predictions="none")


@pytest.mark.parametrize("keep", ["best", "all"])
def test_members_have_all_folds_of_the_best_whatever_is_kept(keep):
    automl, *_ = fitted(ensemble=True, keep_predictions=keep, timeout_per_candidate=None)
    complete = {
        result.candidate
        for result in automl.search_.results_
        if result.status is cw.Status.COMPLETED
    }

    assert len(automl.oof_predictions_) == (4 if keep == "all" else len(complete))
    assert set(automl.ensemble_.weights) <= complete


def test_rows_count_in_an_ensemble_as_they_do_in_the_search():
    X, y = make_classification(400, n_informative=5, flip_y=0.1, random_state=3)
    automl = CurveAutoMLClassifier(
        space=draws_from([GaussianNB(), LogisticRegression()]),
        n_iter=2,
        policy=cw.KFoldCV(),
        ensemble=True,
        timeout_per_candidate=None,
        scoring="neg_log_loss",
        random_state=0,
    )
    weights = np.random.default_rng(0).choice([0.1, 10.0], size=400)
    automl.fit(X, y, sample_weight=weights)

    assert automl.ensemble_.single_score == pytest.approx(automl.search_.best_score_)


class FailsOnMany(GaussianNB):
    """Cannot be fitted on all of 400 rows."""

    def fit(self, X, y):
        if len(X) >= 400:
            raise ValueError("too many rows")
        return super().fit(X, y)


@pytest.mark.parametrize("seconds", [None, 300.0])
def test_who_cannot_be_fitted_on_all_rows_has_no_part_in_an_ensemble_nor_in_its_score(seconds):
    X, y = make_classification(400, n_informative=5, flip_y=0.1, random_state=3)

    def made(estimators):
        return CurveAutoMLClassifier(
            space=draws_from(estimators),
            n_iter=len(estimators),
            policy=cw.KFoldCV(),
            ensemble=True,
            timeout_per_candidate=seconds,
            scoring="neg_log_loss",
            random_state=0,
            learning_curve=False,
            importance=False,
        ).fit(X, y)

    others = [LogisticRegression(), KNeighborsClassifier(15)]
    with_it, without = made([*others, FailsOnMany()]), made(others)

    assert len(with_it.search_.results_) == 3
    assert with_it.ensemble_.score == pytest.approx(without.ensemble_.score)
    assert with_it.ensemble_.weights == pytest.approx(without.ensemble_.weights)


def test_a_metric_that_fails_on_predictions_costs_the_ensemble_only():
    def touchy(y, predicted):
        if len(y) > 100:
            raise RuntimeError("too many")
        return float(np.mean(y == predicted))

    X, y = make_classification(400, n_informative=5, flip_y=0.1, random_state=3)
    automl = CurveAutoMLClassifier(
        space=draws_from(CLASSIFIERS), n_iter=4, ensemble=True, timeout_per_candidate=None,
        scoring=make_scorer(touchy), random_state=0,
    )  # fmt: skip
    with pytest.warns(UserWarning, match="No ensemble was made: the metric raised RuntimeError"):
        automl.fit(X, y)

    assert not hasattr(automl, "ensemble_")


def test_by_default_the_best_stands_alone():
    automl, *_ = fitted(timeout_per_candidate=None)

    assert not hasattr(automl, "ensemble_")
    assert automl.best_estimator_ is automl.search_.best_estimator_


def test_a_race_gets_as_many_winners_as_an_ensemble_may_have_members():
    assert with_winners(None, 5) == cw.Race(winners=5)
    assert with_winners(cw.Race(price=0.1, winners=9), 5) == cw.Race(price=0.1, winners=9)
    assert with_winners(cw.KFoldCV(), 5) == cw.KFoldCV()


def test_a_store_notes_who_predicts_together(tmp_path):
    X, y = make_friedman1(400, noise=1.0, random_state=0)
    automl = CurveAutoMLRegressor(
        space=draws_from(REGRESSORS),
        n_iter=3,
        ensemble=True,
        timeout_per_candidate=None,
        random_state=0,
        store=tmp_path / "run.db",
    ).fit(X, y)
    with RunStore.read(tmp_path / "run.db") as store:
        facts = facts_of(store.run())["answer"]["ensemble"]

    assert facts["score"] == pytest.approx(automl.ensemble_.score)
    assert [each["weight"] for each in facts["members"]] == sorted(
        automl.ensemble_.weights.values(), reverse=True
    )


def test_the_simplest_is_taken_if_that_is_wanted():
    automl, *_ = fitted(timeout_per_candidate=None, refit="simplest")

    assert automl.search_.policy == cw.Race(winners=3)
    assert automl.search_.refit_reason_
    with pytest.raises(InvalidParameterError, match="not simple"):
        fitted(ensemble=True, refit="simplest")
    with pytest.raises(InvalidParameterError, match="refit must be 'best' or 'simplest'"):
        fitted(refit="worst")
