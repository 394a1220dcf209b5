"""Modules that workers needed, imported where workers come from.

A worker that retires takes what it has imported with it, and importing LightGBM takes tenths of a
second, PyTorch seconds. So a fork server imports what a worker has needed, if it is installed: the
next workers have it. Whether an import leaves everything else as it was is tried first, in a
process that ends: one that replaces functions or classes of others (as packages do that accelerate
them) would do so for all candidates.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module

from curvewise.executors._workers.known_code import KNOWN_PACKAGES

# Whose functions and classes all candidates rely on.
WATCHED = KNOWN_PACKAGES | {
    "builtins",
    "cloudpickle",
    "copy",
    "copyreg",
    "joblib",
    "pickle",
    "random",
    "threading",
    "threadpoolctl",
    "time",
    "warnings",
}


# What is imported without trying: it is known to start no threads, and to leave others alone.
TRUSTED = (KNOWN_PACKAGES - {"catboost", "xgboost"}) | sys.stdlib_module_names


def all_trusted(names: Iterable[str]) -> bool:
    """Whether modules can be imported without trying."""
    return all(name.partition(".")[0] in TRUSTED for name in names)


def import_modules(names: Iterable[str]) -> None:
    """Import modules, as far as they are there."""
    for name in names:
        # What is missing here is missed where it is needed.
        with suppress(Exception):
            import_module(name)


def imports_change_nothing(names: Iterable[str]) -> bool:
    """Import modules; whether all functions and classes that were there are what they were."""
    before = _functions_and_classes()
    import_modules(names)
    after = _functions_and_classes()
    return all(after.get(place) is thing for place, thing in before.items())


def _functions_and_classes() -> dict[tuple[str, str], object]:
    """Give what watched modules hold, and what their classes hold."""
    found: dict[tuple[str, str], object] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in WATCHED:
            continue
        for attribute, value in list(getattr(module, "__dict__", {}).items()):
            if not callable(value):
                continue
            found[name, attribute] = value
            if isinstance(value, type) and value.__module__ == name:
                for member, held in list(vars(value).items()):
                    if callable(held):
                        found[f"{name}.{attribute}", member] = held
    return found
