"""Optional packages: imported where they are needed, with one sentence if one is missing.

Who interrupts an import is heard when it is complete: compiled modules say then that a package is
missing, or go on as if nothing had happened.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext, suppress
from importlib import import_module
from typing import Any

from curvewise._interrupts import interrupts_wait
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
# What imports another package later on, if it is there, where nobody can let interrupts wait.
IMPORTS_LATER = {"pyarrow": "pandas"}


def require(module: str, what: str = "Reading tables", *, extra: str = "select") -> Any:
    """Import a module that an extra of curvewise brings; ``what`` needs it."""
    with nullcontext() if module in sys.modules else interrupts_wait():
        try:
            found = import_module(module)
        except ImportError:
            raise MissingExtraError(what, extra) from None
        with suppress(ImportError, KeyError):
            import_module(IMPORTS_LATER[module])
        return found
