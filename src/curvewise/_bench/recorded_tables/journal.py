"""What has been recorded so far: an SQLite file beside the recording that it becomes.

::

    meta        what the file is, and the identity of the recording as JSON
    candidates  by name, with what they are made of, in the order in which they came
    cells       one row per candidate, anchor and fold: what came of it

An evaluation is safe once `Journal.add` has returned, whenever the process is killed. When all are
there, `curvewise._bench.recorded_tables.recording_file` writes them as one Parquet file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from curvewise._sqlite import FileKind, explained, open_to_write, transaction
from curvewise._text import LONGEST_VALUE, cut
from curvewise.core._outcome import Failure, Outcome, Reason, Task
from curvewise.errors import StoreError
from curvewise.executors._packed_rows import pack
from curvewise.executors._recorded_file import OK

ENDING = ".unfinished"
TABLES = (
    """
    CREATE TABLE candidates (
        place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, configuration TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE cells (
        learner TEXT NOT NULL REFERENCES candidates (name),
        anchor INTEGER NOT NULL,
        fold INTEGER NOT NULL,
        status TEXT NOT NULL,
        message TEXT NOT NULL,
        n_valid INTEGER NOT NULL,
        loss REAL,
        test_loss REAL,
        noise REAL,
        seconds REAL NOT NULL,
        fit_seconds REAL,
        score_seconds REAL,
        row_losses BLOB,
        PRIMARY KEY (learner, anchor, fold)
    )
    """,
)
KIND = FileKind(
    name="an unfinished recording",
    when_empty="nothing was recorded in it yet",
    application_id=0x43575245,
    schema_version=2,
    tables=TABLES,
)


class RecordedCell(NamedTuple):
    """One evaluation as it is recorded; what it lacks is None."""

    learner: str
    anchor: int
    fold: int
    status: str
    message: str
    n_valid: int
    loss: float | None
    test_loss: float | None
    noise: float | None
    seconds: float
    fit_seconds: float | None
    score_seconds: float | None
    row_losses: bytes | None

    @property
    def task(self) -> Task:
        """Which evaluation it was."""
        return Task(self.learner, self.anchor, self.fold)

    @classmethod
    def of(cls, outcome: Outcome, *, n_test: int, packing: str) -> RecordedCell:
        """Take down what a task gave; rows beyond ``n_test`` are those that no policy sees."""
        if isinstance(outcome, Failure):
            return cls._failed(outcome, n_test)
        rows = outcome.row_losses
        loss, test_loss, noise = outcome.loss, None, outcome.noise
        n_rows = outcome.n_test or n_test
        if n_rows > n_test:
            if rows is None or len(rows) != n_rows:
                message = "what each test row loses is not known"
                failure = Failure(outcome.task, Reason.ERROR, message, outcome.seconds)
                return cls._failed(failure, n_test)
            rows, aside = rows[:n_test], rows[n_test:]
            loss, test_loss = (float(part.mean(dtype=np.float64)) for part in (rows, aside))
            noise = (
                None if noise is None else float(np.var(rows, ddof=1, dtype=np.float64)) / n_test
            )
        packed = None if rows is None or len(rows) != n_test else pack(rows, packing)
        # Rows that are set aside are predicted besides: what that took is taken off.
        extra = (outcome.score_seconds or 0.0) * (1 - n_test / n_rows)
        score_seconds = None if outcome.score_seconds is None else outcome.score_seconds - extra
        times = (outcome.seconds - extra, outcome.fit_seconds, score_seconds)
        where = (str(outcome.task.candidate), outcome.task.anchor, outcome.task.fold)
        return cls(*where, OK, "", n_test, loss, test_loss, noise, *times, packed)

    @classmethod
    def _failed(cls, failure: Failure, n_test: int) -> RecordedCell:
        learner, anchor, fold = failure.task
        what = (failure.reason.value, failure.headline, n_test)
        nothing = (None, None, None)
        return cls(str(learner), anchor, fold, *what, *nothing, failure.seconds, None, None, None)


INSERT_CELL = f"INSERT OR IGNORE INTO cells VALUES ({', '.join('?' * len(RecordedCell._fields))})"
SELECT_CELLS = f"""
    SELECT {", ".join(RecordedCell._fields)} FROM cells WHERE learner = ? ORDER BY anchor, fold
"""


class Journal:
    """An unfinished recording, open to be written; a context that closes it."""

    def __init__(self, recording: Path, identity: dict[str, Any]) -> None:
        self.path = recording.with_name(recording.name + ENDING)
        self.is_new = not self.path.exists()
        self._connection = open_to_write(self.path, KIND)
        try:
            self._check(json.dumps(identity, sort_keys=True))
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _check(self, identity: str) -> None:
        """Go on with the same recording only."""
        with transaction(self._connection, self.path):
            query = "SELECT value FROM meta WHERE key = 'identity'"
            known = self._connection.execute(query).fetchone()
            if known is None:
                insert = "INSERT INTO meta VALUES ('identity', ?)"
                self._connection.execute(insert, (identity,))
                return
        difference = first_difference(json.loads(known[0]), json.loads(identity))
        if difference is not None:
            raise StoreError(
                f"{self.path} was begun with another recording ({difference}): go on with the same "
                "settings, remove it, or name another file."
            )

    def introduce(self, configurations: Iterable[tuple[str, str]]) -> None:
        """Take down what candidates are made of; those that are there have to be the same."""
        with transaction(self._connection, self.path):
            for name, configuration in configurations:
                known = self._connection.execute(
                    "SELECT configuration FROM candidates WHERE name = ?", (name,)
                ).fetchone()
                if known is None:
                    insert = "INSERT INTO candidates (name, configuration) VALUES (?, ?)"
                    self._connection.execute(insert, (name, configuration))
                elif known[0] != configuration:
                    raise StoreError(
                        f"The candidate {name} of {self.path} is another one now: it was drawn "
                        "from another space, or by another curvewise. Name another file."
                    )

    def add(self, cells: Iterable[RecordedCell]) -> None:
        """Write evaluations down; those that are there stay as they are."""
        with transaction(self._connection, self.path):
            self._connection.executemany(INSERT_CELL, cells)

    def forget_failures(self) -> None:
        """Let evaluations that failed be made again."""
        with transaction(self._connection, self.path):
            self._connection.execute("DELETE FROM cells WHERE status != ?", (OK,))

    def statuses(self) -> dict[Task, str]:
        """Say how each evaluation ended that is there."""
        query = "SELECT learner, anchor, fold, status FROM cells"
        with explained(self.path):
            return {Task(*task): status for *task, status in self._connection.execute(query)}

    def limits_met(self) -> dict[str, tuple[Reason, float]]:
        """Give the candidates that met a limit: which, and after how many seconds."""
        met = (Reason.TIMEOUT, Reason.MEMORY)
        query = "SELECT learner, seconds FROM cells WHERE status = ? ORDER BY anchor DESC"
        with explained(self.path):
            return {
                name: (reason, seconds)
                for reason in met
                for name, seconds in self._connection.execute(query, (reason.value,))
            }

    def candidates(self) -> list[tuple[str, str]]:
        """List the candidates with what they are made of, in the order in which they came."""
        with explained(self.path):
            query = "SELECT name, configuration FROM candidates ORDER BY place"
            return self._connection.execute(query).fetchall()

    def cells(self, learner: str) -> Iterator[RecordedCell]:
        """Give what is there of a candidate."""
        with explained(self.path):
            yield from map(RecordedCell._make, self._connection.execute(SELECT_CELLS, (learner,)))

    def remove(self) -> None:
        """Close it, and remove its file."""
        self._connection.close()
        for name in ("", "-wal", "-shm"):
            with suppress(OSError):
                self.path.with_name(self.path.name + name).unlink(missing_ok=True)


def first_difference(before: dict[str, Any], now: dict[str, Any]) -> str | None:
    """Say in which setting two recordings differ; None if they are of the same kind."""
    for name in dict.fromkeys((*now, *before)):
        if before.get(name) != now.get(name):
            was, is_now = (cut(str(each.get(name)), LONGEST_VALUE) for each in (before, now))
            return f"{name} was {was} and is {is_now}"
    return None
