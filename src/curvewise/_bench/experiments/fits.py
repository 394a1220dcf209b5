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
                "SELECT loss, seconds, n_test, fit_seconds, score_seconds, reason, message "
                "FROM fits WHERE share = ? AND candidate = ? AND anchor = ? AND fold = ?",
                (self._key, *task),
            ).fetchone()
        return None if row is None else _outcome(task, row)

    def record(self, outcome: Outcome) -> Outcome:
        """Keep a fit, and give what counts: this one, or one that was there before."""
        task = outcome.task
        with transaction(self._connection, self._path):
            self._connection.execute(
                "INSERT INTO fits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
                "SET loss = excluded.loss, seconds = excluded.seconds, n_test = excluded.n_test, "
                "fit_seconds = excluded.fit_seconds, score_seconds = excluded.score_seconds, "
                "reason = excluded.reason, message = excluded.message "
                "WHERE fits.reason = 'timeout' AND "
                "(excluded.reason IS NOT 'timeout' OR fits.seconds < excluded.seconds)",
                (self._key, *task, *_columns(outcome)),
            )
            known = self.known(task)
        return outcome if known is None else known


def _columns(outcome: Outcome) -> tuple[Any, ...]:
    if isinstance(outcome, Failure):
        reason, message = outcome.reason.value, outcome.message
        return (None, outcome.seconds, None, None, None, reason, message)
    times = (outcome.fit_seconds, outcome.score_seconds)
    return (outcome.loss, outcome.seconds, outcome.n_test, *times, None, None)


def _outcome(task: Task, row: tuple[Any, ...]) -> Outcome:
    loss, seconds, n_test, fit_seconds, score_seconds, reason, message = row
    if reason is not None:
        return Failure(task, Reason(reason), message or "", seconds)
    return Observation(
        task,
        loss,
        seconds=seconds,
        n_test=n_test,
        fit_seconds=fit_seconds,
        score_seconds=score_seconds,
    )
