"""Optional packages: imported where they are needed, with one sentence if one is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from curvewise.errors import MissingExtraError


def require(module: str, what: str = "Reading tables", *, extra: str = "select") -> Any:
    """Import a module that an extra of curvewise brings; ``what`` needs it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(what, extra) from None
