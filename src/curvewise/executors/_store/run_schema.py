"""The tables of a run store.

::

    meta        what the file is: its schema version, and the curvewise that created it
    runs        one row per run: settings and fingerprint of the data, to be compared on resume
    candidates  by position, in the order in which they came
    outcomes    every attempt of every evaluation, in the order in which they finished
    decisions   every decision with its evidence, in the order in which they were carried out
    results     what an ending decision came to; goes when its decision goes

``outcomes.candidate``, ``decisions.candidate`` and ``results.candidate`` are positions, and
``outcomes.predictions`` is what `Predictions.to_bytes` gives. ``runs.limits`` are the limits of the
last sitting, ``outcomes.limits`` those under which an evaluation met one. Columns that hold floats
have no declared type: SQLite would drop the sign of -0.0 in a REAL column, and NaN is the text
``nan`` (`curvewise.executors._store.json_values`).

Results belong to their decision, so that they cannot outlive it: a resumed run that decides
otherwise (it was interrupted, and its candidates stopped, and now they go on) deletes the
decisions that no longer hold, and with them the results. A candidate's result counts if its
decision is the candidate's last one: a revived candidate has none.
"""

from __future__ import annotations

from curvewise._sqlite import FileKind

TABLES = (
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
        n_rows INTEGER,
        limits TEXT,
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
        found TEXT,
        reason TEXT,
        message TEXT,
        error TEXT,
        predictions BLOB,
        row_losses BLOB,
        limits TEXT,
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

RUN_STORE = FileKind(
    name="a run store",
    when_empty="no run was stored in it yet",
    application_id=0x63757277,  # "curw" in ASCII.
    schema_version=2,
    tables=TABLES,
    later_columns={
        "runs": {"n_rows": "INTEGER", "limits": "TEXT"},
        "outcomes": {
            "error": "TEXT",
            "found": "TEXT",
            "predictions": "BLOB",
            "row_losses": "BLOB",
            "limits": "TEXT",
        },
    },
)
