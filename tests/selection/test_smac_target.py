import json
import math
import pickle
import sys
import time

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from curvewise import LCCV, CurveTargetFunction, InvalidParameterError, NoResultError, Race
from curvewise.errors import MissingExtraError

X, y = make_classification(300, 8, n_informative=4, flip_y=0.1, random_state=0)


class Raises(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise RuntimeError("no convergence")


class Sleeps(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        time.sleep(60)


KINDS = {
    "good": GaussianNB(),
    "bad": DummyClassifier(strategy="constant", constant=0),
    "raises": Raises(),
    "sleeps": Sleeps(),
}


def kind(config):
    return KINDS[config["kind"]]


calls = {"left": math.inf}


def neighbours(config):
    """Neighbours; interrupts the search after so many calls."""
    calls["left"] -= 1
    if calls["left"] < 0:
        raise KeyboardInterrupt
    return KNeighborsClassifier(config["k"])


def make_target(define=kind, **options):
    return CurveTargetFunction(define, X, y, **({"random_state": 0} | options))


def test_the_cost_of_a_complete_trial_is_the_loss_of_cross_validation():
    cost, info = make_target(scoring="roc_auc")({"kind": "good"}, seed=0)

    expected = cross_val_score(GaussianNB(), X, y, scoring="roc_auc").mean()
    assert info["curvewise_status"] == "completed"
    assert cost == pytest.approx(1 - expected)


def test_an_error_is_its_own_cost():
    X, y = make_regression(200, 5, noise=10.0, random_state=0)
    metric = "neg_mean_squared_error"
    target = CurveTargetFunction(lambda config: Ridge(**config), X, y, scoring=metric)
    cost, _ = target({"alpha": 1.0})

    assert cost == pytest.approx(-cross_val_score(Ridge(), X, y, scoring=metric).mean())


def test_a_hopeless_trial_is_pruned_with_the_cost_that_it_would_have():
    target = make_target()
    best, _ = target({"kind": "good"})
    cost, info = target({"kind": "bad"})
    expected = 1 - cross_val_score(KINDS["bad"], X, y).mean()

    assert info["curvewise_status"] == "pruned"
    assert info["curvewise_training_rows"] == 240
    assert info["curvewise_explanation"].startswith("kind=bad pruned at 240 rows")
    assert best < cost == pytest.approx(expected, abs=0.1)


def test_the_difference_on_the_same_folds_is_what_counts():
    target = make_target()
    _, good = target({"kind": "good"})
    cost, bad = target({"kind": "bad"})
    own, to_beat = CurveTargetFunction.curve(bad), CurveTargetFunction.curve(good)
    difference = own.losses(240)[0] - to_beat.losses(240)[0]

    assert own.folds(240) == (0,)
    assert cost == pytest.approx(to_beat.mean(240) + difference)


def test_a_trial_that_is_pruned_at_an_anchor_costs_more_than_the_best():
    X, y = make_classification(600, 8, n_informative=4, random_state=0)
    target = CurveTargetFunction(kind, X, y, policy=LCCV(min_exp=5), random_state=0)
    best, _ = target({"kind": "good"})
    cost, info = target({"kind": "bad"})

    assert info["curvewise_anchor"] < 480
    assert cost > best
    assert cost == pytest.approx(CurveTargetFunction.curve(info).mean(info["curvewise_anchor"]))


def test_trials_that_are_pruned_never_cost_less_than_the_best():
    target = make_target(neighbours, policy=Race(price=0.05))
    costs, statuses = [], []
    for k in (15, 14, 16, 13, 17, 12, 18, 1, 80, 15):
        cost, info = target({"k": k})
        statuses.append(info["curvewise_status"])
        costs.append(cost)

    best = math.inf
    assert "pruned" in statuses
    for cost, status in zip(costs, statuses, strict=True):
        assert status == "completed" or cost > best
        best = min(best, cost) if status == "completed" else best
    assert statuses[int(np.argmin(costs))] == "completed"


def test_a_trial_that_fails_costs_as_much_as_the_worst(caplog):
    target = make_target()
    target({"kind": "good"})
    worst, _ = target({"kind": "bad"})
    cost, info = target({"kind": "raises"})

    assert cost == pytest.approx(worst, abs=0.1)
    assert info["curvewise_status"] == "failed"
    assert "Traceback" in info["curvewise_traceback"]
    assert "no convergence" in caplog.text


def test_a_first_trial_that_fails_costs_all_there_is():
    assert make_target()({"kind": "raises"})[0] == 1.0


def test_without_a_worst_cost_a_first_trial_that_fails_raises():
    with pytest.raises(NoResultError, match=r"(?s)kind=raises failed.*no convergence"):
        make_target(scoring="neg_log_loss")({"kind": "raises"})


def test_a_trial_that_takes_too_long_is_stopped():
    with make_target(timeout_per_fit=0.5) as target:
        best, _ = target({"kind": "good"})
        cost, info = target({"kind": "sleeps"})

    assert info["curvewise_status"] == "stopped"
    assert best < cost < math.inf


def test_what_there_is_to_know_can_be_written_as_json():
    _, info = make_target(policy=LCCV(prune=False, skip=False))({"kind": "good"})
    again = json.loads(json.dumps(info))

    assert CurveTargetFunction.curve(again).anchors == (64, 240)
    assert again == info


def test_what_a_copy_found_out_is_to_be_beaten():
    target = make_target()
    copy = pickle.loads(pickle.dumps(target))
    cost, info = copy({"kind": "good"})
    target.remember({"kind": "good"}, json.loads(json.dumps(info)))
    _, bad = target({"kind": "bad"})

    assert bad["curvewise_status"] == "pruned"
    assert f"{1 - cost:.2f}"[:3] in bad["curvewise_explanation"]


def test_a_trial_counts_once():
    target = make_target()
    _, info = target({"kind": "good"})
    target.remember({"kind": "good"}, info)
    target.remember({"kind": "other"}, {"error": "crashed elsewhere"})

    assert len(target._memory._records) == 1


@pytest.mark.parametrize("other", [{"cv": 4}, {"random_state": 1}, {"scoring": "f1"}])
def test_trials_on_other_terms_are_not_beaten(other):
    _, info = make_target()({"kind": "good"})
    target = make_target(**other)
    target.remember({"kind": "good"}, info)

    assert target({"kind": "bad"})[1]["curvewise_status"] == "completed"


def test_smac_tells_functions_apart_by_the_code_of_define():
    class Define:
        def __call__(self, config):
            return GaussianNB()

    assert make_target().__code__ is kind.__code__
    assert make_target(Define()).__code__ is CurveTargetFunction.__call__.__code__


def test_define_must_give_an_estimator():
    with pytest.raises(InvalidParameterError, match="What define returns must be an estimator"):
        make_target(lambda config: None)({})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"define": GaussianNB()}, "define must be a function that takes a configuration"),
        ({"policy": Race}, "policy must be a policy such as Race"),
        ({"timeout_per_candidate": 0}, "timeout_per_candidate must be above 0"),
    ],
)
def test_bad_options_are_refused_at_once(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        make_target(**options)


def test_only_a_trial_of_ours_has_a_curve():
    with pytest.raises(InvalidParameterError, match="not validated by a CurveTargetFunction"):
        CurveTargetFunction.curve({"error": "crashed"})


def test_a_missing_smac_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "smac", None)

    with pytest.raises(MissingExtraError, match=r"pip install 'curvewise\[smac\]'"):
        make_target().callback()


@pytest.fixture
def smac():
    return pytest.importorskip("smac")


def minimise(smac, target, folder, *, values=(1, 3, 9, 27, 81), overwrite=True, **terms):
    """Let SMAC try all values of one parameter."""
    from ConfigSpace import Categorical, ConfigurationSpace

    space = ConfigurationSpace({"k": Categorical("k", list(values), ordered=True)}, seed=0)
    terms = {"deterministic": True, "n_trials": len(values), "seed": 0} | terms
    scenario = smac.Scenario(space, output_directory=folder, **terms)
    facade = smac.HyperparameterOptimizationFacade(
        scenario, target, callbacks=[target.callback()], overwrite=overwrite, logging_level=40
    )
    return facade, facade.optimize()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("terms", [{}, {"trial_walltime_limit": 60}], ids=["here", "in a fork"])
def test_smac_finds_the_best(smac, tmp_path, terms):
    target = make_target(neighbours)
    facade, found = minimise(smac, target, tmp_path, **terms)
    infos = [value.additional_info for value in facade.runhistory.values()]
    costs = {
        k: 1 - cross_val_score(KNeighborsClassifier(k), X, y).mean() for k in (1, 3, 9, 27, 81)
    }

    assert costs[found["k"]] == pytest.approx(min(costs.values()), abs=0.005)
    assert facade.runhistory.get_cost(found) == pytest.approx(costs[found["k"]])
    assert {info["curvewise_status"] for info in infos} == {"completed", "pruned"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_smac_goes_on_against_the_best_of_an_earlier_run(smac, tmp_path, monkeypatch):
    values = (9, 3, 81, 200)
    monkeypatch.setitem(calls, "left", 2)
    with pytest.raises(KeyboardInterrupt):
        minimise(smac, make_target(neighbours), tmp_path, values=values)
    calls["left"] = math.inf
    again = make_target(neighbours)
    facade, _ = minimise(smac, again, tmp_path, values=values, overwrite=False)
    heard_of = again._memory._records

    # SMAC counts the interrupted trial as one of the four.
    assert len(heard_of) == facade.runhistory.finished == 3


@pytest.mark.filterwarnings("ignore")
def test_a_scenario_with_chance_is_refused(smac, tmp_path):
    with pytest.raises(InvalidParameterError, match=r"Scenario\(..., deterministic=True\)"):
        minimise(smac, make_target(neighbours), tmp_path, deterministic=False)
