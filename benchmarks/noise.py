"""What it is worth to know how noisy a score is: the race with and without, on the same fits.

    python benchmarks/noise.py [--seeds 5] [--folds 5 10] [--only rare] [--out noise.csv]

Bundled and generated tables, 22 quick learners each. Every learner is fitted once per fold
and anchor and scored by every metric; then the race is played on these records, told the noise of
each score or not. Cost: recorded seconds as a ratio to all folds of all learners. Gap: how much
worse the mean over folds of the choice is than the best one, in units of the scale, as the price of
the race: the difference itself for rates, a share of the learners' spread for other losses.
"""

import argparse
import csv
import os
import warnings
from collections import defaultdict
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean
from time import perf_counter

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.base import clone
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    make_classification,
    make_friedman1,
    make_regression,
)
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import curvewise as cw
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.scorers import resolve_scoring
from curvewise.core._scale import spread

OF_NUMBERS = ("r2", "neg_mean_squared_error", "neg_mean_absolute_error")
OF_CLASSES = ("roc_auc_ovr", "f1_macro", "balanced_accuracy", "neg_log_loss")


def tables(seed):
    """Give names, data, and whether classes are predicted."""
    rng = np.random.default_rng(seed)
    yield "diabetes", *load_diabetes(return_X_y=True), False
    yield "friedman", *make_friedman1(1000, noise=2.0, random_state=seed), False
    yield "friedman-large", *make_friedman1(6000, noise=3.0, random_state=seed), False
    X, y = make_regression(1500, 20, n_informative=8, noise=20.0, random_state=seed)
    yield "heavy-tails", X, y + 30 * rng.standard_t(2.5, len(y)), False
    yield "cancer", *load_breast_cancer(return_X_y=True), True
    yield "digits", *load_digits(return_X_y=True), True
    for name, n_rows, rare in (
        ("even", 1500, 0.5),
        ("rare", 3000, 0.03),
        ("rare-large", 8000, 0.02),
    ):
        X, y = make_classification(
            n_rows,
            15,
            n_informative=6,
            n_redundant=3,
            weights=[1 - rare],
            flip_y=0.02,
            class_sep=0.8,
            random_state=seed,
        )
        yield name, X, y, True


def learners(*, of_classes):
    """Give 22 quick learners."""
    tree = DecisionTreeClassifier if of_classes else DecisionTreeRegressor
    forest = RandomForestClassifier if of_classes else RandomForestRegressor
    boosting = HistGradientBoostingClassifier if of_classes else HistGradientBoostingRegressor
    neighbors = KNeighborsClassifier if of_classes else KNeighborsRegressor
    given = [tree(max_depth=depth, random_state=0) for depth in (2, 4, 6, 9, None)]
    given += [forest(15, min_samples_leaf=leaf, random_state=0) for leaf in (1, 3, 10)]
    given += [
        boosting(max_iter=30, learning_rate=rate, max_leaf_nodes=15, random_state=0)
        for rate in (0.05, 0.1, 0.3)
    ]
    given += [make_pipeline(StandardScaler(), neighbors(k)) for k in (1, 3, 7, 15, 40)]
    if of_classes:
        linear = [LogisticRegression(C=C, max_iter=300) for C in (0.01, 0.1, 1, 10)]
        return [*given, GaussianNB(), LinearDiscriminantAnalysis()] + [
            make_pipeline(StandardScaler(), model) for model in linear
        ]
    given += [make_pipeline(StandardScaler(), Ridge(alpha)) for alpha in (1, 10, 100)]
    return given + [make_pipeline(StandardScaler(), Lasso(alpha)) for alpha in (0.03, 0.3, 3)]


def record(X, y, *, of_classes, n_folds, seed):
    """Fit everything once; give the observations of each metric by task, and the target."""
    splitter = (StratifiedKFold if of_classes else KFold)(n_folds, shuffle=True, random_state=seed)
    folds = Folds(X, y, cv=splitter, classifier=of_classes, random_state=seed)
    metrics = {name: resolve_scoring(name) for name in (OF_CLASSES if of_classes else OF_NUMBERS)}
    schedule = cw.Race().schedule(folds.target)
    outcomes = defaultdict(dict)
    for number, learner in enumerate(learners(of_classes=of_classes)):
        for fold in range(n_folds):
            # Rule 2 of the race: inner anchors are for the first fold alone.
            for anchor in schedule.anchors if fold == 0 else (folds.target,):
                task = cw.Task(number, anchor, fold)
                train, test = folds.train(fold, anchor), folds.test(fold)
                begun = perf_counter()
                model = clone(learner).fit(X[train], y[train])
                seconds = perf_counter() - begun
                for name, scoring in metrics.items():
                    scores = scoring.score(model, X[test], y[test], {}, noise=True)
                    loss = scoring.scale.loss(scores.values[name])
                    outcomes[name][task] = cw.Observation(
                        task, loss, seconds=seconds, n_test=len(test), noise=scores.noise
                    )
    return outcomes, {name: scoring.scale for name, scoring in metrics.items()}, folds.target


def play(outcomes, *, scale, target, n_folds, told):
    """Race on the records; give the choice and the seconds that it took."""
    n_learners = 1 + max(task.candidate for task in outcomes)
    search = cw.Search(
        range(n_learners), schedule=target, policy=cw.Race(), n_folds=n_folds, scale=scale
    )
    seconds = 0.0
    while not search.done:
        for task in search.ask(1):
            outcome = outcomes[task]
            seconds += outcome.seconds
            search.tell(outcome if told else replace(outcome, noise=None))
    return search.best.candidate, seconds


def compare(outcomes, **options):
    """Give cost and gap of the race that is told and the one that is not."""
    target = options["target"]
    losses, total = defaultdict(list), 0.0
    for task, outcome in outcomes.items():
        if task.anchor == target:
            losses[task.candidate].append(outcome.loss)
            total += outcome.seconds
    means = {candidate: fmean(values) for candidate, values in losses.items()}
    best = min(means.values())
    unit = options["scale"].unit or spread(means.values())
    for told in (False, True):
        choice, seconds = play(outcomes, told=told, **options)
        yield told, seconds / total, (means[choice] - best) / unit


def races(X, y, *, of_classes, n_folds, seed):
    """Give metric, whether the noise was told, cost and gap of every race on a table."""
    recorded, scales, target = record(X, y, of_classes=of_classes, n_folds=n_folds, seed=seed)
    for metric, outcomes in recorded.items():
        options = {"scale": scales[metric], "target": target, "n_folds": n_folds}
        for told, cost, gap in compare(outcomes, **options):
            yield metric, told, cost, gap


def main():
    """Record, play, and print a table by metric."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--folds", type=int, nargs="+", default=[5, 10])
    parser.add_argument("--only", default="", help="the tables whose names begin like this")
    parser.add_argument("--out", help="a file for every single race")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for seed, n_folds in product(range(arguments.seeds), arguments.folds):
        for name, X, y, of_classes in tables(seed):
            if name.startswith(arguments.only):
                print(f"seed {seed}, {name}, {n_folds} folds", flush=True)
                options = {"of_classes": of_classes, "n_folds": n_folds, "seed": seed}
                rows += [(n_folds, name, seed, *row) for row in races(X, y, **options)]
    if arguments.out:
        with Path(arguments.out).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["folds", "table", "seed", "metric", "told", "cost", "gap"])
            writer.writerows(rows)
    show(rows)


def show(rows):
    """Print cost and gaps by metric and number of folds."""
    groups = defaultdict(list)
    for n_folds, _, _, metric, told, cost, gap in rows:
        groups[metric, n_folds, told].append((cost, gap))
    print(f"\n{'metric':<26} folds  noise    cost  within .001    .005   worst")
    for (metric, n_folds, told), pairs in groups.items():
        costs, gaps = zip(*pairs, strict=True)
        close, closer = (100 * fmean(gap <= bound for gap in gaps) for bound in (0.005, 0.001))
        print(
            f"{metric:<26}{n_folds:>6}{'told' if told else 'not':>7}{fmean(costs):>8.3f}"
            f"{closer:>12.1f}%{close:>7.1f}%{max(gaps):>8.4f}"
        )


if __name__ == "__main__":
    main()
