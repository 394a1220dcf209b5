"""An objective for Optuna's studies."""

import math

import numpy as np
import pytest

optuna = pytest.importorskip("optuna")

from optuna.samplers import GridSampler, RandomSampler, TPESampler  # noqa: E402
from optuna.trial import FixedTrial, TrialState  # noqa: E402
from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402
from sklearn.cluster import KMeans  # noqa: E402
from sklearn.datasets import make_classification, make_regression  # noqa: E402
from sklearn.dummy import DummyClassifier  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.model_selection import GroupKFold, KFold, cross_val_score  # noqa: E402
from sklearn.naive_bayes import GaussianNB  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

from curvewise import LCCV, InvalidParameterError, KFoldCV, Race  # noqa: E402
from curvewise._selection.optuna_objective import CurveObjective  # noqa: E402
from curvewise._selection.trial_records import RECORD  # noqa: E402
from tests.selection.optuna_studies import (  # noqa: E402
    DEPTHS,
    X,
    attributes,
    good_or_bad,
    good_then_bad,
    maximize,
    tree,
    y,
)

pytestmark = pytest.mark.usefixtures("quiet_optuna")


class Raises(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise RuntimeError("no convergence")


def test_a_complete_trial_has_the_score_of_cross_validation():
    study = maximize(CurveObjective(tree, X, y, scoring="roc_auc", random_state=0), n_trials=6)
    complete = [trial for trial in study.trials if trial.state == TrialState.COMPLETE]

    assert complete
    for trial in complete:
        estimator = tree(FixedTrial(trial.params))
        assert trial.value == pytest.approx(
            cross_val_score(estimator, X, y, scoring="roc_auc").mean()
        )


def test_a_hopeless_trial_is_pruned_with_its_explanation():
    study = good_then_bad(CurveObjective(good_or_bad, X, y, random_state=0))
    good, bad = study.trials

    assert good.state == TrialState.COMPLETE
    assert bad.state == TrialState.PRUNED
    assert attributes(bad, "status", "anchor", "training_rows") == ["pruned", 240, 240]
    assert bad.user_attrs["curvewise_explanation"].startswith("Trial 1 pruned at 240 rows")
    assert attributes(good, "status", "training_rows") == ["completed", 1200]
    assert good.user_attrs["curvewise_seconds"] > 0


def test_the_exception_says_why():
    objective = CurveObjective(good_or_bad, X, y, random_state=0)
    study = good_then_bad(objective)
    study.enqueue_trial({"good": False})

    with pytest.raises(optuna.TrialPruned, match="Trial 2 pruned at 240 rows"):
        objective(study.ask())


def test_trials_meet_the_best_one_on_the_same_folds():
    seen = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            seen[-1].append(X.sum())
            return super().fit(X, y)

    def define(trial):
        trial.suggest_float("x", 0, 1)
        seen.append([])
        return Spy()

    cv = KFold(5, shuffle=True)
    maximize(CurveObjective(define, X, y, cv=cv, policy=KFoldCV()), n_trials=2)

    assert len(seen[0]) == 5
    assert seen[0] == seen[1]


def test_intermediate_values_are_means_so_far():
    study = good_then_bad(CurveObjective(good_or_bad, X, y, random_state=0))
    scores = cross_val_score(GaussianNB(), X, y)
    means = np.cumsum(scores) / np.arange(1, 6)

    assert study.trials[0].intermediate_values == pytest.approx(dict(enumerate(means)))
    assert list(study.trials[1].intermediate_values) == [0]


def test_anchors_are_reported_in_one_sequence():
    objective = CurveObjective(tree, X, y, policy=LCCV(min_exp=5), random_state=0)
    study = maximize(objective, n_trials=4)

    for trial in study.trials:
        curve = CurveObjective.curve(trial)
        assert sorted(trial.intermediate_values) == list(range(len(curve)))
    assert {len(CurveObjective.curve(trial).anchors) for trial in study.trials} != {1}


def test_the_record_gives_the_curve_back():
    objective = CurveObjective(tree, X, y, policy=LCCV(prune=False, skip=False), random_state=0)
    (trial,) = maximize(objective, n_trials=1).trials
    curve = CurveObjective.curve(trial)

    assert curve.anchors == (64, 240)
    assert 1 - curve.mean(240) == pytest.approx(trial.value)
    assert sum(cell.task.anchor for cell in curve) == trial.user_attrs["curvewise_training_rows"]


@pytest.mark.parametrize(
    "sampler", [RandomSampler(seed=0), TPESampler(seed=0, n_startup_trials=3), GridSampler(DEPTHS)]
)
def test_samplers(sampler):
    study = maximize(CurveObjective(tree, X, y, random_state=0), n_trials=6, sampler=sampler)

    assert len(study.trials) == 6
    assert {trial.state for trial in study.trials} <= {TrialState.COMPLETE, TrialState.PRUNED}
    assert study.best_trial.user_attrs["curvewise_status"] == "completed"


@pytest.mark.parametrize("seed", range(4))
def test_at_price_0_the_choice_is_that_of_grid_search(seed):
    X, y = make_classification(150, 6, flip_y=0.2, random_state=seed)
    objective = CurveObjective(tree, X, y, policy=Race(price=0), random_state=0)
    study = maximize(objective, n_trials=6, sampler=GridSampler(DEPTHS, seed=seed))
    scores = [
        cross_val_score(DecisionTreeClassifier(max_depth=depth, random_state=0), X, y).mean()
        for depth in DEPTHS["depth"]
    ]

    assert study.best_value == pytest.approx(max(scores))
    assert len(study.get_trials(states=[TrialState.COMPLETE])) == 6


@pytest.mark.parametrize("seed", range(4))
def test_the_choice_is_nearly_that_of_grid_search(seed):
    X, y = make_classification(300, 6, flip_y=0.2, random_state=seed)
    grid = {"k": [1, 2, 3, 5, 8, 12, 20, 40, 80]}

    def define(trial):
        return KNeighborsClassifier(trial.suggest_int("k", 1, 100))

    objective = CurveObjective(define, X, y, policy=Race(), random_state=0)
    study = maximize(objective, n_trials=9, sampler=GridSampler(grid, seed=seed))
    scores = [cross_val_score(KNeighborsClassifier(k), X, y).mean() for k in grid["k"]]

    assert study.best_value >= max(scores) - 0.01


def test_a_learner_that_fails_does_not_end_the_study(caplog):
    def define(trial):
        return Raises() if trial.suggest_categorical("fails", [True, False]) else GaussianNB()

    study = optuna.create_study(direction="maximize")
    study.enqueue_trial({"fails": True})
    study.enqueue_trial({"fails": False})
    study.optimize(CurveObjective(define, X, y, random_state=0), n_trials=2)
    failed, fine = study.trials

    assert failed.state == TrialState.FAIL
    assert attributes(failed, "status", "explanation") == [
        "failed",
        "Trial 0 failed at 240 rows: RuntimeError: no convergence",
    ]
    assert "Traceback" in failed.user_attrs["curvewise_traceback"]
    assert "no convergence" in caplog.text
    assert fine.state == TrialState.COMPLETE


class Never(optuna.pruners.BasePruner):
    def prune(self, study, trial):
        raise AssertionError("nobody asked")


class AfterTheSecond(optuna.pruners.BasePruner):
    def prune(self, study, trial):
        return trial.last_step == 1


def test_the_pruner_of_the_study_is_not_asked():
    study = good_then_bad(CurveObjective(good_or_bad, X, y, random_state=0), pruner=Never())

    assert study.trials[0].state == TrialState.COMPLETE


def test_the_pruner_of_the_study_is_asked_on_demand():
    objective = CurveObjective(good_or_bad, X, y, study_pruner=True, random_state=0)
    (trial,) = good_then_bad(objective, n_bad=0, pruner=AfterTheSecond()).trials

    assert trial.state == TrialState.PRUNED
    assert len(trial.intermediate_values) == 2
    assert "stopped (the study's pruner)" in trial.user_attrs["curvewise_explanation"]


def test_a_trial_without_a_study_has_nothing_to_beat():
    objective = CurveObjective(good_or_bad, X, y, random_state=0)
    study = good_then_bad(objective)
    expected = cross_val_score(DummyClassifier(strategy="constant", constant=0), X, y).mean()

    assert objective(FixedTrial({"good": False})) == pytest.approx(expected)
    assert objective(study.trials[1]) == pytest.approx(expected)
    assert objective(study.best_trial) == pytest.approx(study.best_value)


def test_groups_and_weights():
    groups = np.repeat(np.arange(30), 10)
    weights = np.random.default_rng(0).random(len(X))
    objective = CurveObjective(
        lambda trial: GaussianNB(), X, y, cv=GroupKFold(3), scoring="neg_log_loss", groups=groups,
        random_state=0,
    )  # fmt: skip
    weighted = CurveObjective(
        lambda trial: GaussianNB(), X, y, params={"sample_weight": weights}, random_state=0
    )
    expected = cross_val_score(
        GaussianNB(), X, y, cv=GroupKFold(3), scoring="neg_log_loss", groups=groups
    )

    assert objective(FixedTrial({})) == pytest.approx(expected.mean())
    assert weighted(FixedTrial({})) != pytest.approx(cross_val_score(GaussianNB(), X, y).mean())


def test_regression_prunes_on_a_scale_that_the_trials_set():
    X, y = make_regression(200, 5, noise=10.0, random_state=0)

    def define(trial):
        return Ridge(alpha=trial.suggest_float("alpha", 1e-3, 1e6, log=True))

    objective = CurveObjective(define, X, y, scoring="neg_mean_squared_error", random_state=0)
    study = maximize(objective, n_trials=12)
    best = Ridge(alpha=study.best_params["alpha"])
    scores = cross_val_score(best, X, y, scoring="neg_mean_squared_error")

    assert study.best_value == pytest.approx(scores.mean())
    assert len(study.get_trials(states=[TrialState.PRUNED])) > 2


def test_y_may_be_none():
    def define(trial):
        return KMeans(trial.suggest_int("k", 2, 5), n_init=1, random_state=0)

    study = maximize(CurveObjective(define, X, cv=3, random_state=0), n_trials=3)

    assert math.isfinite(study.best_value)


def test_a_study_that_minimises_is_refused():
    study = optuna.create_study(direction="minimize")

    with pytest.raises(InvalidParameterError, match=r"create_study\(direction='maximize'\)"):
        study.optimize(CurveObjective(tree, X, y), n_trials=1)


def test_a_study_with_two_directions_is_refused():
    study = optuna.create_study(directions=["maximize", "maximize"])

    with pytest.raises(
        InvalidParameterError, match="has one value, and the study has 2 directions"
    ):
        study.optimize(CurveObjective(tree, X, y), n_trials=1)


@pytest.mark.parametrize(
    ("given", "message"),
    [(None, "got None"), (GaussianNB, r"got the class GaussianNB; write GaussianNB\(\)")],
)
def test_define_must_give_an_estimator(given, message):
    objective = CurveObjective(lambda trial: given, X, y)

    with pytest.raises(InvalidParameterError, match=f"What define returns must be an .*{message}"):
        objective(FixedTrial({}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"define": GaussianNB()}, "define must be a function"),
        ({"policy": Race}, "policy must be a policy such as Race"),
        ({"timeout_per_candidate": 0}, "timeout_per_candidate must be above 0"),
        ({"memory_limit": "much"}, "memory_limit must be"),
    ],
)
def test_bad_options_are_refused_at_once(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        CurveObjective(**({"define": tree, "X": X, "y": y} | options))


def test_only_a_trial_of_ours_has_a_curve():
    trial = optuna.trial.create_trial(value=0.5)

    with pytest.raises(InvalidParameterError, match="was not validated by a CurveObjective"):
        CurveObjective.curve(trial)


class Watching:
    """A race that notes what it is told of the other trials."""

    def __init__(self):
        self.noted = []
        self._race = Race()

    def __getattr__(self, name):
        return getattr(self._race, name)

    def decide(self, portfolio, contender):
        if not contender.curve.n(portfolio.target):
            self.noted.append((portfolio.n_candidates, portfolio.mean_seconds))
        return self._race.decide(portfolio, contender)


def test_the_policy_knows_of_the_earlier_trials():
    policy = Watching()
    study = good_then_bad(CurveObjective(good_or_bad, X, y, policy=policy, random_state=0), n_bad=3)
    per_fold = [
        trial.user_attrs["curvewise_seconds"] / len(trial.user_attrs[RECORD]["cells"])
        for trial in study.trials
    ]

    assert [n_trials for n_trials, _ in policy.noted] == [1, 2, 3, 4]
    assert math.isnan(policy.noted[0][1])
    for n, (_, mean_seconds) in enumerate(policy.noted[1:], 1):
        assert mean_seconds == pytest.approx(np.mean(per_fold[:n]), rel=0.01)
