"""Optional packages: imported where they are needed, with one sentence if one is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from curvewise.errors import MissingExtraError

# Which extra of ours brings a package.
EXTRAS = {
    "catboost": "boosters",
    "jinja2": "bench",
    "lccv": "bench",
    "lightgbm": "select",
    "matplotlib": "plot",
    "openpyxl": "excel",
    "pandas": "select",
    "plotly": "report",
    "pyarrow": "select",
    "skops": "select",
    "tabulate": "bench",
    "xgboost": "boosters",
}


def require(module: str, what: str = "Reading tables", *, extra: str = "select") -> Any:
    """Import a module that an extra of curvewise brings; ``what`` needs it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(what, extra) from None
