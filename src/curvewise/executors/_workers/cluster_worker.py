"""What stands in a worker of a cluster: the evaluation, with limited worker processes of its own.

A cluster's worker cannot stop a task that runs in one of its threads, and a learner that crashes
would take it down. So a thread only waits for a `SupervisedWorker`, whose process does the work.

A `ClusterWorker` is data of the cluster. It ends with its processes when the cluster forgets the
data: when the executor is closed, and also when the program that had sent it was killed. If the
cluster moves it, or stores it away for lack of memory, it opens anew when the next task arrives.
"""

from __future__ import annotations

import copy
import os
import threading
import uuid
import weakref
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from curvewise.core._outcome import Reason
from curvewise.errors import CurvewiseError
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.channel import Order
from curvewise.executors._workers.pickles import Answer
from curvewise.executors._workers.shelf import Shelf
from curvewise.executors._workers.start_method import Launcher, make_launcher
from curvewise.executors._workers.supervised_worker import SupervisedWorker
from curvewise.executors._workers.unnamed_file import UnnamedFile

# Which process this is: another one at the same address is not the one that was asked.
IDENTITY = uuid.uuid4().hex


class ClusterWorker:
    """Carries out tasks in a cluster's worker, as many at once as that has threads."""

    def __init__(
        self,
        name: str,
        evaluate: Evaluate,
        memory_limit: int | None,
        fresh_workers: str | None = None,
    ) -> None:
        self._made_from = (name, evaluate, memory_limit, fresh_workers)
        self._lock = threading.Lock()
        self._pool: WorkerPool | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return ClusterWorker, self._made_from

    def open(self) -> WorkerPool:
        """Start what starts processes, unless that has been done."""
        with self._lock:
            if self._pool is None:
                name, evaluate, memory_limit, fresh_workers = self._made_from
                # Dask's workers are daemons, which may not spawn as the standard library does.
                method = "forkserver" if os.name == "posix" else None
                launcher = make_launcher(
                    evaluate,
                    memory_limit=memory_limit,
                    start_method=method,
                    fresh_workers=fresh_workers,
                )
                self._pool = WorkerPool(launcher, memory_limit)
                POOLS[name] = self._pool
                weakref.finalize(self, self._pool.close)
            return self._pool


class WorkerPool:
    """The worker processes in one worker of a cluster."""

    def __init__(self, launcher: Launcher, memory_limit: int | None) -> None:
        self._launcher = launcher
        self._memory_limit = memory_limit
        self._files: Shelf[UnnamedFile] = Shelf()
        self._lock = threading.Lock()
        self._idle: list[SupervisedWorker] = []
        self._busy: dict[str, SupervisedWorker] = {}
        self._cancelled: set[str] = set()
        self._closed = threading.Event()

    def order_of(self, task: bytes, name: str, candidate: bytes) -> Order:
        """Make an order; a candidate that has a name is large, and written to a file once."""
        if not name:
            return Order(task, candidate)
        with self._lock:
            file = self._files.get(name)
            if file is None:
                file = UnnamedFile(candidate)
                self._files.put(name, file, n_bytes=len(candidate))
            return Order(task, file=file)

    def carry_out(
        self, key: str, order: Order, seconds: float | None, *, wanted: Callable[[], bool]
    ) -> Answer:
        """Carry out a task with a worker that is idle, or else with a new one."""
        with self._lock:
            if self._closed.is_set() or key in self._cancelled:
                return Answer(Reason.CANCELLED)
            worker = self._idle.pop() if self._idle else self._new_worker()
            self._busy[key] = worker
        answer = None
        try:
            wants = partial(self._wants, key, wanted)
            answer = worker.run(order, seconds=seconds, wanted=wants)
        except CurvewiseError:
            if not self._closed.is_set():
                raise
        finally:
            with self._lock:
                del self._busy[key]
                if answer is not None and not self._closed.is_set():
                    self._idle.append(worker)
                else:
                    worker.close()
        return answer or Answer(Reason.CANCELLED)

    def _new_worker(self) -> SupervisedWorker:
        return SupervisedWorker(self._launcher, memory_limit=self._memory_limit)

    def _wants(self, key: str, wanted: Callable[[], bool]) -> bool:
        return not self._closed.is_set() and key not in self._cancelled and wanted()

    def cancel(self, key: str) -> None:
        """End a task that runs, or will arrive."""
        with self._lock:
            self._cancelled.add(key)
            if key in self._busy:
                self._busy[key].kill()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed.set()
            # Who is busy is closed by the thread that waits for it.
            for worker in self._busy.values():
                worker.kill()
            while self._idle:
                self._idle.pop().close()
            self._launcher.close()


POOLS: weakref.WeakValueDictionary[str, WorkerPool] = weakref.WeakValueDictionary()


def identify() -> str:
    """Tell which process this is."""
    return IDENTITY


def open_here(sent: ClusterWorker) -> ClusterWorker:
    """Open a copy, which belongs to this process, of what was sent."""
    opened = copy.copy(sent)
    opened.open()
    return opened


def carry_out(
    worker: ClusterWorker,
    identity: str,
    key: str,
    task: bytes,
    name: str,
    candidate: bytes,
    seconds: float | None,
) -> tuple[str, Answer | None]:
    """Carry out a task, unless the process that was asked is gone: nothing runs twice unasked.

    A candidate that has a name is large, and is here already.
    """
    if identity != IDENTITY:
        return IDENTITY, None
    pool = worker.open()
    order = pool.order_of(task, name, candidate)
    return IDENTITY, pool.carry_out(key, order, seconds, wanted=partial(is_wanted, key))


def is_wanted(key: str) -> bool:
    """Whether the cluster still waits for a task; not if the program that had asked is gone."""
    distributed = import_module("distributed")
    task = distributed.get_worker().state.tasks.get(key)
    return task is not None and task.state != "cancelled"


def cancel(name: str, key: str) -> None:
    """End a task of one executor in this process."""
    if pool := POOLS.get(name):
        pool.cancel(key)


def close(name: str) -> None:
    """End the worker processes of one executor in this process."""
    if pool := POOLS.get(name):
        pool.close()
