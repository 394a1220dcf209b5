"""What a file of a model may name: an exact list, and nothing by prefix.

A file in the format of skops is a tree of nodes. Each names a *loader*, which says how something is
made of it, and mostly a class or function. What may appear is a pair of both: a class that may be
made from its saved state (``ObjectNode``) may not be called for that.

- `NEEDED` and `DEFAULTS` stand in ``_trusted_names.toml``, which says what is on them.
- `ATTRIBUTES` and `PARAMETERS` too: names that the state of LightGBM's objects may have.
- Besides, every public estimator of scikit-learn may be made from its saved state, for spaces that
  name others than ours; but not those in `READERS`.
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from importlib import resources

from sklearn.utils import all_estimators

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

# A state of a random generator names its class once more, as text.
BIT_GENERATORS = frozenset({"MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"})

# Estimators that open the files whose names they are given.
READERS = frozenset(
    f"sklearn.feature_extraction.text.{name}"
    for name in ("CountVectorizer", "HashingVectorizer", "TfidfVectorizer")
)


def is_trusted(loader: str, name: str) -> bool:
    """Whether any file may let a loader of skops make this class or function."""
    name = _full_name(name)
    if name in NEEDED.get(loader, ()) or name in DEFAULTS.get(loader, ()):
        return True
    return loader == "ObjectNode" and name.startswith("sklearn.") and name in _estimators()


def _full_name(name: str) -> str:
    """Give the name of a compiled loss with its package.

    In older versions of scikit-learn its classes call their module ``_loss``, and are found under
    that name. Any other module of that name is a stranger's.
    """
    if not name.startswith("_loss."):
        return name
    short, full = (sys.modules.get(module) for module in ("_loss", "sklearn._loss._loss"))
    return f"sklearn._loss.{name}" if short is not None and short is full else name


@cache
def _estimators() -> frozenset[str]:
    """Name the public estimators of scikit-learn, by the modules in which they are defined."""
    names = {f"{cls.__module__}.{cls.__name__}" for _, cls in all_estimators()}
    return frozenset(name for name in names if name.startswith("sklearn.")) - READERS
