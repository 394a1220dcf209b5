"""Inside a worker: take a task, answer it, clean up, take the next.

The conversation, over a socket that only this worker and its owner hold:

1. ``READY`` once, when the worker could begin. ``BROKEN`` instead if it never will.
2. The owner sends a pickled task with its candidate, and the worker says ``TAKEN``, and what memory
   it holds. Before anything of these runs that nobody knows, it says ``UNKNOWN``, and whether it
   will retire. When they are unpickled, and all that they import is there, it says ``STARTED``: now
   the time limit runs.
3. ``ANSWER``: what became of it, the seconds it took, whether the worker retires, and which
   installed modules it has imported. Children that the learner left behind have been ended.
   ``BROKEN`` instead if the evaluation gave what is no outcome.

After ``UNKNOWN`` any word may be a candidate's, which finds the socket among its open files. What
the owner then believes is said there (`supervised_worker`).

A worker retires after a task that may have changed it:

- one of a candidate with code that nobody knows (`known_code`), or any one if that is wanted;
- one that ran out of memory, since nobody knows what that left behind, or that left the worker with
  more than the limit.
"""

from __future__ import annotations

import mmap
import os
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from curvewise._text import LONGEST_MESSAGE, cut_middle, describe_error
from curvewise.core._outcome import Failure, Reason
from curvewise.errors import CurvewiseError
from curvewise.executors._protocol import Evaluate, attempt
from curvewise.executors._workers.channel import say, take_order
from curvewise.executors._workers.known_code import installed, unpickle
from curvewise.executors._workers.memory import (
    claimed_bytes,
    held_bytes,
    limited_memory,
    seal_limit,
)
from curvewise.executors._workers.pickles import Answer, unpack
from curvewise.executors._workers.process_tree import (
    end_children,
    has_children,
    inherit_orphans,
    leave_trackers,
)

READY = "ready"
TAKEN = "taken"
UNKNOWN = "unknown"
STARTED = "started"
ANSWER = "answer"
BROKEN = "broken"

# Which tasks get a worker that has run nothing before, and nothing after.
Fresh = Literal["unknown", "always", "never"]

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

# So many modules are named in an answer; whoever imports more imports them by the first ones.
MOST_MODULES = 2_000

# If memory runs out, the system ends a worker rather than the program that waits for it: programs
# begin with 0, and 1,000 is the most.
OOM_SCORE = "500"


@dataclass(frozen=True, slots=True)
class WorkerTerms:
    """What holds for a worker: how much memory a task may claim, and after whom it retires."""

    memory_limit: int | None = None
    fresh: Fresh = "unknown"


def serve(connection: socket.socket, evaluate: Evaluate, terms: WorkerTerms) -> None:
    """Answer tasks until the owner closes the socket, or this worker retires."""
    _become_worker()
    before = set(sys.modules)
    limit = terms.memory_limit
    most = None if limit is None else claimed_bytes() + limit
    say(connection, READY)
    while (order := take_order(connection)) is not None:
        say(connection, TAKEN, held_bytes(os.getpid()))
        try:
            answer, seconds, known = _respond(connection, evaluate, *order, terms)
        except CurvewiseError as error:
            say(connection, BROKEN, cut_middle(str(error), LONGEST_MESSAGE))
            return
        if has_children():
            leave_trackers()
            end_children()
        retiring = (
            terms.fresh == "always"
            or (terms.fresh == "unknown" and not known)
            or answer.reason is Reason.MEMORY
            or (most is not None and claimed_bytes() > most)
        )
        new = installed(_new_modules(before))[:MOST_MODULES]
        say(connection, ANSWER, (answer.plain(), seconds, retiring, new), answer.observation)
        if retiring:
            return


def _new_modules(before: set[str]) -> list[str]:
    """Name the modules that were imported since, in their order."""
    if len(sys.modules) <= len(before):
        return []
    new = [name for name in list(sys.modules) if name not in before]
    before.update(new)
    return new


def load_and_serve(connection: socket.socket, shared: int, terms: WorkerTerms) -> None:
    """Load the evaluation from the descriptor of its file, and serve."""
    try:
        evaluate = unpack(shared)
    except Exception as error:
        say(connection, BROKEN, f"The evaluation cannot be loaded: {describe_error(error)}")
        return
    limit_threads()
    serve(connection, evaluate, terms)


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


def _respond(
    connection: socket.socket,
    evaluate: Evaluate,
    pickled_task: bytes,
    pickled_candidate: bytes | mmap.mmap,
    terms: WorkerTerms,
) -> tuple[Answer, float, bool]:
    """Carry out one task and measure its seconds; only a bug of the evaluation raises.

    Whether all code in it was known comes with the answer.
    """
    process = os.getpid()
    known = False
    prepare = partial(_prepare_for_unknown, connection, terms)
    with limited_memory(terms.memory_limit):
        try:
            candidate, known = unpickle(pickled_candidate, prepare=prepare)
            task, task_known = unpickle(pickled_task, prepare=prepare)
            known = known and task_known
        except MemoryError as error:
            return Answer(Reason.MEMORY, _cannot_unpickle(error), error="MemoryError"), 0.0, known
        except BaseException as error:
            error_name = type(error).__name__
            return Answer(Reason.ERROR, _cannot_unpickle(error), error=error_name), 0.0, False
        del pickled_candidate
        say(connection, STARTED)
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
        return Answer.of(outcome), perf_counter() - start, known


def _prepare_for_unknown(connection: socket.socket, terms: WorkerTerms) -> None:
    """Say that code comes which nobody knows, and let it not raise its limit."""
    retiring = terms.fresh != "never"
    say(connection, UNKNOWN, retiring)
    # A worker that goes on has to be able to raise it for the next task.
    if retiring and terms.memory_limit is not None:
        seal_limit()


def _cannot_unpickle(error: BaseException) -> str:
    return f"The candidate cannot be unpickled in a worker: {describe_error(error)}"


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
