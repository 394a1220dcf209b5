"""The run store: one SQLite file that holds one run or many, and survives whatever happens.

Three ways to open it:

``RunStore.open``    to write; a missing or empty file becomes a store
``RunStore.create``  to write; the file must not exist yet
``RunStore.read``    to read, also while another process writes

A run is resumed by beginning it again with the same settings and the same data.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from curvewise._sqlite import BUSY_SECONDS, open_to_read, open_to_write, snapshot, transaction
from curvewise._text import valid_text
from curvewise.core._outcome import UNCLEAR, Reason
from curvewise.core._portfolio import Status
from curvewise.core._scale import Scale
from curvewise.core._schedule import Schedule
from curvewise.errors import StoreError
from curvewise.executors._limits import Limits
from curvewise.executors._store.checked_values import in_row, table_of
from curvewise.executors._store.json_values import from_json, to_json
from curvewise.executors._store.kept_limits import HeldTo, are_larger, held_to
from curvewise.executors._store.live_run import LiveRun, timestamp
from curvewise.executors._store.run_schema import RUN_STORE
from curvewise.executors._store.settings import Terms
from curvewise.executors._store.stored_run import RunStatus, RunSummary, StoredRun

LAST_RUN = "SELECT id FROM runs ORDER BY id DESC LIMIT 1"
NAMED_RUN = "SELECT id FROM runs WHERE name = ?"
UNFINISHED_RUN = """
    SELECT id FROM runs WHERE name IS NULL AND status != ? ORDER BY id DESC LIMIT 1
"""
INSERT_RUN = """
    INSERT INTO runs (name, status, created, updated, writer,
                      limits, settings, fingerprint, schedule, n_folds, scale, n_rows)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
RESUME_RUN = "UPDATE runs SET status = ?, updated = ?, writer = ?, limits = ? WHERE id = ?"
TAKE_OVER = "UPDATE runs SET writer = ? WHERE id = ?"
STATE = "SELECT status, limits FROM runs WHERE id = ?"
ANY_STOPPED = "SELECT 1 FROM results WHERE run = ? AND status = ? LIMIT 1"
# Who has failed in another way as well would fail again.
ANY_UNCLEAR = """
    SELECT 1 FROM results JOIN outcomes USING (run, candidate)
    WHERE run = :run AND status = :failed AND reason = :lost AND message LIKE '%' || :unclear
      AND NOT EXISTS (
        SELECT 1 FROM outcomes AS others
        WHERE others.run = :run AND others.candidate = results.candidate
          AND others.reason = :error
      )
    LIMIT 1
"""
OF_UNCLEAR = {
    "failed": Status.FAILED.value,
    "lost": Reason.LOST.value,
    "error": Reason.ERROR.value,
    "unclear": UNCLEAR,
}


class RunStore:
    """A file of runs.

    Parameters
    ----------
    connection
        An open connection; use `open`, `create` or `read` to make it.
    path
        The file, for messages.
    clock
        Seconds since 1970, for the timestamps.

    Examples
    --------
    >>> import tempfile
    >>> import curvewise as cw
    >>> with tempfile.TemporaryDirectory() as folder, RunStore.open(f"{folder}/run.db") as store:
    ...     schedule = cw.Schedule((900,))
    ...     run = store.begin({"cv": 5}, "900x4-9f86", schedule=schedule, n_folds=5)
    ...     search = cw.Search(range(9), schedule=schedule, observer=run.decided)
    ...     while not search.done:
    ...         for task in search.ask():
    ...             outcome = run.known(task)
    ...             if outcome is None:
    ...                 outcome = cw.Observation(task, loss=task.candidate / 10)
    ...                 _ = run.record(outcome)
    ...             _ = search.tell(outcome)
    ...     run.finish()
    ...     summary = store.runs()[0]
    >>> summary.status.value, summary.best, summary.n_completed, summary.n_pruned
    ('finished', 0, 1, 8)
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._connection = connection
        self._clock = clock
        self.path = path

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        busy_seconds: float = BUSY_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> RunStore:
        """Open a store to write; a missing or empty file becomes one.

        Parameters
        ----------
        path
            The file.
        busy_seconds
            How long to wait for another process that is writing just now.
        clock
            Seconds since 1970, for the timestamps.

        Raises
        ------
        StoreError
            If the file is something else, of another version, or cannot be written.
        """
        path = Path(path)
        return cls(open_to_write(path, RUN_STORE, busy_seconds=busy_seconds), path, clock=clock)

    @classmethod
    def create(cls, path: str | Path, *, clock: Callable[[], float] = time.time) -> RunStore:
        """Make a new store; the same as `open`, but the file must not exist yet.

        Parameters
        ----------
        path, clock
            As for `open`.

        Raises
        ------
        StoreError
            If the file exists, or cannot be written.
        """
        if Path(path).exists():
            raise StoreError(f"{path} exists already: name another file, or open this one.")
        return cls.open(path, clock=clock)

    @classmethod
    def read(cls, path: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> RunStore:
        """Open a store to read only, also while another process writes.

        Parameters
        ----------
        path, busy_seconds
            As for `open`.

        Raises
        ------
        StoreError
            If there is no such file, or it is something else or of another version.
        """
        path = Path(path)
        return cls(open_to_read(path, RUN_STORE, busy_seconds=busy_seconds), path)

    def begin(
        self,
        settings: Mapping[str, Any],
        fingerprint: str,
        *,
        schedule: Schedule,
        n_folds: int,
        scale: Scale | None = None,
        n_rows: int | None = None,
        name: str | None = None,
        resume: bool = True,
        describe: Callable[[Any], Mapping[str, Any]] | None = None,
        limits: Limits | None = None,
    ) -> LiveRun:
        """Begin a run, or go on with one that was begun before.

        With a name it is the run of that name, finished or not; without one, the latest unnamed
        run that is not finished. If there is none, a new run begins. One that is finished is left
        as it is, and says so (`LiveRun.over`), until it goes on.

        Parameters
        ----------
        settings
            Whatever changes what an evaluation gives or what is decided: estimator, scoring,
            splitter, policy, seed. Not what may change between two sittings, such as the number
            of workers.
        fingerprint
            The data, see `curvewise.executors.fingerprint`.
        schedule, n_folds, scale
            The search's.
        n_rows
            Rows of the whole data set, for advice on more of them.
        name
            What the run is called; unique in its file.
        resume
            False always begins a new run.
        describe
            What to record about a candidate besides how its estimator is shown: takes the
            estimator, and gives values that JSON can express, by name.
        limits
            What evaluations are held to. Those that met one are carried out again when it is
            larger the next time.

        Raises
        ------
        StoreError
            If the run to go on with had other settings or other data; the message says what
            differs.
        """
        terms = Terms(settings, fingerprint, schedule, n_folds, scale or Scale(), n_rows)
        running, now, writer = RunStatus.RUNNING.value, timestamp(self._clock), secrets.token_hex(8)
        execute, limited = self._connection.execute, held_to(limits)
        kept, over = None if limited is None else to_json(limited), False
        _check_name(name)
        with transaction(self._connection, self.path):
            run_id = self._run_to_resume(name, resume=resume)
            if run_id is None:
                values = (name, running, now, now, writer, kept, *terms.row())
                run_id = int(execute(INSERT_RUN, values).lastrowid or 0)
            else:
                self._check_terms(run_id, terms)
                over = self._is_over(run_id, limited)
                if over:
                    execute(TAKE_OVER, (writer, run_id))
                else:
                    execute(RESUME_RUN, (running, now, writer, kept, run_id))
        return LiveRun(
            self._connection,
            self.path,
            run_id,
            writer=writer,
            clock=self._clock,
            describe=describe,
            limits=limited,
            over=over,
        )

    def run(self, which: int | str | None = None) -> StoredRun:
        """Find a run to read.

        Parameters
        ----------
        which
            Its name or its number, which may be text; by default the run that was begun last.

        Returns
        -------
        StoredRun
            The run; it can be read while it is being written.

        Raises
        ------
        StoreError
            If there is no such run, or none at all.
        """
        run_id: int | None = which if isinstance(which, int) else None
        if which is None:
            run_id = self._number_of(LAST_RUN)
            if run_id is None:
                raise StoreError(f"{self.path} holds no run.")
        elif isinstance(which, str):
            run_id = self._number_of(NAMED_RUN, which)
            if run_id is None and which.isdecimal():
                run_id = int(which)
        if run_id is None:
            raise StoreError(f"{self.path} has no run named {which!r}.")
        return StoredRun(self._connection, self.path, run_id)

    def runs(self) -> list[RunSummary]:
        """Every run in one line each, in the order in which they were begun."""
        with snapshot(self._connection, self.path):
            ids = self._connection.execute("SELECT id FROM runs ORDER BY id").fetchall()
            return [self.run(run_id).summary() for (run_id,) in ids]

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _number_of(self, query: str, *values: str) -> int | None:
        with snapshot(self._connection, self.path):
            row = self._connection.execute(query, values).fetchone()
        return None if row is None else int(row[0])

    def _run_to_resume(self, name: str | None, *, resume: bool) -> int | None:
        """Find the run to go on with; None if a new one has to begin."""
        if name is None:
            return self._number_of(UNFINISHED_RUN, RunStatus.FINISHED.value) if resume else None
        run_id = self._number_of(NAMED_RUN, name)
        if run_id is not None and not resume:
            raise StoreError(f"{self.path} has a run named {name!r} already.")
        return run_id

    def _is_over(self, run_id: int, limited: HeldTo | None) -> bool:
        """Whether a run had ended, and nothing in it is to be tried again."""
        status, limits = self._connection.execute(STATE, (run_id,)).fetchone()
        if status != RunStatus.FINISHED.value:
            return False
        try:
            then = None if limits is None else table_of("limits", from_json(limits))
            larger = are_larger(then, limited)
        except StoreError as error:
            raise in_row("runs", run_id, error) from None
        stopped, unclear = (run_id, Status.STOPPED.value), {"run": run_id, **OF_UNCLEAR}
        ask = self._connection.execute
        return (not larger or ask(ANY_STOPPED, stopped).fetchone() is None) and (
            ask(ANY_UNCLEAR, unclear).fetchone() is None
        )

    def _check_terms(self, run_id: int, terms: Terms) -> None:
        run = StoredRun(self._connection, self.path, run_id)
        differences = run.terms.against(terms)
        if differences:
            title = f"run {run_id}" if run.name is None else f"run {run.name!r}"
            raise StoreError(
                f"{self.path}: {title} cannot be resumed, because {differences}; give back what it "
                f"was begun with, or begin another run under another name or in another file."
            )


def _check_name(name: str | None) -> None:
    """Refuse a name that no file can hold."""
    if name is not None and valid_text(name) != name:
        raise StoreError(f"A run cannot be named {name!r}: it holds half of a character.")
