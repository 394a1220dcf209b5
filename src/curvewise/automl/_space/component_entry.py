"""A component as an entry of a file: what is drawn, what is fixed, and under which conditions.

The default spaces and those of users are written alike; `space_file` shows how. Here is only data:
which classes and which arguments may appear is for the reader of a file to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curvewise.automl._space.component import Component, When
from curvewise.automl._space.parameters import Categorical, Constant, Integer, Parameter, Real
from curvewise.core._checks import known_keys
from curvewise.errors import InvalidParameterError

VALUES = {"True": True, "False": False, "None": None}
FLAGS = ("scale_target", "sized")
FLAGS_OR_CONDITIONS = ("dense", "needs_nonnegative", "gives_negative")
KEYS = {"class", "name", "parameters", "fixed", "forbidden", *FLAGS, *FLAGS_OR_CONDITIONS}


def read_component(entry: Mapping[str, Any], target: str | type, name: str) -> Component:
    """Make the component that an entry describes, of a class that the caller has looked up."""
    described = read_table(entry, "parameters", name)
    options: dict[str, Any] = {key: read_flag(entry, key) for key in FLAGS if key in entry}
    for key in FLAGS_OR_CONDITIONS:
        if isinstance(entry.get(key), Mapping):
            options[key] = _condition(entry[key], f"{name}: {key}")
        elif key in entry:
            options[key] = read_flag(entry, key)
    if "forbidden" in entry:
        clauses = read_entries(entry, "forbidden", name)
        options["forbidden"] = [_clause(clause, set(described), name) for clause in clauses]
    return Component(
        name=name,
        target=target,
        parameters={
            argument: _parameter(description, f"{name}: {argument}")
            for argument, description in described.items()
        },
        fixed={key: _value(value) for key, value in read_table(entry, "fixed", name).items()},
        conditions={
            argument: _condition(description["when"], f"{name}: {argument}: when")
            for argument, description in described.items()
            if isinstance(description, Mapping) and "when" in description
        },
        **options,
    )


def _parameter(description: Any, where: str) -> Parameter:
    if isinstance(description, list):
        return Categorical([_value(one) for one in description])
    if not isinstance(description, Mapping):
        return Constant(_value(description))
    known_keys(description, where, {"low", "high", "log", "values", "when"})
    if "values" in description:
        return Categorical([_value(one) for one in read_entries(description, "values", where)])
    if not {"low", "high"} <= description.keys():
        raise InvalidParameterError(f"{where} needs low and high, or a list of values.")
    low, high = description["low"], description["high"]
    for bound in (low, high):
        if isinstance(bound, bool) or not isinstance(bound, int | float):
            raise InvalidParameterError(f"{where}: bounds must be numbers, got {bound!r}.")
    kind = Integer if isinstance(low, int) and isinstance(high, int) else Real
    return kind(low, high, log=read_flag(description, "log"))


def _condition(description: Any, where: str) -> When:
    if not isinstance(description, Mapping) or len(description) != 1:
        raise InvalidParameterError(f"{where} names one parameter and its values.")
    ((parameter, values),) = description.items()
    return When(parameter, _several(values))


def _clause(description: Any, arguments: set[str], name: str) -> dict[str, list[Any]]:
    known_keys(description, f"{name}: forbidden", arguments)
    return {argument: _several(values) for argument, values in description.items()}


def _several(values: Any) -> list[Any]:
    return [_value(one) for one in (values if isinstance(values, list) else [values])]


def _value(value: Any) -> Any:
    """Give the value that is meant; lists become tuples, which no estimator can change."""
    if isinstance(value, list):
        return tuple(_value(one) for one in value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return VALUES.get(value, value)
    raise InvalidParameterError(f"{value!r} is no text, number, truth value or list of these.")


def read_flag(entry: Mapping[str, Any], key: str) -> bool:
    """Give a truth value of an entry; false if it has none."""
    value = entry.get(key, False)
    if not isinstance(value, bool):
        raise InvalidParameterError(f"{key} must be true or false, got {value!r}.")
    return value


def read_entries(entry: Mapping[str, Any], key: str, where: str) -> list[Any]:
    """Give a list of an entry, which has to be there."""
    entries = entry.get(key)
    if not isinstance(entries, list) or not entries:
        raise InvalidParameterError(f"{where} needs a list called {key!r} that is not empty.")
    return entries


def read_table(entry: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """Give a table of an entry; an empty one if it has none."""
    table = entry.get(key, {})
    if not isinstance(table, Mapping):
        raise InvalidParameterError(f"{where}: {key} must be a table, got {table!r}.")
    return table
