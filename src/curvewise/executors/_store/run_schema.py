"""The tables of a run store.

::

    meta        what the file is: its schema version, and the curvewise that created it
    runs        one row per run: settings and fingerprint of the data, to be compared on resume
    candidates  by position, in the order in which they came
    outcomes    every attempt of every evaluation, in the order in which they finished
    decisions   every decision with its evidence, in the order in which they were carried out
    results     what an ending decision came to; goes when its decision goes

``outcomes.candidate``, ``decisions.candidate`` and ``results.candidate`` are positions. Columns
that hold floats have no declared type: SQLite would drop the sign of -0.0 in a REAL column, and
NaN is the text ``nan`` (`curvewise.executors._store.json_values`).

Results belong to their decision, so that they cannot outlive it: a resumed run that decides
otherwise (it was interrupted, and its candidates stopped, and now they go on) deletes the
decisions that no longer hold, and with them the results. A candidate's result counts if its
decision is the candidate's last one (`CURRENT_RESULTS`): a revived candidate has none.
"""

from __future__ import annotations

import sqlite3
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from curvewise.errors import StoreError

SCHEMA_VERSION = 2
# Marks the file as ours in SQLite's header: "curw" in ASCII.
APPLICATION_ID = 0x63757277

TABLES = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID
    """,
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        name TEXT UNIQUE,
        status TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        settings TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        schedule TEXT NOT NULL,
        n_folds INTEGER NOT NULL,
        scale TEXT NOT NULL,
        writer TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE notes (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (run, key)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE candidates (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        position INTEGER NOT NULL,
        key TEXT NOT NULL,
        description TEXT NOT NULL,
        parameters TEXT,
        PRIMARY KEY (run, position),
        UNIQUE (run, key)
    )
    """,
    """
    CREATE TABLE outcomes (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL,
        candidate INTEGER NOT NULL,
        anchor INTEGER NOT NULL,
        fold INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        kind TEXT NOT NULL,
        loss,
        seconds,
        n_test INTEGER,
        noise,
        fit_seconds,
        score_seconds,
        scores TEXT,
        train_scores TEXT,
        reason TEXT,
        message TEXT,
        finished TEXT NOT NULL,
        UNIQUE (run, candidate, anchor, fold, attempt),
        FOREIGN KEY (run, candidate) REFERENCES candidates ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE decisions (
        run INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        candidate INTEGER NOT NULL,
        kind TEXT NOT NULL,
        evidence TEXT NOT NULL,
        PRIMARY KEY (run, sequence),
        FOREIGN KEY (run, candidate) REFERENCES candidates ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX decisions_by_candidate ON decisions (run, candidate, sequence)
    """,
    """
    CREATE TABLE results (
        run INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        candidate INTEGER NOT NULL,
        status TEXT NOT NULL,
        loss,
        low,
        high,
        PRIMARY KEY (run, sequence),
        FOREIGN KEY (run, sequence) REFERENCES decisions ON DELETE CASCADE
    )
    """,
)

CURRENT_RESULTS = """
    SELECT candidate, status, loss, low, high FROM results
    WHERE run = ? AND sequence = (
        SELECT max(sequence) FROM decisions
        WHERE decisions.run = results.run AND decisions.candidate = results.candidate
    )
"""


def program_version() -> str:
    """Tell which curvewise this is.

    Examples
    --------
    >>> program_version()[:1].isdigit()
    True
    """
    try:
        return version("curvewise")
    except PackageNotFoundError:  # Run from a source tree that was never installed.
        return "0 (not installed)"


def is_blank(connection: sqlite3.Connection) -> bool:
    """Tell whether a database has no tables yet.

    Examples
    --------
    >>> is_blank(sqlite3.connect(":memory:"))
    True
    """
    (n_tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(n_tables == 0)


def create_tables(connection: sqlite3.Connection) -> None:
    """Turn an empty database into a run store; the caller wraps it in a transaction.

    Examples
    --------
    >>> connection = sqlite3.connect(":memory:")
    >>> create_tables(connection)
    >>> connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    ('2',)
    """
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for table in TABLES:
        connection.execute(table)
    connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
    connection.execute("INSERT INTO meta VALUES ('created_by', ?)", (program_version(),))


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that is not a run store, or one of another version.

    Examples
    --------
    >>> connection = sqlite3.connect(":memory:")
    >>> _ = connection.execute("CREATE TABLE photos (name)")
    >>> check_version(connection, Path("album.db"))
    Traceback (most recent call last):
    ...
    curvewise.errors.StoreError: album.db is not a run store of curvewise but an
    SQLite file of something else.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise StoreError(
            f"{path} is not a run store of curvewise but an SQLite file of something else."
        )
    try:
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    except sqlite3.OperationalError:
        meta = {}
    found, creator = meta.get("schema"), meta.get("created_by", "an unknown version")
    if found is None:
        raise StoreError(f"{path} is damaged: it does not say which schema version it has.")
    if found != str(SCHEMA_VERSION):
        raise StoreError(
            f"{path} has schema version {found}, and this curvewise ({program_version()}) knows "
            f"version {SCHEMA_VERSION} only: open it with the curvewise that created it "
            f"({creator}), or name another file."
        )
