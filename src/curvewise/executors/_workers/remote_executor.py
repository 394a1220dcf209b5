"""What executors have in common whose tasks leave this process.

Tasks are pickled here: one that cannot be is a failure at once, and needs no worker. Whatever an
executor has started ends when it is closed, forgotten, or when the program ends; a fork of the
program, which has a copy of it, ends nothing. An interrupt tears no step apart: afterwards each
task is under way, and can be cancelled, or it is not.
"""

from __future__ import annotations

import atexit
import math
import os
import weakref
from collections.abc import Callable
from time import monotonic
from typing import Any, Self

from curvewise._interrupts import interrupts_wait
from curvewise.core._outcome import Failure, Outcome, Task
from curvewise.errors import CurvewiseError
from curvewise.executors._workers.channel import Order
from curvewise.executors._workers.pickles import Orders


class RemoteExecutor:
    """An executor that sends its tasks elsewhere; how is up to its subclasses."""

    def __init__(self, end: Callable[..., None], *resources: Any) -> None:
        self._under_way: set[Task] = set()
        self._orders_made = Orders()
        # Outcomes of tasks under way that no worker will answer.
        self._early: list[Outcome] = []
        # Not a method: what ends the resources must not keep the executor alive.
        self._end = weakref.finalize(self, _end_if_own, os.getpid(), end, resources)
        # Before multiprocessing's own exit handler, which would wait for workers.
        atexit.register(self._end)

    def submit(self, task: Task, candidate: object = None, *, seconds: float | None = None) -> None:
        """Begin a task; there must be a free slot. See `curvewise.executors.Executor`."""
        if not self._end.alive:
            raise CurvewiseError("The executor is closed.")
        order = self._orders_made.make(task, candidate)
        with interrupts_wait():
            if isinstance(order, Failure):
                self._early.append(order)
            else:
                self._send(task, order, seconds)
            self._under_way.add(task)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Wait until a task has finished; give the outcomes of all that have."""
        give_up = math.inf if timeout is None else monotonic() + timeout
        while self._under_way:
            with interrupts_wait():
                answered = self._take_answers()
                outcomes, self._early = [*self._early, *answered], []
                self._under_way.difference_update(outcome.task for outcome in outcomes)
            if outcomes or monotonic() >= give_up:
                return outcomes
            self._wait_for_news(until=give_up)
        return []

    def cancel(self, task: Task) -> None:
        """End a task that no longer matters; it gives no outcome."""
        if task in self._under_way:
            with interrupts_wait():
                self._under_way.discard(task)
                self._early = [outcome for outcome in self._early if outcome.task != task]
                self._recall(task)

    def close(self) -> None:
        """End everything that is under way and leave nothing behind."""
        self._under_way.clear()
        self._orders_made.clear()
        self._end()
        atexit.unregister(self._end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, task: Task, order: Order, seconds: float | None) -> None:
        """Send a pickled task to a worker."""
        raise NotImplementedError

    def _take_answers(self) -> list[Outcome]:
        """Take the outcomes of tasks that have finished, without waiting."""
        raise NotImplementedError

    def _wait_for_news(self, *, until: float) -> None:
        """Wait until there may be an answer, or until a time of the monotonic clock."""
        raise NotImplementedError

    def _recall(self, task: Task) -> None:
        """End a task; it may be one that could not be sent."""
        raise NotImplementedError


def _end_if_own(owner: int, end: Callable[..., None], resources: tuple[Any, ...]) -> None:
    """End what an executor has started, unless this is a fork of the process that did."""
    if os.getpid() == owner:
        end(*resources)
