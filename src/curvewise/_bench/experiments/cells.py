"""A cell, its states, and who works on it."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

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
