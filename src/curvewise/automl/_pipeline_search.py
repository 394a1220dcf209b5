"""The search over pipelines: what they are drawn from, on which folds, whole curves of the best.

Tables are often sorted: by a key, by the label, by every combination of their categories. Folds
that are blocks of such rows test on values that were never trained on. So rows are shuffled into
folds here, from the seed; scikit-learn's own default, also that of `CurveSearchCV`, is blocks.
Whoever has rows in the order of time or in groups gives a splitter.

A search that prunes leaves partial curves: the winner was hardly looked at below the target. From
whole ones it is seen whether more data would help. They cost as many training rows as two k-fold
validations of a candidate, so only the best few get them, on the folds of the search.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from numbers import Integral
from pathlib import Path
from typing import Any

from sklearn.base import ClassifierMixin, RegressorMixin, clone
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from curvewise._evaluation.given_types import Seed
from curvewise._plug_ins import SPACE_GROUP, find_plug_in, plug_in_names
from curvewise._selection.proposer import Proposer
from curvewise._selection.refit import Refit
from curvewise._selection.search_cv import CurveSearchCV
from curvewise._selection.search_run import SearchExtras
from curvewise.automl._evolving_proposer import EvolvingProposer
from curvewise.automl._proposers import OptunaProposer, RandomProposer
from curvewise.automl._space.default_spaces import (
    default_space,
    missing_learners,
    paper_space,
    portfolio,
)
from curvewise.automl._space.description import describe
from curvewise.automl._space.search_space import SearchSpace
from curvewise.automl._space.space_file import load_space
from curvewise.core._checks import whole_number
from curvewise.core._policies import WholeCurve
from curvewise.core._ranks import rank
from curvewise.core._result import ValidationResult
from curvewise.core._search import Search
from curvewise.errors import InvalidParameterError, MissingExtraError, PlugInError
from curvewise.executors._execution import resolve_n_jobs
from curvewise.executors._listener import Listener

PACKAGES = ("curvewise", "scikit-learn", "numpy", "scipy", "pandas")
# What a whole curve costs, in k-fold validations: half of the rows, a quarter, and so on are
# together as many as there are.
COSTS = 2.0
LEARNERS = {"classification": ClassifierMixin, "regression": RegressorMixin}


# The spaces that go by a name.
SPACES: Mapping[str, Callable[[str], SearchSpace]] = {
    "today": default_space,
    # Deviates: 19. The published sequences have pipelines that cannot work.
    "paper": partial(paper_space, only_possible=True),
}


# Who proposes pipelines, by name: what draws them, and whether the portfolio comes first.
PROPOSERS: Mapping[str, tuple[type[RandomProposer], bool]] = {
    "portfolio": (RandomProposer, True),
    "portfolio-evolving": (EvolvingProposer, True),
    "portfolio-optuna": (OptunaProposer, True),
    "random": (RandomProposer, False),
    "optuna": (OptunaProposer, False),
}
DEFAULT_PROPOSER = "portfolio-evolving"


def space_for(task: str, space: Any, *, leave_out: str | Sequence[str] = ()) -> Any:
    """Give what pipelines are drawn from: what the user gave, without what is to be left out."""
    names = [leave_out] if isinstance(leave_out, str) else list(leave_out)
    if space in (None, "today"):
        names = _left_out_today(task, names)
    if space is None or (isinstance(space, str) and space in SPACES):
        space = SPACES[space or "today"](task)
    elif is_space_name(space):
        space = _space_of_plug_in(task, space)
    if not callable(space):
        space = load_space(space)
    if isinstance(space, SearchSpace):
        _check_learners(space, task)
    if not names:
        return space
    if not isinstance(space, SearchSpace):
        raise InvalidParameterError("leave_out works with a SearchSpace only.")
    return space.without(*names)


def _left_out_today(task: str, names: list[str]) -> list[str]:
    """Give the names without those that are not installed; an error if only such would be left."""
    missing = missing_learners(task)
    left = missing.keys() - set(names)
    names = [name for name in names if name not in missing]
    there = default_space(task).components()
    if left and {one.name for one in there} <= set(names):
        raise MissingExtraError(" or ".join(sorted(left)), missing[min(left)])
    return names


def is_space_name(space: Any) -> bool:
    """Whether a space is meant by a name, and not by a file that is there or has an ending."""
    if not isinstance(space, str):
        return False
    path = Path(space)
    return space in SPACES or not (path.suffix or path.name != space or path.exists())


def _space_of_plug_in(task: str, name: str) -> SearchSpace:
    """Give the space that another package calls by a name."""
    plug_in = find_plug_in(SPACE_GROUP, name)
    if plug_in is None:
        names = ", ".join([*SPACES, *plug_in_names(SPACE_GROUP)])
        raise InvalidParameterError(
            f"There is no search space {name!r}, neither by name ({names}) nor as a file."
        )
    space = plug_in.thing
    if not isinstance(space, SearchSpace) and callable(space):
        space = plug_in.call(task)
    if not isinstance(space, SearchSpace):
        raise PlugInError(
            f"{plug_in.label} is no search space: it must be a SearchSpace, or a function of the "
            f"task that gives one."
        )
    return space


def proposer_for(
    task: str,
    space: Any,
    proposer: str | Proposer | None = None,
    *,
    random_state: Seed,
    means: bool = False,
) -> Any:
    """Give who proposes pipelines from a space; somebody who is ready proposes from their own.

    Where there is time for them, ``means`` of several models are proposed by who knows of such.
    """
    if isinstance(proposer, Proposer):
        return proposer
    if proposer is not None and proposer not in PROPOSERS:
        names = ", ".join(map(repr, PROPOSERS))
        raise InvalidParameterError(f"proposer must be one of {names}, got {proposer!r}.")
    if not isinstance(space, SearchSpace):
        return space
    kind, listed = PROPOSERS[proposer or DEFAULT_PROPOSER]
    first = portfolio(task, space) if listed else ()
    more = {"means": means} if issubclass(kind, EvolvingProposer) else {}
    return kind(space, first=first, random_state=random_state, **more)


def _check_learners(space: SearchSpace, task: str) -> None:
    """Refuse learners of the other kind before each of them fails."""
    ((other, foreign),) = ((each, kind) for each, kind in LEARNERS.items() if each != task)
    for component in space.slots[-1].components:
        learner = component.load()
        if issubclass(learner, foreign) and not issubclass(learner, LEARNERS[task]):
            raise InvalidParameterError(f"{component.name} is for {other}, and the task is {task}.")


def shuffled_folds(
    task: str, *, n_folds: int = 5, random_state: Seed = None, grouped: bool = False
) -> KFold | StratifiedKFold | GroupKFold | StratifiedGroupKFold:
    """Give folds of shuffled rows, or of whole groups; those for classes keep their shares."""
    kind: Any = (
        (StratifiedGroupKFold if grouped else StratifiedKFold)
        if task == "classification"
        else (GroupKFold if grouped else KFold)
    )
    # Each search has to have the same folds for all its candidates, also one without a seed.
    seed = int(random_state) if isinstance(random_state, Integral) else 0
    return kind(n_folds, shuffle=True, random_state=seed)


def equipped(
    search: CurveSearchCV,
    *,
    listeners: Sequence[Listener] = (),
    notes: Mapping[str, Any] | None = None,
    begun: float | None = None,
    reserve: Callable[[Search], float] | None = None,
    explore: Callable[[Search, float], bool] | None = None,
    afterwards: Sequence[Callable[[Refit], None]] = (),
    lastly: Sequence[Callable[[Refit], None]] = (),
    deadline: float | None = None,
) -> CurveSearchCV:
    """Let a search over pipelines say what they are made of, survive Ctrl-C, and keep its time."""
    limits = {
        "seconds per candidate": search.timeout_per_candidate,
        "seconds per fit": search.timeout_per_fit,
        "memory": search.memory_limit,
    }
    known = {name: limit for name, limit in limits.items() if limit is not None}
    return search.equip(
        SearchExtras(
            listeners=tuple(listeners),
            notes={"versions": versions(), "limits": known, **(notes or {})},
            describe=describe,
            survives_interrupt=True,
            refit_threads=resolve_n_jobs(search.n_jobs),
            begun=begun,
            reserve=reserve,
            explore=explore,
            afterwards=tuple(afterwards),
            lastly=tuple(lastly),
            deadline=deadline,
            announces=False,
        )
    )


def whole_curves(
    search: CurveSearchCV, X: Any, y: Any, *, n_best: int = 3, **params: Any
) -> list[ValidationResult]:
    """Evaluate the best candidates of a search at all anchors, with training scores."""
    whole_number("n_best", n_best, at_least=1)
    settings = search.get_params(deep=False) | {
        "estimator": {name: clone(search.candidates_[name]) for name in leading(search, n_best)},
        "space": None,
        "n_iter": None,
        "policy": WholeCurve(),
        "time_budget": None,
        "return_train_score": True,
        "refit": False,
        "learning_curve": False,
    }
    if settings["timeout_per_candidate"] is not None:
        settings["timeout_per_candidate"] *= COSTS
    if search.store is not None:
        settings["run"] = ", ".join(filter(None, (search.run, "whole curves")))
    return equipped(CurveSearchCV(**settings)).fit(X, y, **params).results_


def leading(search: CurveSearchCV, n_best: int) -> list[Any]:
    """Name the best candidates: the complete ones first, then those that had most of it."""
    target = max(result.curve.anchors[-1] for result in search.results_ if result.curve.anchors)
    known = [result for result in search.results_ if target in result.curve.anchors]
    known.sort(key=lambda result: rank(result, result.curve))
    return [result.candidate for result in known[:n_best]]


def versions() -> dict[str, str]:
    """Say which versions of what are installed."""
    found = {"python": platform.python_version(), "system": platform.platform(terse=True)}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
