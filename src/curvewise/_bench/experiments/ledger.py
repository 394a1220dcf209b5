"""The ledger of experiments: who does which cell, and what came of it.

Rules:

1. A claim is one transaction: no two processes ever hold the same cell.
2. A claim has an owner and a lease, which its owner prolongs while it works (`beat`). A cell whose
   lease is over, or whose owner on this machine has ended, is pending for all others, and claimed
   by the next of them who asks.
3. Only the owner writes a result. One that lost its claim meanwhile writes nothing; its next beat
   tells.
4. Cells of one group (a data set and a seed) share fits: only one is worked on at a time.
5. A cell whose own process was lost is tried again; after three losses it has failed.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from curvewise._bench.experiments.cells import Cell, Key, State, is_held, new_owner, token_of
from curvewise._bench.experiments.data_sets import fingerprints
from curvewise._bench.experiments.experiment_plan import Plan
from curvewise._bench.experiments.fits import Fits
from curvewise._bench.experiments.ledger_schema import BUSY_SECONDS, LEDGER
from curvewise._bench.experiments.registration import Registration, records_of
from curvewise._sqlite import explained, open_to_write, transaction
from curvewise.errors import InvalidParameterError

LEASE_SECONDS = 60.0
MOST_LOSSES = 3
CELLS = (
    "SELECT cells.id, name, method, dataset, seed, party, state, begun, ended, result, failure, "
    "owner, lease FROM cells JOIN experiments ON experiments.id = experiment WHERE name = ? "
)
OPEN = "AND state IN ('pending', 'running') "
IN_ORDER = "ORDER BY place, cells.id"


class Ledger:
    """One file of experiments."""

    def __init__(
        self,
        path: str | Path,
        *,
        must_exist: bool = False,
        owner: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = Path(path)
        self.owner = new_owner() if owner is None else owner
        self._clock = clock
        self._connection = open_to_write(
            self.path, LEDGER, must_exist=must_exist, busy_seconds=BUSY_SECONDS
        )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fits(self, key: str) -> Fits:
        """Open the fits under a key, which says all that they depend on besides their task."""
        return Fits(self._connection, self.path, key)

    def register(self, plan: Plan, *, machine: Mapping[str, Any] | None = None) -> None:
        """Begin an experiment, or go on with it; what is new in the plan is added."""
        # Large files take a while: nobody else should have to wait for it.
        sources = fingerprints(plan.datasets)
        with transaction(self._connection, self.path):
            Registration(self._connection, self.path, now=self._clock(), me=self.owner).add(
                plan, machine or {}, sources
            )

    def names(self) -> list[str]:
        """Name the experiments, in the order in which they were begun."""
        rows = self._all("SELECT name FROM experiments ORDER BY id")
        return [name for (name,) in rows]

    def plan(self, name: str) -> Plan:
        """Give the plan of an experiment."""
        row = self._one("SELECT plan FROM experiments WHERE name = ?", name)
        if row is None:
            known = ", ".join(self.names()) or "none"
            raise InvalidParameterError(
                f"{self.path} holds no experiment {name!r}; it holds {known}."
            )
        return Plan.from_json(json.loads(row[0]))

    def background(self, name: str) -> dict[str, Any]:
        """Give when an experiment was begun, on what machine, and on which others later."""
        self.plan(name)
        row = self._one("SELECT created, machine FROM experiments WHERE name = ?", name)
        first, *later = records_of(row[1]) or [{}]
        return {"begun": row[0], **first, "later": later}

    def cells(self, name: str) -> list[Cell]:
        """Give all cells of an experiment, in their order; only those that are held are running."""
        return self._cells(CELLS + IN_ORDER, name)

    def counts(self, name: str) -> dict[str, int]:
        """Count the cells of an experiment by state."""
        counts = Counter(cell.state for cell in self.cells(name))
        return {state.value: counts[state] for state in State}

    def claim(self, name: str, *, within: Collection[Key] | None = None) -> Cell | None:
        """Take the next cell that nobody works on; None if there is none just now."""
        with transaction(self._connection, self.path):
            cells = self._cells(CELLS + OPEN + IN_ORDER, name)
            busy = {cell.group for cell in cells if cell.state is State.RUNNING}
            free = (
                cell
                for cell in cells
                if cell.group not in busy and (within is None or cell.key in within)
            )
            cell = next(free, None)
            if cell is None:
                return None
            now = self._clock()
            self._do(
                "UPDATE cells SET state = 'running', owner = ?, lease = ?, begun = ? WHERE id = ?",
                self.owner,
                now + LEASE_SECONDS,
                now,
                cell.id,
            )
            return replace(cell, state=State.RUNNING, spent=0.0)

    def beat(self, cells: Iterable[Cell] = ()) -> list[Cell]:
        """Prolong the leases of all cells that this owner holds; give those that it lost."""
        with transaction(self._connection, self.path):
            self._do(
                "UPDATE cells SET lease = ? WHERE owner = ? AND state = 'running'",
                self._clock() + LEASE_SECONDS,
                self.owner,
            )
            mine = self._all(
                "SELECT id FROM cells WHERE owner IN (?, ?)", self.owner, token_of(self.owner)
            )
        return [cell for cell in cells if (cell.id,) not in mine]

    def finish(self, cell: Cell, result: Mapping[str, Any]) -> bool:
        """Write what came of a cell; False if it is no longer this owner's."""
        return self._end(cell, State.DONE, result=json.dumps(dict(result), allow_nan=False))

    def fail(self, cell: Cell, failure: str) -> bool:
        """Write why a cell failed; False if it is no longer this owner's."""
        return self._end(cell, State.FAILED, failure=failure)

    def lose(self, cell: Cell, reason: str) -> None:
        """Give back a cell whose process was lost; the third time it has failed."""
        with transaction(self._connection, self.path):
            row = self._one(
                "UPDATE cells SET losses = losses + 1, state = 'pending', owner = NULL, "
                "lease = NULL WHERE id = ? AND owner = ? AND state = 'running' RETURNING losses",
                cell.id,
                self.owner,
            )
            if row is not None and row[0] >= MOST_LOSSES:
                self._do(
                    "UPDATE cells SET state = 'failed', ended = ?, failure = ? WHERE id = ?",
                    self._clock(),
                    f"{reason} This happened {row[0]} times.",
                    cell.id,
                )

    def release(self) -> None:
        """Give back all cells that this owner holds: it will not finish them."""
        with transaction(self._connection, self.path):
            self._do(
                "UPDATE cells SET state = 'pending', owner = NULL, lease = NULL "
                "WHERE owner = ? AND state = 'running'",
                self.owner,
            )

    def retry_failed(self, name: str) -> int:
        """Make the failed cells of an experiment pending again; how many there were."""
        with transaction(self._connection, self.path):
            cursor = self._do(
                "UPDATE cells SET state = 'pending', failure = NULL, losses = 0, owner = NULL "
                "WHERE state = 'failed' AND experiment IN "
                "(SELECT id FROM experiments WHERE name = ?)",
                name,
            )
            return cursor.rowcount

    def _end(
        self, cell: Cell, state: State, *, result: str | None = None, failure: str | None = None
    ) -> bool:
        with transaction(self._connection, self.path):
            cursor = self._do(
                "UPDATE cells SET state = ?, result = ?, failure = ?, ended = ?, owner = ?, "
                "lease = NULL WHERE id = ? AND owner = ? AND state = 'running'",
                state.value,
                result,
                failure,
                self._clock(),
                # For `beat`: who ended it has not lost it.
                token_of(self.owner),
                cell.id,
                self.owner,
            )
            return cursor.rowcount == 1

    def _cells(self, sql: str, name: str) -> list[Cell]:
        now = self._clock()
        return [_cell(row, now=now, me=self.owner) for row in self._all(sql, name)]

    def _do(self, sql: str, *values: Any) -> sqlite3.Cursor:
        with explained(self.path):
            return self._connection.execute(sql, values)

    def _one(self, sql: str, *values: Any) -> Any:
        return self._do(sql, *values).fetchone()

    def _all(self, sql: str, *values: Any) -> list[Any]:
        return self._do(sql, *values).fetchall()


def _cell(row: tuple[Any, ...], *, now: float, me: str) -> Cell:
    (number, name, method, dataset, seed, group), (word, begun, ended) = row[:6], row[6:9]
    result, failure, owner, lease = row[9:]
    state = State(word)
    if state is State.RUNNING and not is_held(owner, lease, now=now, me=me):
        state = State.PENDING
    finished = state in (State.DONE, State.FAILED) and begun is not None and ended is not None
    return Cell(
        number,
        name,
        method,
        dataset,
        seed,
        state=state,
        seconds=max(0.0, ended - begun) if finished else None,
        result=None if result is None else json.loads(result),
        failure=failure,
        spent=max(0.0, now - begun) if state is State.RUNNING else None,
        group=group,
    )
