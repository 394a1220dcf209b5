"""Trials of earlier runs and of other objectives, from every storage of Optuna."""

import warnings

import numpy as np
import pytest

optuna = pytest.importorskip("optuna")

from optuna.samplers import TPESampler  # noqa: E402
from optuna.storages import InMemoryStorage, JournalStorage, RDBStorage  # noqa: E402
from optuna.storages.journal import JournalFileBackend  # noqa: E402
from optuna.trial import TrialState  # noqa: E402
from sklearn.model_selection import KFold  # noqa: E402

from curvewise._selection.optuna_objective import CurveObjective  # noqa: E402
from curvewise._selection.trial_records import RECORD  # noqa: E402
from tests.selection.optuna_studies import (  # noqa: E402
    X,
    good_or_bad,
    good_then_bad,
    y,
)

pytestmark = pytest.mark.usefixtures("quiet_optuna")


@pytest.fixture(params=["memory", "sqlite", "journal"])
def storage(request, tmp_path):
    if request.param == "memory":
        yield InMemoryStorage()
    elif request.param == "journal":
        yield JournalStorage(JournalFileBackend(str(tmp_path / "study.log")))
    else:
        storage = RDBStorage(f"sqlite:///{tmp_path}/study.db")
        yield storage
        storage.engine.dispose()


def test_every_storage_keeps_what_pairing_needs(storage):
    objective = CurveObjective(good_or_bad, X, y, random_state=0)
    study = good_then_bad(objective, storage=storage)

    assert [trial.state for trial in study.trials] == [TrialState.COMPLETE, TrialState.PRUNED]


def test_a_resumed_study_goes_on_against_its_best_trial(storage):
    options = {"storage": storage, "study_name": "study", "load_if_exists": True}
    first = CurveObjective(good_or_bad, X, y, random_state=0)
    study = optuna.create_study(direction="maximize", **options)
    study.enqueue_trial({"good": True})
    study.optimize(first, n_trials=1)

    again = optuna.load_study(study_name="study", storage=storage)
    again.enqueue_trial({"good": False})
    again.optimize(CurveObjective(good_or_bad, X.copy(), y.copy(), random_state=0), n_trials=1)

    assert [trial.state for trial in again.trials] == [TrialState.COMPLETE, TrialState.PRUNED]


@pytest.mark.parametrize(
    "other",
    [
        {"cv": 4},
        {"cv": KFold(5, shuffle=True, random_state=1)},
        {"random_state": 1},
        {"scoring": "f1"},
        {"X": X + 1e-9},
        {"params": {"sample_weight": np.ones(len(X))}},
    ],
    ids=lambda other: next(iter(other)),
)
def test_trials_on_other_terms_are_not_beaten(other):
    terms = {"X": X, "y": y, "random_state": 0}
    study = good_then_bad(CurveObjective(good_or_bad, **terms), n_bad=0)
    study.enqueue_trial({"good": False})
    study.optimize(CurveObjective(good_or_bad, **(terms | other)), n_trials=1)
    one, two = (trial.user_attrs[RECORD]["digest"] for trial in study.trials)

    assert one != two
    assert study.trials[1].state == TrialState.COMPLETE


def test_trials_of_other_objectives_do_no_harm():
    study = optuna.create_study(direction="maximize")
    study.optimize(lambda trial: 2.0 + trial.suggest_float("x", 0, 1), n_trials=1)
    study.enqueue_trial({"good": True})
    study.enqueue_trial({"good": False})
    study.optimize(CurveObjective(good_or_bad, X, y, random_state=0), n_trials=2)

    states = [trial.state for trial in study.trials]
    assert states == [TrialState.COMPLETE, TrialState.COMPLETE, TrialState.PRUNED]


def test_an_infeasible_trial_is_not_to_be_beaten():
    def constraints(trial):
        return (1.0 if trial.params["good"] else -1.0,)

    with warnings.catch_warnings():
        # Constraints are experimental in Optuna 4 and in part deprecated in Optuna 5.
        warnings.simplefilter("ignore")
        sampler = TPESampler(seed=0, constraints_func=constraints)
    study = good_then_bad(CurveObjective(good_or_bad, X, y, random_state=0), sampler=sampler)

    assert study.trials[1].state == TrialState.COMPLETE
