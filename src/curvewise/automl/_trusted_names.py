"""What a file of a model may name: an exact list, and nothing by prefix.

A file in the format of skops is a tree of nodes. Each names a *loader*, which says how something is
made of it, and mostly a class or function. What may appear is a pair of both: a class that may be
made from its saved state (``ObjectNode``) may not be called for that.

- `NEEDED` and `DEFAULTS` stand in ``_trusted_names.toml``, which says what is on them.
- `ATTRIBUTES` and `PARAMETERS` too: names that the state of LightGBM's objects may have.

No estimator is trusted for being one of scikit-learn's: a `StackingClassifier` calls the method
that its state names of the object that its state holds.
"""

from __future__ import annotations

import sys
import tomllib
from importlib import resources

_FILE = resources.files("curvewise.automl").joinpath("_trusted_names.toml")
_LISTS = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_WITH_SCALARS = {"NdArrayNode", "TypeNode"}

NEEDED = {loader: frozenset(names) for loader, names in _LISTS["needed"].items()}
DEFAULTS = {
    loader: frozenset(names + _LISTS["scalars"] if loader in _WITH_SCALARS else names)
    for loader, names in _LISTS["defaults"].items()
}
# What objects of LightGBM may have, by class, and what may be among their parameters.
ATTRIBUTES = {name: frozenset(found) for name, found in _LISTS["attributes"].items()}
PARAMETERS = frozenset(_LISTS["parameters"]["lightgbm"])

# What stands for a single number, or a single text, of numpy.
NUMBERS = frozenset(_LISTS["scalars"])

# A state of a random generator names its class once more, as text.
BIT_GENERATORS = frozenset({"MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"})


def is_trusted(loader: str, name: str) -> bool:
    """Whether any file may let a loader of skops make this class or function."""
    name = _full_name(name)
    return name in NEEDED.get(loader, ()) or name in DEFAULTS.get(loader, ())


def _full_name(name: str) -> str:
    """Give the name of a compiled loss with its package.

    In older versions of scikit-learn its classes call their module ``_loss``, and are found under
    that name. Any other module of that name is a stranger's.
    """
    if not name.startswith("_loss."):
        return name
    short, full = (sys.modules.get(module) for module in ("_loss", "sklearn._loss._loss"))
    return f"sklearn._loss.{name}" if short is not None and short is full else name
