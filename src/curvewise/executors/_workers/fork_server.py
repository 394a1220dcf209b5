"""The process that holds the evaluation and forks workers from itself.

A learner that is killed for its time limit costs its worker. Starting Python, importing
scikit-learn and loading the data again takes a second; forking a process that has done all this
takes milliseconds, and the data is shared. The fork server itself never runs a learner: it cannot
crash, and it never starts the threads that would make forking unsafe. (Forking the program itself
is unsafe: it may have used OpenMP.) Unlike the standard library's fork server it belongs to one
executor, has an environment of its own, and does not run the user's script again.

It is the root of all that learners start: orphans fall to it, it ends them when their worker dies,
and everything when its owner closes the control socket or dies. Orphans of a worker that runs fall
to that worker, where their memory counts; a *stray*, which a learner has made a child of this
process all the same, is ended. Temporary files of learners lie in
a folder of its own, one for each worker, which is removed when the worker has ended.

Requests are ``REQUEST`` structs on the control socket: ``START`` comes with the terms for the
worker and two descriptors, the worker's socket and a status pipe, on which the server tells the
worker's process id and, when it has ended, its exit code. ``IMPORT`` comes with the names of
modules that workers needed: the workers to come have them. A server that was started ahead of its
evaluation first waits for ``GO``.
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
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn, get_args

import psutil

from curvewise._temporary import keep_files_in, make_folder, remove_folder
from curvewise._text import describe_error
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.module_imports import (
    all_trusted,
    end_with_trial,
    import_modules,
    imports_change_nothing,
    only_installed,
)
from curvewise.executors._workers.pickles import unpack
from curvewise.executors._workers.process_tree import (
    die_with_parent,
    end_children,
    inherit_orphans,
    wake_with_parent,
)
from curvewise.executors._workers.worker_loop import (
    Fresh,
    WorkerTerms,
    limit_threads,
    load_and_serve,
    serve,
    silence,
)

# What is wanted; a number of bytes (of memory, or of names that follow); a place in `FRESH`.
REQUEST = struct.Struct("=cqB")
START = b"s"
IMPORT = b"i"
GO = b"g"
FRESH: tuple[Fresh, ...] = get_args(Fresh)

# What is told of a worker: its process id, and 0; then its exit code, and the bytes that it held at
# the most.
STATUS = struct.Struct("=qq")

# How often it looks for strays.
STRAYS_SECONDS = 0.5

# What loading an evaluation came to.
LOADED = "loaded"
THREADED = "threaded"
BROKEN = "broken"

# What getrusage(2) counts memory in.
MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024

# A thread of the allocator that pyarrow brings: it knows about forks.
FORK_SAFE = frozenset({"jemalloc_bg_thd"})


def main(
    control: int,
    report: int,
    shared: int,
    *,
    folder: str,
    preload: bool,
    modules: Sequence[str] = (),
    ahead: bool = False,
) -> None:
    """Be a fork server until the control socket is closed.

    Given are the descriptors of the control socket, of the pipe for the report on loading, and of
    the shared evaluation file; and where temporary files belong. One that is ahead of its
    evaluation imports its modules, and waits until the evaluation is there.
    """
    inherit_orphans()
    # One that somebody has stopped would not see that its owner has gone.
    wake_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    evaluate = None
    owner_side = socket.socket(fileno=control)
    import_modules(modules)
    if ahead and len(owner_side.recv(REQUEST.size, socket.MSG_WAITALL)) < REQUEST.size:
        _leave(folder)
    threaded, broken = False, ""
    try:
        if preload:
            evaluate = unpack(shared)
        limit_threads()
        threaded = other_threads()
        if not threaded:
            # Here, where it is removed: an owner may be killed at any time.
            make_folder(folder)
    except Exception as error:
        broken = describe_error(error)
    try:
        with Connection(report) as owner:
            owner.send((BROKEN if broken else THREADED if threaded else LOADED, broken))
    except OSError:
        # Killed meanwhile: nobody else knows of the folder.
        _leave(folder)
    if broken:
        return
    if threaded:
        # Returning would wait for the threads.
        os._exit(0)
    if preload:
        os.close(shared)
    silence()
    _settle()
    ForkServer(owner_side, evaluate, shared, Path(folder)).run()


def _leave(folder: str) -> NoReturn:
    """End, since the owner has gone, and leave no file behind."""
    remove_folder(folder)
    os._exit(0)


def _settle() -> None:
    """Leave alone what is there: the collector would touch, and so copy, what workers share."""
    gc.collect()
    gc.freeze()


def _import_here(modules: list[str]) -> None:
    import_modules(modules)
    limit_threads()
    _settle()


@dataclass(slots=True, eq=False)
class ForkServer:
    """Forks workers, and ends them with all that they started."""

    control: socket.socket
    evaluate: Evaluate | None
    shared: int
    folder: Path
    statuses: dict[int, int] = field(default_factory=dict)
    # Processes that remove temporary files, and those that try an import, with its modules.
    helpers: dict[int, list[str]] = field(default_factory=dict)

    def run(self) -> None:
        """Serve requests until the owner is gone."""
        # Python writes to one end when a child has ended: so one `wait` hears of everything.
        wakeup, writer = socket.socketpair()
        wakeup.settimeout(0)
        writer.settimeout(0)
        signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        looked = monotonic()
        while True:
            ready = wait([self.control, wakeup], STRAYS_SECONDS if self.statuses else None)
            if wakeup in ready:
                wakeup.recv(4096)
                self._reap()
            if self.control in ready and not self._obey((wakeup, writer)):
                break
            if monotonic() >= looked + STRAYS_SECONDS:
                # Of a worker that runs nothing comes to be a child of this process.
                end_children(spare={*self.statuses, *self.helpers})
                looked = monotonic()
        end_children()
        remove_folder(self.folder)

    def _obey(self, closing: tuple[Any, ...]) -> bool:
        """Carry out one request; False if the owner is gone."""
        try:
            message, descriptors, _, _ = socket.recv_fds(self.control, REQUEST.size, 2)
            if len(message) < REQUEST.size:
                return False
            kind, n_bytes, fresh = REQUEST.unpack(message)
            if kind == START:
                terms = WorkerTerms(n_bytes or None, FRESH[fresh])
                self._fork(*descriptors, terms=terms, closing=closing)
            elif kind == IMPORT:
                names = self.control.recv(n_bytes, socket.MSG_WAITALL).decode().split()
                self._import(only_installed(names))
        except OSError:
            return False
        return True

    def _fork(
        self, pipe: int, status: int, *, terms: WorkerTerms, closing: tuple[Any, ...]
    ) -> None:
        pid = _fork()
        if pid == 0:
            self._become_worker(pipe, status, terms, closing)
        os.close(pipe)
        self.statuses[pid] = status
        self._tell(pid, pid, 0)

    def _become_worker(
        self, pipe: int, status: int, terms: WorkerTerms, closing: tuple[Any, ...]
    ) -> NoReturn:
        """Forget that this process was a fork server, and serve."""
        code = 1
        try:
            self._become_child(closing)
            for descriptor in (status, *self.statuses.values()):
                os.close(descriptor)
            connection = socket.socket(fileno=pipe)
            keep_files_in(self._files_of(os.getpid()))
            if self.evaluate is None:
                load_and_serve(connection, self.shared, terms)
            else:
                serve(connection, self.evaluate, terms)
            code = 0
        finally:
            os._exit(code)

    def _become_child(self, closing: tuple[Any, ...]) -> None:
        die_with_parent()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for resource in (self.control, *closing):
            resource.close()

    def _reap(self) -> None:
        """Tell which workers have ended, once all that they started has ended too."""
        ended = {}
        imported: list[str] = []
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            code = os.waitstatus_to_exitcode(status)
            if pid in self.statuses:
                ended[pid] = code, usage.ru_maxrss * MAXRSS_BYTES
            elif pid in self.helpers:
                modules = self.helpers.pop(pid)
                imported += modules if code == 0 else []
        if ended:
            end_children(spare={*self.statuses, *self.helpers} - ended.keys())
        for pid, end in ended.items():
            self._tell(pid, *end)
            os.close(self.statuses.pop(pid))
            self._remove_files(pid)
        if imported:
            _import_here(imported)

    def _import(self, modules: list[str]) -> None:
        """Import modules, elsewhere first: here only if that leaves everything as it was."""
        if not modules:
            return
        if all_trusted(modules):
            _import_here(modules)
            return
        pid = _fork()
        if pid == 0:
            code = 1
            try:
                die_with_parent()
                end_with_trial()
                signal.set_wakeup_fd(-1)
                code = int(not imports_change_nothing(modules) or other_threads())
            finally:
                os._exit(code)
        self.helpers[pid] = modules

    def _files_of(self, pid: int) -> Path:
        return self.folder / str(pid)

    def _remove_files(self, pid: int) -> None:
        """Remove what a worker has left; whoever leaves millions of files keeps nobody waiting."""
        files = self._files_of(pid)
        with suppress(OSError):
            files.rmdir()
        if files.exists():
            helper = _fork()
            if helper == 0:
                try:
                    die_with_parent()
                    remove_folder(files)
                finally:
                    os._exit(0)
            self.helpers[helper] = []

    def _tell(self, pid: int, value: int, most_bytes: int) -> None:
        """Write to a worker's status pipe; an owner that no longer listens needs no answer."""
        with suppress(OSError):
            os.write(self.statuses[pid], STATUS.pack(value, most_bytes))


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns of threads that a fork lacks; those that are here can bear it.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def other_threads() -> bool:
    """Whether this process has threads that would be missing in its forks."""
    if sys.platform != "linux":
        return psutil.Process().num_threads() > 1
    names = set()
    for thread in Path("/proc/self/task").iterdir():
        if thread.name != str(os.getpid()):
            with suppress(FileNotFoundError):
                names.add((thread / "comm").read_text().strip())
    return not names <= FORK_SAFE
