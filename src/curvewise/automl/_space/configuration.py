"""Configurations: what fills the slots of a space, in values that JSON can express.

A run store keeps them, and the same pipeline is built of them again. JSON has no tuples, and no
functions: a choice that comes back is found again among those that its component offers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curvewise.automl._space.component import Component
from curvewise.automl._space.parameters import Categorical
from curvewise.errors import StoreError
from curvewise.executors._store.json_values import plain

# What stands for a choice that JSON cannot express: its place among the choices.
CHOICE = "$choice"


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
