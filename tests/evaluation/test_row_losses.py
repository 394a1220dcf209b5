import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from curvewise._evaluation.evaluator import Evaluator
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.row_losses import check_row_metric, row_losses
from curvewise._evaluation.scorers import resolve_scoring
from curvewise.core import Race, Scale
from curvewise.core._outcome import Task
from curvewise.errors import InvalidParameterError


def outcome_of(learner, scoring, *, anchor=30, keep="all", data=load_iris, **options):
    X, y = data(return_X_y=True)
    folds = Folds(X, y, cv=5, classifier=data is load_iris, random_state=0)
    resolved = resolve_scoring(scoring, estimator=learner)
    evaluate = Evaluator(X, y, folds=folds, scoring=resolved, **options)
    evaluate.keep_row_losses = keep
    return evaluate(Task("learner", anchor, 0), learner)


@pytest.mark.parametrize("anchor", [30, 10_000])
@pytest.mark.parametrize(
    ("learner", "scoring", "data"),
    [
        (LinearSVC(), "accuracy", load_iris),
        (GaussianNB(), None, load_iris),
        (LogisticRegression(max_iter=1000), "neg_log_loss", load_iris),
        (Ridge(), "neg_mean_squared_error", load_diabetes),
        (Ridge(), "neg_mean_absolute_error", load_diabetes),
    ],
)
def test_the_mean_of_the_rows_is_the_loss(learner, scoring, data, anchor):
    outcome = outcome_of(learner, scoring, data=data, anchor=anchor)

    assert outcome.row_losses.shape == (outcome.n_test,)
    assert outcome.row_losses.mean() == pytest.approx(outcome.loss)
    assert outcome.predictions is None


def test_error_rates_have_truth_values():
    assert outcome_of(GaussianNB(), "accuracy").row_losses.dtype == bool


def test_nobody_gets_them_who_has_not_asked():
    assert outcome_of(GaussianNB(), "accuracy", keep="none").row_losses is None


@pytest.mark.parametrize("scoring", ["balanced_accuracy", "f1_macro"])
def test_a_metric_that_is_no_mean_over_rows_has_what_rows_do_to_it(scoring):
    outcome = outcome_of(GaussianNB(), scoring)

    assert outcome.row_losses.mean() == pytest.approx(outcome.loss, abs=1e-6)


def test_a_metric_of_the_users_own_has_none():
    assert outcome_of(GaussianNB(), lambda model, X, y: 0.5).row_losses is None


@pytest.mark.parametrize(
    ("rows", "n_kept"), [(np.zeros(20_000, bool), 8192), (np.ones(9_000), 2048)]
)
def test_a_sample_is_bounded_and_the_same_for_all(rows, n_kept):
    marked = rows.copy()
    marked[::2] = True
    kept = row_losses(marked, Scale(), "sample")

    assert len(kept) == n_kept
    assert len(row_losses(rows, Scale(), "all")) == len(rows)
    assert kept.tolist() == row_losses(marked.copy(), Scale(), "sample").tolist()
    assert row_losses(rows[:50], Scale(), "sample").shape == (50,)


def test_a_race_by_rows_asks_for_a_sample_and_others_for_nothing():
    X, y = load_iris(return_X_y=True)
    folds = Folds(X, y, cv=5, classifier=True, random_state=0)
    evaluate = Evaluator(X, y, folds=folds, scoring=resolve_scoring("accuracy"))

    evaluate.follow(Race())
    assert evaluate.keep_row_losses == "none"
    evaluate.follow(Race(by_rows=True))
    assert evaluate.keep_row_losses == "sample"


def test_weighted_scores_have_none():
    weights = np.linspace(1, 9, 150)

    outcome = outcome_of(
        GaussianNB(), "accuracy", params={"sample_weight": weights}, weigh_scores=True
    )
    assert outcome.loss > 0
    assert outcome.row_losses is None


def test_metrics_without_losses_by_row_are_refused_in_a_sentence():
    with pytest.raises(InvalidParameterError, match=r"roc_auc has no losses by row: .* accuracy"):
        check_row_metric("roc_auc")
