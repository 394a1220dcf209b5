"""pandas, which groups and averages results: loaded where it is needed, and named if missing."""

from __future__ import annotations

from typing import Any

from curvewise.errors import MissingExtraError


def load_pandas(what: str = "Working with the results of experiments", extra: str = "bench") -> Any:
    """Import pandas; one sentence if it is not installed."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError(what, extra) from None
    return pandas
