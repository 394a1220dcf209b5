"""What an executor is: the place where tasks are carried out.

An executor knows nothing about policies; the loop (`curvewise.executors.loop`) connects it to a
search.
"""

from __future__ import annotations

from typing import Protocol

from curvewise.core.outcome import Outcome, Task


class Executor(Protocol):
    """Carries out tasks, several at a time."""

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once."""

    def submit(self, task: Task) -> None:
        """Begin a task; there must be a free slot."""

    def wait(self) -> list[Outcome]:
        """Wait until at least one task has finished; give the outcomes of those that have."""

    def cancel(self, task: Task) -> None:
        """End a task that no longer matters; it gives no outcome."""
