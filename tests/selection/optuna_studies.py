"""Studies of Optuna for tests: data, what trials define, and how they are run."""

import pytest

optuna = pytest.importorskip("optuna")

from optuna.samplers import RandomSampler  # noqa: E402
from sklearn.datasets import make_classification  # noqa: E402
from sklearn.dummy import DummyClassifier  # noqa: E402
from sklearn.naive_bayes import GaussianNB  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

X, y = make_classification(300, 8, n_informative=4, flip_y=0.1, random_state=0)
DEPTHS = {"depth": [1, 2, 3, 4, 6, 8]}


def tree(trial):
    return DecisionTreeClassifier(max_depth=trial.suggest_int("depth", 1, 12), random_state=0)


def good_or_bad(trial):
    good = trial.suggest_categorical("good", [True, False])
    return GaussianNB() if good else DummyClassifier(strategy="constant", constant=0)


def maximize(objective, *, n_trials, sampler=None, storage=None, **options):
    study = optuna.create_study(
        direction="maximize",
        sampler=sampler or RandomSampler(seed=0),
        storage=storage,
        study_name="study",
        load_if_exists=True,
    )
    study.optimize(objective, n_trials=n_trials, **options)
    return study


def good_then_bad(objective, n_bad=1, **options):
    """A study whose first trial is good."""
    study = optuna.create_study(direction="maximize", **options)
    study.enqueue_trial({"good": True})
    for _ in range(n_bad):
        study.enqueue_trial({"good": False})
    study.optimize(objective, n_trials=1 + n_bad)
    return study


def attributes(trial, *names):
    return [trial.user_attrs[f"curvewise_{name}"] for name in names]
