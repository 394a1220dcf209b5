"""A cell, its states, who works on it, and how long those that are left will take."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import psutil

Key = tuple[str, str, int]


class State(Enum):
    """How far a cell is."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Cell:
    """One method on one data set with one seed."""

    id: int
    experiment: str
    method: str
    dataset: str
    seed: int
    state: State = State.PENDING
    seconds: float | None = None
    result: Mapping[str, Any] | None = None
    failure: str | None = None
    spent: float | None = None
    # Cells of one group share fits.
    group: str = ""

    @property
    def key(self) -> Key:
        """What tells it from the other cells of its experiment."""
        return self.method, self.dataset, self.seed

    @property
    def headline(self) -> str:
        """Why it failed, in a line."""
        return (self.failure or "").partition("\n")[0]


def new_owner() -> str:
    """Give this process a name that no other has, now or later."""
    started = psutil.Process().create_time()
    return f"{socket.gethostname()} {os.getpid()} {started} {secrets.token_hex(4)}"


def token_of(owner: str) -> str:
    """Give the part of an owner's name that says nothing about its host."""
    return owner.rpartition(" ")[2]


def is_gone(owner: str | None) -> bool:
    """Whether an owner's process has ended, as far as can be told: it must be of this machine."""
    if owner is None:
        return True
    try:
        host, pid, started, _ = owner.rsplit(" ", 3)
        if host != socket.gethostname():
            return False
        return abs(psutil.Process(int(pid)).create_time() - float(started)) > 1
    except psutil.NoSuchProcess:
        return True
    except (ValueError, psutil.Error):
        return False


def is_held(owner: str | None, lease: float | None, *, now: float, me: str) -> bool:
    """Whether a claim counts: its owner is oneself, or lives, and its lease is not over."""
    return owner == me or (lease is not None and lease > now and not is_gone(owner))


def seconds_left(cells: Sequence[Cell], *, n_jobs: int = 1) -> float | None:
    """Estimate the seconds until all cells are done; None before the first one is.

    A cell is expected to take what its method took on its data set; if that is not known, what its
    data set takes. Data sets differ more than methods do. One that was not seen yet is expected to
    take what a cell takes; if data sets come by size, the small ones first, what it takes on the
    slowest so far. Of a cell that is running, what it has spent is over.
    """
    known = [(cell, cell.seconds) for cell in cells if cell.seconds is not None]
    if not known:
        return None
    unseen = _unseen(known)
    left = []
    for cell in cells:
        if cell.state in (State.DONE, State.FAILED):
            continue
        same = [s for one, s in known if (one.method, one.dataset) == (cell.method, cell.dataset)]
        near = [s for one, s in known if one.dataset == cell.dataset]
        expected = float(np.mean(same or near or [unseen]))
        left.append(max(0.0, expected - (cell.spent or 0.0)))
    n_running = sum(cell.state is State.RUNNING for cell in cells)
    # However many work, one of them has the longest cell.
    return max(sum(left) / max(1, n_jobs, n_running), max(left, default=0.0))


def _unseen(known: Sequence[tuple[Cell, float]]) -> float:
    """Say what a cell takes on a data set that was not seen yet."""
    seconds: dict[str, list[float]] = {}
    rows: dict[str, int] = {}
    for cell, taken in known:
        seconds.setdefault(cell.dataset, []).append(taken)
        if cell.result is not None and "n_rows" in cell.result:
            rows.setdefault(cell.dataset, cell.result["n_rows"])
    sizes = list(rows.values())
    if len(sizes) > 1 and sizes == sorted(sizes):
        return max(float(np.mean(taken)) for taken in seconds.values())
    return float(np.mean([taken for _, taken in known]))
