"""A process with all that it starts: on chosen cores, ended in time, its time and memory measured.

The wall clock runs from the start of the process to its end. Memory is that of the whole tree,
looked at twice a second; what processes share is counted once, where the system says so. What a
process leaves behind is ended.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from curvewise.errors import InvalidParameterError
from curvewise.executors._workers.process_tree import (
    PR_SET_CHILD_SUBREAPER,
    end_children,
    end_process,
    end_session,
    inherit_orphans,
)

LOOK_SECONDS = 0.5
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_MAX_THREADS",
    "LOKY_MAX_CPU_COUNT",
)


@dataclass(frozen=True, slots=True)
class Watched:
    """What was measured; without an exit code the process was ended because its time was up.

    `other_cpu_seconds` is what everything else on the machine took meanwhile.
    """

    exit_code: int | None
    seconds: float
    cpu_seconds: float
    other_cpu_seconds: float
    peak_mb: float


def watch(
    command: Sequence[str],
    *,
    folder: Path,
    variables: Mapping[str, str],
    n_cores: int,
    limit: float,
) -> Watched:
    """Run a command in a folder, with its output in ``stdout.txt`` and ``stderr.txt`` there."""
    busy, own = _busy_seconds(), _children_seconds()
    with (
        (folder / "stdout.txt").open("wb") as out,
        (folder / "stderr.txt").open("wb") as err,
        _nothing_left() as spared,
    ):
        threads = dict.fromkeys(THREADS, str(n_cores))
        with on_cores(n_cores):
            begun = time.monotonic()
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=folder,
                env={**variables, **threads, "TMPDIR": str(folder)},
                start_new_session=True,
            )
        try:
            exit_code, peak = _wait(process, begun + limit, spared)
            seconds = time.monotonic() - begun
        finally:
            _end(process)
    cpu = _children_seconds() - own
    others = max(0.0, _busy_seconds() - busy - cpu)
    return Watched(exit_code, seconds, cpu, others, peak)


@contextmanager
def _nothing_left() -> Iterator[Collection[int]]:
    """End what is started meanwhile and still runs; gives the children that were there before.

    Whatever is orphaned meanwhile becomes a child of this process (Linux), so that none can hide.
    """
    before = {child.pid for child in psutil.Process().children()}
    inherit_orphans()
    try:
        yield before
    finally:
        end_children(spare=before)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def check_cores(n_cores: int) -> None:
    """Refuse more cores than this process may use."""
    if hasattr(os, "sched_getaffinity") and n_cores > len(os.sched_getaffinity(0)):
        raise InvalidParameterError(
            f"There are {len(os.sched_getaffinity(0))} cores for this process, not {n_cores}."
        )


@contextmanager
def on_cores(n_cores: int) -> Iterator[None]:
    """Let what is started meanwhile run on the first cores only, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:n_cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _wait(
    process: subprocess.Popen[bytes], deadline: float, spared: Collection[int]
) -> tuple[int | None, float]:
    """Wait for the end of a process, or of its time; give its exit code and the peak memory."""
    peak = 0.0
    while (left := deadline - time.monotonic()) > 0:
        try:
            return process.wait(min(LOOK_SECONDS, left)), peak
        except subprocess.TimeoutExpired:
            peak = max(peak, _memory_mb(spared))
    return None, peak


def _memory_mb(spared: Collection[int]) -> float:
    """The memory of everything that was started below this process."""
    total = 0
    for child in psutil.Process().children(recursive=True):
        if child.pid not in spared:
            with suppress(psutil.Error):
                total += _bytes_of(child)
    return total / 1e6


def _bytes_of(process: psutil.Process) -> int:
    with suppress(psutil.AccessDenied, AttributeError):
        return int(process.memory_full_info().pss)
    return int(process.memory_info().rss)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with its children, and what is left of its session."""
    if process.poll() is None:
        end_process(process.pid)
        process.wait()
    end_session(process.pid)


def _children_seconds() -> float:
    """CPU seconds of ended children, and of theirs."""
    times = os.times()
    return times.children_user + times.children_system


def _busy_seconds() -> float:
    """CPU seconds of the whole machine since its start."""
    times = psutil.cpu_times()
    return float(times.user + times.system + getattr(times, "nice", 0.0))
