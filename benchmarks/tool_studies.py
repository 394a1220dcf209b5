"""Studies of Optuna and SMAC: cross-validation in the objective, and curvewise's objectives.

    pip install 'curvewise[optuna]' && python benchmarks/tool_studies.py
    pip install 'curvewise[optuna,smac]' && python benchmarks/tool_studies.py --tool smac --data ...

Five folds, one thread. The space has five learners with one to two parameters each. Data:
scikit-learn's digits, a generated set of 10,000 rows, and Parquet files with the label in the
column ``target``. Seconds are CPU seconds of the whole study.

Optuna has the same trials for all objectives (a random sampler with the same seed): "gap" is how
much worse the chosen trial is than the best one, both by their means over all folds. SMAC learns
from what it is told and goes its own way with each target function, from the same first design: the
gap is the difference between the cross-validation scores of what was chosen.
"""

import argparse
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import optuna
from sklearn.base import clone
from sklearn.datasets import load_digits, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from curvewise import CurveObjective, CurveTargetFunction

N_FOLDS = 5
LEARNERS = ["svc", "neighbours", "logistic", "forest", "boosting"]


def define(trial):
    """Draw a pipeline."""
    learner = trial.suggest_categorical("learner", LEARNERS)
    if learner == "svc":
        model = SVC(
            C=trial.suggest_float("C", 1e-2, 1e3, log=True),
            gamma=trial.suggest_float("gamma", 1e-4, 1, log=True),
        )
    elif learner == "neighbours":
        model = KNeighborsClassifier(
            trial.suggest_int("n_neighbors", 1, 50),
            weights=trial.suggest_categorical("weights", ["uniform", "distance"]),
        )
    elif learner == "logistic":
        model = LogisticRegression(
            C=trial.suggest_float("strength", 1e-4, 1e2, log=True), max_iter=300
        )
    elif learner == "forest":
        model = RandomForestClassifier(
            50,
            max_features=trial.suggest_float("max_features", 0.05, 0.8),
            min_samples_leaf=trial.suggest_int("min_samples_leaf", 1, 20),
            random_state=0,
        )
    else:
        model = HistGradientBoostingClassifier(
            max_iter=40,
            learning_rate=trial.suggest_float("learning_rate", 0.01, 0.5, log=True),
            max_leaf_nodes=trial.suggest_int("max_leaf_nodes", 4, 32, log=True),
            random_state=0,
        )
    return make_pipeline(StandardScaler(), model)


class CrossValidation:
    """Every fold of every trial."""

    pruner = optuna.pruners.NopPruner

    def __init__(self, X, y):
        self.X, self.y = X, y
        self.n_fits = self.n_rows = 0

    def __call__(self, trial):
        """Give the value of a trial."""
        self.n_fits += N_FOLDS
        self.n_rows += (N_FOLDS - 1) * len(self.y)
        return cross_val_score(define(trial), self.X, self.y, cv=N_FOLDS).mean()


class Wilcoxon(CrossValidation):
    """Fold by fold, until Optuna's WilcoxonPruner has seen enough."""

    pruner = optuna.pruners.WilcoxonPruner

    def __call__(self, trial):
        """Give the value of a trial."""
        estimator = define(trial)
        scores = []
        for fold, (train, test) in enumerate(StratifiedKFold(N_FOLDS).split(self.X, self.y)):
            model = clone(estimator).fit(self.X[train], self.y[train])
            scores.append(model.score(self.X[test], self.y[test]))
            self.n_fits += 1
            self.n_rows += len(train)
            trial.report(scores[-1], step=fold)
            if fold < N_FOLDS - 1 and trial.should_prune():
                raise optuna.TrialPruned
        return np.mean(scores)


class Curve:
    """Ours."""

    pruner = optuna.pruners.NopPruner

    def __init__(self, X, y):
        self._objective = CurveObjective(define, X, y, cv=N_FOLDS, random_state=0)
        self.n_fits = self.n_rows = 0

    def __call__(self, trial):
        """Give the value of a trial."""
        try:
            return self._objective(trial)
        finally:
            self.n_fits += len(trial.user_attrs["curvewise_record"]["cells"])
            self.n_rows += trial.user_attrs["curvewise_training_rows"]


class SmacCrossValidation(CrossValidation):
    """Every fold of every configuration."""

    callbacks = ()

    def cost(self, config, seed=0):
        """Give SMAC the cost of a configuration."""
        return 1 - self(optuna.trial.FixedTrial(dict(config)))


class SmacCurve:
    """Ours."""

    def __init__(self, X, y):
        self._target = CurveTargetFunction(define_config, X, y, cv=N_FOLDS, random_state=0)
        self.callbacks = [self._target.callback()]
        self.n_fits = self.n_rows = 0

    def cost(self, config, seed=0):
        """Give SMAC the cost of a configuration."""
        cost, info = self._target(config, seed)
        self.n_fits += len(info["curvewise_record"]["cells"])
        self.n_rows += info["curvewise_training_rows"]
        return cost, info


def define_config(config):
    """Make the pipeline of a configuration."""
    return define(optuna.trial.FixedTrial(dict(config)))


def smac_space(seed):
    """Give SMAC the space that `define` draws from."""
    from ConfigSpace import Categorical, ConfigurationSpace, EqualsCondition, Float, Integer

    parameters = {
        "svc": [Float("C", (1e-2, 1e3), log=True), Float("gamma", (1e-4, 1), log=True)],
        "neighbours": [
            Integer("n_neighbors", (1, 50)),
            Categorical("weights", ["uniform", "distance"]),
        ],
        "logistic": [Float("strength", (1e-4, 1e2), log=True)],
        "forest": [Float("max_features", (0.05, 0.8)), Integer("min_samples_leaf", (1, 20))],
        "boosting": [
            Float("learning_rate", (0.01, 0.5), log=True),
            Integer("max_leaf_nodes", (4, 32), log=True),
        ],
    }
    space = ConfigurationSpace(seed=seed)
    learner = Categorical("learner", LEARNERS)
    space.add(learner)
    for name, its_own in parameters.items():
        space.add(*its_own)
        space.add(*(EqualsCondition(each, learner, name) for each in its_own))
    return space


def minimise(objective, *, n_trials, seed):
    """Let SMAC search; give its facade, what it found, and the CPU seconds."""
    from smac import HyperparameterOptimizationFacade, Scenario

    with tempfile.TemporaryDirectory() as folder, threadpool_limits(limits=1):
        scenario = Scenario(
            smac_space(seed),
            deterministic=True,
            n_trials=n_trials,
            seed=seed,
            output_directory=Path(folder),
        )
        start = time.process_time()
        facade = HyperparameterOptimizationFacade(
            scenario, objective.cost, callbacks=list(objective.callbacks), logging_level=40
        )
        found = facade.optimize()
        return facade, found, time.process_time() - start


def compare_smac(name, X, y, *, n_trials, seed):
    """Print both target functions beside each other on one data set."""
    whole = truth = None
    print(f"\n{name}: {len(y):,} rows, {n_trials} trials of SMAC, seed {seed}")
    print(f"{'':22}{'CPU s':>9}{'ratio':>8}{'fits':>7}{'rows':>13}{'complete':>10}{'gap':>9}")
    for label, kind in SMAC_METHODS.items():
        objective = kind(X, y)
        facade, found, seconds = minimise(objective, n_trials=n_trials, seed=seed)
        score = 1 - facade.runhistory.get_cost(found)
        whole, truth = whole or seconds, truth or score
        infos = [value.additional_info for value in facade.runhistory.values()]
        n_pruned = sum(info.get("curvewise_status", "completed") != "completed" for info in infos)
        print(
            f"{label:22}{seconds:9.1f}{seconds / whole:8.2f}{objective.n_fits:7,}"
            f"{objective.n_rows:13,}{len(infos) - n_pruned:10}{truth - score:+9.4f}",
            flush=True,
        )


def optimize(objective, *, n_trials, seed):
    """Run a study; give it with its CPU seconds."""
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.RandomSampler(seed=seed),
        pruner=objective.pruner(),
    )
    start = time.process_time()
    with threadpool_limits(limits=1):
        study.optimize(objective, n_trials=n_trials)
    return study, time.process_time() - start


def compare(name, X, y, *, n_trials, seed):
    """Print the three objectives beside each other on one data set."""
    truth = None
    print(f"\n{name}: {len(y):,} rows, {n_trials} trials, sampler seed {seed}")
    print(f"{'':18}{'CPU s':>9}{'ratio':>8}{'fits':>7}{'rows':>13}{'complete':>10}{'gap':>9}")
    for label, kind in METHODS.items():
        objective = kind(X, y)
        study, seconds = optimize(objective, n_trials=n_trials, seed=seed)
        if truth is None:
            truth, whole = {trial.number: trial.value for trial in study.trials}, seconds
        gap = max(truth.values()) - truth[study.best_trial.number]
        n_complete = len(study.get_trials(states=[optuna.trial.TrialState.COMPLETE]))
        print(
            f"{label:18}{seconds:9.1f}{seconds / whole:8.2f}{objective.n_fits:7,}"
            f"{objective.n_rows:13,}{n_complete:10}{gap:9.4f}",
            flush=True,
        )


METHODS = {"cross_val_score": CrossValidation, "WilcoxonPruner": Wilcoxon, "CurveObjective": Curve}
SMAC_METHODS = {"cross_val_score": SmacCrossValidation, "CurveTargetFunction": SmacCurve}


def read_table(path):
    """Read a table of numbers."""
    import pandas as pd

    frame = pd.read_parquet(path)
    y = frame.pop("target").astype(str).to_numpy()
    return frame.to_numpy(dtype=float), y


def main():
    """Read the arguments and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tool", choices=["optuna", "smac"], default="optuna")
    parser.add_argument("--data", nargs="*", help="digits, generated, or Parquet files")
    arguments = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    generated = {"n_informative": 10, "n_classes": 3, "n_clusters_per_class": 3, "flip_y": 0.03}
    data = {
        "digits": lambda: load_digits(return_X_y=True),
        "generated": lambda: make_classification(
            10_000, 20, class_sep=0.8, random_state=0, **generated
        ),
    }
    study = compare if arguments.tool == "optuna" else compare_smac
    for name in arguments.data or data:
        X, y = data[name]() if name in data else read_table(name)
        study(Path(name).stem, X, y, n_trials=arguments.trials, seed=arguments.seed)


if __name__ == "__main__":
    main()
