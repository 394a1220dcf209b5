"""Choose how workers are started."""

from __future__ import annotations

import os
import sys

from curvewise.errors import InvalidParameterError
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.spawned_worker import Spawning
from curvewise.executors._workers.worker_process import Launcher


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
        return Spawning(evaluate, memory_limit)
    if os.name != "posix":
        raise InvalidParameterError(
            f"start_method='forkserver' is not possible on {sys.platform}: use 'spawn'."
        )
    from curvewise.executors._workers.fork_server_client import Forking

    return Forking(evaluate, memory_limit)


def can_limit_memory() -> bool:
    """Whether this system can hold a process to a number of bytes."""
    return sys.platform == "linux"
