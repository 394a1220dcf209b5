"""Choose an executor from what a user says: how many jobs, which limits, which cluster."""

from __future__ import annotations

import os
import re
from operator import index

from curvewise.errors import InvalidParameterError
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._protocol import Evaluate, Executor

MOST_BYTES = 2**60
UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
MEMORY = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([KMGT]?)(I?)B?\s*", re.IGNORECASE)


def make_executor(
    evaluate: Evaluate,
    *,
    n_jobs: int | None = 1,
    memory_limit: int | str | None = None,
    time_limit: bool = False,
    dask: str | None = None,
) -> Executor:
    """Make the simplest executor that can do what is wanted.

    Parameters
    ----------
    evaluate
        Carries out one task.
    n_jobs
        How many tasks at once; -1 for as many as there are cores, -2 for one less, and so on. On a
        Dask cluster that exists already, 1 and -1 both mean all of its threads.
    memory_limit
        What a task may claim: bytes, or text such as ``"4GB"``; None for no limit.
    time_limit
        Whether tasks will have time limits.
    dask
        The address of a Dask scheduler, or ``"local"``; None to stay on this machine.

    Examples
    --------
    >>> type(make_executor(lambda task, candidate: None)).__name__
    'InProcessExecutor'
    """
    n_workers = resolve_n_jobs(n_jobs)
    n_bytes = None if memory_limit is None else parse_memory(memory_limit)
    if dask is not None:
        from curvewise.executors._dask_executor import DaskExecutor

        everything = dask != "local" and n_jobs in (None, 1, -1)
        return DaskExecutor(
            evaluate,
            address=dask,
            n_workers=None if everything else n_workers,
            memory_limit=n_bytes,
        )
    if n_workers == 1 and n_bytes is None and not time_limit:
        return InProcessExecutor(evaluate)
    from curvewise.executors._process_executor import ProcessExecutor

    return ProcessExecutor(evaluate, n_workers=n_workers, memory_limit=n_bytes)


def resolve_n_jobs(n_jobs: int | None) -> int:
    """How many workers a number of jobs stands for, counted as scikit-learn does.

    Examples
    --------
    >>> resolve_n_jobs(4), resolve_n_jobs(None), resolve_n_jobs(-1) == n_cores()
    (4, 1, True)
    """
    if n_jobs is None:
        return 1
    try:
        n = 0 if isinstance(n_jobs, bool) else index(n_jobs)
    except TypeError:
        n = 0
    if n == 0:
        raise InvalidParameterError(
            f"n_jobs must be a whole number other than 0 (-1 for all cores) or None, "
            f"got {n_jobs!r}."
        )
    return n if n > 0 else max(1, n_cores() + 1 + n)


def n_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parse_memory(limit: int | str) -> int:
    """Turn an amount of memory into bytes.

    Examples
    --------
    >>> parse_memory("4GB"), parse_memory("1.5 GiB"), parse_memory(2_000_000)
    (4000000000, 1610612736, 2000000)
    """
    n_bytes = 0
    if isinstance(limit, str):
        match = MEMORY.fullmatch(limit)
        if match is not None:
            number, prefix, binary = match.groups()
            n_bytes = int(float(number) * (1024 if binary else 1000) ** UNITS[prefix.upper()])
    elif not isinstance(limit, bool) and isinstance(limit, int):
        n_bytes = limit
    if n_bytes < 1:
        raise InvalidParameterError(
            f"memory_limit must be a positive number of bytes or text such as '4GB' or '500MiB', "
            f"got {limit!r}."
        )
    # More than any machine has is no limit, and must not be more than the system can count.
    return min(n_bytes, MOST_BYTES)
