"""The optional packages that tables and models need, and the sentence for when one is missing."""

from __future__ import annotations

import importlib
from typing import Any

from curvewise.errors import MissingExtraError


def require(module: str, *, what: str = "Reading tables") -> Any:
    """Import a module of the extra ``select``."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError(what, "select") from None
