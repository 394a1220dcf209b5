"""An executor that does the work itself: no overhead, no limits, no isolation."""

from __future__ import annotations

from collections import deque
from typing import Any

from curvewise.core._outcome import Outcome, Task
from curvewise.errors import InvalidParameterError
from curvewise.executors._protocol import Evaluate, Promises, attempt


class InProcessExecutor:
    """Carries out one task at a time, where it is called.

    A learner that exceeds its time cannot be ended here, and one that crashes takes the program
    with it. A time limit is therefore refused, not forgotten.

    Parameters
    ----------
    evaluate
        Carries out one task.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.core import Task
    >>> from curvewise.executors import InProcessExecutor
    >>> executor = InProcessExecutor(lambda task, candidate: cw.Observation(task, loss=candidate))
    >>> executor.submit(Task("svc", 64, 0), 0.25)
    >>> [outcome] = executor.wait()
    >>> outcome.loss
    0.25
    """

    def __init__(self, evaluate: Evaluate) -> None:
        self._evaluate = evaluate
        self._submitted: deque[tuple[Task, Any]] = deque()

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once: one."""
        return 1

    @property
    def promises(self) -> Promises:
        """What it can promise: nothing."""
        return Promises()

    def submit(self, task: Task, candidate: object = None, *, seconds: float | None = None) -> None:
        """Take a task; it is carried out by `wait`."""
        if seconds is not None:
            raise InvalidParameterError(
                f"A task in this process cannot be held to seconds={seconds:g}: "
                f"use worker processes, or seconds=None."
            )
        self._submitted.append((task, candidate))

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Carry out the oldest task, however long it takes."""
        if not self._submitted:
            return []
        task, candidate = self._submitted.popleft()
        return [attempt(self._evaluate, task, candidate)]

    def cancel(self, task: Task) -> None:
        """Forget a task that has not been carried out."""
        self._submitted = deque(entry for entry in self._submitted if entry[0] != task)

    def close(self) -> None:
        """Forget what is waiting."""
        self._submitted.clear()

    def __enter__(self) -> InProcessExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
