"""What every executor has to do with every kind of trouble.

An executor that cannot promise something is not asked for it: its case is skipped with the reason.
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import psutil

from curvewise.core._outcome import Failure, Reason, Task, as_outcome
from tests.executors import forgers
from tests.executors import troublemakers as trouble

MEMORY_LIMIT = 4 * 10**8
# A worker that is started from nothing takes a second, on a busy machine ten.
PATIENCE_SECONDS = 60
# Limits are kept within milliseconds, but not by a machine that is busy with other tests.
SLACK_SECONDS = 1.0


@dataclass(frozen=True)
class Case:
    """One kind of trouble: what it needs, and what has to come of it."""

    name: str
    candidate: Callable[[str], Any]
    reason: Reason | None = None
    says: str = ""
    needs: str | None = None
    seconds: float | None = None


def of(candidate):
    return lambda folder: candidate


CASES = [
    Case("success", of(trouble.succeed)),
    Case("exception", of(trouble.raise_error), Reason.ERROR, "ValueError: no rows left"),
    Case("warning", of(trouble.warn)),
    Case("nan score", of(trouble.give_nan), Reason.ERROR, "the loss is nan"),
    Case("sys.exit", of(trouble.exit_politely), Reason.ERROR, "SystemExit: 0"),
    Case(
        "interrupt raised by a learner",
        of(trouble.interrupt_itself),
        Reason.ERROR,
        "KeyboardInterrupt",
        needs="isolation",
    ),
    Case("os._exit", of(trouble.exit_at_once), Reason.LOST, "status 0", needs="isolation"),
    Case("segfault", of(trouble.segfault), Reason.LOST, "SIGSEGV", needs="isolation"),
    Case("sigkill", of(trouble.kill_itself), Reason.LOST, "SIGKILL", needs="isolation"),
    Case("closed pipes", of(trouble.close_everything), Reason.LOST, needs="isolation"),
    Case("a fork that comes back", of(trouble.fork_and_return), needs="isolation"),
    Case(
        "a fork left by a crash",
        of(trouble.fork_and_crash),
        Reason.LOST,
        "SIGABRT",
        needs="isolation",
    ),
    Case(
        "endless python loop",
        of(trouble.loop_in_python),
        Reason.TIMEOUT,
        "0.4 s",
        needs="time_limit",
        seconds=0.4,
    ),
    Case(
        "endless c call",
        of(trouble.loop_in_c),
        Reason.TIMEOUT,
        "0.4 s",
        needs="time_limit",
        seconds=0.4,
    ),
    Case(
        "children left behind",
        lambda folder: trouble.LeaveChildren(folder, trouble.succeed),
        needs="isolation",
    ),
    Case(
        "children left by a crash",
        lambda folder: trouble.LeaveChildren(folder, trouble.segfault),
        Reason.LOST,
        needs="isolation",
    ),
    Case(
        "children of a task that takes too long",
        lambda folder: trouble.LeaveChildren(folder, trouble.loop_in_c),
        Reason.TIMEOUT,
        needs="time_limit",
        seconds=0.4,
    ),
    Case(
        "a stopped worker",
        of(trouble.stop_itself),
        Reason.TIMEOUT,
        "0.4 s",
        needs="time_limit",
        seconds=0.4,
    ),
    Case(
        "a stopped fork server",
        of(trouble.stop_parent),
        Reason.TIMEOUT,
        "0.4 s",
        needs="time_limit",
        seconds=0.4,
    ),
    Case("a fork server stopped in passing", of(trouble.stop_parent_and_return), needs="isolation"),
    Case(
        "half a message and a long sleep",
        of(trouble.begin_message_and_sleep),
        Reason.TIMEOUT,
        "0.4 s",
        needs="time_limit",
        seconds=0.4,
    ),
    Case(
        "a message without end",
        of(trouble.flood_sockets),
        Reason.LOST,
        "had written to it",
        needs="isolation",
    ),
    Case(
        "a pickle as a message that runs code",
        of(trouble.send_code),
        Reason.LOST,
        "had written to it",
        needs="isolation",
    ),
    Case(
        "a message that the evaluation is broken",
        of(forgers.say_broken),
        Reason.ERROR,
        "The evaluation cannot be loaded.",
        needs="isolation",
    ),
    Case(
        "memory in a shared mapping",
        of(trouble.hog_shared_mapping),
        Reason.MEMORY,
        "The memory limit of 400,000,000 bytes was exceeded",
        needs="memory_limit",
    ),
    Case(
        "memory of children",
        of(trouble.hog_in_children),
        Reason.MEMORY,
        "The memory limit of 400,000,000 bytes was exceeded",
        needs="memory_limit",
    ),
    Case(
        "a raised limit of memory",
        of(trouble.raise_limit_and_hog),
        Reason.MEMORY,
        needs="memory_limit",
    ),
    Case(
        "memory hog before its task begins",
        lambda folder: trouble.HogsWhileUnpickled(),
        Reason.MEMORY,
        needs="memory_limit",
    ),
    Case("memory hog", of(trouble.hog_memory), Reason.MEMORY, "allocate", needs="memory_limit"),
    Case("growing memory hog", of(trouble.hoard_memory), Reason.MEMORY, needs="memory_limit"),
    Case("memory within the limit", of(trouble.use_some_memory)),
    Case("100 MB of text", of(trouble.print_much), needs="isolation"),
    Case(
        "unpicklable estimator",
        lambda folder: trouble.Unpicklable(),
        Reason.ERROR,
        "The candidate cannot be pickled",
        needs="isolation",
    ),
    Case(
        "estimator that cannot be unpickled",
        lambda folder: trouble.Stubborn(),
        Reason.ERROR,
        "The candidate cannot be unpickled",
        needs="isolation",
    ),
    Case(
        "unpicklable result",
        of(trouble.give_unpicklable),
        Reason.ERROR,
        "The result cannot be used",
        needs="isolation",
    ),
    Case(
        "result that cannot be unpickled",
        of(trouble.give_what_cannot_be_unpickled),
        Reason.ERROR,
        "The result cannot be used",
        needs="isolation",
    ),
]


class Subject:
    """An executor under test, and what its processes look like in peace."""

    def __init__(self, make):
        self.make = make
        self._others = {child.pid for child in psutil.Process().children(recursive=True)}
        self.executor = make()
        self._n_tasks = 0
        self._begun = []
        self._n_in_peace = self._keep_all_busy()

    def _keep_all_busy(self):
        """See that every slot can be used, and count processes then."""
        if self.executor.n_slots == 1:
            return 0
        with tempfile.TemporaryDirectory() as root:
            folders = [Path(root) / str(slot) for slot in range(self.executor.n_slots)]
            for folder in folders:
                folder.mkdir()
                self.begin(trouble.Loiter(folder))
            for folder in folders:
                eventually((folder / "pid").exists)
            n_processes = self.n_processes()
            for folder in folders:
                (folder / "go").touch()
            outcomes = []
            while len(outcomes) < len(folders):
                outcomes += self.executor.wait(PATIENCE_SECONDS)
        return n_processes

    def new_task(self, name="trouble"):
        self._n_tasks += 1
        return Task(name, 64, self._n_tasks)

    def begin(self, candidate, *, seconds=None):
        task = self.new_task()
        self._begun.append(task)
        self.executor.submit(task, candidate, seconds=seconds)
        return task

    def forget(self):
        """Cancel what a test has left, so that the next one begins in peace."""
        for task in self._begun:
            self.executor.cancel(task)
        self._begun.clear()

    def run(self, candidate, *, seconds=None):
        """Carry out one task and give its outcome, as a search would see it."""
        self.begin(candidate, seconds=seconds)
        (outcome,) = self.executor.wait(PATIENCE_SECONDS)
        return as_outcome(outcome)

    def until(self, predicate):
        """Let the executor look after its workers until it is so."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not predicate():
            assert self.executor.wait(0.01) == []
            assert time.monotonic() < deadline

    def n_processes(self):
        """How many processes the executor has started, dead ones included.

        Those of a Ray cluster come and go as Ray likes; the executor's are its actors, and what is
        below them.
        """
        started = self._below(psutil.Process(), recursive=True)
        actors = list(filter(is_actor, started))
        below = [each for actor in actors for each in self._below(actor, recursive=True)]
        return len(actors) + len(below) if actors else len(started)

    def _below(self, process, *, recursive=False):
        """The processes below one that were not there before the executor was."""
        try:
            found = process.children(recursive=recursive)
        except psutil.Error:
            return []
        return [child for child in found if child.pid not in self._others]

    def workers(self):
        """The worker processes: those below a fork server, or else all that were started."""
        own = psutil.Process()
        actors = list(filter(is_actor, self._below(own, recursive=True)))
        found = [child for each in actors or [own] for child in self._below(each)]
        servers = [child for child in found if is_fork_server(child)]
        spawned = [child for child in found if "spawn_main" in command_of(child)]
        return [worker for server in servers for worker in server.children()] or spawned

    def check_peace(self):
        """See that the next task runs and that no process is left over."""
        assert self.run(trouble.succeed).loss == 0.25
        eventually(lambda: self.n_processes() <= self._n_in_peace)

    def close(self):
        """See that nothing is left, but for the process that the standard library keeps."""
        self.executor.close()
        eventually(lambda: self.n_processes() <= int(keeps_tracker()))


def check(case, subject, folder):
    """Make trouble beside a neighbour, and see that only the troublemaker pays for it."""
    executor = subject.executor
    neighbour = executor.n_slots > 1 and subject.begin(trouble.Loiter(folder))
    if neighbour:
        eventually((folder / "pid").exists)

    outcome = subject.run(case.candidate(str(folder)), seconds=case.seconds)
    reason = outcome.reason if isinstance(outcome, Failure) else None
    assert reason is case.reason, outcome
    if isinstance(outcome, Failure):
        assert case.says in outcome.message.splitlines()[0]
        assert case.seconds is None or outcome.seconds < case.seconds + SLACK_SECONDS

    for note in ("child", "orphan"):
        if (folder / note).exists():
            assert not is_running(int((folder / note).read_text()))
    if neighbour:
        (folder / "go").touch()
        (beside,) = executor.wait(PATIENCE_SECONDS)
        assert beside == trouble.succeed(neighbour)
    subject.check_peace()


def keeps_tracker():
    """Whether the standard library has a process of its own, as it does once it has spawned any."""
    return resource_tracker._resource_tracker._fd is not None


def is_fork_server(process):
    return "_workers.fork_server" in command_of(process)


def is_actor(process):
    return command_of(process).startswith("ray::RaySlot")


def command_of(process):
    """Give the command line of a process; nothing if it has ended meanwhile."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def is_running(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def eventually(predicate):
    """Look until it is so; processes of others need a moment to end."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    pause = 0.002
    while not predicate():
        assert time.monotonic() < deadline
        time.sleep(pause)
        # Whoever looks too often takes the time of those it waits for.
        pause = min(2 * pause, 0.05)
