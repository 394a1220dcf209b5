"""A rank for every candidate of a search, estimated where it was not completed."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import curvewise as cw

X, y = load_breast_cancer(return_X_y=True)
CANDIDATES = {
    "dummy": DummyClassifier(),
    "broken": SVC(C=-1),
    "scaled": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "twin": make_pipeline(StandardScaler(), LogisticRegression()),
}


@pytest.fixture(scope="module", params=["race", "kfold", "lccv", "partial", "several metrics"])
def search(request):
    policies = {
        "race": cw.Race(),
        "kfold": cw.KFoldCV(),
        "lccv": cw.LCCV(),
        "partial": cw.LCCV(partial_results=True),
        "several metrics": cw.Race(),
    }
    settings = {"cv": 5, "random_state": 0, "policy": policies[request.param]}
    if request.param == "several metrics":
        settings |= {"scoring": ["f1", "accuracy"], "refit": "accuracy"}
    with pytest.warns(match="1 of 7 candidates failed"):
        return cw.CurveSearchCV(CANDIDATES, deterministic=True, **settings).fit(X, y)


def test_every_candidate_has_a_rank(search):
    ranks = search.cv_results_["rank"]

    assert ranks.dtype.kind == "i"
    assert len(ranks) == len(CANDIDATES)
    assert 1 <= ranks.min() <= ranks.max() <= len(CANDIDATES)
    assert ranks[search.best_index_] == 1
    # As many stand before somebody as the rank says: equal ones share one.
    assert ranks.tolist() == [1 + int((ranks < one).sum()) for one in ranks]


def test_ranks_are_estimated_of_those_that_were_not_completed(search):
    table = search.cv_results_
    completed = table["status"] == "completed"

    assert (table["rank_estimated"] == ~completed).all()
    assert not completed.all()
    assert table["rank"][completed].max() < table["rank"][~completed].min()
    assert table["rank"][table["status"] == "failed"].tolist() == [len(CANDIDATES)]


def test_completed_candidates_are_ranked_by_the_metric_that_decides(search):
    table, name = search.cv_results_, "accuracy" if search.multimetric_ else "score"
    completed = np.flatnonzero(table["status"] == "completed")
    means = table[f"mean_test_{name}"]

    for one in completed:
        better = sum(means[other] > means[one] for other in completed)
        assert table["rank"][one] == 1 + better


def test_the_leaderboard_has_the_same_ranks_the_best_first(search):
    board = search.leaderboard()
    names = [each.candidate for each in search.results_]
    ranks = dict(zip(names, search.cv_results_["rank"], strict=True))

    assert board["rank"].is_monotonic_increasing
    assert board.set_index("candidate")["rank"].to_dict() == ranks
    estimated = board.set_index("candidate")["rank_estimated"]
    assert estimated.to_dict() == {
        each.candidate: each.status is not cw.Status.COMPLETED for each in search.results_
    }
