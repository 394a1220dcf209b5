"""Workers that are ended from outside: what is certainly not a candidate's doing does not count."""

import os
import signal
import sys
import time
from dataclasses import replace
from itertools import product

import pytest

from curvewise.core._outcome import Reason, Task
from curvewise.executors._process_executor import ProcessExecutor
from curvewise.executors._workers import worker_death
from curvewise.executors._workers.worker_death import (
    MAX_TRIES_AGAIN,
    MAX_TRIES_OF_KNOWN,
    WorkerDeath,
)
from tests.executors import troublemakers as trouble
from tests.executors.contract import PATIENCE_SECONDS

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is told on Linux only")

TASK = Task("candidate", 64, 0)
KILLED = WorkerDeath(-signal.SIGKILL, known=True, share=0.01, spare=0.5)
UNCLEAR = "Nobody knows whether that was the candidate's doing; a run that is resumed tries it"


def loiter(task, folder):
    """Evaluate a candidate that is plain data."""
    return trouble.Loiter(folder)(task)


def hold_and_loiter(task, folder):
    held = bytearray(10**8)
    held[::4096] = b"x" * len(held[::4096])
    return trouble.Loiter(folder)(task)


def kill_one(executor, folder):
    """Let the executor look after its workers until a task runs; kill its worker."""
    deadline = time.monotonic() + 3 * PATIENCE_SECONDS
    while not (folder / "pid").exists():
        assert executor.wait(0.01) == []
        assert time.monotonic() < deadline
    pid = int((folder / "pid").read_text())
    (folder / "pid").unlink()
    os.kill(pid, signal.SIGKILL)


def outcome_of(executor):
    (outcome,) = executor.wait(PATIENCE_SECONDS)
    return outcome


@on_linux
def test_known_code_that_is_killed_again_and_again_gets_its_score(tmp_path):
    with ProcessExecutor(loiter) as executor:
        executor.submit(TASK, str(tmp_path))
        for _ in range(7):
            kill_one(executor, tmp_path)
        (tmp_path / "go").touch()

        assert outcome_of(executor).loss == 0.25


@pytest.mark.parametrize("left", [0.1, 0.2])
def test_known_code_is_not_spared_where_memory_was_short(left, tmp_path, monkeypatch):
    total = 10**13
    monkeypatch.setattr(worker_death, "machine_memory", lambda: (total, int(left * total)))
    with ProcessExecutor(loiter) as executor:
        executor.submit(TASK, str(tmp_path))
        for _ in range(2):
            kill_one(executor, tmp_path)
        outcome = outcome_of(executor)

    assert outcome.reason is Reason.LOST
    assert UNCLEAR in outcome.message


@on_linux
def test_it_is_told_what_a_killed_worker_held(tmp_path, monkeypatch):
    deaths = []
    monkeypatch.setattr(WorkerDeath, "headline", property(lambda death: deaths.append(death) or ""))
    monkeypatch.setattr(worker_death, "machine_memory", lambda: (10**9, 0))
    with ProcessExecutor(hold_and_loiter) as executor:
        executor.submit(TASK, str(tmp_path))
        for _ in range(2):
            kill_one(executor, tmp_path)
        outcome_of(executor)

    assert 0.1 < deaths[0].share < 1


def test_whatever_ends_a_worker_a_task_is_not_carried_out_for_ever():
    flags = (False, True)
    shares = (None, 0.0, 0.5, 1.0)
    codes = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGSEGV, 0, 1)
    for code, orphaned, taken, known, short, share, spare, limited in product(
        codes, ("", "It was killed."), flags, flags, flags, shares, shares, flags
    ):
        death = WorkerDeath(code, orphaned, taken, known, short, share, spare, limited)

        assert 0 <= death.tries_again <= MAX_TRIES_OF_KNOWN
        assert replace(death, known=False).tries_again <= replace(death, known=True).tries_again
        assert (UNCLEAR in death.message) == (death.tries_again > 0)


@pytest.mark.parametrize(
    ("changes", "n"),
    [
        ({}, MAX_TRIES_OF_KNOWN),
        ({"exitcode": -signal.SIGTERM}, MAX_TRIES_OF_KNOWN),
        ({"exitcode": -signal.SIGSEGV}, 0),
        ({"exitcode": 1}, 0),
        ({"known": False}, 1),
        ({"limited": True}, 1),
        ({"spare": 0.1}, 1),
        ({"spare": None, "share": None}, 1),
        ({"short_of_memory": True}, MAX_TRIES_AGAIN),
        ({"short_of_memory": True, "known": False}, MAX_TRIES_AGAIN),
        ({"short_of_memory": True, "share": 0.5}, 0),
        ({"short_of_memory": True, "share": None}, 0),
        ({"orphaned": "Its fork server was killed."}, MAX_TRIES_OF_KNOWN),
        ({"orphaned": "Its fork server was killed.", "known": False}, MAX_TRIES_AGAIN),
        ({"taken": False, "known": False}, MAX_TRIES_OF_KNOWN),
    ],
)
def test_how_often_a_task_is_carried_out_again(changes, n):
    assert replace(KILLED, **changes).tries_again == n


def test_who_was_ended_for_want_of_memory_is_told_so():
    death = replace(KILLED, short_of_memory=True, share=0.5)

    assert death.message == (
        "The worker process was ended by SIGKILL, by the system for lack of memory."
    )
