"""Choose an executor from what a user says: how many jobs, which limits, which cluster."""

from __future__ import annotations

from curvewise.executors._execution import Execution
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._protocol import Evaluate, Executor
from curvewise.executors._resource_limits import Limits


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
        out in worker processes.

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
    if execution.dask is not None:
        from curvewise.executors._dask_executor import DaskExecutor

        everything = execution.dask != "local" and execution.n_jobs in (None, 1, -1)
        return DaskExecutor(
            evaluate,
            address=execution.dask,
            n_workers=None if everything else execution.n_workers,
            memory_limit=limits.n_bytes,
        )
    if execution.n_workers == 1 and limits.n_bytes is None and not limits.timed:
        return InProcessExecutor(evaluate)
    from curvewise.executors._process_executor import ProcessExecutor

    return ProcessExecutor(evaluate, n_workers=execution.n_workers, memory_limit=limits.n_bytes)
