"""An executor with worker processes on this machine, and limits that are kept.

Each worker has one slot, one thread for numerical libraries, and a pipe of its own. A task that
exceeds its limits, crashes or is cancelled costs its worker, with all processes that it started;
another worker takes its place in milliseconds, and the neighbours notice nothing. Workers share
one copy of the data. What learners print goes nowhere.
"""

from __future__ import annotations

import atexit
import math
import weakref
from time import monotonic
from typing import Any

from curvewise.core._outcome import Failure, Outcome, Task
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._protocol import Evaluate, Promises
from curvewise.executors._workers.attempt import pickled
from curvewise.executors._workers.limiter import Limiter, wait_for_news
from curvewise.executors._workers.start_method import Launcher, can_limit_memory, make_launcher


class ProcessExecutor:
    """Carries out tasks in worker processes.

    Parameters
    ----------
    evaluate
        Carries out one task. It is pickled once (with cloudpickle, so that it may come from a
        script or a notebook); its arrays, data frames and sparse matrices are read-only there.
    n_workers
        How many worker processes.
    memory_limit
        Bytes that a task may claim beyond what its worker holds when it begins. It holds for each
        process of a task by itself. Only on Linux; None for no limit.
    start_method
        ``"forkserver"``: workers are forked from a clean process that has loaded everything.
        ``"spawn"``: each worker starts from nothing and runs the main script again, which needs
        ``if __name__ == "__main__":``. None chooses: forkserver on Linux, else spawn.

    Raises
    ------
    InvalidParameterError
        If a limit cannot be kept on this system, or a value makes no sense.
    CurvewiseError
        If the evaluation cannot be pickled, or not be loaded in another process.

    Notes
    -----
    Close it, or use it as a context manager. A program that ends, or is killed, without doing so
    leaves neither processes nor files behind.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        *,
        n_workers: int = 1,
        memory_limit: int | None = None,
        start_method: str | None = None,
    ) -> None:
        if n_workers < 1:
            raise InvalidParameterError(f"n_workers must be at least 1, got {n_workers}.")
        launcher = make_launcher(evaluate, memory_limit=memory_limit, start_method=start_method)
        self._limiters: list[Limiter] = []
        self._running: dict[Task, Limiter] = {}
        self._early: list[Outcome] = []
        self._close = weakref.finalize(self, _close, self._limiters, launcher)
        # Before multiprocessing's own exit handler, which would wait for workers.
        atexit.register(self._close)
        self._limiters.extend(Limiter(launcher) for _ in range(n_workers))

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once: one for each worker."""
        return len(self._limiters)

    @property
    def promises(self) -> Promises:
        """What it can promise: everything, but a memory limit only where the system keeps one."""
        return Promises(
            time_limit=True, memory_limit=can_limit_memory(), cancel=True, isolation=True
        )

    def submit(self, task: Task, candidate: Any = None, *, seconds: float | None = None) -> None:
        """Begin a task; there must be a free slot."""
        if not self._close.alive:
            raise CurvewiseError("The executor is closed.")
        message = pickled(task, candidate)
        if isinstance(message, Failure):
            self._early.append(message)
            return
        limiter = next((limiter for limiter in self._limiters if limiter.idle), None)
        if limiter is None:
            raise CurvewiseError(f"All {self.n_slots} workers are busy: wait for outcomes first.")
        limiter.begin(message, seconds=seconds)
        self._running[task] = limiter

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Wait until a task has finished; give the outcomes of all that have."""
        give_up = math.inf if timeout is None else monotonic() + timeout
        while True:
            outcomes = self._collect()
            if outcomes or not self._running or monotonic() >= give_up:
                return outcomes
            wait_for_news(self._running.values(), until=give_up)

    def cancel(self, task: Task) -> None:
        """End a task that no longer matters; it gives no outcome."""
        self._early = [outcome for outcome in self._early if outcome.task != task]
        limiter = self._running.pop(task, None)
        if limiter is not None:
            limiter.cancel()

    def close(self) -> None:
        """End everything that is under way and leave nothing behind."""
        self._running.clear()
        self._early.clear()
        self._close()
        atexit.unregister(self._close)

    def _collect(self) -> list[Outcome]:
        """Take the outcomes of tasks that have finished, or that have run out of time."""
        outcomes, self._early = self._early, []
        for task, limiter in list(self._running.items()):
            answer = limiter.poll()
            if answer is not None:
                del self._running[task]
                outcomes.append(answer.outcome(task))
        return outcomes

    def __enter__(self) -> ProcessExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _close(limiters: list[Limiter], launcher: Launcher) -> None:
    for limiter in limiters:
        limiter.kill()
    for limiter in limiters:
        limiter.close()
    launcher.close()
