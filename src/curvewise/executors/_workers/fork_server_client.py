"""The owner's side of a fork server: ask it for workers, and replace one that has gone.

A fork server can be killed, by the system or by a candidate, and a candidate can stop it. The owner
never waits for it without end: what is asked for has to come within `ANSWER_SECONDS`, workers are
ended without its help, and a server that does not answer is ended with all below it. Another one
takes its place; while that loads, requests wait in its socket, and the owner goes on.
"""

from __future__ import annotations

import atexit
import math
import os
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate
from time import monotonic

import psutil

from curvewise._interrupts import interrupts_wait
from curvewise.errors import CurvewiseError
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.fork_server import GO, REQUEST, STATUS
from curvewise.executors._workers.pickles import pack
from curvewise.executors._workers.process_tree import end_tree, wake
from curvewise.executors._workers.running_fork_server import (
    ANSWER_SECONDS,
    Premises,
    RunningForkServer,
)
from curvewise.executors._workers.worker_loop import WorkerTerms

# What workers name after a candidate has run may be its own words: there is an end to it. All of
# them have to fit into a socket at once, where a server that loads lets them wait.
MOST_NAMES_BYTES = 100_000


class ForkServerLauncher:
    """Starts workers from a fork server, and another server if that has gone."""

    def __init__(self, premises: Premises, server: RunningForkServer, terms: WorkerTerms) -> None:
        self._premises = premises
        self._server = server
        self._terms = terms
        self._lock = threading.Lock()
        self._closed = False
        self._apart: list[ForkServerLauncher] = []

    @classmethod
    def of(cls, evaluate: Evaluate, terms: WorkerTerms) -> ForkServerLauncher:
        """Load an evaluation; a server that was prepared is taken."""
        prepared = _prepared.pop() if _prepared else None
        premises = Premises.make() if prepared is None else prepared.premises
        try:
            pack(evaluate, premises.shared)
            server = None if prepared is None else prepared.go()
            return cls(premises, server or premises.first_server(), terms)
        except BaseException:
            if prepared is not None:
                prepared.close()
            premises.remove()
            raise

    def start(self, connection: socket.socket) -> ForkedWorker:
        """Start a worker that serves this end of a socket; it is not waited for."""
        status, theirs = os.pipe()
        try:
            with self._lock:
                if self._closed:
                    raise CurvewiseError("The executor is closed.")
                try:
                    self._server.start(connection, theirs, self._terms)
                except OSError:
                    # How to start another one is known: it need not be waited for.
                    self._server.end()
                    self._server = RunningForkServer.at(self._premises)
                    self._server.start(connection, theirs, self._terms)
                    self._server.import_modules(list(self._premises.needed))
                return ForkedWorker(status, self._server)
        except BaseException:
            os.close(status)
            raise
        finally:
            os.close(theirs)

    def import_modules(self, names: Sequence[str]) -> None:
        """Let the workers to come have modules."""
        with self._lock:
            needed = self._premises.needed
            new = [name for name in dict.fromkeys(names) if name not in needed]
            sizes = accumulate(map(len, new), initial=sum(map(len, needed)))
            new = [name for name, size in zip(new, sizes, strict=False) if size < MOST_NAMES_BYTES]
            needed.update(dict.fromkeys(new))
            if new and not self._closed:
                self._server.import_modules(new)

    def apart(self) -> ForkServerLauncher:
        """Give a launcher with a fork server of its own, for the same evaluation."""
        with self._lock:
            if self._closed:
                raise CurvewiseError("The executor is closed.")
            server = RunningForkServer.at(self._premises)
            launcher = ForkServerLauncher(self._premises, server, self._terms)
            self._apart.append(launcher)
            return launcher

    def end(self) -> None:
        """End the fork server, its workers, and all that they started."""
        with self._lock:
            self._closed = True
            for launcher in self._apart:
                launcher.end()
            self._server.end()

    def close(self) -> None:
        """End everything, and leave no file behind, also if that is interrupted."""
        try:
            self.end()
        finally:
            with interrupts_wait(nth=None):
                self._premises.remove()


class ForkedWorker:
    """A worker process, as its fork server tells of it."""

    def __init__(self, status: int, server: RunningForkServer) -> None:
        os.set_blocking(status, False)
        self.waitable = status
        self._server = server
        self._lock = threading.Lock()
        self._begun = monotonic()
        self._told = False
        self._process: psutil.Process | None = None
        self._exitcode: int | None = None
        self._most_bytes: int | None = None
        # Why the fork server is to blame for the end of the worker, if it is.
        self.orphaned = ""

    @property
    def pid(self) -> int | None:
        """Its process id; None if it is not known yet."""
        return None if self._process is None else self._process.pid

    @property
    def ended(self) -> bool:
        """Whether the worker has ended, with all that it started."""
        with self._lock:
            self._read()
            return self._exitcode is not None or bool(self.orphaned)

    @property
    def exitcode(self) -> int:
        """How the worker ended."""
        return self._exitcode or 0

    @property
    def most_bytes(self) -> int | None:
        """The memory that the worker held at the most; None if nobody knows."""
        return self._most_bytes

    @property
    def deadline(self) -> float:
        """When the fork server has to have told of this worker, on the monotonic clock."""
        if self._told:
            return math.inf
        return max(self._begun + ANSWER_SECONDS, self._server.deadline)

    def end(self) -> None:
        """End the worker and all that it started, without the help of the fork server."""
        with self._lock:
            self._read()
            if self._process is not None and self._process.is_running():
                end_tree(self._process)

    def wake(self) -> None:
        """Let the fork server and the worker go on if somebody has stopped them."""
        wake(self._server.process.pid)
        if self._process is not None and self._process.is_running():
            wake(self._process.pid)

    def give_up(self) -> None:
        """End the fork server, which does not answer, and all its workers."""
        self._server.end()

    def close(self) -> None:
        """Hear no more of it."""
        with self._lock:
            if self.waitable >= 0:
                os.close(self.waitable)
                self.waitable = -1

    def _read(self) -> None:
        """Take the news: first the process id, in the end the exit code."""
        while self.waitable >= 0 and self._exitcode is None and not self.orphaned:
            try:
                news = os.read(self.waitable, STATUS.size)
            except BlockingIOError:
                return
            if len(news) < STATUS.size:
                self.orphaned = self._server.describe_end()
                return
            value, n_bytes = STATUS.unpack(news)
            if self._told:
                self._exitcode, self._most_bytes = value, n_bytes
            else:
                self._told = True
                with suppress(psutil.NoSuchProcess):
                    self._process = psutil.Process(value)


class PreparedServer:
    """A fork server that was started ahead of its evaluation, while the program still loads."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.premises = Premises.make()
        self.premises.modules += modules
        self._server = RunningForkServer.at(self.premises, ahead=True)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._server.process.pid

    def go(self) -> RunningForkServer | None:
        """Let it load the evaluation that is in its file; None if it cannot, or is gone."""
        with suppress(OSError, CurvewiseError):
            self._server.control.sendall(REQUEST.pack(GO, 0, 0))
            if self._server.loaded():
                return self._server
        self._server.end()
        return None

    def close(self) -> None:
        """End it, and leave nothing behind, also if that is interrupted."""
        try:
            self._server.end()
        finally:
            with interrupts_wait(nth=None):
                self.premises.remove()


_prepared: list[PreparedServer] = []


def prepare_server(modules: Sequence[str]) -> None:
    """Start a fork server that imports modules; the next executor with workers takes it."""
    if not _prepared:
        _prepared.append(PreparedServer(modules))
        atexit.register(_end_prepared)


def _end_prepared() -> None:
    # It takes a moment; who holds the keys of an interrupt down would see a traceback.
    with suppress(KeyboardInterrupt), interrupts_wait(nth=None):
        while _prepared:
            _prepared.pop().close()
