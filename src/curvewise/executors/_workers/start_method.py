"""How worker processes are started, and what their owner needs to know of them in either way."""

from __future__ import annotations

import os
import sys
from multiprocessing.connection import Connection
from typing import Any, Protocol

from curvewise.errors import InvalidParameterError
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.spawned_worker import SpawnLauncher


class WorkerProcess(Protocol):
    """A worker process: whether it is alive, and the means to end it."""

    @property
    def waitable(self) -> Any:
        """What `multiprocessing.connection.wait` takes; it is ready when the worker has ended."""

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
