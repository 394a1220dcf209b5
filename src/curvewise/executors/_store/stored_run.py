"""A run in a store, to be read: while it is being written, or long after."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curvewise._sqlite import snapshot
from curvewise.core._decisions import Decision
from curvewise.core._intervals import UNKNOWN, Interval
from curvewise.core._outcome import Candidate, Outcome, Task
from curvewise.core._portfolio import Status
from curvewise.core._ranks import best_of
from curvewise.errors import StoreError
from curvewise.executors._store.json_values import decode_key, from_column, from_json, named
from curvewise.executors._store.records import OUTCOME_COLUMNS, decision_of, outcome_of
from curvewise.executors._store.run_schema import CURRENT_RESULTS
from curvewise.executors._store.run_summary import (
    RunStatus,
    RunSummary,
    StoredResult,
)
from curvewise.executors._store.settings import Terms

OUTCOMES = f"""
    SELECT candidate, anchor, fold, {", ".join(OUTCOME_COLUMNS)} FROM outcomes
    WHERE run = ? ORDER BY id
"""
# A NaN among the seconds is text, which counts as 0 in a sum.
SPENT = """
    SELECT candidate, sum(kind = 'observation'), sum(kind = 'failure'), total(seconds)
    FROM outcomes WHERE run = ? GROUP BY candidate
"""


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
        self.id = run_id
        row = self._row("name, settings, fingerprint, schedule, n_folds, scale, n_rows")
        self.name: str | None = row[0]
        self.terms = Terms.of_row(*row[1:])

    def outcomes(self) -> list[Outcome]:
        """Everything that came back, in that order, the lost and cancelled attempts included.

        Returns
        -------
        list of Outcome
            What each evaluation gave, or why it gave nothing.
        """
        with snapshot(self._connection, self._path):
            keys = self._keys()
            rows = self._all(OUTCOMES)
        return [
            outcome_of(Task(keys[position], anchor, fold), row)
            for position, anchor, fold, *row in rows
        ]

    def decisions(self) -> list[tuple[Candidate, Decision]]:
        """Every decision and the candidate it is about, in the order of carrying out.

        Returns
        -------
        list of (candidate, Decision)
            The decisions with their evidence.
        """
        query = "SELECT candidate, kind, evidence FROM decisions WHERE run = ? ORDER BY sequence"
        with snapshot(self._connection, self._path):
            keys = self._keys()
            rows = self._all(query)
        return [(keys[position], decision_of(*row)) for position, *row in rows]

    def notes(self) -> dict[str, Any]:
        """What was written down about the run for its readers.

        Returns
        -------
        dict
            By key, such as ``"versions"``: numbers, text, lists and dictionaries.
        """
        rows = self._all("SELECT key, value FROM notes WHERE run = ? ORDER BY key")
        return {key: from_json(value) for key, value in rows}

    def results(self) -> list[StoredResult]:
        """What came of each candidate so far.

        Returns
        -------
        list of StoredResult
            One for each candidate, in the order in which they came.
        """
        with snapshot(self._connection, self._path):
            ended = {position: rest for position, *rest in self._all(CURRENT_RESULTS)}
            spent = {position: rest for position, *rest in self._all(SPENT)}
            candidates = self._all(
                "SELECT position, key, description, parameters FROM candidates "
                "WHERE run = ? ORDER BY position"
            )
        running = (Status.RUNNING.value, "nan", *UNKNOWN)
        return [
            _result(candidate, ended.get(position, running), spent.get(position, (0, 0, 0.0)))
            for position, *candidate in candidates
        ]

    def summary(self) -> RunSummary:
        """The run in one line.

        Returns
        -------
        RunSummary
            Where it stands, how its candidates ended, and which is the best.
        """
        with snapshot(self._connection, self._path):
            status, created, updated = self._row("status, created, updated")
            results = self.results()
        n, best = Counter(result.status for result in results), best_of(results)
        return RunSummary(
            id=self.id,
            name=self.name,
            status=named(RunStatus, status),
            created=datetime.fromisoformat(created),
            updated=datetime.fromisoformat(updated),
            n_candidates=len(results),
            n_completed=n[Status.COMPLETED],
            n_pruned=n[Status.PRUNED],
            n_stopped=n[Status.STOPPED],
            n_failed=n[Status.FAILED],
            n_observations=sum(result.n_observations for result in results),
            n_failures=sum(result.n_failures for result in results),
            seconds=sum(result.seconds for result in results),
            best=None if best is None else best.candidate,
            best_loss=float("nan") if best is None else best.loss,
            scale=self.terms.scale,
        )

    def _keys(self) -> dict[int, Candidate]:
        rows = self._all("SELECT position, key FROM candidates WHERE run = ? ORDER BY position")
        return {position: decode_key(key) for position, key in rows}

    def _row(self, columns: str) -> tuple[Any, ...]:
        with snapshot(self._connection, self._path):
            rows = self._all(f"SELECT {columns} FROM runs WHERE id = ?")
        if not rows:
            raise StoreError(f"{self._path} has no run {self.id}.")
        return rows[0]

    def _all(self, query: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, (self.id,)).fetchall()


def _result(candidate: Sequence[Any], end: Sequence[Any], spent: Sequence[Any]) -> StoredResult:
    key, description, parameters = candidate
    status, loss, low, high = end
    n_observations, n_failures, seconds = spent
    return StoredResult(
        decode_key(key),
        description,
        None if parameters is None else from_json(parameters),
        named(Status, status),
        from_column(loss),
        Interval(from_column(low), from_column(high)),
        n_observations,
        n_failures,
        seconds,
    )


def timestamp(clock: Callable[[], float]) -> str:
    """Write the time of a clock that counts seconds since 1970 as UTC text."""
    return datetime.fromtimestamp(clock(), UTC).isoformat(timespec="milliseconds")
