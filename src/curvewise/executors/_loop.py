"""The one loop that connects a search to an executor.

It hands out what the search asks for, tells it what came of it, cancels what no longer matters,
keeps the budget, and stops cleanly on Ctrl-C. With a record of earlier outcomes it goes on where
another run ended: what is known is told at once and not carried out again.

*In order*: outcomes normally reach the search as they come, so with several workers the decisions
depend on who is quickest. With a ``window`` they reach it in the order in which their tasks were
asked for, and always that many tasks are asked for ahead: a search that counts rows instead of
seconds then decides the same with any number of workers, and however often it was interrupted.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curvewise.core._checks import real_number, whole_number
from curvewise.core._decisions import Decision
from curvewise.core._outcome import Candidate, Failure, Outcome, Reason, Task
from curvewise.core._search import Search
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._listener import Audience, Ending, Listener, OutcomeRecord
from curvewise.executors._protocol import Executor

logger = logging.getLogger("curvewise")

Estimators = Mapping[Candidate, Any] | Callable[[Candidate], Any]


def run(
    search: Search,
    executor: Executor,
    *,
    candidates: Estimators | None = None,
    record: OutcomeRecord | None = None,
    listeners: Sequence[Listener] = (),
    time_budget: float | None = None,
    window: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Ending:
    """Carry out a search to its end, to the end of its time, or until Ctrl-C.

    Parameters
    ----------
    search
        What is wanted; it holds the results afterwards, also partial ones.
    executor
        Where tasks are carried out. It is not closed.
    candidates
        What an executor gets for a candidate, an unfitted estimator; None hands over its name.
    record
        Where outcomes are kept, such as a run of a `RunStore`; known ones are not carried out
        again.
    listeners
        Who else hears of what happens. One that raises an error hears no more; the run goes on.
    time_budget
        Seconds for the whole run; None for no limit.
    window
        Tell outcomes in the order of their tasks, with this many tasks asked for ahead; None tells
        them as they come.
    clock
        What tells the time, in seconds.

    Returns
    -------
    Ending
        Whether the search is finished, was out of time, or was interrupted.

    Raises
    ------
    InvalidParameterError
        If the search has time limits that the executor cannot keep, or a candidate no estimator.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.executors import ReplayExecutor
    >>> search = cw.Search(range(9), schedule=900)
    >>> executor = ReplayExecutor(
    ...     lambda task: cw.Observation(task, task.candidate / 10, seconds=1.0)
    ... )
    >>> run(search, executor)
    <Ending.FINISHED: 'finished'>
    >>> search.best.candidate
    0
    """
    _check(search, executor, time_budget, window)
    audience = Audience(record, listeners)
    loop = _Loop(search, executor, candidates, record, audience, window)
    observer = search.observer
    search.observer = _heard_by(audience, observer)
    ending = None
    try:
        audience.tell(lambda listener: listener.started(search))
        ending = _carry_out(loop, search, time_budget, clock)
    finally:
        search.observer = observer
        audience.tell(lambda listener: listener.finished(ending))
    return ending


def _check(
    search: Search, executor: Executor, time_budget: float | None, window: int | None
) -> None:
    """Refuse what cannot be carried out."""
    if time_budget is not None:
        real_number("time_budget", time_budget, above=0)
    if window is not None:
        whole_number("window", window, at_least=1)
    if search.limited and not executor.promises.time_limit:
        raise InvalidParameterError(
            f"{type(executor).__name__} cannot keep a time limit; use worker processes, for "
            "example make_executor(..., limits=Limits(timeout_per_candidate=60))."
        )


def _heard_by(
    audience: Audience, observer: Callable[[Candidate, Decision], None] | None
) -> Callable[[Candidate, Decision], None]:
    """Let decisions reach the audience, and whoever observes the search already."""

    def decided(candidate: Candidate, decision: Decision) -> None:
        if observer is not None:
            observer(candidate, decision)
        audience.tell(lambda listener: listener.decided(candidate, decision))

    return decided


def _carry_out(
    loop: _Loop, search: Search, time_budget: float | None, clock: Callable[[], float]
) -> Ending:
    """Go step by step; in whatever way it ends, nothing is under way afterwards."""
    deadline = None if time_budget is None else clock() + time_budget
    try:
        while loop.step(None if deadline is None else deadline - clock()):
            if deadline is not None and clock() >= deadline and not search.done:
                loop.abandon(f"the time of {time_budget:g} s is up")
                return Ending.OUT_OF_TIME
    except KeyboardInterrupt:
        logger.warning("interrupted: the results so far are kept")
        loop.abandon("interrupted")
        return Ending.INTERRUPTED
    except BaseException:
        loop.abandon("an error in the run")
        raise
    logger.info("finished: %d candidates", len(search.portfolio.contenders))
    return Ending.FINISHED


class _Loop:
    """What is under way between a search and an executor."""

    def __init__(
        self,
        search: Search,
        executor: Executor,
        candidates: Estimators | None,
        record: OutcomeRecord | None,
        audience: Audience,
        window: int | None,
    ) -> None:
        self._search = search
        self._executor = executor
        self._candidates = candidates
        self._introduced: set[Candidate] = set()
        self._record = record
        self._audience = audience
        self._window = window
        self._waiting: deque[Task] = deque()
        self._under_way: set[Task] = set()
        self._in_order: deque[Task] = deque()
        self._arrived: dict[Task, Outcome] = {}

    def step(self, seconds: float | None) -> bool:
        """Ask, hand out, wait and tell once; False if the search is done."""
        if self._search.done:
            return False
        self._ask()
        self._hand_out()
        if not self._under_way and not self._arrived:
            return self._nothing_left()
        if self._under_way and not self._ready_to_tell():
            for outcome in self._executor.wait(seconds):
                self._under_way.discard(outcome.task)
                self._receive(outcome)
        self._tell()
        return True

    def _nothing_left(self) -> bool:
        if not self._search.done:
            raise CurvewiseError("The search waits for outcomes, but no task is under way.")
        return False

    def abandon(self, reason: str) -> None:
        """Stop the search and end what is under way."""
        self._search.stop(reason)
        self._cancel(self._search.cancellations())

    def _ask(self) -> None:
        """Ask for tasks; those whose outcomes are known need not be carried out."""
        slots = self._window or self._executor.n_slots
        n_free = slots - self._search.n_in_flight
        for task in self._search.ask(n_free) if n_free > 0 else ():
            self._take_on(task)

    def _take_on(self, task: Task) -> None:
        self._in_order.append(task)
        self._introduce(task.candidate)
        known = self._record.known(task) if self._record is not None else None
        if known is not None:
            self._arrived[task] = known
        else:
            self._waiting.append(task)

    def _introduce(self, candidate: Candidate) -> None:
        """Let everybody know what a candidate is; a record may refuse another of its name."""
        if candidate not in self._introduced:
            self._introduced.add(candidate)
            estimator = None if self._candidates is None else self._payload(candidate)
            self._audience.tell(lambda listener: listener.entered(candidate, estimator))

    def _payload(self, candidate: Candidate) -> Any:
        """Give what an executor gets for a candidate."""
        if self._candidates is None:
            return candidate
        if not isinstance(self._candidates, Mapping):
            return self._candidates(candidate)
        try:
            return self._candidates[candidate]
        except KeyError:
            raise InvalidParameterError(
                f"There is no estimator for the candidate {candidate!r} in candidates."
            ) from None

    def _hand_out(self) -> None:
        while self._waiting and len(self._under_way) < self._executor.n_slots:
            task = self._waiting.popleft()
            payload = self._payload(task.candidate)
            self._executor.submit(task, payload, seconds=self._search.allowance(task))
            self._under_way.add(task)

    def _receive(self, outcome: Outcome) -> None:
        """Keep an outcome; in order, a task whose worker was lost is begun again in its place."""
        logger.debug("%s", outcome)
        self._audience.tell(lambda listener: listener.received(outcome))
        lost = isinstance(outcome, Failure) and outcome.reason is Reason.LOST
        if lost and self._window is not None:
            self._begin_again(outcome)
        else:
            self._arrived[outcome.task] = outcome

    def _begin_again(self, outcome: Outcome) -> None:
        """Tell of a loss at once: the search hands the task out next, or ends its candidate."""
        self._search.tell(outcome)
        self._cancel(self._search.cancellations())
        for task in self._search.ask(1):
            if task == outcome.task:
                self._waiting.appendleft(task)
            else:
                self._take_on(task)
        if outcome.task not in self._waiting:
            self._in_order.remove(outcome.task)

    def _ready_to_tell(self) -> bool:
        if self._window is None:
            return bool(self._arrived)
        return bool(self._in_order) and self._in_order[0] in self._arrived

    def _tell(self) -> None:
        while self._ready_to_tell():
            task = self._in_order[0] if self._window else next(iter(self._arrived))
            self._in_order.remove(task)
            outcome = self._arrived.pop(task)
            self._search.tell(outcome)
            self._announce(outcome)
            self._cancel(self._search.cancellations())
            if self._window is not None:
                # One told, one asked: the same rhythm for any number of workers.
                self._ask()

    def _announce(self, outcome: Outcome) -> None:
        self._audience.tell(lambda listener: listener.told(outcome))

    def _cancel(self, tasks: list[Task]) -> None:
        for task in tasks:
            if task in self._in_order:
                self._in_order.remove(task)
            self._arrived.pop(task, None)
            if task in self._under_way:
                self._under_way.discard(task)
                self._executor.cancel(task)
            elif task in self._waiting:
                self._waiting.remove(task)
