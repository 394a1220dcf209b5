"""An executor that replays what is known already, on a simulated clock.

A year of searching takes seconds: a task takes no time but moves the clock by the seconds that its
outcome says. With several workers, tasks overlap as they would have.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

from curvewise.core._outcome import Failure, Outcome, Reason, Task
from curvewise.errors import InvalidParameterError
from curvewise.executors._protocol import Promises


class ReplayExecutor:
    """Looks outcomes up and keeps a simulated clock.

    Parameters
    ----------
    look_up
        Gives the outcome of a task, with its seconds.
    n_workers
        How many simulated workers share the work.

    Attributes
    ----------
    clock
        Simulated seconds since the start.
    busy_seconds
        The seconds of all workers together; a cancelled task counts until its cancellation.
    n_tasks, n_rows
        Tasks begun, and their training rows.

    Raises
    ------
    InvalidParameterError
        If ``n_workers`` is less than 1.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.core import Task
    >>> from curvewise.executors import ReplayExecutor
    >>> executor = ReplayExecutor(lambda task: cw.Observation(task, 0.1, seconds=2.0), n_workers=2)
    >>> for fold in range(2):
    ...     executor.submit(Task("svc", 64, fold))
    >>> len(executor.wait()), executor.clock, executor.busy_seconds
    (1, 2.0, 2.0)
    """

    def __init__(self, look_up: Callable[[Task], Outcome], *, n_workers: int = 1) -> None:
        if n_workers < 1:
            raise InvalidParameterError(f"n_workers must be at least 1, got {n_workers}.")
        self._look_up = look_up
        self._n_workers = n_workers
        self._finishing: list[tuple[float, int, Outcome]] = []
        self._count = count()
        self._started: dict[Task, tuple[int, float]] = {}
        self.clock = 0.0
        self.busy_seconds = 0.0
        self.n_tasks = 0
        self.n_rows = 0

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once."""
        return self._n_workers

    @property
    def promises(self) -> Promises:
        """What it can promise: time limits, on its own clock, and cancelling."""
        return Promises(time_limit=True, cancel=True)

    def submit(self, task: Task, candidate: object = None, *, seconds: float | None = None) -> None:
        """Begin a task."""
        outcome = self._look_up(task)
        if seconds is not None and outcome.seconds > seconds:
            outcome = Failure(task, Reason.TIMEOUT, f"took more than {seconds:g} s", seconds)
        ticket = next(self._count)
        self._started[task] = (ticket, self.clock)
        self.n_tasks += 1
        self.n_rows += task.anchor
        heapq.heappush(self._finishing, (self.clock + outcome.seconds, ticket, outcome))

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Move the clock to the next end of a task."""
        while self._finishing:
            finish, ticket, outcome = heapq.heappop(self._finishing)
            begun, started = self._started.get(outcome.task, (None, 0.0))
            if begun == ticket:
                del self._started[outcome.task]
                self.clock = finish
                self.busy_seconds += finish - started
                return [outcome]
        return []

    def cancel(self, task: Task) -> None:
        """End a task now; the time it had until now has been spent."""
        _, started = self._started.pop(task, (None, self.clock))
        self.busy_seconds += self.clock - started

    def close(self) -> None:
        """Forget what is under way."""
        self._finishing.clear()
        self._started.clear()
