"""The table of a search: what it says of candidates that were completed, pruned or failed."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.neighbors import KNeighborsClassifier

from curvewise import CurveSearchCV, KFoldCV
from tests.selection.test_search_cv import DIGITS, TREE, X, y


@pytest.fixture(scope="module")
def raced():
    space = {"max_depth": [1, 2, 5, 8], "criterion": ["gini", "entropy"]}
    return CurveSearchCV(TREE, space, random_state=0).fit(*DIGITS)


def test_the_order_is_that_of_the_candidates(raced):
    named = [result.candidate for result in raced.results_]

    assert named[0] == "criterion=gini, max_depth=1"
    assert len(set(named)) == 8
    assert raced.cv_results_["param_max_depth"].tolist() == [1, 2, 5, 8] * 2
    assert [result.curve for result in raced.results_] == raced.curves_


def test_a_pruned_candidate_has_no_mean_but_a_bound_and_a_reason(raced):
    table = raced.cv_results_
    pruned = table["status"] == "pruned"

    assert pruned.any()
    assert np.isnan(table["mean_test_score"][pruned]).all()
    assert np.isnan(table["std_test_score"][pruned]).all()
    assert np.isfinite(table["bound"][pruned]).all()
    assert all(reason.startswith("pruned") for reason in table["reason"][pruned])
    assert (table["n_folds"][pruned] < 5).all()


def test_a_completed_candidate_has_a_mean_and_no_bound(raced):
    table = raced.cv_results_
    completed = table["status"] == "completed"

    assert np.isfinite(table["mean_test_score"][completed]).all()
    assert np.isnan(table["bound"][completed]).all()
    assert (table["n_folds"][completed] == 5).all()


def test_those_without_a_mean_share_the_last_rank(raced):
    table = raced.cv_results_
    without = np.isnan(table["mean_test_score"])

    assert len(set(table["rank_test_score"][without])) == 1
    assert table["rank_test_score"][without][0] == (~without).sum() + 1


def test_it_is_cheaper_than_a_grid_search(raced):
    target = len(DIGITS[0]) * 4 // 5

    assert raced.cv_results_["training_rows"].sum() < 8 * 5 * target


def test_the_leaders_end_with_the_best(raced):
    last = raced.leaders_[-1]

    assert last.candidate == raced.results_[raced.best_index_].candidate
    assert last.score == pytest.approx(raced.best_score_)


def test_the_leaders_cost_more_and_more(raced):
    spent = [(who.seconds, who.n_fits, who.training_rows) for who in raced.leaders_]

    assert spent == sorted(spent)


def test_the_table_becomes_a_data_frame(raced):
    assert pd.DataFrame(raced.cv_results_).shape[0] == 8


def test_a_failed_candidate_counts_as_the_error_score():
    space = {"n_neighbors": [5, 1000]}
    search = CurveSearchCV(KNeighborsClassifier(), space, policy=KFoldCV(), error_score=0.25)

    with pytest.warns(FitFailedWarning, match="1 of 2 candidates failed"):
        search.fit(X, y)

    assert search.cv_results_["mean_test_score"][1] == 0.25
    assert search.cv_results_["rank_test_score"].tolist() == [1, 2]
    assert search.best_index_ == 0


def test_an_error_score_counts_for_each_metric_of_a_callable():
    def measure(model, X, y):
        return {"hits": model.score(X, y), "one": 1.0}

    search = CurveSearchCV(
        KNeighborsClassifier(),
        {"n_neighbors": [5, 1000]},
        scoring=measure,
        refit=False,
        error_score=0.25,
        policy=KFoldCV(),
    )

    with pytest.warns(FitFailedWarning):
        search.fit(X, y)

    assert search.cv_results_["mean_test_one"].tolist() == [1.0, 0.25]
    assert search.cv_results_["mean_test_hits"][1] == 0.25
