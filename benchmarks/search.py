"""Searches side by side: the same candidates, in the same order, on the same data, one thread.

scikit-learn's exhaustive and halving searches, Optuna's ``WilcoxonPruner`` over folds, the package
of the paper's authors (``lccv`` 0.2.2), and `CurveSearchCV` with its default and with LCCV
(`curvewise._bench.peers`), on scikit-learn's bundled data and on generated sets of 5,000 to 50,000
rows.

Counted: CPU seconds, fits and training rows of the search with its refit. Quality: the score of the
chosen candidate in repeated cross-validation, less that of what the exhaustive search chose.

    python benchmarks/search.py [--folds 5 10] [--cases digits churned-50k ...] [--no-peers]
        [--json out.json]
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from scipy.stats import loguniform, randint, uniform
from sklearn.base import clone, is_classifier
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_friedman1,
    make_hastie_10_2,
    make_moons,
)
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    ParameterSampler,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from curvewise import LCCV, Race
from curvewise._bench.peers.adapters import (
    Roster,
    authors_lccv,
    curvewise_search,
    optuna_wilcoxon,
    scikit_learn,
)

SEED = 0
REPEATS = 10


@dataclass(frozen=True)
class Case:
    """A data set and the candidates on it."""

    name: str
    load: Callable[[], tuple[Any, Any]]
    estimator: Any
    space: Any
    n_candidates: int = 30


@dataclass
class Cost:
    """What a search took, and what it chose."""

    case: str
    method: str
    folds: int
    seconds: float
    fits: int
    rows: int
    choice: int
    gap: float = 0.0


def bundled(load: Callable[..., Any]) -> Callable[[], tuple[Any, Any]]:
    """One of scikit-learn's own data sets."""
    return lambda: load(return_X_y=True)


def generated(n: int, **options: Any) -> Callable[[], tuple[Any, Any]]:
    """Classes that scikit-learn makes up."""
    return lambda: make_classification(n, random_state=SEED, **options)


SVC_SPACE = {"svc__C": loguniform(1e-2, 1e3), "svc__gamma": loguniform(1e-4, 1e1)}
FOREST_SPACE = {
    "max_features": uniform(0.05, 0.95),
    "min_samples_leaf": randint(1, 40),
    "max_depth": [2, 4, 8, 16, None],
}
BOOSTING_SPACE = {
    "learning_rate": loguniform(1e-3, 1),
    "max_leaf_nodes": randint(2, 64),
    "min_samples_leaf": randint(2, 100),
    "l2_regularization": loguniform(1e-6, 10),
}
NEIGHBOURS_SPACE = {"n_neighbors": randint(1, 100), "weights": ["uniform", "distance"]}

CASES = [
    Case("iris", bundled(load_iris), make_pipeline(StandardScaler(), SVC()), SVC_SPACE),
    Case("wine", bundled(load_wine), make_pipeline(StandardScaler(), SVC()), SVC_SPACE),
    Case(
        "breast-cancer",
        bundled(load_breast_cancer),
        RandomForestClassifier(25, random_state=SEED),
        FOREST_SPACE,
    ),
    Case("digits", bundled(load_digits), make_pipeline(StandardScaler(), SVC()), SVC_SPACE),
    Case(
        "diabetes",
        bundled(load_diabetes),
        make_pipeline(StandardScaler(), SVR()),
        {"svr__C": loguniform(1e-1, 1e4), "svr__gamma": loguniform(1e-5, 1)},
    ),
    Case(
        "classes-5k",
        generated(5000, n_features=20, n_informative=8, n_classes=4, flip_y=0.05),
        KNeighborsClassifier(),
        NEIGHBOURS_SPACE,
    ),
    Case(
        "friedman-5k",
        lambda: make_friedman1(5000, noise=1.0, random_state=SEED),
        RandomForestRegressor(10, random_state=SEED),
        FOREST_SPACE,
    ),
    Case(
        "moons-10k",
        lambda: make_moons(10_000, noise=0.3, random_state=SEED),
        SVC(),
        {"C": loguniform(1e-2, 1e1), "gamma": loguniform(1e-2, 1e1)},
        n_candidates=15,
    ),
    Case(
        "hastie-12k",
        lambda: make_hastie_10_2(12_000, random_state=SEED),
        HistGradientBoostingClassifier(max_iter=50, random_state=SEED),
        BOOSTING_SPACE,
    ),
    Case(
        "friedman-20k",
        lambda: make_friedman1(20_000, noise=2.0, random_state=SEED),
        HistGradientBoostingRegressor(max_iter=50, random_state=SEED),
        BOOSTING_SPACE,
    ),
    Case(
        "classes-30k",
        generated(30_000, n_features=15, n_informative=8, n_classes=3, flip_y=0.1),
        DecisionTreeClassifier(random_state=SEED),
        {
            "max_depth": randint(2, 30),
            "min_samples_leaf": randint(1, 200),
            "criterion": ["gini", "entropy"],
        },
        n_candidates=20,
    ),
    Case(
        "linear-50k",
        generated(50_000, n_features=40, n_informative=10, flip_y=0.2),
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=300)),
        {"logisticregression__C": loguniform(1e-6, 1e3)},
        n_candidates=20,
    ),
    Case(
        "boosting-50k",
        generated(50_000, n_features=20, n_informative=10, n_classes=2, flip_y=0.05),
        HistGradientBoostingClassifier(max_iter=50, random_state=SEED),
        BOOSTING_SPACE,
        n_candidates=20,
    ),
]


def settings(case: Case) -> list[dict[str, Any]]:
    """The candidates, the same for all methods."""
    return list(ParameterSampler(case.space, case.n_candidates, random_state=SEED))


METHODS = {
    "RandomizedSearchCV": scikit_learn(GridSearchCV),
    "curvewise Race": curvewise_search(Race()),
    "curvewise LCCV": curvewise_search(LCCV()),
    "HalvingRandomSearchCV": scikit_learn(HalvingGridSearchCV, min_resources="smallest"),
    "Optuna WilcoxonPruner": optuna_wilcoxon,
    "lccv 0.2.2": authors_lccv,
}
OURS = ("RandomizedSearchCV", "curvewise Race")


def measure(case: Case, method: str, folds: int, X: Any, y: Any) -> Cost | None:
    """Carry out one search; None if a method cannot work on this case."""
    if method == "lccv 0.2.2" and not is_classifier(case.estimator):
        return None
    roster = Roster([clone(case.estimator).set_params(**params) for params in settings(case)])
    begun = process_time()
    choice = METHODS[method](roster, X, y, cv=folds, random_state=SEED)
    seconds = process_time() - begun
    return Cost(case.name, method, folds, seconds, roster.n_fits, roster.n_rows, choice)


class Judge:
    """Scores candidates by repeated cross-validation, each once."""

    def __init__(self, case: Case, X: Any, y: Any) -> None:
        self.case, self.X, self.y = case, X, y
        self.candidates = settings(case)
        self.known: dict[int, float] = {}

    def score(self, choice: int) -> float:
        """Give the mean over many folds."""
        if choice not in self.known:
            classifier = is_classifier(self.case.estimator)
            kind = RepeatedStratifiedKFold if classifier else RepeatedKFold
            repeats = REPEATS if len(self.X) <= 5000 else 3
            cv = kind(n_splits=5, n_repeats=repeats, random_state=SEED)
            estimator = clone(self.case.estimator).set_params(**self.candidates[choice])
            scores = cross_val_score(estimator, self.X, self.y, cv=cv)
            self.known[choice] = float(np.mean(scores))
        return self.known[choice]


def run_case(case: Case, methods: list[str], folds: list[int]) -> list[Cost]:
    """Measure all methods on one data set."""
    X, y = case.load()
    judge = Judge(case, X, y)
    costs = []
    for n in folds:
        mine = [cost for method in methods if (cost := measure(case, method, n, X, y))]
        for cost in mine:
            if cost.choice != mine[0].choice:
                cost.gap = judge.score(mine[0].choice) - judge.score(cost.choice)
            show(cost, mine[0])
        costs += mine
    return costs


def show(cost: Cost, reference: Cost) -> None:
    """Print a line."""
    print(
        f"{cost.case:14} {cost.folds:>3}  {cost.method:22} {cost.seconds:8.2f} s "
        f"{cost.seconds / reference.seconds:6.3f} {cost.fits:6} {cost.rows / reference.rows:6.3f} "
        f"{cost.gap:+8.4f}",
        flush=True,
    )


def summarise(costs: list[Cost]) -> None:
    """Print the totals over all cases that a method could do, and its worst figures."""
    print(f"\n{'all cases':14} folds  {'method':22} CPU ratio  worst   rows   worst gap")
    for folds in sorted({cost.folds for cost in costs}):
        base = {c.case: c for c in costs if c.folds == folds and c.method == "RandomizedSearchCV"}
        for method in METHODS:
            own = [cost for cost in costs if cost.folds == folds and cost.method == method]
            if not own:
                continue
            seconds = sum(base[cost.case].seconds for cost in own)
            rows = sum(base[cost.case].rows for cost in own)
            ratios = [cost.seconds / base[cost.case].seconds for cost in own]
            print(
                f"{len(own):>9} sets {folds:>5}  {method:22} "
                f"{sum(cost.seconds for cost in own) / seconds:9.3f} {max(ratios):6.3f} "
                f"{sum(cost.rows for cost in own) / rows:6.3f} "
                f"{max(cost.gap for cost in own):+10.4f}"
            )


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[5, 10])
    parser.add_argument("--cases", nargs="+", choices=[case.name for case in CASES])
    parser.add_argument("--no-peers", action="store_true", help="only the exhaustive search and us")
    parser.add_argument("--json", type=Path, help="where to write all figures")
    arguments = parser.parse_args()
    methods = list(OURS if arguments.no_peers else METHODS)
    costs: list[Cost] = []
    print(f"{'case':14} folds {'method':22} {'CPU':>9} {'ratio':>7} {'fits':>6}   rows      gap")
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in CASES:
            if arguments.cases is None or case.name in arguments.cases:
                costs += run_case(case, methods, arguments.folds)
                if arguments.json:
                    arguments.json.write_text(json.dumps([asdict(c) for c in costs], indent=1))
    summarise(costs)


if __name__ == "__main__":
    main()
