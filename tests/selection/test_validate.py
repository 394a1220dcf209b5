"""`validate`: one estimator, perhaps against a score to beat."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from curvewise import LCCV, InvalidParameterError, Status, validate
from tests.executors.sleepy import Sleepy

X, y = load_iris(return_X_y=True)
TUMOURS, MALIGNANT = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
GROUPS = np.arange(150) % 7
TREE = DecisionTreeClassifier(random_state=0)


@pytest.mark.parametrize(
    ("estimator", "data", "settings"),
    [
        (GaussianNB(), (X, y), {}),
        (TREE, (X, y), {"cv": StratifiedKFold(3, shuffle=True, random_state=1)}),
        (GaussianNB(), (X, y), {"scoring": "neg_log_loss", "cv": 3}),
        (Ridge(), DIABETES, {"scoring": "neg_mean_absolute_error"}),
        (TREE, (X, y), {"cv": GroupKFold(3), "groups": GROUPS}),
    ],
    ids=["own score", "splitter", "log loss", "regression", "groups"],
)
def test_without_a_score_to_beat_it_is_cross_validation(estimator, data, settings):
    expected = cross_validate(estimator, *data, **settings)["test_score"]

    result = validate(estimator, *data, **settings)

    assert result.status is Status.COMPLETED
    assert result.score == pytest.approx(expected.mean(), abs=1e-12)
    assert len(result.curve) == len(expected)


def test_several_metrics_are_measured_and_the_first_decides():
    result = validate(TREE, X, y, scoring=["f1_macro", "accuracy"])

    expected = cross_validate(TREE, X, y, scoring="f1_macro")["test_score"]
    assert result.score == pytest.approx(expected.mean())
    assert all(set(seen.scores) == {"f1_macro", "accuracy"} for seen in result.curve)


def test_training_scores_are_measured_if_wanted():
    result = validate(TREE, X, y, return_train_score=True)

    assert all(seen.train_scores == {"score": 1.0} for seen in result.curve)


def test_weights_reach_the_fit():
    weights = np.where(y == 2, 0.0, 1.0)

    weighted = validate(TREE, X, y, params={"sample_weight": weights})

    assert weighted.score != validate(TREE, X, y).score


def test_who_cannot_beat_a_score_is_pruned():
    result = validate(DummyClassifier(), X, y, best_score=0.95)

    assert result.status is Status.PRUNED
    assert np.isnan(result.score)
    assert len(result.curve) < 5


def test_who_cannot_beat_an_earlier_result_is_pruned():
    best = validate(GaussianNB(), X, y)

    result = validate(DummyClassifier(), X, y, best_score=best)

    assert result.status is Status.PRUNED
    assert len(result.curve) == 1
    assert "pruned" in result.explain()


def test_a_result_to_beat_may_have_any_metric():
    scoring = "neg_mean_absolute_error"
    best = validate(Ridge(), *DIABETES, scoring=scoring)

    worse = validate(DummyRegressor(), *DIABETES, scoring=scoring, best_score=best)

    assert best.score < 0
    assert worse.status is Status.PRUNED


def test_a_score_to_beat_is_in_the_users_metric():
    scoring = "neg_log_loss"

    result = validate(GaussianNB(), X, y, scoring=scoring, best_score=-0.5)

    assert result.status is Status.COMPLETED
    assert -0.5 < result.score < 0


def test_who_beats_the_score_is_completed():
    result = validate(GaussianNB(), X, y, best_score=0.5)

    assert result.status is Status.COMPLETED
    assert result.score > 0.9


def test_another_policy_may_give_a_curve():
    policy = LCCV(skip=False)

    result = validate(TREE, TUMOURS, MALIGNANT, policy=policy, random_state=0)

    assert len(result.curve.anchors) > 1
    assert max(result.curve.anchors) == 455


def test_a_learner_that_fails_is_warned_of_and_says_why():
    with pytest.warns(FitFailedWarning, match="Expected n_neighbors <= n_samples_fit"):
        result = validate(KNeighborsClassifier(1000), X, y)

    assert result.status is Status.FAILED
    assert np.isnan(result.score)
    assert result.failures


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["timeout_per_candidate", "timeout_per_fit"])
def test_who_takes_too_long_is_stopped(limit):
    result = validate(Sleepy(100), X, y, **{limit: 0.5})

    assert result.status is Status.STOPPED
    assert "stopped" in result.explain()


@pytest.mark.slow
def test_two_workers_give_what_one_gives():
    one = validate(TREE, X, y)

    two = validate(TREE, X, y, n_jobs=2)

    assert two.score == one.score


def test_a_class_is_refused():
    with pytest.raises(InvalidParameterError, match="got the class GaussianNB; write GaussianNB"):
        validate(GaussianNB, X, y)


@pytest.mark.parametrize("score", [np.nan, np.inf])
def test_a_score_to_beat_that_is_no_number_is_refused(score):
    with pytest.raises(InvalidParameterError, match="must be a finite number"):
        validate(GaussianNB(), X, y, best_score=score)


def test_a_pruned_result_cannot_be_the_one_to_beat():
    pruned = validate(DummyClassifier(), X, y, best_score=0.95)

    with pytest.raises(
        InvalidParameterError, match="must be a result with a score, got one that was pruned"
    ):
        validate(GaussianNB(), X, y, best_score=pruned)


@pytest.mark.parametrize("other", [{"cv": 3}, {"scoring": "neg_log_loss"}], ids=["folds", "metric"])
def test_a_result_on_other_folds_or_of_another_metric_cannot_be_the_one_to_beat(other):
    best = validate(GaussianNB(), X, y)

    with pytest.raises(InvalidParameterError):
        validate(GaussianNB(), X, y, best_score=best, **other)


def test_a_result_on_shuffled_folds_of_the_same_size_cannot_be_the_one_to_beat():
    shuffled = StratifiedKFold(5, shuffle=True, random_state=3)
    best = validate(GaussianNB(), X, y, cv=shuffled)

    with pytest.raises(InvalidParameterError, match="on the same folds of the same data"):
        validate(GaussianNB(), X, y, best_score=best)


@pytest.mark.parametrize(("scoring", "score"), [("accuracy", 97), ("neg_log_loss", 0.4)])
def test_a_score_that_cannot_be_is_refused(scoring, score):
    with pytest.raises(InvalidParameterError, match="cannot be: the best score"):
        validate(GaussianNB(), X, y, scoring=scoring, best_score=score)


def test_a_hopeless_regressor_is_pruned_against_a_number():
    data = load_diabetes(return_X_y=True)
    result = validate(
        DummyRegressor(), *data, cv=10, scoring="neg_mean_absolute_error", best_score=-40
    )

    assert result.status is Status.PRUNED
    assert len(result.curve) < 10


@pytest.mark.parametrize(("part", "n_test"), [("fold", 114), ("rest", 505)])
def test_a_policy_may_choose_the_test_part(part, n_test):
    policy = LCCV(test_part=part, prune=False, skip=False)
    result = validate(GaussianNB(), TUMOURS, MALIGNANT, policy=policy, best_score=0.99)

    assert result.curve.at(64, 0).n_test == n_test
    assert result.curve.at(455, 0).n_test == 114


def test_who_is_worse_on_its_training_rows_can_be_pruned():
    policy = LCCV(prune_by_training=True)
    result = validate(DummyClassifier(), TUMOURS, MALIGNANT, policy=policy, best_score=0.9)

    assert result.status is Status.PRUNED
    assert result.curve.anchors == (64,)
    assert "(no better on its own training rows)" in result.explain()
