"""The owner's side of one worker: it keeps the limits and replaces a worker that has gone.

Nothing here waits for a worker or for what started it: whoever owns several waits for news from any
(`wait_for_news`) and then polls them all.

What the end of a worker means for its task stands in `worker_death`: it is carried out again, and
nobody notices, or it is *lost*, and the search may ask again. Where somebody has ended it or its
fork server, the next worker has a fork server of its own, so that a candidate that ends or stops
others costs nobody else anything. A worker that ends between tasks is replaced, and nobody notices.
One that was ended by us, for a limit or because it wrote nonsense, says so.

What a worker says is its own as long as it has run nothing but packages that are known: that it is
broken is an error of the evaluation, and ends the search. Code that nobody knows can write to the
socket, in the worker's words. A worker says before that such code comes (``UNKNOWN``), which
nobody can take back, and from then on

- that it is broken is a failure of its task, in words that say that nobody knows whose fault it is:
  a candidate cannot end a search, and an evaluation that never works is seen in every failure;
- it retires after its answer if it has said so before, whatever the answer says: nobody stays to
  answer the tasks of others.
"""

from __future__ import annotations

import math
import select
from collections.abc import Callable, Iterable
from time import monotonic, sleep
from typing import Any

from curvewise.core._checks import real_number
from curvewise.core._outcome import UNCLEAR, Reason
from curvewise.errors import CurvewiseError
from curvewise.executors._workers.channel import MOST_BYTES, Channel, Order
from curvewise.executors._workers.memory import system_kills, tree_bytes
from curvewise.executors._workers.module_imports import is_module_name
from curvewise.executors._workers.observation_bytes import MOST_JSON_BYTES
from curvewise.executors._workers.pickles import Answer
from curvewise.executors._workers.process_tree import describe_exit
from curvewise.executors._workers.start_method import Launcher
from curvewise.executors._workers.worker_death import (
    FROM_OUTSIDE,
    MAX_TRIES_AGAIN,
    WorkerDeath,
)
from curvewise.executors._workers.worker_loop import (
    ANSWER,
    BROKEN,
    MOST_MODULES,
    READY,
    STARTED,
    TAKEN,
    UNKNOWN,
)

# Unpickling a candidate may import its package, which takes seconds (PyTorch on a cold disk): that
# is not the candidate's time, within reason.
LOADING_SECONDS = 60.0
# A worker that is ready takes a task within milliseconds, unless somebody has stopped it.
TAKING_SECONDS = 30.0
# So often who is busy is told to go on.
WAKE_SECONDS = 0.5
# So many that end in a row while they start say that none will ever start. Those that are ended by
# others, or with their fork server, which takes a second to start, may be more.
MAX_FAILED_STARTS, MAX_ENDED_STARTS = 5, 20
# A worker that has closed its socket is about to end, unless a learner has closed it.
ENDING_SECONDS = 5.0
# A process that a crashed learner had forked holds the socket open, and so may hide the crash from
# those who wait for news; nothing else waits for this.
LOOK_AGAIN_SECONDS = 1.0
# Where one cannot wait for news.
SHORT_SECONDS = 0.005
# How often memory is looked at; a look takes a fifth of a millisecond.
MEMORY_SECONDS = 0.2
# How old a count of what the system has ended may be when a task begins.
COUNT_SECONDS = 1.0

GARBLED = (
    "The worker process was ended: the learner had closed its socket to the search, or had written "
    "to it."
)
NOT_TAKEN = "The worker process did not take its task."
UNTOLD = "Whether that is the evaluation's fault or the candidate's doing cannot be told."


class SupervisedWorker:
    """One worker process, kept warm; one that is ``busy`` cannot take a task."""

    def __init__(self, launcher: Launcher, *, memory_limit: int | None = None) -> None:
        self._launcher = launcher
        self._memory_limit = memory_limit
        self._own: Launcher | None = None
        self._n_failed_starts = 0
        self._order: Order | None = None
        self._seconds: float | None = None
        self._n_tries_again = 0
        self._start()

    @property
    def busy(self) -> bool:
        """Whether it has a task."""
        return self._order is not None

    @property
    def waitables(self) -> list[int]:
        """Descriptors that become ready when there is something to poll."""
        # What is closed is always ready, and has no news.
        channel = -1 if self._channel.closed else self._channel.fileno()
        return [channel, self._process.waitable]

    @property
    def sending(self) -> int | None:
        """The descriptor that waits to be written to, if one does."""
        return self._channel.fileno() if self._channel.sending else None

    @property
    def deadline(self) -> float:
        """When to poll at the latest, on the monotonic clock."""
        if not self.busy:
            return math.inf
        looks = [self._time_limit, self._start_limit, self._end_limit, self._next_wake]
        if self._memory_limit is not None and self._taken is not None:
            looks.append(self._next_look)
        return min(looks)

    @property
    def _time_limit(self) -> float:
        """When the task has to be done; until it is taken, its time does not run."""
        if self._seconds is None or self._taken is None:
            return math.inf
        if self._started is None:
            return self._taken + self._seconds + LOADING_SECONDS
        return self._started + self._seconds

    @property
    def _start_limit(self) -> float:
        """When the worker has to be there, and to have taken its task."""
        if self._taken is not None:
            return math.inf
        if self._ready is not None:
            return max(self._begun, self._ready) + TAKING_SECONDS
        return self._process.deadline

    @property
    def _next_wake(self) -> float:
        """When to wake a worker, and whoever starts it, in case that somebody has stopped them.

        A candidate that stops itself goes on, too, and so do those that another one has stopped.
        """
        return self._woken + WAKE_SECONDS

    @property
    def _end_limit(self) -> float:
        """When a worker that has closed its socket has to have ended."""
        return math.inf if self._closed is None else self._closed + ENDING_SECONDS

    def begin(self, order: Order, *, seconds: float | None) -> None:
        """Send a task to the worker."""
        self.poll()
        self._seconds = seconds
        self._n_tries_again = 0
        self._send(order)

    def poll(self) -> Answer | None:
        """Take news from the worker and keep the limits; the answer, if the task has come to it."""
        self._channel.flush()
        # In this order: what a worker said before it ended counts.
        ended = self._process.ended
        answer = self._listen()
        if answer is not None:
            return answer
        if ended:
            return self._replace_ended()
        if self._channel.broken and self.busy:
            return self._finish(Reason.LOST, GARBLED)
        return self._keep_limits(monotonic())

    def run(self, order: Order, *, seconds: float | None, wanted: Callable[[], bool]) -> Answer:
        """Carry out a task and wait for it."""
        self.begin(order, seconds=seconds)
        while (answer := self.poll()) is None:
            if not wanted():
                self.cancel()
                return Answer(Reason.CANCELLED)
            wait_for_news([self])
        return answer

    def cancel(self) -> None:
        """End the task; its worker ends with it, and another one takes its place."""
        self._end()
        self._settle()
        self._leave_own()
        self._replace()

    def kill(self) -> None:
        """End the worker from another thread, which says why; whoever waits sees it end."""
        self._process.end()

    def close(self) -> None:
        """End the worker and all that it started."""
        self._end()
        self._leave_own()
        self._channel.close()
        self._process.close()

    def _start(self) -> None:
        # A result was within the limit of its worker; where it arrives, there is none.
        limit = self._memory_limit
        most = MOST_BYTES if limit is None else limit + MOST_JSON_BYTES
        self._channel, theirs = Channel.pair(most_bytes=most)
        # When it said so, on the monotonic clock.
        self._ready: float | None = None
        self._taken: float | None = None
        self._started: float | None = None
        self._closed: float | None = None
        # Whether code that nobody knows has run there, and whether it retires on that account.
        self._unknown = self._retiring = False
        self._counted = -math.inf
        with theirs:
            self._process = (self._own or self._launcher).start(theirs)

    def _send(self, order: Order) -> None:
        self._order = order
        self._begun = self._woken = monotonic()
        self._taken = self._started = None
        if self._begun > self._counted + COUNT_SECONDS:
            self._system_kills, self._counted = system_kills(), self._begun
        # A worker that has died meanwhile is noticed by the next poll.
        self._channel.send(order)

    def _listen(self) -> Answer | None:
        """Take what the worker has said."""
        for word, content, data in self._channel.receive():
            if word == READY:
                self._ready = monotonic()
                self._n_failed_starts = 0
            elif word == TAKEN and self.busy and self._taken is None:
                self._taken = monotonic()
                self._held = content if isinstance(content, int) else 0
                self._next_look = self._taken + MEMORY_SECONDS
            elif word == UNKNOWN and self._taken is not None:
                self._retiring = self._retiring or bool(content)
                self._unknown = True
            elif word == STARTED and self._taken is not None and self._started is None:
                self._started = monotonic()
            elif word == ANSWER and self._taken is not None:
                return self._take(content, data)
            elif word == BROKEN and isinstance(content, str) and not self._unknown:
                raise CurvewiseError(content)
            elif word == BROKEN and isinstance(content, str) and self.busy:
                return self._finish(Reason.ERROR, f"{content} {UNTOLD}")
            else:
                self._channel.broken = True
        return None

    def _take(self, content: Any, observation: bytes) -> Answer | None:
        """Accept an answer, unless it came too late, or a learner has written it."""
        try:
            plain, seconds, retiring, modules = content
            answer = Answer.from_plain(plain, observation)
            taken = real_number("seconds", seconds, at_least=0)
            names = [name for name in modules[:MOST_MODULES] if is_module_name(name)]
        except Exception:
            self._channel.broken = True
            return None
        limit = self._seconds
        self._settle()
        if names:
            self._launcher.import_modules(names)
        if retiring or self._retiring or self._own is not None:
            self._end()
            self._leave_own()
            self._replace()
        late = limit is not None and taken > limit
        return Answer(Reason.TIMEOUT, _exceeded(limit or 0.0), taken) if late else answer

    def _keep_limits(self, now: float) -> Answer | None:
        """End a task that takes too long or too much, and a worker that does not take one."""
        if not self.busy:
            return None
        if self._channel.closed and self._closed is None:
            self._closed = now
        if self._taken is not None and now >= self._end_limit:
            return self._finish(Reason.LOST, GARBLED)
        if now >= self._next_wake:
            self._woken = now
            self._process.wake()
        if now >= self._time_limit:
            return self._finish(Reason.TIMEOUT, _exceeded(self._seconds or 0.0))
        if now >= self._start_limit:
            if self._ready is None:
                self._process.give_up()
            self._end()
            if self._n_tries_again >= MAX_TRIES_AGAIN:
                return self._finish(Reason.LOST, f"{NOT_TAKEN} {UNCLEAR}")
            self._try_again()
            return None
        if self._taken is not None and self._memory_limit is not None and now >= self._next_look:
            self._next_look = now + MEMORY_SECONDS
            return self._look_at_memory(self._memory_limit)
        return None

    def _look_at_memory(self, limit: int) -> Answer | None:
        most = limit + self._held
        n_bytes = 0 if self._process.pid is None else tree_bytes(self._process.pid, most=most)
        if n_bytes <= most:
            return None
        return self._finish(
            Reason.MEMORY,
            f"The memory limit of {limit:,} bytes was exceeded: the task and all processes that it "
            f"had started held {n_bytes - self._held:,}.",
        )

    def _replace_ended(self) -> Answer | None:
        """Replace a worker that has ended by itself, or was ended by others."""
        if self._ready is None:
            self._count_failed_start()
        if not self.busy:
            self._replace()
            return None
        death = WorkerDeath.of(
            self._process,
            taken=self._taken is not None,
            known=not self._unknown,
            short_of_memory=system_kills() != self._system_kills,
        )
        if self._n_tries_again < death.tries_again:
            self._try_again(apart=death.apart)
            return None
        return self._finish(Reason.LOST, death.message)

    def _try_again(self, *, apart: bool = False) -> None:
        """Carry out the task once more: what happened was not its doing, as far as one can know."""
        order, self._n_tries_again = self._order, self._n_tries_again + 1
        self._leave_own()
        if apart:
            self._own = self._launcher.apart()
        self._replace()
        if order is not None:
            self._send(order)

    def _finish(self, reason: Reason, message: str) -> Answer:
        """Answer for a worker that has ended, or is ended now, and replace it."""
        self._end()
        seconds = monotonic() - (self._started or self._begun)
        self._settle()
        self._leave_own()
        self._replace()
        return Answer(reason, message, seconds)

    def _settle(self) -> None:
        self._order = None

    def _leave_own(self) -> None:
        """Go back to the fork server that workers share."""
        if self._own is not None:
            self._own.end()
            self._own = None

    def _count_failed_start(self) -> None:
        """Give up if no worker gets ready, time and again."""
        self._n_failed_starts += 1
        orphaned, exitcode = self._process.orphaned, self._process.exitcode
        ended = bool(orphaned) or exitcode in FROM_OUTSIDE
        if self._n_failed_starts >= (MAX_ENDED_STARTS if ended else MAX_FAILED_STARTS):
            how = orphaned or describe_exit(exitcode, "The last one")
            raise CurvewiseError(
                f"{self._n_failed_starts} worker processes in a row ended before they could take "
                f"a task. {how}"
            )

    def _replace(self) -> None:
        """Start another worker in the place of one that has ended."""
        self._channel.close()
        self._process.close()
        self._start()

    def _end(self) -> None:
        """End the worker, with all that it has started."""
        self._process.end()


def wait_for_news(workers: Iterable[SupervisedWorker], *, until: float = math.inf) -> None:
    """Wait until one of several workers has something to poll, or for a while."""
    workers = list(workers)
    nearest = min([until, *(worker.deadline for worker in workers)])
    seconds = min(max(0.0, nearest - monotonic()), LOOK_AGAIN_SECONDS)
    waitables = [waitable for worker in workers for waitable in worker.waitables if waitable >= 0]
    if not hasattr(select, "poll"):
        # Windows, which waits for sockets and processes in two ways.
        sleep(min(seconds, SHORT_SECONDS))
        return
    poll = select.poll()
    for waitable in waitables:
        poll.register(waitable, select.POLLIN)
    for worker in workers:
        if worker.sending is not None:
            poll.register(worker.sending, select.POLLIN | select.POLLOUT)
    poll.poll(1000 * seconds)


def _exceeded(seconds: float) -> str:
    return f"The time limit of {seconds:g} s was exceeded."
