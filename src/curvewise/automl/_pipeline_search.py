"""The search over sampled pipelines: what `CurveSearchCV` does, and what a store should know."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from curvewise._selection.search_cv import CurveSearchCV
from curvewise._selection.search_extras import SearchExtras
from curvewise.automl._space import describe
from curvewise.executors._execution import resolve_n_jobs
from curvewise.executors._listener import Listener

PACKAGES = ("curvewise", "scikit-learn", "numpy", "scipy", "pandas")


def equipped(
    search: CurveSearchCV,
    *,
    listeners: Sequence[Listener] = (),
    notes: Mapping[str, Any] | None = None,
) -> CurveSearchCV:
    """Let a search over pipelines say what they are made of, and survive Ctrl-C."""
    limits = {
        "seconds per candidate": search.timeout_per_candidate,
        "seconds per fit": search.timeout_per_fit,
        "memory": search.memory_limit,
    }
    known = {name: limit for name, limit in limits.items() if limit is not None}
    return search.equip(
        SearchExtras(
            listeners=tuple(listeners),
            notes={"versions": versions(), "limits": known, **(notes or {})},
            describe=describe,
            survives_interrupt=True,
            refit_threads=resolve_n_jobs(search.n_jobs),
        )
    )


def versions() -> dict[str, str]:
    """Say which versions of what are installed.

    Examples
    --------
    >>> "scikit-learn" in versions()
    True
    """
    found = {"python": platform.python_version(), "system": platform.platform(terse=True)}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
