"""The simplest of those that are as good as the best."""

import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

import curvewise as cw
from curvewise._selection.simplest import behind, costs, simplest
from curvewise.core import LearningCurve, Status, Task


def result_of(name, losses, seconds, *, status=Status.COMPLETED):
    curve = LearningCurve()
    for fold, loss in enumerate(losses):
        task = Task(name, 900, fold)
        curve.add(cw.Observation(task, loss, seconds=1.0, score_seconds=seconds, fit_seconds=1.0))
    return SimpleNamespace(candidate=name, curve=curve, status=status)


def test_the_cheapest_within_the_noise_is_taken():
    results = [
        result_of("best", [0.10, 0.12, 0.11], 9.0),
        result_of("as good", [0.11, 0.11, 0.12], 1.0),
        result_of("worse", [0.20, 0.21, 0.22], 0.1),
        result_of("pruned", [0.10], 0.1, status=Status.PRUNED),
    ]
    taken, reason = simplest(results, 0)

    assert taken == 1
    assert reason == (
        "as good predicts in 11% of the time of best, the best, and scores 0.0033 less, within the "
        "noise of their folds."
    )


def test_the_best_stays_if_nobody_cheaper_is_as_good():
    results = [result_of("best", [0.1, 0.1], 1.0), result_of("slow", [0.1, 0.1], 2.0)]

    assert simplest(results, 0).place == 0
    assert "nobody who is as good" in simplest(results, 0).reason


losses = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@given(st.lists(st.tuples(losses, st.floats(0, 10)), min_size=1, max_size=8))
def test_who_is_taken_is_as_good_and_no_dearer(candidates):
    results = [result_of(str(i), *one) for i, one in enumerate(candidates)]
    best = min(range(len(results)), key=lambda i: math.fsum(candidates[i][0]))
    taken, _ = simplest(results, best)
    difference, error = behind(results[taken], results[best])

    assert costs(results[taken])[0] <= costs(results[best])[0]
    assert taken == best or difference <= max(error, 1e-12)


def test_a_search_takes_it_and_says_why():
    X, y = load_iris(return_X_y=True)
    sizes = {"large": 300, "small": 30}
    candidates = {name: RandomForestClassifier(n, random_state=0) for name, n in sizes.items()}
    search = cw.CurveSearchCV(
        candidates, policy=cw.KFoldCV(), refit="simplest", random_state=0
    ).fit(X, y)

    assert search.best_estimator_.n_estimators == 30
    assert search.refit_reason_.startswith(("small predicts in", "small is the best"))
    assert search.best_score_ == pytest.approx(search.results_[1].score)


def test_with_several_metrics_one_has_to_be_named():
    search = cw.CurveSearchCV(
        {"bayes": GaussianNB()}, scoring=["accuracy", "f1_macro"], refit="simplest"
    )
    with pytest.raises(ValueError, match="multi-metric"):
        search.fit(*load_iris(return_X_y=True))
