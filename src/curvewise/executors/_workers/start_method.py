"""How worker processes are started, and what their owner needs to know of them in either way.

A fork server starts a worker in milliseconds (`fork_server`). Where forking is not possible, a
fresh interpreter for every worker takes about a second. As the standard library does it, it runs
the user's script again, which needs ``if __name__ == "__main__":``. Two promises are weaker then: a
program that is killed leaves its temporary file, and a learner that crashes leaves those of its
children that had opened a session of their own.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Protocol

from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.pickles import pack
from curvewise.executors._workers.process_tree import end_children, end_process, end_session
from curvewise.executors._workers.worker_loop import ONE_THREAD, load_and_serve, silence


class WorkerProcess(Protocol):
    """A worker process: whether it is alive, and the means to end it."""

    # What `multiprocessing.connection.wait` takes; it is ready when the worker has ended.
    waitable: Any

    def exitcode(self) -> int | None:
        """How the worker ended, with all that it started; None while it is alive."""

    def end(self) -> None:
        """End the worker and all that it started; any thread may ask for it."""


class Launcher(Protocol):
    """Starts workers that share one evaluation."""

    def start(self, connection: Connection) -> WorkerProcess:
        """Start a worker that serves this end of a pipe."""

    def close(self) -> None:
        """End what starts workers, and leave no file behind."""


def make_launcher(
    evaluate: Evaluate, *, memory_limit: int | None, start_method: str | None
) -> Launcher:
    """Get ready to start workers."""
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
    if start_method == "spawn":
        return SpawnLauncher(evaluate, memory_limit)
    if os.name != "posix":
        raise InvalidParameterError(
            f"start_method='forkserver' is not possible on {sys.platform}: use 'spawn'."
        )
    from curvewise.executors._workers.fork_server_client import ForkServerLauncher

    return ForkServerLauncher(evaluate, memory_limit)


def can_limit_memory() -> bool:
    """Whether this system can hold a process to a number of bytes."""
    return sys.platform == "linux"


class SpawnLauncher:
    """Starts workers that load the evaluation from a temporary file."""

    def __init__(self, evaluate: Evaluate, memory_limit: int | None) -> None:
        self._memory_limit = memory_limit
        self._closed = False
        descriptor, path = tempfile.mkstemp(prefix="curvewise-")
        self._path = Path(path)
        try:
            with os.fdopen(descriptor, "wb") as file:
                pack(evaluate, file)
        except BaseException:
            self.close()
            raise

    def start(self, connection: Connection) -> SpawnedWorker:
        """Start a worker that serves this end of a pipe."""
        if self._closed:
            raise CurvewiseError("The executor is closed.")
        process = get_context("spawn").Process(
            target=work, args=(connection, self._path, self._memory_limit), name="curvewise"
        )
        process.start()
        return SpawnedWorker(process)

    def close(self) -> None:
        """Remove the file; the owner of the workers has ended them."""
        self._closed = True
        self._path.unlink(missing_ok=True)


class SpawnedWorker:
    """A worker that is a child of this process."""

    def __init__(self, process: SpawnProcess) -> None:
        self.waitable = process.sentinel
        self._process = process
        self._lock = threading.Lock()
        self._exitcode: int | None = None

    def exitcode(self) -> int | None:
        """How the worker ended; None while it is alive."""
        with self._lock:
            if self._exitcode is None and self._process.exitcode is not None:
                self._exitcode = self._process.exitcode
                if self._process.pid is not None:
                    end_session(self._process.pid)
            return self._exitcode

    def end(self) -> None:
        """End the worker and all that it started."""
        with self._lock:
            if self._process.exitcode is None and self._process.pid is not None:
                end_process(self._process.pid)


def work(connection: Connection, path: Path, memory_limit: int | None) -> None:
    """Be a worker: the first thing that a new interpreter runs."""
    os.environ.update(ONE_THREAD)
    silence()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with path.open("rb") as shared:
        load_and_serve(connection, shared.fileno(), memory_limit=memory_limit)


def _leave_with_parent() -> None:
    """End this process and its children when the program that started it has ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        end_children()
        os._exit(1)
