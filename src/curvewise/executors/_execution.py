"""How a search is carried out: how many evaluations at once, where, and by which executor."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index

from curvewise.errors import InvalidParameterError
from curvewise.executors._dask_executor import DaskExecutor
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._joblib_context import RAY, asked_by_joblib, n_cores
from curvewise.executors._limits import Limits
from curvewise.executors._process_executor import ProcessExecutor
from curvewise.executors._protocol import Evaluate, Executor
from curvewise.executors._ray_executor import RayExecutor
from curvewise.executors._workers.start_method import check_fresh_workers
from curvewise.executors._workers.worker_loop import Fresh

# How many tasks a deterministic search asks for ahead, whatever the number of workers.
WINDOW = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Where evaluations are carried out, and how many at once; checked when it is made.

    Parameters
    ----------
    n_jobs
        How many evaluations at once; -1 for as many as there are cores, -2 for one less, and so
        on; None for what a context of joblib asks for (``with joblib.parallel_config(...)``), else
        one. On a Dask cluster that exists already, 1 and -1 both mean all of its threads.
    dask
        The address of a Dask scheduler, or ``"local"``; None to stay on this machine, unless a
        context of joblib names a cluster and ``n_jobs`` is None.
    deterministic
        Whether decisions must be the same for any number of workers and on any machine.
    fresh_workers
        After whom a worker process is replaced, so that nothing a candidate did there reaches the
        next one: ``"unknown"`` for candidates with code of others than the packages that are known
        to leave a process as it was, ``"always"``, ``"never"``; None for unknown where workers are
        forked, else never. The first two need worker processes, and so take them for one job, too.

    Raises
    ------
    InvalidParameterError
        If ``n_jobs`` is no whole number, or 0, or ``fresh_workers`` none of these.

    Examples
    --------
    >>> Execution(n_jobs=4).n_workers
    4
    >>> Execution(n_jobs=0)
    Traceback (most recent call last):
    ...
    curvewise.errors.InvalidParameterError: n_jobs must be a whole number other than 0 (-1 for all
    cores) or None, got 0.
    """

    n_jobs: int | None = None
    dask: str | None = None
    deterministic: bool = False
    fresh_workers: Fresh | None = None

    def __post_init__(self) -> None:
        resolve_n_jobs(self.n_jobs)
        check_fresh_workers(self.fresh_workers)

    @property
    def n_workers(self) -> int:
        """How many workers ``n_jobs`` stands for on this machine."""
        return resolve_n_jobs(self.n_jobs)

    @property
    def window(self) -> int | None:
        """How many tasks are asked for ahead if outcomes are told in the order of their tasks."""
        return WINDOW if self.deterministic else None


def make_executor(
    evaluate: Evaluate, *, execution: Execution | None = None, limits: Limits | None = None
) -> Executor:
    """Make the simplest executor that can do what is wanted.

    Parameters
    ----------
    evaluate
        Carries out one task.
    execution
        Where, and how many at once; by default one after the other in this process.
    limits
        What a task may take; by default there are no limits. With any limit, tasks are carried
        out in worker processes; so they are if fresh ones are asked for.

    Returns
    -------
    Executor
        To be closed after its use; it is a context manager as well.

    Raises
    ------
    MissingExtraError
        If Dask is wanted and not installed.

    Examples
    --------
    >>> type(make_executor(lambda task, candidate: None)).__name__
    'InProcessExecutor'
    """
    execution = execution or Execution()
    limits = limits or Limits()
    address, n_jobs = place_of(execution)
    if address == RAY:
        everything = n_jobs in (None, 1, -1)
        return RayExecutor(
            evaluate,
            n_workers=None if everything else execution.n_workers,
            memory_limit=limits.n_bytes,
            fresh_workers=execution.fresh_workers,
        )
    if address is not None:
        everything = address != "local" and n_jobs in (None, 1, -1)
        return DaskExecutor(
            evaluate,
            address=address,
            n_workers=None if everything else execution.n_workers,
            memory_limit=limits.n_bytes,
            fresh_workers=execution.fresh_workers,
        )
    limited = limits.timed or limits.n_bytes is not None
    fresh = execution.fresh_workers in ("unknown", "always")
    if execution.n_workers == 1 and not limited and not fresh:
        return InProcessExecutor(evaluate)
    return ProcessExecutor(
        evaluate,
        n_workers=execution.n_workers,
        memory_limit=limits.n_bytes,
        fresh_workers=execution.fresh_workers,
    )


def place_of(execution: Execution) -> tuple[str | None, int | None]:
    """Give the cluster, if there is one, and the jobs; a context of joblib may name them."""
    if execution.n_jobs is not None or execution.dask is not None:
        return execution.dask, execution.n_jobs
    asked = asked_by_joblib()
    return asked.cluster, asked.n_jobs


def resolve_n_jobs(n_jobs: int | None) -> int:
    """How many workers a number of jobs stands for, counted as scikit-learn does."""
    if n_jobs is None:
        return asked_by_joblib().n_workers
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
