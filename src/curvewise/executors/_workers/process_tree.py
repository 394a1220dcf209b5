"""A process and its children: how to find them, how to end them all, and how one ended.

A learner may start processes (``n_jobs=2``, ``subprocess``) and leave them behind, or be killed
with them running. On Linux a process can declare itself the one that inherits orphans from below
(a *subreaper*): a worker does, and so does the fork server, and nothing can hide. Elsewhere the
children that can be seen are ended, and on POSIX whatever is in the worker's session.

One kind of process is waited for: the *resource tracker* of joblib or multiprocessing, which
removes semaphores and shared memory when all that used them have gone, and then ends by itself.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

import psutil

# What prctl(2) calls them.
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

# Killing a generation of processes can bring up the next; no honest learner has this many.
MAX_GENERATIONS = 100
# So many processes below one are looked at; whoever has more is ended generation by generation.
MOST_PROCESSES = 10_000
# A killed process with gigabytes of memory takes tenths of a second to end; one that hangs in the
# kernel (a dead network drive) may never end, and nobody waits for it longer than this.
REAP_SECONDS = 5.0
LOOK_SECONDS = 0.001
# What a resource tracker is called among the arguments of its process, and what it may take.
TRACKER = "resource_tracker"
TRACKER_SECONDS = 1.0
# Where those trackers are that this process may have started.
TRACKERS = ("multiprocessing.resource_tracker", "joblib.externals.loky.backend.resource_tracker")


def inherit_orphans() -> None:
    """Let this process be the parent of whatever is orphaned below it (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Let the system end this process when the thread that started it ends (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def wake_with_parent() -> None:
    """Let the system wake this process, if it is stopped, when the thread that started it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGCONT, 0, 0, 0)


def describe_exit(exitcode: int, process: str) -> str:
    """Say how a process ended, which is called what the sentence begins with."""
    if exitcode >= 0:
        return f"{process} exited with status {exitcode}."
    try:
        name = signal.Signals(-exitcode).name
    except ValueError:
        name = f"signal {-exitcode}"
    return f"{process} was ended by {name}."


def has_children() -> bool:
    """Whether this process has children, ended ones included; costs a microsecond on Linux."""
    if sys.platform != "linux":
        return bool(psutil.Process().children())
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def end_children(*, spare: Collection[int] = ()) -> None:
    """End everything below this process."""
    for _ in range(MAX_GENERATIONS):
        pids = [pid for pid in child_pids(os.getpid()) if pid not in spare]
        if not pids:
            return
        children = _processes(pids)
        below = (below for child in children for below in _below(child))
        trackers = _kill_all_but_trackers([*children, *below])
        tracking = {tracker.pid for tracker in trackers}
        psutil.wait_procs(
            [child for child in children if child.pid not in tracking], timeout=REAP_SECONDS
        )
        _end_trackers(trackers)


def leave_trackers() -> None:
    """Let the resource trackers of this process see that it needs them no more."""
    for name in TRACKERS:
        # A learner may have put anything there.
        with suppress(Exception):
            tracker = getattr(sys.modules.get(name), "_resource_tracker", None)
            descriptor = vars(tracker)["_fd"]
            if descriptor is not None:
                vars(tracker).update(_fd=None, _pid=None)
                os.close(descriptor)


def end_tree(process: psutil.Process) -> None:
    """End a process with all that is below it, from above; stopped processes too.

    What is below goes first, again and again: as long as the process is there, orphans fall to it.
    """
    trackers: list[psutil.Process] = []
    for _ in range(MAX_GENERATIONS):
        running = [below for below in _below(process) if _runs(below) and below not in trackers]
        if not running:
            break
        trackers += _kill_all_but_trackers(running)
        _wait_for_end([below for below in running if below not in trackers])
    _kill([process])
    _wait_for_end([process])
    _end_trackers(trackers)


def end_marked(name: str, value: str) -> None:
    """End all processes with this variable in their environment, whoever their parent is."""
    for _ in range(MAX_GENERATIONS):
        found = [one for one in psutil.process_iter() if _runs(one) and _has(one, name, value)]
        if not found:
            return
        _kill(found)
        _wait_for_end(found)


def wake(pid: int) -> None:
    """Let a process go on if somebody has stopped it (POSIX)."""
    if hasattr(signal, "SIGCONT"):
        with suppress(OSError):
            os.kill(pid, signal.SIGCONT)


def child_pids(pid: int) -> list[int]:
    """Give the children of a process, ended ones included."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in threads for child in (task / "children").read_text().split()]
    except (OSError, ValueError):
        # Not Linux, or one without these files; or the process has gone.
        return [child.pid for process in _processes([pid]) for child in _children(process)]


def descendants(pid: int) -> list[int]:
    """Give everything below a process."""
    found: list[int] = []
    generation = [pid]
    while generation and len(found) < MOST_PROCESSES:
        generation = [child for parent in generation for child in child_pids(parent)]
        found += generation
    return found


def end_process(pid: int) -> None:
    """End a running worker and everything below it."""
    found: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        found = [process, *_below(process)]
    trackers = _kill_all_but_trackers(found)
    _end_trackers(trackers)
    end_session(pid)
    _wait_for_end(found)


def end_session(leader: int) -> None:
    """End what is left of a worker's session; the worker itself may have ended (POSIX)."""
    if os.name == "posix":
        left = [process for process in psutil.process_iter() if _session(process) == leader]
        _kill(left)
        _wait_for_end(left)


def _below(process: psutil.Process) -> list[psutil.Process]:
    return _processes(descendants(process.pid))


def _children(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return list(process.children())
    return []


def _processes(pids: Iterable[int]) -> list[psutil.Process]:
    found = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            found.append(psutil.Process(pid))
    return found


def _has(process: psutil.Process, name: str, value: str) -> bool:
    try:
        return bool(process.environ().get(name) == value)
    except (psutil.Error, OSError):
        return False


def _session(process: psutil.Process) -> int | None:
    try:
        return os.getsid(process.pid)
    except OSError:
        return None


def _kill_all_but_trackers(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Kill processes, and give those that track resources."""
    trackers = [process for process in processes if _is_tracker(process)]
    _kill([process for process in processes if process not in trackers])
    return trackers


def _end_trackers(trackers: list[psutil.Process]) -> None:
    """Let trackers clean up behind those that have gone; kill those that do not end."""
    _wait_for_end(trackers, seconds=TRACKER_SECONDS)
    _kill(trackers)
    _wait_for_end(trackers)


def _is_tracker(process: psutil.Process) -> bool:
    try:
        return any(TRACKER in argument for argument in process.cmdline())
    except psutil.Error:
        return False


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            process.kill()


def _wait_for_end(processes: list[psutil.Process], *, seconds: float = REAP_SECONDS) -> None:
    """Wait until processes run no more; they need not be children, nor be reaped."""
    deadline = time.monotonic() + seconds
    while any(map(_runs, processes)) and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
