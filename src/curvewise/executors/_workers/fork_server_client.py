"""The owner's side of a nursery: open it, ask it for workers, have them ended.

The evaluation is written to a temporary file that has no name, and the nursery inherits the open
file: even a program that is killed leaves nothing behind.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from curvewise.errors import CurvewiseError
from curvewise.executors._protocol import Evaluate
from curvewise.executors._workers.fork_server import END, LOADED, REQUEST, START, THREADED
from curvewise.executors._workers.shared_evaluation import pack
from curvewise.executors._workers.worker_loop import ONE_THREAD
from curvewise.executors._workers.worker_process import Life

CLOSE_SECONDS = 10.0

BOOT = """
import sys
sys.path[:] = {path!r}
from curvewise.executors._workers.fork_server import main
main({control}, {report}, {parcel}, preload={preload}, memory_limit={memory_limit})
"""


class Forking:
    """Starts workers from a nursery; opens another one if the nursery was killed."""

    def __init__(self, evaluate: Evaluate, memory_limit: int | None) -> None:
        self._evaluate = evaluate
        self._memory_limit = memory_limit or 0
        self._lock = threading.Lock()
        self._closed = False
        self._nursery = self._open()

    def start(self, connection: Connection) -> Life:
        """Start a worker that serves this end of a pipe."""
        status, theirs = Pipe(duplex=False)
        with theirs, self._lock:
            if self._closed:
                raise CurvewiseError("The executor is closed.")
            try:
                self._nursery.start(connection, theirs)
            except OSError:
                self._nursery.close()
                self._nursery = self._open()
                self._nursery.start(connection, theirs)
            return ForkedLife(status, self._nursery)

    def close(self) -> None:
        """End the nursery, its workers, and all that they started."""
        with self._lock:
            self._closed = True
            self._nursery.close()

    def _open(self) -> OpenNursery:
        """Open a nursery that holds the evaluation, or else one whose workers load it."""
        with tempfile.TemporaryFile(prefix="curvewise-") as parcel:
            pack(self._evaluate, parcel)
            nursery = boot(parcel.fileno(), preload=True, memory_limit=self._memory_limit)
            if nursery is None:
                nursery = boot(parcel.fileno(), preload=False, memory_limit=self._memory_limit)
        if nursery is None:
            raise CurvewiseError("Worker processes cannot be forked safely here: use 'spawn'.")
        return nursery


class OpenNursery:
    """A nursery that runs."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self._process = process
        self._control = control

    def start(self, connection: Connection, status: Connection) -> None:
        """Ask for a worker."""
        descriptors = [connection.fileno(), status.fileno()]
        socket.send_fds(self._control, [REQUEST.pack(START, 0)], descriptors)

    def end(self, pid: int) -> None:
        """Ask for a worker's end; if the nursery is gone, its workers are too."""
        with suppress(OSError):
            self._control.sendall(REQUEST.pack(END, pid))

    def close(self) -> None:
        """End it with all that is below it."""
        self._control.close()
        try:
            self._process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class ForkedLife:
    """The life of a worker, as its nursery tells it."""

    def __init__(self, status: Connection, nursery: OpenNursery) -> None:
        self._status = status
        self._nursery = nursery
        self._lock = threading.Lock()
        self._pid: int | None = None
        self._exitcode: int | None = None

    @property
    def waitable(self) -> Connection:
        """Ready when there is news."""
        return self._status

    def exitcode(self) -> int | None:
        """How the worker ended; None while it is alive."""
        with self._lock:
            while self._exitcode is None and self._status.poll():
                self._read()
            return self._exitcode

    def end(self) -> None:
        """End the worker and all that it started."""
        with self._lock:
            while self._pid is None and self._exitcode is None:
                self._read()
            if self._exitcode is None and self._pid is not None:
                self._nursery.end(self._pid)

    def _read(self) -> None:
        """Take one piece of news: first the process id, in the end the exit code."""
        try:
            value = self._status.recv()
        except (EOFError, OSError):
            # The nursery was killed, and its workers with it.
            self._exitcode = -signal.SIGKILL
            return
        if self._pid is None:
            self._pid = value
        else:
            self._exitcode = value


def boot(parcel: int, *, preload: bool, memory_limit: int) -> OpenNursery | None:
    """Start a nursery; None if loading the evaluation started threads, which forks would lack."""
    ours, theirs = socket.socketpair()
    report, reporter = Pipe(duplex=False)
    script = BOOT.format(
        path=[os.fspath(entry) for entry in sys.path],
        control=theirs.fileno(),
        report=reporter.fileno(),
        parcel=parcel,
        preload=preload,
        memory_limit=memory_limit,
    )
    with report, theirs, reporter, tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            pass_fds=(theirs.fileno(), reporter.fileno(), parcel),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            env={**os.environ, **ONE_THREAD},
            start_new_session=True,
        )
        theirs.close()
        reporter.close()
        nursery = OpenNursery(process, ours)
        try:
            word, message = report.recv()
        except EOFError:
            complaints.seek(0)
            word, message = "", complaints.read().decode(errors="replace").strip()
        except BaseException:
            nursery.close()
            raise
    if word == LOADED:
        return nursery
    nursery.close()
    if word == THREADED:
        return None
    raise CurvewiseError(f"Worker processes cannot load the evaluation: {message}")
