"""The owner's side of a fork server: start it, ask it for workers, have them ended.

The evaluation is written to a temporary file that has no name, and the server inherits the open
file: even a program that is killed leaves nothing behind.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import IO

from curvewise.errors import CurvewiseError
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.fork_server import END, GO, LOADED, REQUEST, START, THREADED
from curvewise.executors._workers.pickles import pack
from curvewise.executors._workers.worker_loop import ONE_THREAD

# The server ends its process tree first, which takes milliseconds; then it is killed.
CLOSE_SECONDS = 10.0

BOOT = """
import sys
sys.path[:] = {path!r}
from curvewise.executors._workers.fork_server import main
main(
    {control}, {report}, {shared}, preload={preload}, memory_limit={memory_limit}, modules={modules}
)
"""


class ForkServerLauncher:
    """Starts workers from a fork server, and another server if that was killed."""

    def __init__(self, evaluate: Evaluate, memory_limit: int | None) -> None:
        self._evaluate = evaluate
        self._memory_limit = memory_limit or 0
        self._lock = threading.Lock()
        self._closed = False
        self._server = self._start_server()

    def start(self, connection: Connection) -> ForkedWorker:
        """Start a worker that serves this end of a pipe."""
        status, theirs = Pipe(duplex=False)
        with theirs, self._lock:
            if self._closed:
                raise CurvewiseError("The executor is closed.")
            try:
                self._server.start(connection, theirs)
            except OSError:
                self._server.close()
                self._server = self._start_server()
                self._server.start(connection, theirs)
            return ForkedWorker(status, self._server)

    def close(self) -> None:
        """End the fork server, its workers, and all that they started."""
        with self._lock:
            self._closed = True
            self._server.close()

    def _start_server(self) -> RunningForkServer:
        """Start a server that holds the evaluation, or else one whose workers load it."""
        if _prepared:
            prepared = _prepared.pop().go(self._evaluate, self._memory_limit)
            if prepared is not None:
                return prepared
        with tempfile.TemporaryFile(prefix="curvewise-") as shared:
            pack(self._evaluate, shared)
            for preload in (True, False):
                server = start_server(shared.fileno(), self._memory_limit, preload=preload)
                if server is not None:
                    return server
        raise CurvewiseError("Worker processes cannot be forked safely here: use 'spawn'.")


@dataclass(frozen=True, slots=True, eq=False)
class RunningForkServer:
    """A fork server that runs."""

    process: subprocess.Popen[bytes]
    control: socket.socket

    def start(self, connection: Connection, status: Connection) -> None:
        """Ask for a worker."""
        descriptors = [connection.fileno(), status.fileno()]
        socket.send_fds(self.control, [REQUEST.pack(START, 0)], descriptors)

    def end(self, pid: int) -> None:
        """Ask for a worker's end; if the server is gone, its workers are too."""
        with suppress(OSError):
            self.control.sendall(REQUEST.pack(END, pid))

    def close(self) -> None:
        """End it with all that is below it."""
        self.control.close()
        try:
            self.process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ForkedWorker:
    """A worker process, as its fork server tells of it."""

    def __init__(self, status: Connection, server: RunningForkServer) -> None:
        self.waitable = status
        self._server = server
        self._lock = threading.Lock()
        self._pid: int | None = None
        self._exitcode: int | None = None

    def exitcode(self) -> int | None:
        """How the worker ended; None while it is alive."""
        with self._lock:
            while self._exitcode is None and self.waitable.poll():
                self._read()
            return self._exitcode

    def end(self) -> None:
        """End the worker and all that it started."""
        with self._lock:
            while self._pid is None and self._exitcode is None:
                self._read()
            if self._exitcode is None and self._pid is not None:
                self._server.end(self._pid)

    def _read(self) -> None:
        """Take one piece of news: first the process id, in the end the exit code."""
        try:
            value = self.waitable.recv()
        except (EOFError, OSError):
            # The server was killed, and its workers with it.
            self._exitcode = -signal.SIGKILL
            return
        if self._pid is None:
            self._pid = value
        else:
            self._exitcode = value


def start_server(shared: int, memory_limit: int, *, preload: bool) -> RunningForkServer | None:
    """Start a fork server; None if loading the evaluation started threads, which forks lack."""
    return Launched.of(shared, memory_limit=memory_limit, preload=preload).loaded()


@dataclass(frozen=True, slots=True, eq=False)
class Launched:
    """A fork server that was started, and has not said yet what loading came to."""

    server: RunningForkServer
    report: Connection
    complaints: IO[bytes]

    @classmethod
    def of(
        cls,
        shared: int,
        *,
        memory_limit: int = 0,
        preload: bool = True,
        modules: Sequence[str] = (),
    ) -> Launched:
        """Start the process."""
        ours, theirs = socket.socketpair()
        report, reporter = Pipe(duplex=False)
        complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it was read
        script = BOOT.format(
            path=[os.fspath(entry) for entry in sys.path],
            control=theirs.fileno(),
            report=reporter.fileno(),
            shared=shared,
            preload=preload,
            memory_limit=memory_limit,
            modules=list(modules),
        )
        with theirs, reporter:
            process = subprocess.Popen(
                [sys.executable, "-c", script],
                pass_fds=(theirs.fileno(), reporter.fileno(), shared),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
                env={**os.environ, **ONE_THREAD},
                start_new_session=True,
            )
        return cls(RunningForkServer(process, ours), report, complaints)

    def loaded(self) -> RunningForkServer | None:
        """Wait for what loading came to; None if it started threads, an error if it failed."""
        word = ""
        with self.report, self.complaints:
            try:
                word, message = self.report.recv()
            except EOFError:
                self.complaints.seek(0)
                message = self.complaints.read().decode(errors="replace").strip()
            finally:
                if word != LOADED:
                    self.server.close()
        if word in (LOADED, THREADED):
            return self.server if word == LOADED else None
        raise CurvewiseError(f"Worker processes cannot load the evaluation: {message}")


class PreparedServer:
    """A fork server that was started ahead of its evaluation, while the program still loads."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._shared = tempfile.TemporaryFile(prefix="curvewise-")  # noqa: SIM115 - lives on
        self._launched = Launched.of(self._shared.fileno(), modules=modules)

    def go(self, evaluate: Evaluate, memory_limit: int) -> RunningForkServer | None:
        """Let it load an evaluation; None if it cannot, or is gone."""
        with self._shared:
            pack(evaluate, self._shared)
            try:
                self._launched.server.control.sendall(REQUEST.pack(GO, memory_limit))
                return self._launched.loaded()
            except (OSError, CurvewiseError):
                self.close()
                return None

    def close(self) -> None:
        """End it at once: it has no workers yet."""
        self._launched.server.process.kill()
        for file in (self._shared, self._launched.report, self._launched.complaints):
            file.close()
        self._launched.server.close()


_prepared: list[PreparedServer] = []


def prepare_server(modules: Sequence[str]) -> None:
    """Start a fork server that imports modules; the next executor with workers takes it."""
    if not _prepared:
        _prepared.append(PreparedServer(modules))
        atexit.register(_end_prepared)


def _end_prepared() -> None:
    while _prepared:
        _prepared.pop().close()
