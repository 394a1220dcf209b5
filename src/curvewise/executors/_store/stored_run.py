"""A run in a store, to be read: while it is being written, or long after.

Every value that is read is checked (`curvewise.executors._store.run_rows`).
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

from curvewise._sqlite import snapshot
from curvewise.core._decisions import Decision
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate, Outcome, Task
from curvewise.core._portfolio import Status
from curvewise.core._predictions import Predictions
from curvewise.core._ranks import best_of
from curvewise.core._scale import Scale
from curvewise.errors import StoreError
from curvewise.executors._store.checked_values import in_row, moment, text
from curvewise.executors._store.json_values import named
from curvewise.executors._store.records import decision_of
from curvewise.executors._store.run_rows import RunRows, candidate_at
from curvewise.executors._store.settings import Terms


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
    OUT_OF_TIME = "out of time"
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


class StoredRun:
    """One run of a store, to be read.

    Made by `RunStore.run` and `RunStore.begin`.

    Attributes
    ----------
    id, name
        Which run; the name is None unless it was given one.
    terms
        What it was begun with: settings, fingerprint of the data, schedule, folds, scale.

    Examples
    --------
    >>> import tempfile
    >>> import curvewise as cw
    >>> from curvewise.executors import RunStore
    >>> schedule = cw.Schedule((150,))
    >>> with tempfile.TemporaryDirectory() as folder, RunStore.create(f"{folder}/run.db") as store:
    ...     _ = store.begin({"cv": 5}, "150x4-9f86", schedule=schedule, n_folds=5)
    ...     store.run(1).terms.settings
    {'cv': 5}
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, run_id: int) -> None:
        self._connection = connection
        self._path = path
        self._rows = RunRows(connection, path, run_id)
        self.id = run_id
        row = self._rows.row("name, settings, fingerprint, schedule, n_folds, scale, n_rows")
        try:
            self.name: str | None = None if row[0] is None else text("name", row[0])
            self.terms = Terms.of_row(row[1:])
        except StoreError as error:
            raise in_row("runs", run_id, error) from None

    def outcomes(self) -> list[Outcome]:
        """What each evaluation gave, as it came back, the lost and cancelled attempts included."""
        with snapshot(self._connection, self._path):
            keys = list(self._rows.candidates())
            return [stored.outcome for stored in self._rows.outcomes(keys)]

    def predictions(self, task: Task) -> Predictions | None:
        """What a task has predicted for its test rows; None if that was not kept.

        Parameters
        ----------
        task
            Which one.
        """
        return self._rows.predictions(task)

    def decisions(self) -> list[tuple[Candidate, Decision]]:
        """Every decision, after the candidate it is about, in the order of carrying out."""
        with snapshot(self._connection, self._path):
            keys = list(self._rows.candidates())
            return self._rows.decisions(
                lambda position, kind, evidence: (
                    candidate_at(keys, position),
                    decision_of(kind, evidence),
                )
            )

    def notes(self) -> dict[str, Any]:
        """What was written down about the run for its readers.

        Returns
        -------
        dict
            By key, such as ``"versions"``: numbers, text, lists and dictionaries.
        """
        return self._rows.notes()

    def results(self) -> list[StoredResult]:
        """What came of each candidate so far, in the order in which they came."""
        with snapshot(self._connection, self._path):
            candidates = self._rows.candidates()
            ended, spent = self._rows.ended(len(candidates)), self._rows.spent()
        return [
            StoredResult(
                key,
                row.description,
                row.made_of(),
                *ended.get(row.position, NOT_ENDED),
                *spent.get(row.position, (0, 0, 0.0)),
            )
            for key, row in candidates.items()
        ]

    def summary(self) -> RunSummary:
        """The run in one line: where it stands, how its candidates ended, which is the best."""
        with snapshot(self._connection, self._path):
            status, created, updated = self._state()
            results = self.results()
        return summary_of(
            results, self.terms, self.id, self.name, status=status, created=created, updated=updated
        )

    def _state(self) -> tuple[RunStatus, datetime, datetime]:
        status, created, updated = self._rows.row("status, created, updated")
        try:
            return (
                named(RunStatus, status),
                moment("created", created),
                moment("updated", updated),
            )
        except StoreError as error:
            raise in_row("runs", self.id, error) from None


NOT_ENDED = (Status.RUNNING, float("nan"), Interval(-float("inf"), float("inf")))


def summary_of(
    results: Sequence[StoredResult],
    terms: Terms,
    number: int,
    name: str | None,
    *,
    status: RunStatus,
    created: datetime,
    updated: datetime,
) -> RunSummary:
    """Put a run into one line, from what came of its candidates."""
    n = Counter(result.status for result in results)
    best = best_of(results, partial_results=terms.partial_results)
    return RunSummary(
        id=number,
        name=name,
        status=status,
        created=created,
        updated=updated,
        n_candidates=len(results),
        n_completed=n[Status.COMPLETED],
        n_pruned=n[Status.PRUNED],
        n_stopped=n[Status.STOPPED],
        n_failed=n[Status.FAILED],
        n_observations=sum(result.n_observations for result in results),
        n_failures=sum(result.n_failures for result in results),
        seconds=math.fsum(result.seconds for result in results),
        best=None if best is None else best.candidate,
        best_loss=math.nan if best is None else best.loss,
        scale=terms.scale,
    )
