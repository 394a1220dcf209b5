"""How worker processes are started, and what their owner needs to know of them in either way.

A fork server starts a worker in milliseconds (`fork_server`). Where forking is not possible, a
fresh interpreter for every worker takes about a second. As the standard library does it, it runs
the user's script again, which needs ``if __name__ == "__main__":``. Two promises are weaker then: a
program that is killed leaves its temporary file, and a learner that crashes leaves those of its
children that had opened a session of their own.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from multiprocessing import get_context, parent_process
from multiprocessing.context import SpawnProcess
from pathlib import Path
from time import monotonic
from typing import Protocol, cast, get_args

from curvewise._temporary import explaining_the_disk, temporary_folder
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.memory import can_limit_memory
from curvewise.executors._workers.pickles import pack
from curvewise.executors._workers.process_tree import end_children, end_process, end_session, wake
from curvewise.executors._workers.worker_loop import (
    ONE_THREAD,
    Fresh,
    WorkerTerms,
    load_and_serve,
    silence,
)

FRESH = get_args(Fresh)
LOAD_SECONDS = 600.0
JOIN_SECONDS = 1.0


class WorkerProcess(Protocol):
    """A worker process: whether it is alive, and the means to end it. Nothing here waits for it."""

    @property
    def waitable(self) -> int:
        """A descriptor that is ready to be read when there is news; -1 for none."""

    @property
    def pid(self) -> int | None:
        """Its process id; None if it is not known yet."""

    @property
    def ended(self) -> bool:
        """Whether the worker has ended, with all that it started."""

    @property
    def exitcode(self) -> int:
        """How the worker ended."""

    @property
    def most_bytes(self) -> int | None:
        """The memory that the worker held at the most; None if nobody knows."""

    @property
    def orphaned(self) -> str:
        """What happened to the fork server, if the worker has ended on its account."""

    @property
    def deadline(self) -> float:
        """When its process id has to be known, on the monotonic clock."""

    def end(self) -> None:
        """End the worker and all that it started; any thread may ask for it."""

    def wake(self) -> None:
        """Let the worker, and whoever starts it, go on if they are stopped."""

    def give_up(self) -> None:
        """End whoever should have started the worker and did not."""

    def close(self) -> None:
        """Hear no more of it."""


class Launcher(Protocol):
    """Starts workers that share one evaluation."""

    def start(self, connection: socket.socket) -> WorkerProcess:
        """Start a worker that serves this end of a socket."""

    def import_modules(self, names: Sequence[str]) -> None:
        """Let the workers to come have modules, where that is possible."""

    def apart(self) -> Launcher:
        """Give a launcher that shares no process with this one."""

    def end(self) -> None:
        """End what starts workers, with all that is below it."""

    def close(self) -> None:
        """End it, and leave no file behind."""


def make_launcher(
    evaluate: Evaluate,
    *,
    memory_limit: int | None,
    start_method: str | None,
    fresh_workers: str | None = None,
) -> Launcher:
    """Get ready to start workers."""
    check_fresh_workers(fresh_workers)
    if start_method not in (None, "forkserver", "spawn"):
        raise InvalidParameterError(
            f"start_method must be 'forkserver', 'spawn' or None, got {start_method!r}."
        )
    if memory_limit is not None:
        if memory_limit < 1:
            raise InvalidParameterError(
                f"memory_limit must be at least 1 byte, got {memory_limit}."
            )
        if not can_limit_memory():
            raise InvalidParameterError(
                f"memory_limit can only be kept on Linux, not on {sys.platform}; pass None."
            )
    if start_method is None:
        start_method = "forkserver" if sys.platform == "linux" else "spawn"
    if fresh_workers is None:
        # A new interpreter takes a second, a fork milliseconds.
        fresh_workers = "never" if start_method == "spawn" else "unknown"
    terms = WorkerTerms(memory_limit, cast("Fresh", fresh_workers))
    if start_method == "spawn":
        return SpawnLauncher(evaluate, terms)
    if os.name != "posix":
        raise InvalidParameterError(
            f"start_method='forkserver' is not possible on {sys.platform}: use 'spawn'."
        )
    from curvewise.executors._workers.fork_server_client import ForkServerLauncher

    return ForkServerLauncher.of(evaluate, terms)


def check_fresh_workers(fresh_workers: object) -> None:
    """Refuse what says nothing about when workers are replaced."""
    if fresh_workers not in (None, *FRESH):
        raise InvalidParameterError(
            f"fresh_workers must be 'unknown', 'always', 'never' or None, got {fresh_workers!r}."
        )


class SpawnLauncher:
    """Starts workers that load the evaluation from a temporary file."""

    def __init__(self, evaluate: Evaluate, terms: WorkerTerms) -> None:
        self._terms = terms
        self._closed = False
        self._files = ExitStack()
        self._path = self._files.enter_context(temporary_folder()) / "evaluation"
        try:
            with explaining_the_disk(), self._path.open("wb") as file:
                pack(evaluate, file)
        except BaseException:
            self.close()
            raise

    def start(self, connection: socket.socket) -> SpawnedWorker:
        """Start a worker that serves this end of a socket."""
        if self._closed:
            raise CurvewiseError("The executor is closed.")
        process = get_context("spawn").Process(
            target=work, args=(connection, self._path, self._terms), name="curvewise"
        )
        process.start()
        return SpawnedWorker(process)

    def import_modules(self, names: Sequence[str]) -> None:
        """Do nothing: each worker starts from nothing."""

    def apart(self) -> SpawnLauncher:
        """Give this one: its workers share no process."""
        return self

    def end(self) -> None:
        """Do nothing: there are only workers, whose owner ends them."""

    def close(self) -> None:
        """Remove the file; the owner of the workers has ended them."""
        self._closed = True
        self._files.close()


class SpawnedWorker:
    """A worker that is a child of this process."""

    orphaned = ""
    exitcode = 0
    most_bytes = None

    def __init__(self, process: SpawnProcess) -> None:
        self.waitable = process.sentinel
        # It starts Python and loads the data, which may come from a slow disk.
        self.deadline = monotonic() + LOAD_SECONDS
        self._process = process
        self._lock = threading.Lock()
        self._ended = False

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether the worker has ended, with all that it started."""
        with self._lock:
            if not self._ended and self._process.exitcode is not None:
                self._ended = True
                self.exitcode = self._process.exitcode
                if self._process.pid is not None:
                    end_session(self._process.pid)
            return self._ended

    def end(self) -> None:
        """End the worker and all that it started."""
        with self._lock:
            if self._process.exitcode is None and self._process.pid is not None:
                end_process(self._process.pid)
                # It has ended by now, and is not to stay as a zombie.
                self._process.join(JOIN_SECONDS)

    def wake(self) -> None:
        """Let it go on if it is stopped."""
        if self._process.pid is not None:
            wake(self._process.pid)

    def give_up(self) -> None:
        """Do nothing: nobody stands between."""

    def close(self) -> None:
        """Do nothing: the standard library looks after it."""


def work(connection: socket.socket, path: Path, terms: WorkerTerms) -> None:
    """Be a worker: the first thing that a new interpreter runs."""
    os.environ.update(ONE_THREAD)
    silence()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with path.open("rb") as shared:
        load_and_serve(connection, shared.fileno(), terms)


def _leave_with_parent() -> None:
    """End this process and its children when the program that started it has ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        end_children()
        os._exit(1)
