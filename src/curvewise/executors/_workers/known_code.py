"""Which candidates are made of nothing but packages that we know.

A worker that has run code which nobody knows may not be what it was: a candidate can patch
``pickle`` or ``sklearn.base.clone``, change settings and handlers, leave threads, or reach the data
through the stack. Such a worker retires after its task. Forking another costs milliseconds, which
a candidate of scikit-learn that is fitted in two would feel; so workers are kept as long as what
they run comes from packages that leave a process as they found it.

A pickle says what it is made of: each class and function is named, and functions and classes of
scripts and notebooks come by value, through cloudpickle. Reading stops at the first name that is
not known, before it is called. Known are the classes of packages that we know, and of their
functions those that make parts of estimators (`MAKERS`) or are parameters of them: others, such as
``numpy.seterr``, change the process, or execute what they are given.
"""

from __future__ import annotations

import io
import mmap
import pickle
import sys
import sysconfig
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

# Their estimators change nothing outside of themselves while they are fitted and predict.
KNOWN_PACKAGES = frozenset(
    {"catboost", "curvewise", "lightgbm", "numpy", "pandas", "scipy", "sklearn", "xgboost"}
)
# Of the standard library: data, and nothing that runs what it is given.
KNOWN_NAMES = {
    "builtins": frozenset(
        {"bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list"}
        | {"object", "range", "set", "slice", "str", "tuple", "type"}
    ),
    "collections": frozenset(("Counter", "OrderedDict", "defaultdict", "deque")),
    "copyreg": frozenset(("_reconstructor",)),
    "datetime": frozenset(("date", "datetime", "time", "timedelta", "timezone")),
    "decimal": frozenset(("Decimal",)),
    "fractions": frozenset(("Fraction",)),
    "_codecs": frozenset(("encode",)),
}
# Functions of known packages that a pickle calls to make an array, a tree of neighbours, a frame.
MAKERS = frozenset(
    {"_frombuffer", "_new_Index", "_reconstruct", "new_block", "newObj", "scalar"}
    | {"__bit_generator_ctor", "__generator_ctor", "__randomstate_ctor"}
)
MAKERS_BEGIN = ("__pyx_unpickle_", "_unpickle_")
# Functions that are parameters: metrics, scores of columns, and summaries of them.
METRICS = "sklearn.metrics._"
PARAMETERS = frozenset(
    {"chi2", "f_classif", "f_regression", "mutual_info_classif", "mutual_info_regression"}
    | {"information_about_classes", "information_about_numbers", "max", "mean", "median", "min"}
)
# Modules that are no part of anything that is fitted.
STRANGE_MODULES = frozenset(("__main__", "_testing", "conftest", "f2py", "testing", "tests"))


class UnknownCodeError(Exception):
    """A pickle names something that is not known."""


class _KnownUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if not is_known(module, name):
            raise UnknownCodeError
        found = super().find_class(module, name)
        if callable(found) and not (isinstance(found, type) or _is_harmless(found, module, name)):
            raise UnknownCodeError
        return found


def is_known(module: str, name: str) -> bool:
    """Whether what a pickle names belongs to a package that is known."""
    root, *rest = module.split(".")
    if root in KNOWN_PACKAGES:
        return STRANGE_MODULES.isdisjoint(rest)
    return name in KNOWN_NAMES.get(module, ())


def _is_harmless(found: object, module: str, name: str) -> bool:
    """Whether a function of what is known leaves everything as it was."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(found, numpy.ufunc):
        return True
    last = name.rpartition(".")[2]
    return (
        last in MAKERS
        or last.startswith(MAKERS_BEGIN)
        or last in PARAMETERS
        or module.startswith(METRICS)
        or last in KNOWN_NAMES.get(module, ())
    )


def unpickle(
    pickled: bytes | mmap.mmap, *, prepare: Callable[[], None] | None = None
) -> tuple[Any, bool]:
    """Read a pickle; say whether all that it is made of is known.

    Before anything runs that is not, ``prepare`` is called.
    """
    source = io.BytesIO(pickled) if isinstance(pickled, bytes) else pickled
    try:
        return _KnownUnpickler(source).load(), True
    except UnknownCodeError:
        if prepare is not None:
            prepare()
        return pickle.loads(pickled), False


def installed(modules: Iterable[str]) -> list[str]:
    """Give those of the loaded modules that are installed: the user's own files may change."""
    found = ((name, getattr(sys.modules.get(name), "__spec__", None)) for name in modules)
    return [name for name, spec in found if is_installed(spec)]


def is_installed(spec: object) -> bool:
    """Whether a module's specification says that it is part of Python or of a package."""
    origin = getattr(spec, "origin", None)
    if origin in ("built-in", "frozen"):
        return True
    return isinstance(origin, str) and str(Path(origin)).startswith(_places())


@cache
def _places() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple({paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")})
