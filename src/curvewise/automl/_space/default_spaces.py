"""Which space is taken if the user names none.

For classification it is the paper's (Mohr & van Rijn 2023, Appendix B): an optional data
pre-processor of seven, an optional feature pre-processor of nine, and one of fourteen classifiers.
That for regression is made in its spirit: the same pre-processors, with scores of columns that suit
numbers, and one of fourteen regressors.

The paper's file of the space lists the support vector machine once per kernel. Its ten published
sequences of 200 pipelines have one, always with the sigmoid kernel, in 199 of 2,000 draws; with
that one alone the sums of weights fit them (chi-square, p = .92), with all four they do not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any, Literal

from curvewise._packages import EXTRAS
from curvewise.automl._components.plain_booster import PlainBooster
from curvewise.automl._space.component import Component
from curvewise.automl._space.parameters import Constant
from curvewise.automl._space.search_space import SearchSpace, Slot
from curvewise.automl._space.space_file import read_component
from curvewise.automl._space.translations import TRANSLATIONS
from curvewise.errors import InvalidParameterError, MissingExtraError

LEARNERS = {"classification": "classifier", "regression": "regressor"}
KERNELS = ("published", "all")
NOT_PUBLISHED = ("SVC(linear)", "SVC(rbf)", "SVC(poly)")


def paper_space(
    task: str,
    *,
    weights: Literal["sum", "product"] = "sum",
    kernels: Literal["published", "all"] = "published",
    only_possible: bool = False,
) -> SearchSpace:
    """Give the search space for a kind of task: the paper's, or one in its spirit for numbers.

    Parameters
    ----------
    task
        ``"classification"`` or ``"regression"``.
    weights
        How components are weighed: by the ``"sum"`` or the ``"product"`` of their parameters'
        weights. The paper prints the product; its published sequences fit the sum.
    kernels
        Which support vector machines classify: one with the sigmoid kernel, as in the paper's
        ``"published"`` sequences, or one per kernel (``"all"``), as in its file of the space.
    only_possible
        Whether pipelines that cannot work, whatever the data, are drawn again.

    Returns
    -------
    SearchSpace
        With an optional data pre-processor, an optional feature pre-processor, and a learner.

    Raises
    ------
    InvalidParameterError
        If it is neither of the two tasks, or neither of the two kinds of weights or of kernels.

    Examples
    --------
    >>> space = paper_space("classification")
    >>> {slot.name: len(slot.components) for slot in space.slots}
    {'data': 7, 'feature': 9, 'classifier': 14}
    >>> len(paper_space("classification", kernels="all").components("classifier"))
    17
    >>> round(space.probabilities("classifier")["SGDClassifier"], 3)
    0.177
    >>> product = paper_space("classification", weights="product")
    >>> round(product.probabilities("classifier")["SGDClassifier"], 3)
    0.967
    """
    if task not in LEARNERS:
        raise InvalidParameterError(f"task must be 'classification' or 'regression', got {task!r}.")
    if kernels not in KERNELS:
        raise InvalidParameterError(f"kernels must be 'published' or 'all', got {kernels!r}.")
    space = SearchSpace(_slots(LEARNERS[task]), weights=weights, only_possible=only_possible)
    every = task != "classification" or kernels == "all"
    return space if every else space.without(*NOT_PUBLISHED)


@cache
def _slots(learner: str) -> tuple[Slot, ...]:
    """Read the slots from the files beside this module."""
    common, own = _components("preprocessors"), _components(f"{learner}s")
    return (
        Slot("data", common["data"], optional=True),
        Slot("feature", [*common["feature"], *own["feature"]], optional=True),
        Slot(learner, own["learner"]),
    )


def _components(file: str) -> dict[str, list[Component]]:
    """Read the components of a file, by what they are for."""
    text = resources.files(__package__).joinpath(f"{file}.toml").read_text(encoding="utf-8")
    return {
        purpose: [_component(entry) for entry in entries]
        for purpose, entries in tomllib.loads(text).items()
    }


def _component(entry: Mapping[str, Any]) -> Component:
    target = entry["class"]
    name = entry.get("name", target.rpartition(".")[2])
    component = read_component(entry, target, name)
    if "translate" not in entry:
        return component
    return replace(component, translate=TRANSLATIONS[entry["translate"]])


def default_space(task: str) -> SearchSpace:
    """Give the space that is searched by default: learners of today, each with its view.

    Parameters
    ----------
    task
        ``"classification"`` or ``"regression"``.

    Returns
    -------
    SearchSpace
        With a learner as its only slot; pipelines begin with a view of the raw table. Learners of
        packages that are not installed are left out.

    Raises
    ------
    InvalidParameterError
        If it is neither of the two tasks.

    Examples
    --------
    >>> space = default_space("regression")
    >>> pipeline = space.build({"seed": 0, "regressor": {"component": "Ridge", "view": "scaled"}})
    >>> [name for name, _ in pipeline.steps]
    ['table', 'regressor']
    """
    if task not in LEARNERS:
        raise InvalidParameterError(f"task must be 'classification' or 'regression', got {task!r}.")
    learner = LEARNERS[task]
    components = _components(f"todays_{learner}s")["learner"]
    return SearchSpace([Slot(learner, [one for one in components if _is_there(one)])])


def missing_learners(task: str) -> dict[str, str]:
    """Name the learners of today's space whose packages are missing, with what brings them."""
    components = _components(f"todays_{LEARNERS[task]}s")["learner"]
    return {one.name: _extra_of(one) for one in components if not _is_there(one)}


def _extra_of(component: Component) -> str:
    """Say which extra brings the package of a learner; boosters of our own face have one."""
    package = str(component.target).partition(".")[0]
    return EXTRAS.get(package, "boosters")


def missing_packages() -> list[str]:
    """Say in a line each which packages of today's space are missing, and what installs them.

    Boosters with an extra of their own are missing without a word: they come on top.
    """
    missing = {
        one.target.partition(".")[0]
        for learner in LEARNERS.values()
        for one in _components(f"todays_{learner}s")["learner"]
        if isinstance(one.target, str) and not _is_there(one)
    } - {"curvewise"}
    return [
        f"{package} is not installed, and left out: pip install 'curvewise[select]'"
        for package in sorted(missing)
    ]


def _is_there(component: Component) -> bool:
    """Whether a component's class can be used; a library that it needs may be missing, too."""
    try:
        cls = component.load()
        if issubclass(cls, PlainBooster):
            cls.load_library()
    except (InvalidParameterError, MissingExtraError, OSError, ValueError):
        # XGBoost raises a ValueError if its compiled part is broken.
        return False
    return True


def portfolio(task: str, space: SearchSpace) -> list[dict[str, Any]]:
    """List the configurations to begin with, as far as a space has their components."""
    text = resources.files(__package__).joinpath("portfolio.toml").read_text(encoding="utf-8")
    learner = LEARNERS[task]
    known = {one.name: one for one in space.slots[-1].components if space.has_views}
    entries = [entry[learner] for entry in tomllib.loads(text)[task]]
    return [
        {learner: {**entry, **_constants(known[entry["component"]])}}
        for entry in entries
        if entry["component"] in known
    ]


def _constants(component: Component) -> dict[str, Any]:
    """Give what is the same for all configurations of a component."""
    return {
        name: parameter.value
        for name, parameter in component.parameters.items()
        if isinstance(parameter, Constant)
    }
