"""Columns shuffled one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.inspection import permutation_importance
from sklearn.naive_bayes import GaussianNB

from curvewise import Evaluator, Folds, Task, resolve_scoring
from curvewise._evaluation.permuted_columns import (
    PermutedColumns,
    column_names,
    telling_first,
    why_not,
    with_column_permuted,
)

X, Y = load_iris(return_X_y=True)


def measured(seconds=100.0, seed=0, fold=0, data=X):
    folds = Folds(data, Y, cv=5, classifier=True, random_state=0)
    evaluate = Evaluator(data, Y, folds=folds, scoring=resolve_scoring("accuracy"))
    wanted = PermutedColumns(candidate=GaussianNB(), seconds=seconds, seed=seed)
    return evaluate(Task("bayes", 120, fold), wanted), folds


def test_drops_are_about_those_of_scikit_learn():
    drops = np.zeros(4)
    for seed in range(30):
        outcome, folds = measured(seed=seed)
        for column, drop in outcome.drops:
            drops[column] += drop / 30
    train, test = folds.train(0, 120), folds.test(0)
    model = GaussianNB().fit(X[train], Y[train])
    expected = permutation_importance(model, X[test], Y[test], n_repeats=100, random_state=0)

    assert np.abs(drops - expected.importances_mean).max() < 0.05
    assert outcome.score == model.score(X[test], Y[test])


def test_the_same_seed_gives_the_same_and_frames_give_what_arrays_give():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    first = measured()[0].drops

    assert measured()[0].drops == first
    assert measured(data=pd.DataFrame(X))[0].drops == first
    assert measured(data=pl.DataFrame(X))[0].drops == first
    assert measured(fold=1)[0].drops != first


def test_without_time_one_column_is_done():
    outcome, _ = measured(seconds=0.0)

    assert len(outcome.drops) == 1
    assert outcome.n_columns == 4


def test_the_columns_that_tell_most_come_first():
    rng = np.random.default_rng(0)
    noise, y = rng.normal(size=(500, 3)), rng.normal(size=500)
    told = np.column_stack([noise, y + 0.1 * rng.normal(size=500), y + rng.normal(size=500)])

    assert telling_first(told, y, until=math.inf)[:2] == [3, 4]


def test_columns_of_text_dates_and_gaps_are_put_in_order_too():
    pd = pytest.importorskip("pandas")
    y = np.array(["a", "b"] * 100)
    frame = pd.DataFrame(
        {
            "noise": np.arange(200) // 2,
            "text": [None if i < 3 else f"is {label}" for i, label in enumerate(y)],
            "day": pd.date_range("2020-01-01", periods=200),
            "gaps": [np.nan] * 200,
        }
    )

    assert telling_first(frame, y, until=math.inf)[0] == 1


@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 10**6))
def test_only_one_column_changes_and_holds_the_same_values(n, n_columns, seed):
    rng = np.random.default_rng(seed)
    data = rng.integers(0, 9, size=(n, n_columns))
    column = int(rng.integers(n_columns))
    before = data.copy()
    shuffled = with_column_permuted(data, column, rng.permutation(n))
    others = np.arange(n_columns) != column

    assert np.array_equal(data, before)
    assert np.array_equal(shuffled[:, others], data[:, others])
    assert sorted(shuffled[:, column]) == sorted(data[:, column])


def test_two_columns_of_one_name_are_two_columns():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame([[1, 10], [2, 20]], columns=["a", "a"])
    shuffled = with_column_permuted(frame, 1, np.array([1, 0]))

    assert shuffled.to_numpy().tolist() == [[1, 20], [2, 10]]
    assert column_names(frame) == ["a", "a"]


@pytest.mark.parametrize(
    "data", [sparse.csr_array((3, 2)), ["text", "text"], np.eye(3), np.zeros(3)], ids=str
)
def test_what_has_no_columns_says_so(data):
    assert why_not(data).endswith(".")
    assert why_not(X) is None
