"""A fork server as its owner has it: what it needs, how it is started, asked and ended.

The evaluation is written to a temporary file that has no name, and the server inherits the open
file: even a program that is killed leaves nothing of it behind.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic
from typing import IO

import psutil

from curvewise._temporary import name_folder, read_only, remove_folder, unnamed_file
from curvewise.errors import CurvewiseError
from curvewise.executors._workers.fork_server import (
    BROKEN,
    FRESH,
    IMPORT,
    LOADED,
    REQUEST,
    START,
)
from curvewise.executors._workers.process_tree import describe_exit, end_marked, end_tree, wake
from curvewise.executors._workers.worker_loop import ONE_THREAD, WorkerTerms

# By this variable of their environment all processes below a fork server can be found.
MARK = "CURVEWISE_FORK_SERVER"
# Forking takes milliseconds, importing a package for workers to come takes seconds.
ANSWER_SECONDS = 30.0
# What a server may take to load Python, packages and data; from a slow disk that is a while.
LOAD_SECONDS = 600.0
# Who has not answered by then is told to go on, in case that somebody has stopped it.
WAKE_SECONDS = 0.5
# So many names of modules fit into one message.
MOST_NAMES = 500
# A process that has closed its pipes is about to end.
END_SECONDS = 1.0
# One that is killed while it starts is started again, so many times.
MOST_STARTS = 5

BOOT = """
import sys
sys.path[:] = {path!r}
from curvewise.executors._workers.fork_server import main
main({descriptors}, folder={folder!r}, preload={preload}, modules={modules!r}, ahead={ahead})
"""


class ServerGoneError(CurvewiseError):
    """A fork server has ended, or did not get ready, before it could say anything."""


@dataclass(slots=True, eq=False)
class Premises:
    """What fork servers need that hold the same evaluation."""

    shared: IO[bytes]
    folder: str
    # Whether they load the evaluation; else each worker does.
    preload: bool = True
    # What they import at once, and what workers were seen to need, in that order.
    modules: list[str] = field(default_factory=list)
    needed: dict[str, None] = field(default_factory=dict)

    @classmethod
    def make(cls) -> Premises:
        """Make an unnamed file for the evaluation, and a name for a folder of temporary files.

        The folder itself is made by servers that have loaded, which remove it: until then, a
        program may be killed, or write gigabytes.
        """
        return cls(unnamed_file(), str(name_folder()))

    def first_server(self) -> RunningForkServer:
        """Start a server that holds the evaluation, or else one whose workers load it."""
        for self.preload in (True, False):
            server = self._loaded_server()
            if server is not None:
                return server
        raise CurvewiseError("Worker processes cannot be forked safely here: use 'spawn'.")

    def _loaded_server(self) -> RunningForkServer | None:
        """Start servers until one is not killed while it loads; None if loading starts threads."""
        for _ in range(MOST_STARTS):
            server = RunningForkServer.at(self)
            try:
                return server if server.loaded() else None
            except ServerGoneError as error:
                why = str(error)
        raise CurvewiseError(
            f"Worker processes cannot be started: {MOST_STARTS} fork servers in a row ended while "
            f"they loaded the evaluation. {why}"
        )

    def remove(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):
            # What is still to be written is so in vain, and the disk may be full.
            self.shared.close()
        remove_folder(self.folder)


@dataclass(slots=True, eq=False)
class RunningForkServer:
    """A fork server that runs."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    # Its report on loading; one that nobody reads must still be open.
    report: Connection
    complaints: IO[bytes]
    mark: str
    begun: float = field(default_factory=monotonic)
    ready: float | None = None

    @classmethod
    def at(cls, premises: Premises, *, ahead: bool = False) -> RunningForkServer:
        """Start the process; one that is ahead of its evaluation waits for it."""
        ours, theirs = socket.socketpair()
        ours.settimeout(0)
        report, reporter = Pipe(duplex=False)
        complaints = unnamed_file()
        shared, mark = read_only(premises.shared), secrets.token_hex(8)
        descriptors = (theirs.fileno(), reporter.fileno(), shared)
        script = BOOT.format(
            path=[os.fspath(entry) for entry in sys.path],
            descriptors=", ".join(map(str, descriptors)),
            folder=premises.folder,
            preload=premises.preload,
            modules=premises.modules,
            ahead=ahead,
        )
        try:
            with theirs, reporter:
                process = subprocess.Popen(
                    [sys.executable, "-c", script],
                    pass_fds=descriptors,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=complaints,
                    env={**os.environ, **ONE_THREAD, MARK: mark},
                    start_new_session=True,
                )
        finally:
            os.close(shared)
        return cls(process, ours, report, complaints, mark)

    def loaded(self) -> bool:
        """Wait for what loading came to; False if it started threads, an error if it failed."""
        word, message = "", ""
        try:
            while not self.report.poll(WAKE_SECONDS):
                if monotonic() > self.begun + LOAD_SECONDS:
                    raise ServerGoneError(f"It was not ready after {LOAD_SECONDS:g} s.")
                wake(self.process.pid)
            word, message = self.report.recv()
        except (EOFError, OSError) as error:
            raise ServerGoneError(self.describe_end()) from error
        finally:
            if word != LOADED:
                self.end()
        if word == BROKEN:
            raise CurvewiseError(f"Worker processes cannot load the evaluation: {message}")
        self.ready = monotonic()
        return bool(word == LOADED)

    @property
    def deadline(self) -> float:
        """When it has to have done what it was asked for before, on the monotonic clock."""
        if self.ready is None:
            with suppress(OSError):
                # What it reports, or that it has gone.
                self.ready = monotonic() if self.report.poll() else None
        if self.ready is None:
            return self.begun + LOAD_SECONDS
        return self.ready + ANSWER_SECONDS

    def start(self, connection: socket.socket, status: int, terms: WorkerTerms) -> None:
        """Ask for a worker."""
        request = REQUEST.pack(START, terms.memory_limit or 0, FRESH.index(terms.fresh))
        socket.send_fds(self.control, [request], [connection.fileno(), status])

    def import_modules(self, names: Sequence[str]) -> None:
        """Ask it to import modules; one that has no time for that has other troubles."""
        for start in range(0, len(names), MOST_NAMES):
            listed = " ".join(names[start : start + MOST_NAMES]).encode()
            message = REQUEST.pack(IMPORT, len(listed), 0) + listed
            with suppress(OSError):
                if self.control.send(message) < len(message):
                    # What comes next would be misunderstood.
                    self.end()

    def end(self) -> None:
        """End it with all that is below it, also if it is stopped."""
        if self.control.fileno() >= 0:
            if self.process.poll() is None:
                with suppress(psutil.NoSuchProcess):
                    end_tree(psutil.Process(self.process.pid))
                self.process.wait()
            else:
                # Whoever has ended it may have left what it had started, with other parents now.
                end_marked(MARK, self.mark)
            # Not before: one that sees its socket closed removes the files, which others may use.
            self.control.close()
            self.report.close()
            self.complaints.close()

    def describe_end(self) -> str:
        """Say how it ended, and what it had to complain about."""
        try:
            how = describe_exit(self.process.wait(END_SECONDS), "Its fork server")
        except subprocess.TimeoutExpired:
            how = "Its fork server did not answer."
        with suppress(ValueError, OSError):
            self.complaints.seek(0)
            how += f" {self.complaints.read().decode(errors='replace').strip()}"
        return how.strip()
