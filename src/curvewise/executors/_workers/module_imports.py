"""Modules that workers needed, imported where workers come from.

A worker that retires takes what it has imported with it, and importing LightGBM takes tenths of a
second, PyTorch seconds. So a fork server imports what a worker has needed: the next ones have it.

1. The names may be a candidate's own words. Only what is installed is imported, and no program
   (``__main__``).
2. Whether an import ends, and leaves everything else as it was, is tried first, in a process that
   ends: one that replaces functions or classes of others (as packages do that accelerate them)
   would do so for all candidates.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import TypeGuard

from curvewise.executors._workers.known_code import KNOWN_PACKAGES, is_installed

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
TRUSTED = KNOWN_PACKAGES - {"catboost", "xgboost"}
# A name of a module is no longer than this.
LONGEST_NAME = 100
# An import that has not ended by then is none.
TRIAL_SECONDS = 120


def is_module_name(name: object) -> TypeGuard[str]:
    """Whether something can be the name of a module that is no program."""
    return (
        isinstance(name, str)
        and name.isascii()
        and len(name) <= LONGEST_NAME
        and all(part.isidentifier() and part != "__main__" for part in name.split("."))
    )


def all_trusted(names: Iterable[str]) -> bool:
    """Whether modules can be imported without trying."""
    return all(name.partition(".")[0] in TRUSTED for name in names)


def only_installed(names: Iterable[str]) -> list[str]:
    """Give the modules that belong to something installed, without importing any."""
    roots: dict[str, bool] = {}
    found = []
    for name in names:
        root = name.partition(".")[0]
        if root not in roots:
            roots[root] = is_module_name(name) and _is_installed(root)
        if roots[root] and is_module_name(name):
            found.append(name)
    return found


def _is_installed(root: str) -> bool:
    with suppress(Exception):
        return is_installed(find_spec(root))
    return False


def import_modules(names: Iterable[str]) -> None:
    """Import modules, as far as they are there."""
    for name in names:
        # What is missing here is missed where it is needed; some end the process (``SystemExit``).
        with suppress(BaseException):
            import_module(name)


def end_with_trial() -> None:
    """Let this process, in which an import is tried, end if that takes too long."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(TRIAL_SECONDS)


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
