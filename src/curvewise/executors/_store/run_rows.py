"""The rows of one run, read and checked: what `StoredRun` and `LiveRun` are made of.

Each method reads one table of the store, and every value on its way
(`curvewise.executors._store.checked_values`). What the tables say of each other is checked here,
too: candidates are numbered in the order in which they came and so are decisions, outcomes and
decisions are about candidates that exist, and what has a result was decided.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from curvewise._sqlite import rows_of, snapshot
from curvewise._text import LONGEST_MESSAGE
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate, Failure, Outcome, Reason, Task
from curvewise.core._portfolio import Status
from curvewise.core._predictions import Predictions
from curvewise.errors import StoreError
from curvewise.executors._packed_rows import Array, from_bytes
from curvewise.executors._store.checked_values import (
    LARGEST_WHOLE,
    checked_rows,
    damaged,
    in_row,
    shown,
    table_of,
    text,
    whole,
)
from curvewise.executors._store.json_values import (
    decode_key,
    encode_key,
    from_column,
    from_json,
    named,
)
from curvewise.executors._store.records import OUTCOME_COLUMNS, outcome_of

T = TypeVar("T")

# Whatever a learner said, no more of it is read than is written. SQLite's substr stops at a zero
# byte, so that it gets only what is too long; a character takes up to four bytes.
MESSAGE = f"""
    CASE WHEN length(CAST(message AS BLOB)) > {4 * LONGEST_MESSAGE}
    THEN substr(message, 1, {LONGEST_MESSAGE}) ELSE message END AS message
"""
COLUMNS = ", ".join(MESSAGE if name == "message" else name for name in OUTCOME_COLUMNS)
OUTCOMES = f"""
    SELECT id, candidate, anchor, fold, attempt, limits, {COLUMNS} FROM outcomes
    WHERE run = :run ORDER BY id
"""
# Bytes that a task has left, by their column.
KEPT_BYTES = """
    SELECT outcomes.id, {0} FROM outcomes JOIN candidates
    ON outcomes.run = candidates.run AND outcomes.candidate = candidates.position
    WHERE outcomes.run = :run AND key = :key AND anchor = :anchor AND fold = :fold
    AND {0} IS NOT NULL
"""
HAS_ROW_LOSSES = """
    SELECT 1 FROM outcomes WHERE run = :run AND row_losses IS NOT NULL LIMIT 1
"""
DECISIONS = """
    SELECT sequence, sequence, candidate, kind, evidence FROM decisions
    WHERE run = :run ORDER BY sequence
"""
LAST_DECISIONS = """
    SELECT candidate, max(sequence) AS sequence FROM decisions WHERE run = :run GROUP BY candidate
"""
CANDIDATES = """
    SELECT position, position, key, description, parameters FROM candidates
    WHERE run = :run ORDER BY position
"""
RESULTS = """
    SELECT sequence, sequence, candidate, status, loss, low, high FROM results
    WHERE run = :run ORDER BY sequence
"""
# A NaN among the seconds is text, which counts as 0 in a sum.
SPENT = """
    SELECT candidate, sum(kind = 'observation'), sum(kind = 'failure'), total(seconds)
    FROM outcomes WHERE run = :run GROUP BY candidate
"""
NOTES = "SELECT key, key, value FROM notes WHERE run = :run ORDER BY key"
# A task that ended so may have been carried out again.
TRIED_AGAIN = (Reason.LOST, Reason.CANCELLED, Reason.TIMEOUT, Reason.MEMORY)


class CandidateRow(NamedTuple):
    """What a store says about a candidate; its parameters as JSON."""

    position: int
    key: str
    description: str = ""
    parameters: str | None = None

    def made_of(self) -> dict[str, Any] | None:
        """Give the parameters by name; None if nobody said them."""
        if self.parameters is None:
            return None
        try:
            return table_of("parameters", from_json(self.parameters))
        except StoreError as error:
            raise in_row("candidates", self.position, error) from None


class StoredOutcome(NamedTuple):
    """An outcome, the number of its attempt, and the limits that it was held to."""

    outcome: Outcome
    attempt: int
    limits: Mapping[str, Any] | None


class RunRows:
    """The rows of one run."""

    def __init__(self, connection: sqlite3.Connection, path: Path, run_id: int) -> None:
        self._connection = connection
        self._path = path
        self._run_id = run_id

    def candidates(self) -> dict[Candidate, CandidateRow]:
        """Give the candidates by key, in the order in which they came."""
        found: dict[Candidate, CandidateRow] = {}

        def read(position: Any, key: Any, description: Any, parameters: Any) -> None:
            if whole("position", position) != len(found):
                raise damaged(f"the candidate before it should be number {len(found)}.")
            candidate = decode_key(key)
            if candidate in found:
                raise damaged(f"the candidate {shown(candidate)} is there twice.")
            row = CandidateRow(position, key, text("description", description), parameters)
            found[candidate] = row

        self._read("candidates", CANDIDATES, read)
        return found

    def outcomes(self, keys: list[Candidate]) -> list[StoredOutcome]:
        """Give the outcomes, as they came back."""
        finished: set[Task] = set()

        def read(
            position: Any, anchor: Any, fold: Any, attempt: Any, limits: Any, *row: Any
        ) -> StoredOutcome:
            place = whole("anchor", anchor, at_least=1), whole("fold", fold)
            task = Task(candidate_at(keys, position), *place)
            outcome = outcome_of(task, row)
            if task in finished:
                raise damaged("the evaluation had ended before.")
            if not (isinstance(outcome, Failure) and outcome.reason in TRIED_AGAIN):
                finished.add(task)
            held_to = None if limits is None else table_of("limits", from_json(limits))
            return StoredOutcome(outcome, whole("attempt", attempt, at_least=1), held_to)

        return self._read("outcomes", OUTCOMES, read)

    def decisions(self, read: Callable[..., T]) -> list[T]:
        """Read the decisions, which are numbered from 0 on."""
        n_read = 0

        def numbered(sequence: Any, *rest: Any) -> T:
            nonlocal n_read
            if sequence != n_read:
                raise damaged(f"the decision before it should be number {n_read}, and is missing.")
            n_read += 1
            return read(*rest)

        return self._read("decisions", DECISIONS, numbered)

    def ended(self, n_candidates: int) -> dict[int, tuple[Status, float, Interval]]:
        """Say how candidates ended, by position.

        A result counts if its decision is the candidate's last one: a revived candidate has none.
        """
        last = dict(self._all(LAST_DECISIONS))
        found = {}

        def read(sequence: Any, position: Any, status: Any, loss: Any, low: Any, high: Any) -> None:
            if position not in last or whole("candidate", position) >= n_candidates:
                raise damaged(f"nothing was decided about a candidate {shown(position)}.")
            ended = named(Status, status)
            interval = Interval(from_column(low), from_column(high))
            if last[position] == sequence:
                found[position] = (ended, from_column(loss), interval)

        self._read("results", RESULTS, read)
        return found

    def notes(self) -> dict[str, Any]:
        """Give the notes by key."""
        read = self._read("notes", NOTES, lambda key, value: (text("key", key), from_json(value)))
        return dict(read)

    def predictions(self, task: Task) -> Predictions | None:
        """Give what a task has predicted; None if that was not kept."""
        return self._kept("predictions", task, Predictions.from_bytes)

    def row_losses(self, task: Task) -> Array | None:
        """Give what test rows lost; None if that was not kept."""
        return self._kept("row_losses", task, from_bytes)

    def has_row_losses(self) -> bool:
        """Whether losses of test rows were kept at all."""
        return bool(self._all(HAS_ROW_LOSSES))

    def _kept(self, column: str, task: Task, read: Callable[[bytes], T]) -> T | None:
        def checked(stored: Any) -> T:
            if not isinstance(stored, bytes):
                raise damaged(f"{column} are {shown(stored)}, and should be bytes.")
            return read(stored)

        key = encode_key(task.candidate)
        values = {"key": key, "anchor": task.anchor, "fold": task.fold}
        found = self._read("outcomes", KEPT_BYTES.format(column), checked, **values)
        return found[-1] if found else None

    def spent(self) -> dict[int, tuple[int, int, float]]:
        """Count observations, failures and seconds, by the position of the candidate."""
        return {position: (n, n_failed, sum_) for position, n, n_failed, sum_ in self._all(SPENT)}

    def row(self, columns: str) -> tuple[Any, ...]:
        if not 0 <= self._run_id <= LARGEST_WHOLE:
            raise StoreError(f"{self._path} has no run {self._run_id}.")
        rows = self._all(f"SELECT {columns} FROM runs WHERE id = :run")
        if not rows:
            raise StoreError(f"{self._path} has no run {self._run_id}.")
        return rows[0]

    def _read(self, table: str, query: str, read: Callable[..., T], **values: Any) -> list[T]:
        """Read rows of a table, whose first column says which row it is."""
        with snapshot(self._connection, self._path):
            rows = rows_of(self._connection, query, {"run": self._run_id, **values})
            return checked_rows(table, rows, read)

    def _all(self, query: str) -> list[tuple[Any, ...]]:
        with snapshot(self._connection, self._path):
            return list(rows_of(self._connection, query, {"run": self._run_id}))


def candidate_at(keys: list[Candidate], position: Any) -> Candidate:
    """Give the candidate at a position."""
    place = whole("candidate", position)
    if place >= len(keys):
        raise damaged(f"there is no candidate {place}.")
    return keys[place]
