"""How much memory a task may claim, and how much it holds, with all processes that it started.

Two things keep the limit (Linux):

1. In the worker, ``RLIMIT_DATA``: what is claimed for writing beyond it is refused, and the learner
   gets a ``MemoryError``. Before code runs that nobody knows, the limit is made one that cannot be
   raised again, also by a process of the super-user.
2. Outside, the owner looks several times a second at what the worker and everything below it hold:
   shared mappings and the memory of children, which the system counts for nobody or for each by
   itself. Who holds more than the limit is ended.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from curvewise.executors._workers.process_tree import descendants

# What prctl(2) and capabilities(7) call them.
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
CAP_SYS_RESOURCE = 24
CAPABILITY_VERSION_3 = 0x20080522

KILOBYTE = 1024
CONTROL_GROUPS = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")
# The limit of a control group, what it uses, and what of that is files: version 2, and version 1.
GROUP_FILES = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
HELD = (b"RssAnon:", b"RssShmem:", b"VmSwap:")
SHARES = (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:")


def can_limit_memory() -> bool:
    """Whether this system can hold a process to a number of bytes."""
    return sys.platform == "linux"


def claimed_bytes() -> int:
    """Memory that this process has claimed for itself: what ``RLIMIT_DATA`` limits (Linux)."""
    pages = int(Path("/proc/self/statm").read_bytes().split()[5])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def limited_memory(n_bytes: int | None) -> Iterator[None]:
    """Let this process claim no more than so many bytes beyond what it has.

    ``RLIMIT_DATA`` counts what was claimed for writing. ``RLIMIT_AS`` would also count libraries,
    mapped files and the 64 MB that the C library sets aside for every thread and does not use.
    """
    if n_bytes is None or not can_limit_memory():
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = claimed_bytes() + n_bytes
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield
    finally:
        # One that was sealed meanwhile stays as it is.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def seal_limit() -> None:
    """Let nothing in this process, or below it, raise the limit again (Linux)."""
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, soft))
    libc = ctypes.CDLL(None)
    # A process of the super-user could raise it all the same.
    libc.prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    # Twice: effective, permitted, inheritable; the capabilities below 32, and those above.
    sets = (ctypes.c_uint32 * 6)()
    if libc.capget(header, sets) == 0:
        for place in range(3):
            sets[place] &= ~(1 << CAP_SYS_RESOURCE) & 0xFFFFFFFF
        libc.capset(header, sets)


def held_bytes(pid: int) -> int:
    """Memory that a process holds, without files that it has mapped; 0 if it has gone (Linux)."""
    return _sum_of(Path(f"/proc/{pid}/status"), HELD)


def tree_bytes(pid: int, *, most: int) -> int:
    """Memory that a process and all below it hold together (Linux).

    What forked processes share would count for each of them. That is sorted out, at the cost of
    milliseconds, only if it makes a difference: if they seem to hold more than the most they may.
    """
    tree = [pid, *descendants(pid)]
    n_bytes = sum(held_bytes(process) for process in tree)
    if n_bytes > most:
        shares = sum(_sum_of(Path(f"/proc/{process}/smaps_rollup"), SHARES) for process in tree)
        n_bytes = min(n_bytes, shares) if shares else n_bytes
    return n_bytes


def system_kills() -> int | None:
    """How often the system has ended a process for lack of memory; None if it does not say."""
    with suppress(OSError, ValueError):
        for line in Path("/proc/vmstat").read_bytes().splitlines():
            if line.startswith(b"oom_kill "):
                return int(line.split()[1])
    return None


def machine_memory(files: Path = CONTROL_GROUPS) -> tuple[int, int]:
    """How many bytes this machine has, and how many are left; of a container, the container."""
    memory = psutil.virtual_memory()
    total, left = memory.total, memory.available
    for folder in _groups(files):
        for limit, used, cache in GROUP_FILES:
            with suppress(OSError, ValueError):
                most = int((folder / limit).read_text())
                if most < total:
                    held = int((folder / used).read_text()) - _counted(folder, cache)
                    total, left = most, min(left, max(0, most - held))
    return total, left


def _groups(files: Path, listed: Path = OWN_GROUPS) -> Iterator[Path]:
    """Give the folders of the control groups that this process is in, and of those around them."""
    try:
        lines = listed.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, place = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        root = files / "memory" if controllers else files
        inner = root / place.lstrip("/")
        # In a container the place may be what it is called outside.
        yield from (each for each in (inner, *inner.parents) if each.is_relative_to(root))


def _counted(folder: Path, name: str) -> int:
    """Count what a control group holds of files, and could give back at once."""
    for line in (folder / "memory.stat").read_text().splitlines():
        if line.startswith(f"{name} "):
            return int(line.split()[1])
    return 0


def cpu_is_limited() -> bool:
    """Whether the system ends processes like this one for the CPU time that they take (POSIX)."""
    if sys.platform == "win32":
        return False
    import resource

    return resource.getrlimit(resource.RLIMIT_CPU)[1] != resource.RLIM_INFINITY


def _sum_of(path: Path, names: tuple[bytes, ...]) -> int:
    """Add up lines of a file of the system, which are in kilobytes."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return 0
    return KILOBYTE * sum(int(line.split()[1]) for line in lines if line.startswith(names))
