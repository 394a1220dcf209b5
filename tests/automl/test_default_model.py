"""A default model beside the answer."""

import math

import pytest
from sklearn.datasets import load_wine

import curvewise as cw
from curvewise._report.report_facts import facts_of
from curvewise.automl import _default_model
from curvewise.automl._budget import timing
from curvewise.automl._default_model import (
    DefaultModel,
    allowed_seconds,
    seconds_for_default,
    sentence,
)

X, y = load_wine(return_X_y=True, as_frame=True)
SETTINGS = {
    "n_iter": 3,
    "learning_curve": False,
    "importance": False,
    "timeout_per_candidate": None,
    "random_state": 0,
    "proposer": "random",
}


@pytest.fixture(scope="module")
def automl():
    with pytest.MonkeyPatch.context() as patch:
        # On a machine that is busy with other tests, too, there is time for all folds.
        patch.setattr(_default_model, "LEAST_SECONDS", 600.0)
        return cw.CurveAutoMLClassifier(default_model=True, **SETTINGS).fit(X, y)


def test_the_gain_is_the_difference_on_common_folds(automl):
    found, best = automl.default_model_, automl.best_score_

    assert found.n_folds == 5
    assert found.gain == pytest.approx(best - found.score)
    assert found.low < found.gain < found.high
    assert 0 < found.chance < 1


def test_it_is_no_candidate_and_changes_nothing(automl):
    alone = cw.CurveAutoMLClassifier(**SETTINGS).fit(X, y)

    assert len(automl.leaderboard_) == len(alone.leaderboard_) == 3
    assert automl.best_score_ == alone.best_score_
    assert not hasattr(alone, "default_model_")


def test_the_report_says_it(automl):
    default = facts_of(automl._run_to_read())["answer"]["baselines"]["default"]

    assert default["sentence"].startswith("HistGradientBoosting with its defaults scores 0.9")
    assert "on 5 folds" in default["sentence"]


def test_without_a_fold_in_its_share_of_the_time_that_is_said(monkeypatch):
    monkeypatch.setattr(_default_model, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(_default_model, "SHARE_OF_FITS", 0.0)
    model = cw.CurveAutoMLClassifier(
        n_iter=1, default_model=True, learning_curve=False, random_state=0, proposer="random"
    ).fit(X, y)

    assert model.default_model_.reason == (
        "because no fold of it was done in its share of the time (0 s)"
    )


def test_no_time_is_said():
    facts = DefaultModel(reason="because there was no time").facts()

    assert sentence(facts) == (
        "HistGradientBoosting with its defaults: not evaluated, because there was no time"
    )


def test_a_gain_without_an_interval_says_its_folds():
    text = sentence(DefaultModel(0.9, 1, 0.02, -math.inf, math.inf).facts())

    assert text.endswith("the search brought +0.0200 on 1 fold")


@pytest.mark.parametrize("budget", [45.0, 60.0, 3600.0])
def test_a_budget_sets_its_share_and_what_comes_before_it_aside(budget):
    automl = cw.CurveAutoMLClassifier(time_budget=budget, default_model=True, learning_curve=False)
    search = cw.Search(["svc"], schedule=800, n_folds=5)
    (task,) = search.ask()
    search.tell(cw.Observation(task, 0.1, seconds=0.01))
    timed = timing(automl, 1000, begun=0.0, afterwards=2.0)
    automl.set_params(default_model=False)
    without = timing(automl, 1000, begun=0.0, afterwards=2.0)["reserve"](search)

    assert timed["reserve"](search) - without > seconds_for_default(budget) >= budget / 20
    assert timed["deadline"] == budget - 2.0


def test_little_of_a_short_budget_is_set_aside():
    assert seconds_for_default(45) == 3.0
    assert seconds_for_default(20) == 2.0


def test_the_first_fold_may_take_what_is_left_and_the_others_their_share():
    assert allowed_seconds(10.0, budget=45.0, left=4.0) == (4.0, 3.0)
    assert allowed_seconds(10.0, budget=45.0, left=40.0) == (9.0, 3.0)
    assert allowed_seconds(10.0, budget=45.0, left=0.5) == (0.5, 0.5)
    assert allowed_seconds(10.0, budget=45.0, left=-1.0) == (0.0, 0.0)
    assert allowed_seconds(400.0, budget=None, left=None) == (60.0, 20.0)
