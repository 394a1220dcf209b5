"""The one loop that connects a search to an executor."""

from __future__ import annotations

from curvewise.core.search import Search
from curvewise.errors import CurvewiseError
from curvewise.executors.protocol import Executor


def run(search: Search, executor: Executor) -> None:
    """Carry out a search to its end.

    Parameters
    ----------
    search
        What is wanted; it holds the results afterwards.
    executor
        Where tasks are carried out.

    Examples
    --------
    >>> from curvewise.core.outcome import Observation
    >>> from curvewise.executors.replay import ReplayExecutor
    >>> search = Search(range(9), schedule=900)
    >>> executor = ReplayExecutor(lambda task: Observation(task, task.candidate / 10, seconds=1.0))
    >>> run(search, executor)
    >>> search.best.candidate
    0
    """
    n_under_way = 0
    while not search.done:
        for task in search.ask(executor.n_slots - n_under_way):
            executor.submit(task)
            n_under_way += 1
        if n_under_way == 0:
            break
        outcomes = executor.wait()
        n_under_way -= len(outcomes)
        for outcome in outcomes:
            search.tell(outcome)
        for task in search.cancellations():
            executor.cancel(task)
            n_under_way -= 1
    if not search.done:
        raise CurvewiseError("The search waits for outcomes, but no task is under way.")
