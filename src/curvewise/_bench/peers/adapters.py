"""How each tool is asked to choose among the candidates of a roster.

Tools differ in what they search over: parameters of one estimator, a list, trials. A `Numbered`
estimator is all candidates at once; its parameter ``number`` says which. Its fits are counted where
they happen, whoever asks for them.

Every tool gives the number of its choice, after it has fitted it on all rows. Splitters are whole
numbers of folds, so that all tools but one have scikit-learn's own folds; the package of the
paper's authors draws its own splits.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Self

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, check_cv
from sklearn.utils import get_tags

from curvewise._selection.search_cv import CurveSearchCV
from curvewise.core._policies import LCCV, Race
from curvewise.core._policy import Policy
from curvewise.errors import MissingExtraError, NoResultError


class Roster:
    """Candidates in their order, and how much they have been fitted."""

    def __init__(self, candidates: Sequence[Any]) -> None:
        self.candidates = list(candidates)
        self.n_fits = 0
        self.n_rows = 0

    def __len__(self) -> int:
        return len(self.candidates)

    def __getitem__(self, number: int) -> Numbered:
        return Numbered(self, number)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # scikit-learn copies parameters when it clones; the count must stay one.
        return self


class Numbered(BaseEstimator):
    """One of the candidates of a roster, by its number."""

    def __init__(self, roster: Roster, number: int = 0) -> None:
        self.roster = roster
        self.number = number

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the candidate."""
        self.roster.n_fits += 1
        self.roster.n_rows += len(y)
        self.model_ = clone(self.roster.candidates[self.number]).fit(X, y)
        if hasattr(self.model_, "classes_"):
            self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Predict with the candidate."""
        return self.model_.predict(X)

    def score(self, X: Any, y: Any) -> float:
        """Score the candidate with its own metric."""
        return float(self.model_.score(X, y))

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.roster.candidates[self.number])


# Takes a roster, X, y, the number of folds (cv) and the random state.
Peer = Callable[..., int]


def scikit_learn(search_class: Any, **options: Any) -> Peer:
    """Search over the numbers of the candidates with one of scikit-learn's searches."""

    def choose(roster: Roster, X: Any, y: Any, *, cv: int, random_state: int) -> int:
        numbers = {"number": list(range(len(roster)))}
        search = search_class(roster[0], numbers, cv=cv, **options)
        if "random_state" in search.get_params(deep=False):
            search.set_params(random_state=random_state)
        return int(search.fit(X, y).best_params_["number"])

    return choose


def optuna_wilcoxon(roster: Roster, X: Any, y: Any, *, cv: int, **_: Any) -> int:
    """Prune by a paired test over folds: Optuna's ``WilcoxonPruner``."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    splitter = check_cv(cv, y, classifier=is_classifier(roster[0]))
    parts = list(splitter.split(X, y))

    def objective(trial: Any) -> float:
        scores: list[float] = []
        for fold, (train, test) in enumerate(parts):
            model = clone(roster[trial.number]).fit(X[train], y[train])
            scores.append(model.score(X[test], y[test]))
            trial.report(scores[-1], fold)
            if trial.should_prune():
                break
        return float(np.mean(scores))

    pruner = optuna.pruners.WilcoxonPruner(p_threshold=0.1)
    study = optuna.create_study(direction="maximize", pruner=pruner)
    study.optimize(objective, n_trials=len(roster), catch=(Exception,))
    choice = int(study.best_trial.number)
    roster[choice].fit(X, y)
    return choice


def authors_lccv(roster: Roster, X: Any, y: Any, *, cv: int, random_state: int) -> int:
    """Validate one after the other with the package of the paper's authors, ``lccv`` 0.2.2."""
    from lccv import lccv

    for logger in ("lccv", "elm"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    # Their scores are accuracies here: greater is better, and 0 is nothing to beat.
    best, choice = 0.0, None
    for number in range(len(roster)):
        # Some curves raise an error in its own computations (an index out of range): a candidate
        # that fails, as errors of learners are with the other tools. And it switches metadata
        # routing on for all of scikit-learn; the context undoes that.
        with suppress(Exception), config_context():
            score, *_ = lccv(
                roster[number],
                X,
                y,
                r=best,
                max_evaluations=cv,
                target_anchor=1 - 1 / cv,
                seed=random_state,
                raise_exceptions=False,
            )
            if score > best:
                best, choice = float(score), number
    if choice is None:
        raise NoResultError("lccv gave no candidate a score.")
    roster[choice].fit(X, y)
    return choice


def curvewise_search(policy: Policy) -> Peer:
    """Search with one of our policies."""

    def choose(roster: Roster, X: Any, y: Any, *, cv: int, random_state: int) -> int:
        named = {str(number): roster[number] for number in range(len(roster))}
        search = CurveSearchCV(named, cv=cv, policy=policy, random_state=random_state)
        return int(search.fit(X, y).best_index_)

    return choose


PEERS: dict[str, Peer] = {
    "grid": scikit_learn(GridSearchCV),
    "halving": scikit_learn(HalvingGridSearchCV),
    "optuna-wilcoxon": optuna_wilcoxon,
    "lccv-0.2.2": authors_lccv,
    "lccv": curvewise_search(LCCV()),
    "race": curvewise_search(Race()),
}
PACKAGES = {"optuna-wilcoxon": ("optuna", "optuna"), "lccv-0.2.2": ("lccv", "bench")}


def check_packages(names: Iterable[str]) -> None:
    """Say so before the work if what peers need is not installed."""
    for name in names:
        package, extra = PACKAGES.get(name, ("curvewise", ""))
        if find_spec(package) is None:
            raise MissingExtraError(f"Comparing with {package}", extra)


def load_package(name: str) -> None:
    """Import what a peer needs, so that importing is no part of what is measured."""
    check_packages([name])
    if name in PACKAGES:
        import_module(PACKAGES[name][0])
