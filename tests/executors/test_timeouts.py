"""What a candidate is worth that runs out of time, on real data and in real processes."""

import math

import pytest
from sklearn.datasets import load_digits

from curvewise import LCCV, KFoldCV, Search, Status, TimeLimit
from curvewise._evaluation.evaluator import Evaluator
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.scorers import resolve_scoring
from curvewise.executors._execution import make_executor
from curvewise.executors._limits import Limits
from curvewise.executors._loop import run
from tests.executors.sleepy import Sleepy


@pytest.fixture(scope="module")
def stage():
    X, y = load_digits(return_X_y=True)
    y = y % 2
    folds = Folds(X, y, cv=5, classifier=True, random_state=0)
    scoring = resolve_scoring("accuracy")
    executor = make_executor(
        Evaluator(X, y, folds=folds, scoring=scoring), limits=Limits(time_budget=600)
    )
    yield folds, scoring, executor
    executor.close()


def validated(stage, policy, seconds_per_row, *, seconds):
    folds, scoring, executor = stage
    search = Search(
        ["sleepy"],
        schedule=folds.target,
        policy=policy,
        n_folds=5,
        scale=scoring.scale,
        best_loss=0.01,
        limit=TimeLimit(per_candidate=seconds, foresee=False),
    )
    run(search, executor, candidates={"sleepy": Sleepy(seconds_per_row)})
    return search.results["sleepy"]


FULL = {"prune": False, "skip": False}


def test_the_mean_of_the_largest_anchor_that_finished(stage):
    result = validated(stage, LCCV(**FULL), 0.0005, seconds=1)

    assert result.status is Status.STOPPED
    assert result.curve.anchors[0] == 64
    assert result.curve.anchors[-1] < 1437
    assert result.loss == pytest.approx(result.curve.mean(result.curve.anchors[-1]))
    assert result.interval.low <= result.loss <= result.interval.high
    assert result.seconds < 1.5
    assert "stopped (timeout)" in result.explain()


def test_or_the_estimate_of_the_power_law(stage):
    policy = LCCV(**FULL, timeout_result="extrapolation")
    result = validated(stage, policy, 0.0003, seconds=1)

    assert result.status is Status.STOPPED
    assert "extrapolation to 1,437 rows" in result.explain()
    assert 0.4 < result.loss < 0.6


def test_or_the_folds_of_k_fold_that_finished(stage):
    result = validated(stage, KFoldCV(), 0.0003, seconds=1)

    assert result.status is Status.STOPPED
    assert 1 <= result.curve.n(1437) < 5
    assert math.isfinite(result.loss)


def test_or_nothing(stage):
    result = validated(stage, KFoldCV(), 0.01, seconds=1)

    assert result.status is Status.STOPPED
    assert math.isnan(result.loss)
    assert result.seconds < 1.5
