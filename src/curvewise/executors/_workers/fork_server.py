"""The process that holds the evaluation and forks workers from itself.

A learner that is killed for its time limit costs its worker. Starting Python, importing
scikit-learn and loading the data again takes a second; forking a process that has done all this
takes milliseconds, and the data is shared. The fork server itself never runs a learner: it cannot
crash, and it never starts the threads that would make forking unsafe. (Forking the program itself
is unsafe: it may have used OpenMP.) Unlike the standard library's fork server it belongs to one
executor, has an environment of its own, and does not run the user's script again.

It is the root of all that learners start: orphans fall to it, it ends them when their worker dies,
and everything when its owner closes the control socket or dies.

Requests are ``REQUEST`` structs on the control socket: ``START`` comes with two descriptors, the
worker's pipe and a status pipe, on which the server tells the worker's process id and, when it
has ended, its exit code. ``END`` ends the worker with a given process id. A server that was started
ahead of its evaluation first waits for ``GO``, which comes with the memory limit.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import struct
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

import psutil

from curvewise._text import describe_error
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.pickles import unpack
from curvewise.executors._workers.process_tree import (
    die_with_parent,
    end_children,
    end_process,
    inherit_orphans,
)
from curvewise.executors._workers.worker_loop import limit_threads, load_and_serve, serve, silence

REQUEST = struct.Struct("=cq")
START = b"s"
END = b"e"
GO = b"g"

# What loading an evaluation came to.
LOADED = "loaded"
THREADED = "threaded"
BROKEN = "broken"

# A thread of the allocator that pyarrow brings: it knows about forks.
FORK_SAFE = frozenset({"jemalloc_bg_thd"})


def main(
    control: int,
    report: int,
    shared: int,
    *,
    preload: bool,
    memory_limit: int,
    modules: Sequence[str] = (),
) -> None:
    """Be a fork server until the control socket is closed.

    Given are the descriptors of the control socket, of the pipe for the report on loading, and of
    the shared evaluation file; a memory limit of 0 bytes is none. One that was given modules
    imports them, and waits until the evaluation is there.
    """
    inherit_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    evaluate = None
    owner_side = socket.socket(fileno=control)
    if modules:
        memory_limit = _wait_for_evaluation(owner_side, modules)
    with Connection(report) as owner:
        try:
            if preload:
                evaluate = unpack(shared)
            limit_threads()
            threaded = _other_threads()
            owner.send((THREADED if threaded else LOADED, ""))
        except Exception as error:
            owner.send((BROKEN, describe_error(error)))
            return
    if threaded:
        # Returning would wait for the threads.
        os._exit(0)
    if preload:
        os.close(shared)
    silence()
    gc.collect()
    # The collector would touch, and so copy, every page that workers share.
    gc.freeze()
    ForkServer(owner_side, evaluate, shared, memory_limit or None).run()


def _wait_for_evaluation(control: socket.socket, modules: Sequence[str]) -> int:
    """Import modules, and wait until the owner says ``GO``; give the memory limit that it says."""
    for module in modules:
        # What is missing here is missed where it is needed.
        with suppress(Exception):
            import_module(module)
    message = control.recv(REQUEST.size, socket.MSG_WAITALL)
    if len(message) < REQUEST.size:
        os._exit(0)
    _, memory_limit = REQUEST.unpack(message)
    return int(memory_limit)


@dataclass(slots=True, eq=False)
class ForkServer:
    """Forks workers, and ends them with all that they started."""

    control: socket.socket
    evaluate: Evaluate | None
    shared: int
    memory_limit: int | None
    statuses: dict[int, Connection] = field(default_factory=dict)

    def run(self) -> None:
        """Serve requests until the owner is gone."""
        # Python writes to one end when a child has ended: so one `wait` hears of everything.
        wakeup, writer = socket.socketpair()
        wakeup.settimeout(0)
        writer.settimeout(0)
        signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            ready = wait([self.control, wakeup])
            if wakeup in ready:
                wakeup.recv(4096)
                self._reap()
            if self.control in ready and not self._obey((wakeup, writer)):
                break
        for pid in self.statuses:
            end_process(pid)
        end_children()

    def _obey(self, closing: tuple[Any, ...]) -> bool:
        """Carry out one request; False if the owner is gone."""
        try:
            message, descriptors, _, _ = socket.recv_fds(self.control, REQUEST.size, 2)
        except OSError:
            return False
        if len(message) < REQUEST.size:
            return False
        kind, pid = REQUEST.unpack(message)
        if kind == START:
            self._fork(*descriptors, closing=closing)
        elif pid in self.statuses:
            end_process(pid)
        return True

    def _fork(self, pipe: int, status: int, *, closing: tuple[Any, ...]) -> None:
        with warnings.catch_warnings():
            # Python warns of threads that a fork lacks; those that are here can bear it.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            self._become_worker(pipe, status, closing)
        os.close(pipe)
        self.statuses[pid] = Connection(status, readable=False)
        self._tell(pid, pid)

    def _become_worker(self, pipe: int, status: int, closing: tuple[Any, ...]) -> NoReturn:
        """Forget that this process was a fork server, and serve."""
        code = 1
        try:
            die_with_parent()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(status)
            for resource in (self.control, *self.statuses.values(), *closing):
                resource.close()
            connection = Connection(pipe)
            if self.evaluate is None:
                load_and_serve(connection, self.shared, memory_limit=self.memory_limit)
            else:
                serve(connection, self.evaluate, memory_limit=self.memory_limit)
            code = 0
        finally:
            os._exit(code)

    def _reap(self) -> None:
        """Tell which workers have ended, once all that they started has ended too."""
        ended = {}
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            if pid in self.statuses:
                ended[pid] = os.waitstatus_to_exitcode(status)
        if ended:
            end_children(spare=self.statuses.keys() - ended.keys())
        for pid, code in ended.items():
            self._tell(pid, code)
            self.statuses.pop(pid).close()

    def _tell(self, pid: int, value: int) -> None:
        """Write to a worker's status pipe; an owner that no longer listens needs no answer."""
        with suppress(OSError):
            self.statuses[pid].send(value)


def _other_threads() -> bool:
    """Whether this process has threads that would be missing in its forks."""
    if sys.platform != "linux":
        return psutil.Process().num_threads() > 1
    names = set()
    for thread in Path("/proc/self/task").iterdir():
        if thread.name != str(os.getpid()):
            with suppress(FileNotFoundError):
                names.add((thread / "comm").read_text().strip())
    return not names <= FORK_SAFE
