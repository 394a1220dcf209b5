"""What a context of joblib asks for: ``with joblib.parallel_config(n_jobs=4)`` around a search.

Rules:

1. A context speaks only where the search itself says nothing: ``n_jobs=None`` and no ``dask``.
2. From backends of this machine (loky, multiprocessing, threading) the number of jobs is taken.
   Fits still take place in our own worker processes, which can keep limits.
3. The backends ``"dask"`` and ``"ray"`` name a cluster: the search runs there.
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

RAY = "ray"
ALL = -1
CLUSTERS = ("DaskDistributedBackend", "RayBackend")


class Asked(NamedTuple):
    """How many jobs (-1 for all), on which cluster, and how many that is in the end.

    A cluster of Dask has an address; a program is connected to one of Ray at the most, ``"ray"``.
    """

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
        # A cluster is named to be used; Ray's own default is one job.
        n_jobs = ALL if kind.__name__ in CLUSTERS else getattr(backend, "default_n_jobs", 1)
    if kind.__name__ == "RayBackend":
        return Asked(n_jobs, RAY, n_jobs if n_jobs > 0 else _n_cpus_of_ray())
    n_workers = max(1, backend.effective_n_jobs(n_jobs))
    if kind.__name__ == "DaskDistributedBackend":
        return Asked(n_jobs, backend.client.scheduler.address, n_workers)
    if kind.__module__.partition(".")[0] != "joblib":
        n_workers = min(n_workers, n_cores())
        _warn_of(kind, n_workers)
    return Asked(n_workers, None, n_workers)


def _n_cpus_of_ray() -> int:
    """How many CPUs the Ray cluster has; a cluster that is yet to be started has all cores."""
    ray = sys.modules["ray"]
    return max(1, int(ray.cluster_resources().get("CPU", 1))) if ray.is_initialized() else n_cores()


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
