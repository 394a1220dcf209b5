"""The tables of a ledger.

::

    meta         what the file is: its schema version, and the curvewise that created it
    experiments  by name, with their plan, the machines they ran on, and the fingerprints of their
                 data sets as JSON
    cells        one row per method, data set and seed: its state, who works on it until when, and
                 its result as JSON or its failure with the traceback
    fits         what each fit gave that cells of a group share

Two columns have the names that they had first: ``cells.party`` is the group of a cell, and
``fits.share`` the key of fits.

Nothing in it is a pickle. Several processes can share it (`curvewise._sqlite`).
"""

from __future__ import annotations

from curvewise._sqlite import FileKind

# How long to wait for another process: many processes of an experiment share one file.
BUSY_SECONDS = 30.0

TABLES = (
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

LEDGER = FileKind(
    name="a file of experiments",
    when_empty="no experiment was begun in it yet",
    application_id=0x63757262,  # "curb" in ASCII.
    schema_version=1,
    tables=TABLES,
    later_columns={"experiments": {"sources": "TEXT"}},
)
