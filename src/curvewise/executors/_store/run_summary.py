"""A stored run at a glance: what came of each candidate, and of the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate
from curvewise.core._portfolio import Status
from curvewise.core._scale import Scale


class RunStatus(Enum):
    """Where a run stands; one that was killed still says RUNNING.

    Examples
    --------
    >>> from curvewise.executors import RunStatus
    >>> RunStatus("finished")
    <RunStatus.FINISHED: 'finished'>
    """

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class StoredResult:
    """What came of one candidate.

    Parameters
    ----------
    candidate
        Which one.
    description, parameters
        What the user was told about it; empty and None if nothing was.
    status
        RUNNING until a decision has ended it.
    loss
        As in a `curvewise.ValidationResult`: NaN unless COMPLETED or STOPPED.
    interval
        The 95% interval of the mean loss at the target.
    n_observations, n_failures
        How many of its evaluations gave a loss, and how many attempts did not.
    seconds
        What they took together.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.executors import StoredResult
    >>> unknown = cw.Interval(-float("inf"), float("inf"))
    >>> StoredResult("svc", "", None, cw.Status.PRUNED, float("nan"), unknown, 1, 0, 0.5).status
    <Status.PRUNED: 'pruned'>
    """

    candidate: Candidate
    description: str
    parameters: Mapping[str, Any] | None
    status: Status
    loss: float
    interval: Interval
    n_observations: int
    n_failures: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in one line.

    Parameters
    ----------
    id, name
        Which one; the name is None unless it was given one.
    status
        Where it stands.
    created, updated
        When it was begun, and when something was last recorded (UTC).
    n_candidates
        How many candidates have come so far.
    n_completed, n_pruned, n_stopped, n_failed
        How many of them ended in which way; the others are running.
    n_observations, n_failures
        How many evaluations gave a loss, and how many attempts did not.
    seconds
        What the evaluations took together.
    best
        The candidate with the smallest loss: a completed one if there is any, else a stopped one.
    best_loss
        Its loss, NaN if there is none.
    scale
        How losses read as scores.

    Examples
    --------
    >>> import tempfile
    >>> import curvewise as cw
    >>> from curvewise.executors import RunStore
    >>> schedule = cw.Schedule((150,))
    >>> with tempfile.TemporaryDirectory() as folder, RunStore.create(f"{folder}/run.db") as store:
    ...     _ = store.begin({}, "150x4-9f86", schedule=schedule, n_folds=5, name="iris")
    ...     [(run.id, run.name, run.status.value, run.n_candidates) for run in store.runs()]
    [(1, 'iris', 'running', 0)]
    """

    id: int
    name: str | None
    status: RunStatus
    created: datetime
    updated: datetime
    n_candidates: int
    n_completed: int
    n_pruned: int
    n_stopped: int
    n_failed: int
    n_observations: int
    n_failures: int
    seconds: float
    best: Candidate | None
    best_loss: float
    scale: Scale

    @property
    def best_score(self) -> float:
        """The best loss as the score that the user knows."""
        return self.scale.score(self.best_loss)
