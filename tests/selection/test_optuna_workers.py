"""Studies of Optuna in threads, in processes and under limits."""

import multiprocessing
import pickle
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

optuna = pytest.importorskip("optuna")

from optuna.samplers import RandomSampler  # noqa: E402
from optuna.storages import JournalStorage  # noqa: E402
from optuna.storages.journal import JournalFileBackend  # noqa: E402
from optuna.trial import FixedTrial, TrialState  # noqa: E402
from sklearn import config_context  # noqa: E402
from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402
from sklearn.metrics import accuracy_score, make_scorer  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402
from sklearn.naive_bayes import GaussianNB  # noqa: E402

from curvewise._selection.optuna_objective import CurveObjective  # noqa: E402
from curvewise._selection.trial_records import RECORD  # noqa: E402
from tests.selection.optuna_studies import (  # noqa: E402
    X,
    attributes,
    good_or_bad,
    good_then_bad,
    maximize,
    tree,
    y,
)

pytestmark = pytest.mark.usefixtures("quiet_optuna")


class Sleeps(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        time.sleep(60)


def test_threads():
    objective = CurveObjective(tree, X, y, random_state=0)
    study = maximize(objective, n_trials=12, n_jobs=2)

    states = {trial.state for trial in study.trials}
    assert len(study.trials) == 12
    assert states <= {TrialState.COMPLETE, TrialState.PRUNED}
    assert len({trial.user_attrs[RECORD]["digest"] for trial in study.trials}) == 1


def test_threads_see_the_settings_of_the_one_that_made_the_objective():
    params = {"sample_weight": np.random.default_rng(0).random(len(X))}

    def define(trial):
        trial.suggest_float("x", 0, 1)
        return GaussianNB().set_fit_request(sample_weight=True)

    with config_context(enable_metadata_routing=True):
        accuracy = make_scorer(accuracy_score).set_score_request(sample_weight=False)
        objective = CurveObjective(define, X, y, scoring=accuracy, params=params, random_state=0)
        expected = cross_val_score(
            define(FixedTrial({"x": 0})), X, y, scoring=accuracy, params=params
        )
    study = maximize(objective, n_trials=2, n_jobs=2)

    assert study.best_value == pytest.approx(expected.mean())


def test_a_pickled_objective_has_the_same_folds():
    objective = CurveObjective(good_or_bad, X, y)
    before = pickle.loads(pickle.dumps(objective))
    study = good_then_bad(objective, n_bad=0)
    after = pickle.loads(pickle.dumps(objective))
    for copy in (before, after):
        study.enqueue_trial({"good": False})
        study.optimize(copy, n_trials=1)

    assert [trial.state for trial in study.trials[1:]] == [TrialState.PRUNED] * 2


def optimize_in_a_process(journal, first):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    storage = JournalStorage(JournalFileBackend(journal))
    study = optuna.load_study(
        study_name="study", storage=storage, sampler=RandomSampler(seed=first)
    )
    study.optimize(CurveObjective(good_or_bad, X, y, random_state=0), n_trials=5)


@pytest.mark.slow
def test_two_processes_share_a_study(tmp_path):
    journal = str(tmp_path / "study.log")
    storage = JournalStorage(JournalFileBackend(journal))
    study = optuna.create_study(direction="maximize", storage=storage, study_name="study")
    study.enqueue_trial({"good": True})
    study.optimize(CurveObjective(good_or_bad, X, y, random_state=0), n_trials=1)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        list(pool.map(optimize_in_a_process, [journal] * 2, range(2)))
    bad = [trial for trial in study.trials if not trial.params["good"]]

    assert len(study.trials) == 11
    assert bad
    assert {trial.state for trial in bad} == {TrialState.PRUNED}


def test_a_trial_that_takes_too_long_is_stopped():
    def define(trial):
        return Sleeps() if trial.suggest_categorical("slow", [True, False]) else GaussianNB()

    study = optuna.create_study(direction="maximize")
    study.enqueue_trial({"slow": True})
    study.enqueue_trial({"slow": False})
    with CurveObjective(define, X, y, timeout_per_fit=0.5, random_state=0) as objective:
        study.optimize(objective, n_trials=2)
    slow, fine = study.trials

    assert slow.state == TrialState.PRUNED
    assert attributes(slow, "status", "anchor") == ["stopped", 0]
    assert slow.user_attrs["curvewise_explanation"] == (
        "Trial 0 stopped (timeout) before any result"
    )
    assert fine.value == pytest.approx(cross_val_score(GaussianNB(), X, y).mean())


def test_each_thread_has_a_worker_and_closing_ends_them():
    with CurveObjective(tree, X, y, memory_limit="2GB", random_state=0) as objective:
        study = maximize(objective, n_trials=4, n_jobs=2)
        idle = list(objective._trials._idle)

    assert len(idle) in (1, 2)
    assert all(trial.state.is_finished() for trial in study.trials)
    assert objective._trials._idle == []
    assert not any(executor._end.alive for executor in idle)


def test_ctrl_c_ends_the_study():
    class Interrupts(GaussianNB):
        def fit(self, X, y):
            raise KeyboardInterrupt

    objective = CurveObjective(lambda trial: Interrupts(), X, y, random_state=0)
    study = optuna.create_study(direction="maximize")

    with pytest.raises(KeyboardInterrupt):
        study.optimize(objective, n_trials=3)
    assert len(study.trials) == 1
