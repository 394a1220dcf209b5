"""An unfitted estimator as code that runs when it is pasted.

``repr`` of an estimator names classes without saying where they are, and shows some values in a way
that is no Python. Rules:

1. Imports come first: of each class and function from the most public place that offers it.
2. Parameters that have their defaults are left out.
3. Values are what Python can write down: numbers, text, lists, dictionaries, arrays, classes,
   functions that have a name, estimators in estimators. If there is anything else, there is no
   code: better none than one that makes something else.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

# Where a store keeps the code of the estimator that was fitted on all rows.
CODE_NOTE = "best_pipeline"
INDENT = "    "
# Longer calls get a line for each argument.
WIDEST = 88
# Arrays with more values than this are data, no parameters.
LARGEST_ARRAY = 1_000
ATOMS = (bool, int, str, bytes, type(None))
BRACKETS: Mapping[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}")}


class NoCodeError(Exception):
    """A value that cannot be written down."""


def code_of(estimator: Any, *, name: str = "model") -> str | None:
    """Give Python code that makes an equal, unfitted estimator; None if there is none."""
    imports = _Imports()
    try:
        made = _written(estimator, imports, 0)
    except NoCodeError:
        return None
    return f"{imports.lines()}\n\n{name} = {made}\n" if imports.lines() else f"{name} = {made}\n"


class _Imports:
    """The names that code uses, and where they come from."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, str]] = {}

    def name_of(self, thing: Any) -> str:
        """Give the name under which a class or function is imported (rule 1)."""
        place, own = public_place(thing), thing.__name__
        name, n = own, 1
        while self._places.setdefault(name, (place, own)) != (place, own):
            n += 1
            name = f"{own}{n}"
        return name

    def lines(self) -> str:
        """Give the imports, one per line, in order."""
        return "\n".join(
            f"from {place} import {own}" + ("" if name == own else f" as {name}")
            for name, (place, own) in sorted(self._places.items(), key=lambda one: one[1])
        )


def public_place(thing: Any) -> str:
    """Find the most public module that offers a class or function under its name."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__name__", "")
    if not module or not name.isidentifier() or module == "__main__":
        raise NoCodeError(thing)
    parts = module.split(".")
    for n in range(len(parts), 0, -1):
        place = ".".join(parts[:n])
        public = not any(part.startswith("_") for part in parts[:n])
        if public and getattr(sys.modules.get(place), name, None) is thing:
            return place
    if getattr(sys.modules.get(module), name, None) is thing:
        return str(module)
    raise NoCodeError(thing)


def _written(value: Any, imports: _Imports, depth: int) -> str:
    """Write a value down, at a depth of indentation."""
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) in ATOMS:
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f'float("{value}")'
    if isinstance(value, BaseEstimator) and not isinstance(value, type):
        return _written_estimator(value, imports, depth)
    if isinstance(value, np.ndarray):
        return _written_array(value, imports, depth)
    if type(value) in BRACKETS and (value or type(value) is not set):
        return _written_items(value, imports, depth)
    if type(value) is dict:
        return _laid_out(
            "{", [_pair(key, one, imports, depth + 1) for key, one in value.items()], "}", depth
        )
    if isinstance(value, type) or inspect.isroutine(value) or isinstance(value, np.ufunc):
        return imports.name_of(value)
    raise NoCodeError(value)


def _pair(key: Any, value: Any, imports: _Imports, depth: int) -> str:
    return f"{_written(key, imports, depth)}: {_written(value, imports, depth)}"


def _written_items(values: Any, imports: _Imports, depth: int) -> str:
    opening, closing = BRACKETS[type(values)]
    items = [_written(one, imports, depth + 1) for one in values]
    if type(values) is tuple and len(items) == 1:
        return f"({items[0]},)"
    return _laid_out(opening, items, closing, depth)


def _written_array(values: Any, imports: _Imports, depth: int) -> str:
    if values.size > LARGEST_ARRAY or values.dtype.kind not in "biuf":
        raise NoCodeError(values)
    return f"{imports.name_of(np.array)}({_written(values.tolist(), imports, depth)})"


def _written_estimator(estimator: Any, imports: _Imports, depth: int) -> str:
    """Write the call that makes an estimator (rule 2)."""
    kind = type(estimator)
    defaults = _defaults(kind)
    arguments = [
        f"{name}={_written(value, imports, depth + 1)}"
        for name, value in estimator.get_params(deep=False).items()
        if name not in defaults or not _same(value, defaults[name])
    ]
    return _laid_out(f"{imports.name_of(kind)}(", arguments, ")", depth)


def _defaults(kind: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(kind).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not one.empty}


def _same(value: Any, default: Any) -> bool:
    """Whether a value is its default: of the same type, and shown alike."""
    return value is default or (type(value) is type(default) and repr(value) == repr(default))


def _laid_out(opening: str, items: list[str], closing: str, depth: int) -> str:
    """Put items into one line if they fit, else each into its own."""
    line = f"{opening}{', '.join(items)}{closing}"
    if len(line) + len(INDENT) * depth <= WIDEST and "\n" not in line:
        return line
    inner = INDENT * (depth + 1)
    rows = "".join(f"{inner}{item},\n" for item in items)
    return f"{opening}\n{rows}{INDENT * depth}{closing}"
