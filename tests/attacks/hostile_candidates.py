"""Hostile candidates, by what they attack, on every executor that promises isolation.

An attack is contained if the search gets its answer (from who takes too much time or memory, that a
limit was met), a healthy candidate beside it and one after it get what they would have got without
it, the data of all is what it was, and neither processes nor files are left. A candidate that
attacks its own score is not here: that is its own affair.
"""

import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import psutil

from curvewise.core._outcome import Observation, Reason, Task
from curvewise.executors._process_executor import ProcessExecutor
from tests.executors import contaminators, forgers
from tests.executors import troublemakers as trouble
from tests.executors.contract import keeps_tracker

MEMORY_LIMIT = 4 * 10**8
# Each attack may take this long; an honest fit beside it takes milliseconds.
LIMIT_SECONDS = 2.0
PATIENCE_SECONDS = 60.0
# What only a limit ends, and which. Who takes memory has all the time that it wants: the limit of
# time would hide that the one of memory is not kept.
REASONS = {"never ends": Reason.TIMEOUT, "memory": Reason.MEMORY}
# By this variable of their environment all processes are found, whoever their parent is by now.
MARK = "CURVEWISE_ATTACKED"
# Dask's own folder, which it never removes.
OF_DASK = "dask-scratch-space"


class Evaluation:
    """Calls a candidate, which finds data on the stack as it would beside the real evaluation."""

    def __init__(self):
        self.X = np.ones((10_000, 1))
        self.y = np.arange(10_000.0)
        self.folds = ()

    def __call__(self, task, candidate):
        return candidate(task)

    @property
    def sum(self):
        return float(self.X.sum() + self.y @ self.y)


def evaluation():
    """Give the evaluation that has called a candidate."""
    frame = sys._getframe()
    while not isinstance(frame.f_locals.get("self"), Evaluation):
        frame = frame.f_back
    return frame.f_locals["self"]


@dataclass(frozen=True)
class Attack:
    """One thing that a candidate does."""

    kind: str
    name: str
    candidate: Callable

    def __str__(self):
        return f"{self.kind}: {self.name}"


@dataclass(frozen=True)
class Finding:
    """What an attack came to on one executor."""

    attack: Attack
    executor: str
    answer: str
    contained: bool
    n_processes: int
    n_files: int


def contaminate(action, task):
    action()
    return trouble.succeed(task)


def tell_state(task):
    return Observation(task, contaminators.state() + evaluation().sum)


def write_to_shared_data(task):
    return trouble.write_to_shared_data(task, evaluation().X)


def attack_with_many_children(task):
    trouble.LeaveChildren(tempfile.gettempdir(), trouble.succeed)(task)
    return trouble.fork_and_return(task)


def attacks():
    """Give all attacks."""
    kinds = {
        "never ends": ("loop_in_python", "loop_in_c", "stop_itself", "begin_message_and_sleep"),
        "ends its process": ("exit_politely", "exit_at_once", "segfault", "kill_itself"),
        "processes": (
            "fork_and_return",
            "fork_and_crash",
            "leave_worker",
            "stay_without_fork_server",
        ),
        "memory": (
            "hog_memory",
            "hoard_memory",
            "hog_shared_mapping",
            "hog_in_children",
            "raise_limit_and_hog",
        ),
        "the way to the search": ("close_everything", "flood_sockets", "send_code", "print_much"),
        "files": ("use_semaphores", "use_semaphores_for_long"),
        "other workers": ("kill_siblings", "stop_siblings"),
        "fork servers": ("stop_parent", "stop_parent_and_return", "kill_fork_server"),
        "what it gives": (
            "give_nan",
            "give_nothing",
            "give_unpicklable",
            "give_what_cannot_be_unpickled",
        ),
    }
    found = [
        Attack(kind, name, getattr(trouble, name))
        for kind, names in kinds.items()
        for name in names
    ]
    found.append(Attack("processes", "attack_with_many_children", attack_with_many_children))
    found.append(Attack("what comes after it", "write_to_shared_data", write_to_shared_data))
    found.append(Attack("memory", "hogs while unpickled", trouble.HogsWhileUnpickled()))
    found.extend(
        Attack("files", f"leaves files, {action}", trouble.LeaveFiles(action))
        for action in ("folder", "environment", "alarm")
    )
    found.extend(
        Attack("the way to the search", forger.__name__, forger) for forger in forgers.FORGERS
    )
    found.extend(Attack("what it gives", str(giver), giver) for giver in forgers.NO_RESULTS)
    found.extend(
        Attack("what comes after it", action.__name__, partial(contaminate, action))
        for action in contaminators.CONTAMINATORS
    )
    return found


def in_processes():
    return ProcessExecutor(Evaluation(), n_workers=2, memory_limit=MEMORY_LIMIT)


def on_dask():
    from curvewise.executors._dask_executor import DaskExecutor

    return DaskExecutor(Evaluation(), n_workers=2, memory_limit=MEMORY_LIMIT)


EXECUTORS = {"processes": in_processes, "dask": on_dask}


class Target:
    """An executor that is attacked, with its own temporary files."""

    def __init__(self, name):
        self.name = name
        self._mark = os.environ[MARK] = uuid.uuid4().hex
        self._before = self._processes()
        self._folder = tempfile.TemporaryDirectory(prefix="attacks-")
        self._old, tempfile.tempdir = tempfile.tempdir, self._folder.name
        self._n_tasks = 0
        self._executor = EXECUTORS[name]()
        self._state = self._run(tell_state).loss

    def attack(self, attack):
        """Let a candidate attack beside a healthy one, and look at what has become of others."""
        with tempfile.TemporaryDirectory(dir="/tmp") as beside:
            healthy = self._submit(trouble.Loiter(beside), seconds=None)
            expected = REASONS.get(attack.kind)
            seconds = PATIENCE_SECONDS if expected is Reason.MEMORY else LIMIT_SECONDS
            hostile = self._submit(attack.candidate, seconds=seconds)
            outcomes = self._wait_for(hostile)
            (Path(beside) / "go").touch()
            outcomes |= {} if healthy in outcomes else self._wait_for(healthy)
        answer = outcomes.get(hostile)
        reason = getattr(answer, "reason", None)
        contained = (
            answer is not None
            and (expected is None or reason is expected)
            and outcomes.get(healthy) == trouble.succeed(healthy)
            and self._run_in_both_workers(tell_state) == [self._state] * 2
        )
        said = getattr(answer, "headline", "a score") if answer is not None else "none"
        return Finding(attack, self.name, said, contained, self._left_below(), self._files())

    def close(self):
        """End it; give what is left of it: processes and files."""
        self._executor.close()
        tempfile.tempdir = self._old
        left = len(self._processes() - self._before) - int(keeps_tracker())
        n_files = sum(path.name != OF_DASK for path in Path(self._folder.name).iterdir())
        self._folder.cleanup()
        return max(0, left), n_files

    def _submit(self, candidate, *, seconds):
        self._n_tasks += 1
        task = Task("attack", 64, self._n_tasks)
        self._executor.submit(task, candidate, seconds=seconds)
        return task

    def _run(self, candidate):
        task = self._submit(candidate, seconds=PATIENCE_SECONDS)
        return self._wait_for(task)[task]

    def _run_in_both_workers(self, candidate):
        tasks = [self._submit(candidate, seconds=PATIENCE_SECONDS) for _ in range(2)]
        outcomes = self._wait_for(tasks[0])
        outcomes |= {} if tasks[1] in outcomes else self._wait_for(tasks[1])
        return [getattr(outcomes.get(task), "loss", None) for task in tasks]

    def _wait_for(self, task):
        outcomes = {}
        deadline = time.monotonic() + PATIENCE_SECONDS
        while task not in outcomes and time.monotonic() < deadline:
            outcomes |= {outcome.task: outcome for outcome in self._executor.wait(1.0)}
        return outcomes

    def _processes(self):
        found = {child.pid for child in psutil.Process().children(recursive=True)}
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                runs = process.status() != psutil.STATUS_ZOMBIE
                if runs and process.environ().get(MARK) == self._mark:
                    found.add(process.pid)
        return found

    def _left_below(self):
        """Count processes that are neither fork servers nor workers: there may be one of each."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        n_allowed = 3
        while True:
            n = len(self._processes() - self._before) - int(keeps_tracker())
            if n <= n_allowed or time.monotonic() > deadline:
                return max(0, n - n_allowed)
            time.sleep(0.01)

    def _files(self):
        """Count what lies where workers keep their temporary files, when they have ended."""
        deadline = time.monotonic() + PATIENCE_SECONDS / 10
        while True:
            try:
                n = len([path for path in Path(self._folder.name).glob("*/*/*") if path.exists()])
            except FileNotFoundError:
                # A folder went while it was looked at.
                continue
            if n == 0 or time.monotonic() > deadline:
                return n
            time.sleep(0.01)


def table(findings):
    """Give the findings as lines."""
    lines = [("attack", "on", "contained", "processes", "files", "answer")]
    lines.extend(
        (
            str(finding.attack),
            finding.executor,
            "yes" if finding.contained else "NO",
            str(finding.n_processes),
            str(finding.n_files),
            finding.answer[:60],
        )
        for finding in findings
    )
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).strip()
