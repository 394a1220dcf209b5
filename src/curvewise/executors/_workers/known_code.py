"""Which candidates are made of nothing but packages that we know.

A worker that has run code which nobody knows may not be what it was: a candidate can patch
``pickle`` or ``sklearn.base.clone``, change settings and handlers, leave threads, or reach the data
through the stack. Such a worker retires after its task. Forking another costs milliseconds, which
a candidate of scikit-learn that is fitted in two would feel; so workers are kept as long as what
they run comes from packages that leave a process as they found it.

A pickle says what it is made of: each class and function is named, and functions and classes of
scripts and notebooks come by value, through cloudpickle. Reading stops at the first name that is
not known, before it is looked up.
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


class UnknownCodeError(Exception):
    """A pickle names something that is not known."""


class _KnownUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if not is_known(module, name):
            raise UnknownCodeError
        return super().find_class(module, name)


def is_known(module: str, name: str) -> bool:
    """Whether what a pickle names belongs to a package that is known."""
    root = module.partition(".")[0]
    return root in KNOWN_PACKAGES or name in KNOWN_NAMES.get(module, ())


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
    return [name for name in modules if is_installed(getattr(sys.modules.get(name), "__spec__", None))]


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
