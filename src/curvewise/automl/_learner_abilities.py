"""What learners of a space can do, asked before the search: weigh rows, give probabilities.

A learner that fails for every row with weights, or wins and then has no probabilities to give, is
found out here and left out of the space. Some can or cannot by what is drawn for them; they are
left out too, because half of their pipelines would fail.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from curvewise.automl._space.component import Component
from curvewise.automl._space.search_space import SearchSpace
from curvewise.errors import InvalidParameterError

# So many draws of a learner are asked; those whose ability depends on them have it in half or so.
N_DRAWS = 16


def takes_weights(learner: Any) -> bool:
    """Whether a learner can be fitted with weights of rows; what wraps one hands them on."""
    for wraps in ("estimator", "regressor"):
        inner = learner.get_params(deep=False).get(wraps)
        if hasattr(inner, "fit"):
            return takes_weights(inner)
    return has_fit_parameter(learner, "sample_weight")


def gives_probabilities(learner: Any) -> bool:
    """Whether a learner gives probabilities of classes."""
    return hasattr(learner, "predict_proba")


def unable(space: SearchSpace, ability: Callable[[Any], bool]) -> list[str]:
    """Name the learners of a space that lack an ability, whatever or depending on what is drawn."""
    return [one.name for one in space.slots[-1].components if not _is_able(one, ability)]


def _is_able(component: Component, ability: Callable[[Any], bool]) -> bool:
    rng = np.random.RandomState(0)
    return all(ability(component.build(component.draw(rng))) for _ in range(N_DRAWS))


def with_ability(
    space: SearchSpace, ability: Callable[[Any], bool], wanted: str
) -> tuple[SearchSpace, list[str]]:
    """Give a space of learners that have an ability, and the names of those that were left out."""
    names = unable(space, ability)
    if len(names) == len(space.slots[-1].components):
        raise InvalidParameterError(f"No learner of the space {wanted}.")
    return (space.without(*names) if names else space), names


def space_for_params(space: Any, params: Mapping[str, Any]) -> Any:
    """Leave out the learners that cannot take what ``fit`` was given; a warning names them."""
    if params.get("sample_weight") is None or not isinstance(space, SearchSpace):
        return space
    space, names = with_ability(space, takes_weights, "takes weights of rows")
    if names:
        warnings.warn(
            f"Not searched, because they take no weights of rows: {', '.join(names)}.", stacklevel=4
        )
    return space
