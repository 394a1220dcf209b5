"""The tables of a ledger, and opening the file.

::

    meta         what the file is: its schema version, and the curvewise that created it
    experiments  by name, with their plan, the machines they ran on, and the fingerprints of their
                 data sets as JSON
    cells        one row per method, data set and seed: its state, who works on it until when, and
                 its result as JSON or its failure with the traceback
    fits         what each fit gave that cells of a group share

Nothing in it is a pickle. It is written with a write-ahead log, like a run store
(`curvewise.executors._store.connection`), so that several processes can share it. A column that a
file of an earlier curvewise lacks is added when it is opened; the earlier one does not mind.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from curvewise.errors import StoreError
from curvewise.executors._store.connection import SMALLEST_BYTES, explained, transaction
from curvewise.executors._store.run_schema import is_blank, program_version

SCHEMA_VERSION = 1
# Marks the file as ours in SQLite's header: "curb" in ASCII.
APPLICATION_ID = 0x63757262
BUSY_SECONDS = 30.0

TABLES = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID
    """,
    """
    CREATE TABLE experiments (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        created TEXT NOT NULL,
        plan TEXT NOT NULL,
        machine TEXT NOT NULL,
        sources TEXT
    )
    """,
    """
    CREATE TABLE cells (
        id INTEGER PRIMARY KEY,
        experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,
        method TEXT NOT NULL,
        dataset TEXT NOT NULL,
        seed INTEGER NOT NULL,
        place INTEGER NOT NULL,
        party TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending',
        owner TEXT,
        lease REAL,
        losses INTEGER NOT NULL DEFAULT 0,
        begun REAL,
        ended REAL,
        result TEXT,
        failure TEXT,
        UNIQUE (experiment, method, dataset, seed)
    )
    """,
    """
    CREATE TABLE fits (
        share TEXT NOT NULL,
        candidate INTEGER NOT NULL,
        anchor INTEGER NOT NULL,
        fold INTEGER NOT NULL,
        loss REAL,
        seconds REAL NOT NULL,
        n_test INTEGER,
        fit_seconds REAL,
        score_seconds REAL,
        reason TEXT,
        message TEXT,
        PRIMARY KEY (share, candidate, anchor, fold)
    ) WITHOUT ROWID
    """,
)


def open_ledger(path: Path, *, must_exist: bool = False) -> sqlite3.Connection:
    """Open a ledger; an empty or missing file becomes one."""
    _check_file(path, must_exist=must_exist)
    with explained(path):
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            if not is_blank(connection):
                _check_version(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing; a power cut may lose the last fits, which are redone.
            connection.execute("PRAGMA synchronous = NORMAL")
            with transaction(connection, path):
                if is_blank(connection):
                    _create(connection)
                _complete(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for table in TABLES:
        connection.execute(table)
    connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
    connection.execute("INSERT INTO meta VALUES ('created_by', ?)", (program_version(),))


def _complete(connection: sqlite3.Connection) -> None:
    """Add what a file of an earlier curvewise lacks."""
    columns = {row[1] for row in connection.execute("PRAGMA table_info(experiments)")}
    if "sources" not in columns:
        connection.execute("ALTER TABLE experiments ADD COLUMN sources TEXT")


def _check_file(path: Path, *, must_exist: bool) -> None:
    if path.is_dir():
        raise StoreError(f"{path} is a folder, not a file of experiments.")
    if must_exist and not path.exists():
        raise StoreError(f"There is no file {path}.")
    if not path.absolute().parent.is_dir():
        raise StoreError(f"There is no folder {path.absolute().parent}: create it first.")
    if path.exists():
        # The size tells enough, and SQLite the rest. To read the file here would be a mistake: when
        # it is closed, the system drops all locks that this process has on it, those of another
        # ledger included (SQLite's "How To Corrupt", Sec. 2.2).
        size = path.stat().st_size
        if 0 < size < SMALLEST_BYTES:
            raise StoreError(f"{path} holds no experiments: it is not an SQLite file.")
        if must_exist and not size:
            raise StoreError(f"{path} is empty: no experiment was begun in it yet.")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise StoreError(f"{path} holds no experiments: it is an SQLite file of something else.")
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    found = meta.get("schema")
    if found != str(SCHEMA_VERSION):
        raise StoreError(
            f"{path} has schema version {found}, and this curvewise ({program_version()}) knows "
            f"version {SCHEMA_VERSION} only: open it with the curvewise that created it "
            f"({meta.get('created_by')}), or name another file."
        )
