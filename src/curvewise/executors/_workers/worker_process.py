"""What an executor needs to know about a worker process, however it was started."""

from __future__ import annotations

from multiprocessing.connection import Connection
from typing import Any, Protocol


class Life(Protocol):
    """Whether a worker is alive, and the means to end it."""

    @property
    def waitable(self) -> Any:
        """What `multiprocessing.connection.wait` takes; it is ready when the worker has ended."""

    def exitcode(self) -> int | None:
        """How the worker ended, with all that it started; None while it is alive."""

    def end(self) -> None:
        """End the worker and all that it started; any thread may ask for it."""


class Launcher(Protocol):
    """Starts workers that share one evaluation."""

    def start(self, connection: Connection) -> Life:
        """Start a worker that serves this end of a pipe."""

    def close(self) -> None:
        """End what starts workers, and leave no file behind."""
