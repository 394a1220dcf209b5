"""A component: one algorithm with its hyperparameters, as data.

A component names a class, what is drawn for it and what is fixed. Rules:

1. Parameters are drawn in the order in which they stand. A parameter with a condition is drawn only
   if the parameter it depends on has one of the given values.
2. A combination that is forbidden is drawn again, all of it.
3. What the class calls differently, or computes from several parameters, is `translate`d; names
   that scikit-learn has changed are brought up to date (`sklearn_names.py`).
4. Whoever takes a ``random_state`` gets an int, so that no fit changes the next one, and whoever
   takes ``n_jobs`` gets 1: searches are parallel over candidates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator

from curvewise.automl._components.found_rounds import FoundRounds
from curvewise.automl._components.sized_by_data import RELATIVE, SizedByData
from curvewise.automl._components.weighted_models import averaged
from curvewise.automl._space.parameters import Parameter
from curvewise.automl._space.sklearn_names import current_names, is_deprecated, known_arguments
from curvewise.errors import InvalidParameterError

# Seeds that every platform and every learner takes.
LARGEST_SEED = 2**31 - 1
# Parameters of `FoundRounds`, which are none of the booster's.
OF_ROUNDS = ("beyond", "max_rounds")
# How many of a learner, each with a seed of its own, predict together.
N_SEEDS = "n_seeds"
# The published sequences fit a weight of at least 3.
LEAST_SUM = 3
N_TRIES = 1000
# A learner that has this among its parameters is shown that view of the raw table.
VIEW = "view"


@dataclass(frozen=True, slots=True)
class When:
    """Something holds only if a parameter has one of some values.

    Parameters
    ----------
    parameter
        The parameter to look at.
    values
        The values for which it holds. If the parameter was not drawn itself, it does not hold.

    Examples
    --------
    >>> When("kernel", ["poly", "rbf"]).holds({"kernel": "rbf"})
    True
    """

    parameter: str
    values: Sequence[Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))

    def holds(self, drawn: Mapping[str, Any]) -> bool:
        """Whether the condition is met.

        Parameters
        ----------
        drawn
            What was drawn so far, by parameter.
        """
        return self.parameter in drawn and drawn[self.parameter] in self.values


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """An algorithm and its hyperparameters.

    Parameters
    ----------
    target
        The class, or where it can be imported from.
    name
        Unique within its slot, such as ``"SVC(rbf)"``; by default the name of the class.
    parameters
        What is drawn, by name and in this order; nothing by default.
    fixed
        What is always the same, by name; nothing by default.
    conditions
        Parameters that are drawn only under a condition; by default all are drawn.
    forbidden
        Combinations of values that are never drawn: values by parameter. None by default.
    translate
        Gives the constructor's arguments for what was drawn; a function of a module, so that spaces
        can be pickled. By default they are the same.
    dense
        Whether sparse input has to be made dense first: always, or for some parameters. By default
        it takes sparse input.
    needs_nonnegative
        Whether negative input makes it fail: always, or for some parameters. By default it does
        not.
    gives_negative
        Whether its output is negative in places: always, never, or for some parameters. None, the
        default, if that depends on its input.
    scale_target
        Whether it learns a standardised target, which regressors with a fixed step size need. By
        default the target stays as it is.
    rounds
        Whether it is a booster that finds its number of rounds, as `FoundRounds` says. Then
        ``beyond`` and ``max_rounds`` may be among the parameters. By default rounds are a
        parameter like others.
    sized
        Whether its sizes are settled by the data that it is fitted on, as `SizedByData` says. Then
        ``max_features_exponent`` and ``max_depth_factor`` may be among the parameters. By default
        they are what was drawn.
    averaged
        Whether several of it, each with a seed of its own, may predict together, by their mean:
        then ``n_seeds`` may be among the parameters. By default each is alone.

    Raises
    ------
    InvalidParameterError
        If a condition names something that is no parameter.

    Examples
    --------
    >>> from curvewise.automl import Real
    >>> svc = Component(
    ...     target="sklearn.svm.SVC", name="SVC(rbf)",
    ...     parameters={"C": Real(0.03, 32768, log=True)}, fixed={"kernel": "rbf"},
    ... )
    >>> svc.weight(), svc.sample(np.random.RandomState(0)).kernel
    (10, 'rbf')
    """

    target: str | type
    name: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    conditions: Mapping[str, When] = field(default_factory=dict)
    forbidden: Sequence[Mapping[str, Sequence[Any]]] = ()
    translate: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    dense: bool | When = False
    needs_nonnegative: bool | When = False
    gives_negative: bool | When | None = None
    scale_target: bool = False
    rounds: bool = False
    sized: bool = False
    averaged: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            target = self.target
            name = target.rpartition(".")[2] if isinstance(target, str) else target.__name__
            object.__setattr__(self, "name", name)
        flags = (self.dense, self.needs_nonnegative, self.gives_negative)
        conditions = [*self.conditions.values(), *(one for one in flags if isinstance(one, When))]
        named = {*self.conditions, *(one.parameter for one in conditions)}
        named.update(*self.forbidden)
        unknown = named - self.parameters.keys()
        if unknown:
            raise InvalidParameterError(
                f"A condition of {self.name} names {min(unknown)!r}, which is no parameter."
            )

    def weight(self, kind: Literal["sum", "product"] = "sum") -> int:
        """Say how likely the component is to be drawn, relative to others.

        Parameters
        ----------
        kind
            The ``"sum"`` of the parameters' weights, and at least 3, or their ``"product"``.
        """
        weights = [parameter.n_weight for parameter in self.parameters.values()]
        if kind == "product":
            # Deviates: 20. The appendix prints the product; the published sequences fit the sum.
            return math.prod(weight for weight in weights if weight)
        return max(LEAST_SUM, sum(weights))

    def draw(self, rng: np.random.RandomState) -> dict[str, Any]:
        """Draw a value for each parameter that applies; gives values by parameter.

        Parameters
        ----------
        rng
            The source of randomness, which goes on from draw to draw.

        Raises
        ------
        InvalidParameterError
            If nearly all combinations are forbidden.
        """
        for _ in range(N_TRIES):
            drawn: dict[str, Any] = {}
            for name, parameter in self.parameters.items():
                if name not in self.conditions or self.conditions[name].holds(drawn):
                    drawn[name] = parameter.draw(rng)
            if not any(_matches(drawn, clause) for clause in self.forbidden):
                return drawn
        raise InvalidParameterError(f"Nearly all combinations of {self.name} are forbidden.")

    def build(self, drawn: Mapping[str, Any], *, random_state: int = 0) -> BaseEstimator:
        """Make an unfitted estimator.

        Parameters
        ----------
        drawn
            Values by parameter, as `draw` gives them.
        random_state
            The seed, for those that take one.

        Raises
        ------
        InvalidParameterError
            If the class cannot be imported.
        """
        cls = self.load()
        known = known_arguments(cls)
        own = {
            name: value
            for name, value in (("random_state", random_state), ("n_jobs", 1))
            if name in known and not is_deprecated(cls, name)
        }
        values = {**self.fixed, **drawn}
        values.pop(VIEW, None)
        relative = {name: values.pop(name) for name in RELATIVE if self.sized and name in values}
        found = {name: values.pop(name) for name in OF_ROUNDS if self.rounds and name in values}
        n_seeds = values.pop(N_SEEDS, 1) if self.averaged else 1
        if self.rounds:
            found[N_SEEDS], n_seeds = n_seeds, 1
        arguments = values if self.translate is None else self.translate(values)
        estimator = cls(**{**own, **current_names(cls, arguments)})
        if self.sized:
            estimator = SizedByData(estimator, **relative)
        if n_seeds > 1:
            estimator = averaged(estimator, n_seeds)
        if self.rounds:
            estimator = FoundRounds(estimator, random_state=random_state, **found)
        if self.scale_target:
            from sklearn.compose import TransformedTargetRegressor
            from sklearn.preprocessing import StandardScaler

            return TransformedTargetRegressor(estimator, transformer=StandardScaler())
        return estimator

    def sample(self, rng: np.random.RandomState) -> BaseEstimator:
        """Draw parameters and a seed, and make an unfitted estimator.

        Parameters
        ----------
        rng
            The source of randomness, which goes on from draw to draw.
        """
        drawn = self.draw(rng)
        return self.build(drawn, random_state=int(rng.randint(LARGEST_SEED)))

    def load(self) -> type:
        """Import the class.

        Raises
        ------
        InvalidParameterError
            If it cannot be imported.
        """
        if isinstance(self.target, type):
            return self.target
        module, _, name = self.target.rpartition(".")
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError, ValueError):
            raise InvalidParameterError(
                f"The component {self.name} needs {self.target}, which cannot be imported."
            ) from None


def applies(condition: bool | When, drawn: Mapping[str, Any]) -> bool:  # noqa: FBT001
    """Whether something holds for what was drawn: always, never, or under a condition."""
    return condition.holds(drawn) if isinstance(condition, When) else condition


def _matches(drawn: Mapping[str, Any], clause: Mapping[str, Sequence[Any]]) -> bool:
    return all(name in drawn and drawn[name] in values for name, values in clause.items())
