"""Inside a worker: take a task, answer it, clean up, take the next.

The conversation, over a pipe that only this worker and its owner hold:

1. ``READY`` once, when the worker could begin. ``BROKEN`` instead if it never will.
2. The owner sends a pickled task with its candidate. When they are unpickled, and all that they
   import is there, the worker says ``STARTED``: now the time limit runs.
3. ``ANSWER``: what became of it, the seconds it took, and whether the worker retires. It does when
   memory ran out, since nobody knows what that left behind, and when it has come to hold more
   than the limit. Children that the learner left behind have been ended by then.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Any

from curvewise._text import describe_error
from curvewise.core._outcome import Failure, Reason
from curvewise.errors import CurvewiseError
from curvewise.executors._protocol import Evaluate, attempt
from curvewise.executors._workers.pickles import Answer, unpack
from curvewise.executors._workers.process_tree import end_children, has_children, inherit_orphans

READY = "ready"
STARTED = "started"
ANSWER = "answer"
BROKEN = "broken"

# A small gradient boosting fit was 4.5 times faster with one thread than with two, on two cores
# (docs/explanation/execution.md): workers share the machine, so each gets one thread.
ONE_THREAD = dict.fromkeys(
    (
        "BLIS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "POLARS_MAX_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    ),
    "1",
)

# If memory runs out, the system ends a worker rather than the program that waits for it: programs
# begin with 0, and 1,000 is the most.
OOM_SCORE = "500"


def serve(connection: Connection, evaluate: Evaluate, *, memory_limit: int | None) -> None:
    """Answer tasks until the owner closes the pipe."""
    _become_worker()
    most = None if memory_limit is None else held_bytes() + memory_limit
    limited = limited_memory(memory_limit)(evaluate)
    connection.send((READY, None))
    retiring = False
    while not retiring:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            answer, seconds = _respond(connection, limited, message)
        except CurvewiseError as error:
            connection.send((BROKEN, str(error)))
            return
        if has_children():
            end_children()
        retiring = answer.reason is Reason.MEMORY or (most is not None and held_bytes() > most)
        connection.send((ANSWER, (answer, seconds, retiring)))


def load_and_serve(connection: Connection, shared: int, *, memory_limit: int | None) -> None:
    """Load the evaluation from the descriptor of its file, and serve."""
    try:
        evaluate = unpack(shared)
    except Exception as error:
        connection.send((BROKEN, f"The evaluation cannot be loaded: {describe_error(error)}"))
        return
    limit_threads()
    serve(connection, evaluate, memory_limit=memory_limit)


def limit_threads() -> None:
    """Let numerical libraries that are loaded already use one thread."""
    import threadpoolctl

    threadpoolctl.threadpool_limits(1)


def silence() -> None:
    """Send whatever this process and its children print to nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - open for life


def held_bytes() -> int:
    """Memory that this process has claimed for itself: what ``RLIMIT_DATA`` limits (Linux)."""
    pages = int(Path("/proc/self/statm").read_bytes().split()[5])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def limited_memory(n_bytes: int | None) -> Iterator[None]:
    """Let this process claim no more than so many bytes beyond what it holds.

    ``RLIMIT_DATA`` counts what was claimed for writing. ``RLIMIT_AS`` would also count libraries,
    mapped files and the 64 MB that the C library sets aside for every thread and does not use.
    """
    if n_bytes is None or sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = held_bytes() + n_bytes
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _respond(connection: Connection, evaluate: Evaluate, message: bytes) -> tuple[Answer, float]:
    """Carry out one task and measure its seconds; only a bug of the evaluation raises."""
    process = os.getpid()
    try:
        task, candidate = pickle.loads(message)
    except BaseException as error:
        why = f"The candidate cannot be unpickled in a worker: {describe_error(error)}"
        return Answer(Reason.ERROR, why, error=type(error).__name__), 0.0
    connection.send((STARTED, None))
    start = perf_counter()
    try:
        outcome = attempt(evaluate, task, candidate)
    except CurvewiseError:
        raise
    except BaseException as error:
        outcome = Failure.raised(task, error)
    finally:
        if os.getpid() != process:
            # A copy that the learner forked came back through its code; the original answers.
            os._exit(0)
    return Answer.of(outcome), perf_counter() - start


def _become_worker() -> None:
    """Turn this process into a worker."""
    if hasattr(os, "setsid"):
        with suppress(PermissionError):
            os.setsid()
    # Ctrl-C is for the owner, who ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    inherit_orphans()
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        # Workers forked from one process would all draw the same numbers.
        numpy.random.seed()
