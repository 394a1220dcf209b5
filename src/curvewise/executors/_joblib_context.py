"""What a context of joblib asks for: ``with joblib.parallel_config(n_jobs=4)`` around a search.

Rules:

1. A context speaks only where the search itself says nothing: ``n_jobs=None`` and no ``dask``.
2. From backends of this machine (loky, multiprocessing, threading) the number of jobs is taken.
   Fits still take place in our own worker processes, which can keep limits.
3. The backend ``"dask"`` names a cluster: the search runs there.
4. Inside of a worker of joblib a search has one job: the others are its neighbours'.
5. Of a backend that is not known here the number of jobs is taken, at most as many as there are
   cores, with a warning.

joblib is never loaded for this: where it is not loaded, there is no context.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """How many jobs (-1 for all), on which Dask cluster, and how many that is in the end."""

    n_jobs: int = 1
    cluster: str | None = None
    n_workers: int = 1


def asked_by_joblib() -> Asked:
    """Say what the innermost context of joblib asks for; one job if there is none."""
    joblib = sys.modules.get("joblib.parallel")
    if joblib is None:
        return Asked()
    backend, n_jobs = joblib.get_active_backend()
    if backend.nesting_level:
        return Asked()
    kind = type(backend)
    if n_jobs is None:
        n_jobs = getattr(backend, "default_n_jobs", 1)
    n_workers = max(1, backend.effective_n_jobs(n_jobs))
    if kind.__name__ == "DaskDistributedBackend":
        return Asked(n_jobs, backend.client.scheduler.address, n_workers)
    if kind.__module__.partition(".")[0] != "joblib":
        n_workers = min(n_workers, n_cores())
        _warn_of(kind, n_workers)
    return Asked(n_workers, None, n_workers)


def _warn_of(kind: type[Any], n_workers: int) -> None:
    warnings.warn(
        f"curvewise does not know joblib's backend {kind.__name__}: fits take place on this "
        f"machine, {n_workers} at once.",
        UserWarning,
        stacklevel=3,
    )


def n_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
