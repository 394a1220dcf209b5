"""The decisions of a run that is being written: which are stored, and which are not yet.

A resumed search decides everything anew, and with the same outcomes it decides the same. A decision
that equals the stored one at its place needs no writing. From the first that differs on, the stored
ones no longer hold: they are deleted, and the new ones written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from curvewise.core._decisions import Complete, Decision, End, Stop
from curvewise.core._intervals import Interval
from curvewise.core._portfolio import STATUSES
from curvewise.executors._store.json_values import to_column
from curvewise.executors._store.records import decision_row

STORED_DECISIONS = """
    SELECT candidate, kind, evidence FROM decisions WHERE run = ? ORDER BY sequence
"""
DELETE = "DELETE FROM decisions WHERE run = ? AND sequence >= ?"
INSERT = "INSERT INTO decisions (run, sequence, candidate, kind, evidence) VALUES (?, ?, ?, ?, ?)"
INSERT_RESULT = """
    INSERT INTO results (run, sequence, candidate, status, loss, low, high)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""

Change = tuple[str, tuple[Any, ...]]


class Trace:
    """The decisions of one run, in order."""

    def __init__(self, stored: list[tuple[int, str, str]], run_id: int) -> None:
        self._run_id = run_id
        self._stored = stored
        self._n_stored = len(self._stored)
        self._n_added = 0
        # Sequence number, position of the candidate, kind, evidence; the decision if it is an end.
        self._pending: list[tuple[int, int, str, str, End | None]] = []

    def add(self, position: int, decision: Decision) -> None:
        """Take the next decision, about the candidate at a position; it is not written yet."""
        row = (position, *decision_row(decision))
        if self._n_added < len(self._stored):
            if self._stored[self._n_added] == row:
                self._n_added += 1
                return
            self.forget_the_rest()
        end = decision if isinstance(decision, End) else None
        self._pending.append((self._n_added, *row, end))
        self._n_added += 1

    def forget_the_rest(self) -> None:
        """Let the stored decisions that have not been repeated yet go with the next writing."""
        del self._stored[self._n_added :]

    def changes(self, interval_of: Callable[[int], Interval]) -> Iterator[Change]:
        """Give what brings the store up to date, as statements with their values."""
        run_id = self._run_id
        if len(self._stored) < self._n_stored:
            yield DELETE, (run_id, len(self._stored))
        for sequence, position, kind, evidence, end in self._pending:
            yield INSERT, (run_id, sequence, position, kind, evidence)
            if isinstance(end, Stop):
                # A partial result rests on other losses than those at the target.
                numbers = (end.estimate, end.low, end.high)
            elif end is not None:
                # A pruned candidate has no loss that could be compared.
                loss = end.loss if isinstance(end, Complete) else math.nan
                numbers = (loss, *interval_of(position))
            if end is not None:
                result = (STATUSES[type(end)].value, *map(to_column, numbers))
                yield INSERT_RESULT, (run_id, sequence, position, *result)

    def written(self) -> None:
        """Note that what was written has been committed."""
        self._n_stored = len(self._stored)
        self._pending.clear()
