"""The optional packages that reading tables needs, with the sentence for when they are missing."""

from __future__ import annotations

import importlib
from typing import Any

from curvewise.errors import MissingExtraError


def require(module: str) -> Any:
    """Import a module of the extra ``select``."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError("Reading tables", "select") from None
