"""An executor that replays what is known already, on a simulated clock.

A year of searching takes seconds: a task takes no time but moves the clock by the seconds that its
outcome says. With several workers, tasks overlap as they would have.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

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
        # A heap: when a task ends, its number, when it began, what it gives.
        self._finishing: list[tuple[float, int, float, Outcome]] = []
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
        self.n_tasks += 1
        self.n_rows += task.anchor
        end = self.clock + outcome.seconds
        heapq.heappush(self._finishing, (end, self.n_tasks, self.clock, outcome))

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Move the clock to the next end of a task."""
        if not self._finishing:
            return []
        self.clock, _, begun, outcome = heapq.heappop(self._finishing)
        self.busy_seconds += self.clock - begun
        return [outcome]

    def cancel(self, task: Task) -> None:
        """End a task now; the time it had until now has been spent."""
        for entry in [entry for entry in self._finishing if entry[-1].task == task]:
            self.busy_seconds += self.clock - entry[2]
            self._finishing.remove(entry)
            heapq.heapify(self._finishing)

    def close(self) -> None:
        """Forget what is under way."""
        self._finishing.clear()
