"""Configurations: what fills the slots of a space, in values that JSON can express.

A run store keeps them, and the same pipeline is built of them again. JSON has no tuples, and no
functions: a choice that comes back is found again among those that its component offers.

A store may come from a stranger, and learners have parameters that name files and machines: what
comes back is what a proposer could have given, or is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from curvewise.automl._space.component import LARGEST_SEED, N_SEEDS, Component
from curvewise.automl._space.parameters import Categorical, Constant, Integer, Real
from curvewise.errors import StoreError
from curvewise.executors._store.checked_values import damaged, shown
from curvewise.executors._store.json_values import plain

if TYPE_CHECKING:
    from curvewise.automl._space.search_space import Slot

# What stands for a choice that JSON cannot express: its place among the choices.
CHOICE = "$choice"
# How many models of one make may predict together.
MOST_SEEDS = 16


def kept_values(component: Component, values: Mapping[str, Any]) -> dict[str, Any]:
    """Give a component's values by parameter as JSON can express them."""
    return {name: _kept(component.parameters.get(name), one) for name, one in values.items()}


def recalled_values(component: Component, kept: Mapping[str, Any]) -> dict[str, Any]:
    """Give a component's values by parameter as they were before."""
    return {name: _recalled(component.parameters.get(name), one) for name, one in kept.items()}


def _kept(parameter: Any, value: Any) -> Any:
    try:
        return plain(value)
    except StoreError:
        if isinstance(parameter, Categorical):
            return {CHOICE: parameter.values.index(value)}
        return value


def _recalled(parameter: Any, kept: Any) -> Any:
    if not isinstance(parameter, Categorical):
        return kept
    return next(
        (one for one in parameter.values if _kept(parameter, one) == _kept(None, kept)), kept
    )


def check_kept(
    slots: Iterable[Slot], kept: Any, *, listed: Iterable[Mapping[str, Any]] = ()
) -> None:
    """Refuse a configuration that is neither in bounds nor made of those that are listed."""
    components = {slot.name: {one.name: one for one in slot.components} for slot in slots}
    filled = dict(kept) if isinstance(kept, Mapping) else {"": None}
    seed = filled.pop("seed", 0)
    if type(seed) is not int or not 0 <= seed <= LARGEST_SEED:
        raise damaged(f"the seed of a configuration is {shown(seed)}.")
    for slot, values in filled.items():
        given = values if isinstance(values, Mapping) else {}
        name = given.get("component")
        component = components.get(slot, {}).get(name) if isinstance(name, str) else None
        if component is None:
            raise damaged(f"a configuration has {shown(values)} in the place {shown(slot)}.")
        known = [one[slot] for one in listed if one.get(slot, {}).get("component") == name]
        for parameter, value in given.items():
            own = component.parameters.get(parameter)
            is_listed = any(
                parameter in one and _kept(own, one[parameter]) == value for one in known
            )
            if not (is_listed or parameter == "component" or _may_be(component, parameter, value)):
                raise damaged(
                    f"a configuration of {name} has {shown(value)} for {shown(parameter)}, which "
                    "its space does not have."
                )


def _may_be(component: Component, name: str, value: Any) -> bool:
    """Whether a parameter can have been given a value."""
    if name == N_SEEDS and component.averaged:
        return type(value) is int and 1 <= value <= MOST_SEEDS
    parameter = component.parameters.get(name)
    if isinstance(parameter, Integer | Real):
        kinds = (int,) if isinstance(parameter, Integer) else (int, float)
        return type(value) in kinds and parameter.low <= value <= parameter.high
    if isinstance(parameter, Categorical):
        return any(_kept(parameter, one) == value for one in parameter.values)
    if isinstance(parameter, Constant):
        return bool(_kept(parameter, parameter.value) == value)
    # A kind of one's own, which nobody else knows, may draw anything.
    return parameter is not None
