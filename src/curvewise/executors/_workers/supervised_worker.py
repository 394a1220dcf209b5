"""The owner's side of one worker: it keeps the limits and replaces a worker that has gone.

Polling a `SupervisedWorker` does not wait: whoever owns several waits for news from any
(`wait_for_news`) and then polls them all.

What a death means: a worker that ends during a task, for whatever reason but a limit, is *lost*,
and the search may ask again. One that ends between tasks is replaced, and nobody notices; nor does
anybody if it was given a task just then and had not started on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import wait
from time import monotonic
from typing import Any

from curvewise.core._outcome import Reason
from curvewise.errors import CurvewiseError
from curvewise.executors._workers.pickles import Answer
from curvewise.executors._workers.process_tree import describe_exit
from curvewise.executors._workers.start_method import Launcher
from curvewise.executors._workers.worker_loop import ANSWER, BROKEN, READY, STARTED

# Unpickling a candidate may import its package, which takes seconds (PyTorch on a cold disk): that
# is not the candidate's time, within reason.
LOADING_SECONDS = 60.0
# One that is killed while it starts is bad luck; three in a row say that none will ever start.
MAX_FAILED_STARTS = 3
# A process that a crashed learner had forked holds the pipe open, and so may hide the crash from
# those who wait for news; nothing else waits for this.
LOOK_AGAIN_SECONDS = 1.0


class SupervisedWorker:
    """One worker process, kept warm; one that is ``busy`` cannot take a task."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._n_failed_starts = 0
        self._seconds: float | None = None
        self._begun = 0.0
        self._started: float | None = None
        self._again: bytes | None = None
        self._start()

    @property
    def waitables(self) -> list[Any]:
        """What becomes ready when there is something to poll."""
        return [self._connection, self._process.waitable]

    @property
    def deadline(self) -> float:
        """When to poll at the latest, on the monotonic clock."""
        if not self.busy or self._seconds is None:
            return math.inf
        if self._started is None:
            return self._begun + self._seconds + LOADING_SECONDS
        return self._started + self._seconds

    def begin(self, message: bytes, *, seconds: float | None) -> None:
        """Send a task to the worker."""
        self.poll()
        self._seconds = seconds
        self._send(message)
        self._again = message

    def poll(self) -> Answer | None:
        """Take news from the worker and keep the limit; the answer, if the task has come to it."""
        # In this order: what a worker said before it ended counts.
        exitcode = self._process.exitcode()
        answer = self._listen()
        if answer is not None:
            return answer
        if exitcode is None and self._pipe_broken:
            self._end()
            exitcode = self._process.exitcode()
        if exitcode is not None:
            return self._replace_ended(exitcode)
        if self.busy and self._seconds is not None and monotonic() >= self.deadline:
            self._end()
            return self._finish(Reason.TIMEOUT, _exceeded(self._seconds))
        return None

    def run(self, message: bytes, *, seconds: float | None, wanted: Callable[[], bool]) -> Answer:
        """Carry out a task and wait for it."""
        self.begin(message, seconds=seconds)
        while (answer := self.poll()) is None:
            if not wanted():
                self.cancel()
                return Answer(Reason.CANCELLED)
            wait_for_news([self])
        return answer

    def cancel(self) -> None:
        """End the task; its worker ends with it, and another one takes its place."""
        self._end()
        self._replace()

    def kill(self) -> None:
        """End the worker from another thread: whoever waits for the task sees it lost."""
        self._process.end()

    def close(self) -> None:
        """End the worker and all that it started."""
        self._end()
        self._connection.close()

    def _start(self) -> None:
        self._connection, theirs = Pipe()
        with theirs:
            self._process = self._launcher.start(theirs)
        self.busy = False
        self._ready = False
        self._pipe_broken = False

    def _send(self, message: bytes) -> None:
        self.busy = True
        self._begun = monotonic()
        self._started = None
        # A worker that has died meanwhile is noticed by the next poll.
        with suppress(OSError):
            self._connection.send_bytes(message)

    def _replace_ended(self, exitcode: int) -> Answer | None:
        """Replace a worker that has ended by itself."""
        if not self.busy:
            self._replace()
        elif self._started is None and self._again is not None:
            message, self._again = self._again, None
            self._replace()
            self._send(message)
        else:
            return self._finish(Reason.LOST, describe_exit(exitcode, "The worker process"))
        return None

    def _replace(self) -> None:
        """Start another worker in the place of one that has ended."""
        self._n_failed_starts = 0 if self._ready else self._n_failed_starts + 1
        if self._n_failed_starts >= MAX_FAILED_STARTS:
            raise CurvewiseError(
                f"{self._n_failed_starts} worker processes in a row ended before they could take "
                "a task."
            )
        self._connection.close()
        self._start()

    def _end(self) -> None:
        """End the worker, and wait until it has ended."""
        self._process.end()
        while self._process.exitcode() is None:
            wait([self._process.waitable], LOOK_AGAIN_SECONDS)

    def _listen(self) -> Answer | None:
        """Take what the worker has said."""
        try:
            while not self._pipe_broken and self._connection.poll():
                word, content = self._connection.recv()
                if word == READY:
                    self._ready = True
                elif word == STARTED:
                    self._started = monotonic()
                    self._again = None
                elif word == ANSWER:
                    return self._take(*content)
                elif word == BROKEN:
                    raise CurvewiseError(content)
        except CurvewiseError:
            raise
        except Exception:
            # It has closed the pipe, or a learner has written into it.
            self._pipe_broken = True
        return None

    def _take(self, answer: Answer, seconds: float, retiring: bool) -> Answer:  # noqa: FBT001
        """Accept an answer, unless it came too late."""
        limit = self._seconds
        self.busy = False
        if retiring:
            self._end()
            self._replace()
        if limit is not None and seconds > limit:
            return Answer(Reason.TIMEOUT, _exceeded(limit), seconds)
        return answer

    def _finish(self, reason: Reason, message: str) -> Answer:
        """Answer for a worker that has ended, and replace it."""
        seconds = monotonic() - (self._started or self._begun)
        self._replace()
        return Answer(reason, message, seconds)


def wait_for_news(workers: Iterable[SupervisedWorker], *, until: float = math.inf) -> None:
    """Wait until one of several workers has something to poll, or for a while."""
    workers = list(workers)
    nearest = min([until, *(worker.deadline for worker in workers)])
    seconds = min(max(0.0, nearest - monotonic()), LOOK_AGAIN_SECONDS)
    wait([waitable for worker in workers for waitable in worker.waitables], seconds)


def _exceeded(seconds: float) -> str:
    return f"The time limit of {seconds:g} s was exceeded."
