"""Fits that several methods share: what each gave, as plain columns.

Of two processes that record the same fit, the first counts, and both are told its outcome. A fit
that was ended by a limit is replaced by what a larger limit gave.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from curvewise._sqlite import explained, transaction
from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task

COLUMNS = ("loss", "seconds", "n_test", "fit_seconds", "score_seconds", "reason", "message")
THIS_FIT = "share = ? AND candidate = ? AND anchor = ? AND fold = ?"


class Fits:
    """The fits under one key; a candidate is its number in the sequence that was drawn."""

    def __init__(self, connection: sqlite3.Connection, path: Path, key: str) -> None:
        self._connection = connection
        self._path = path
        self._key = key

    def known(self, task: Task) -> Outcome | None:
        """Look a fit up."""
        with explained(self._path):
            row = self._connection.execute(
                f"SELECT {', '.join(COLUMNS)} FROM fits WHERE {THIS_FIT}", (self._key, *task)
            ).fetchone()
        return None if row is None else _outcome(task, row)

    def record(self, outcome: Outcome) -> Outcome:
        """Keep a fit, and give what counts: this one, or one that was there before."""
        place = (self._key, *outcome.task)
        reason = outcome.reason.value if isinstance(outcome, Failure) else None
        values = [getattr(outcome, name, None) for name in COLUMNS if name != "reason"]
        with transaction(self._connection, self._path):
            self._connection.execute(
                f"DELETE FROM fits WHERE {THIS_FIT} AND reason = 'timeout' "
                "AND (? IS NOT 'timeout' OR seconds < ?)",
                (*place, reason, outcome.seconds),
            )
            self._connection.execute(
                "INSERT INTO fits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (*place, *values[:-1], reason, values[-1]),
            )
            known = self.known(outcome.task)
        return outcome if known is None else known


def _outcome(task: Task, row: tuple[Any, ...]) -> Outcome:
    *measured, reason, message = row
    values = dict(zip(COLUMNS, measured, strict=False))
    if reason is not None:
        return Failure(task, Reason(reason), message or "", values["seconds"])
    return Observation(task, **values)
