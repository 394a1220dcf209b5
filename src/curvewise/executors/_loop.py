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
from dataclasses import dataclass, field, replace
from typing import Any

from curvewise.core._checks import real_number, whole_number
from curvewise.core._decisions import Decision
from curvewise.core._outcome import Candidate, Failure, Observation, Outcome, Reason, Task
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
    begun: float | None = None,
    reserve: Callable[[Search], float] | None = None,
    explore: Callable[[Search, float], bool] | None = None,
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
    begun
        When the budget began to count, by the clock; by default now.
    reserve
        Says how many seconds of the budget are to be left for what comes after the run, such as a
        final fit of who leads now; by default none.
    explore
        Says, given the seconds that are left, whether new candidates go before further folds of
        those that are there; by default never.
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

    def decided(candidate: Candidate, decision: Decision) -> None:
        if observer is not None:
            observer(candidate, decision)
        audience.tell(lambda listener: listener.decided(candidate, decision))

    search.observer = decided
    ending = None
    try:
        audience.begin(search)
        ending = _carry_out(loop, search, _Budget(time_budget, begun, reserve, explore, clock))
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


class _Budget:
    """The time that a run may take."""

    def __init__(
        self,
        seconds: float | None,
        begun: float | None,
        reserve: Callable[[Search], float] | None,
        explore: Callable[[Search, float], bool] | None,
        clock: Callable[[], float],
    ) -> None:
        self.seconds = seconds
        self._begun = clock() if begun is None else begun
        self._reserve = reserve
        self._explore = explore
        self._clock = clock

    def left(self, search: Search) -> float | None:
        """Give the seconds that are left for the search; None for no limit."""
        if self.seconds is None:
            return None
        kept = 0.0 if self._reserve is None else self._reserve(search)
        left = self.seconds - kept - (self._clock() - self._begun)
        if self._explore is not None:
            search.portfolio.exploring = self._explore(search, left)
        return left


def _carry_out(loop: _Loop, search: Search, budget: _Budget) -> Ending:
    """Go step by step; in whatever way it ends, nothing is under way afterwards."""
    try:
        while loop.step(budget.left(search)):
            left = budget.left(search)
            if left is not None and left <= 0 and not search.done:
                loop.abandon(f"the time of {budget.seconds:g} s is up")
                return Ending.OUT_OF_TIME
    except KeyboardInterrupt:
        logger.info("interrupted: the results so far are kept")
        loop.abandon("interrupted")
        return Ending.INTERRUPTED
    except BaseException:
        loop.abandon("an error in the run")
        raise
    logger.info("finished: %d candidates", len(search.portfolio.contenders))
    return Ending.FINISHED


@dataclass(slots=True, eq=False)
class _Loop:
    """What is under way between a search and an executor."""

    search: Search
    executor: Executor
    candidates: Estimators | None
    record: OutcomeRecord | None
    audience: Audience
    window: int | None
    introduced: set[Candidate] = field(default_factory=set)
    waiting: deque[Task] = field(default_factory=deque)
    under_way: set[Task] = field(default_factory=set)
    in_order: deque[Task] = field(default_factory=deque)
    arrived: dict[Task, Outcome] = field(default_factory=dict)

    def step(self, seconds: float | None) -> bool:
        """Ask, hand out, wait and tell once; False if the search is done."""
        if self.search.done:
            return False
        self._ask()
        self._hand_out()
        if not self.under_way and not self.arrived:
            return self._nothing_left()
        if self.under_way and self._next_to_tell() is None:
            for outcome in self.executor.wait(seconds):
                self.under_way.discard(outcome.task)
                self._receive(outcome)
        self._tell()
        return True

    def _nothing_left(self) -> bool:
        if not self.search.done:
            raise CurvewiseError("The search waits for outcomes, but no task is under way.")
        return False

    def abandon(self, reason: str) -> None:
        """Stop the search and end what is under way."""
        self.search.stop(reason)
        self._cancel(self.search.cancellations())

    def _ask(self) -> None:
        """Ask for tasks; those whose outcomes are known need not be carried out."""
        for task in self._asked():
            self._take_on(task)

    def _asked(self) -> list[Task]:
        n_free = (self.window or self.executor.n_slots) - self.search.n_in_flight
        return self.search.ask(n_free) if n_free > 0 else []

    def _take_on(self, task: Task) -> None:
        self.in_order.append(task)
        self._introduce(task.candidate)
        known = self.record.known(task) if self.record is not None else None
        if known is None:
            self.waiting.append(task)
        else:
            self.arrived[task] = known

    def _introduce(self, candidate: Candidate) -> None:
        """Let everybody know what a candidate is; a record may refuse another of its name."""
        if candidate not in self.introduced:
            self.introduced.add(candidate)
            estimator = None if self.candidates is None else self._payload(candidate)
            self.audience.tell(lambda listener: listener.entered(candidate, estimator))

    def _payload(self, candidate: Candidate) -> Any:
        """Give what an executor gets for a candidate."""
        if self.candidates is None:
            return candidate
        if not isinstance(self.candidates, Mapping):
            return self.candidates(candidate)
        try:
            return self.candidates[candidate]
        except KeyError:
            raise InvalidParameterError(
                f"There is no estimator for the candidate {candidate!r} in candidates."
            ) from None

    def _hand_out(self) -> None:
        while self.waiting and len(self.under_way) < self.executor.n_slots:
            task = self.waiting.popleft()
            payload = self._payload(task.candidate)
            # Before it is: an interrupt in between would leave a task that nobody cancels.
            self.under_way.add(task)
            self.executor.submit(task, payload, seconds=self.search.allowance(task))

    def _receive(self, outcome: Outcome) -> None:
        """Keep an outcome; in order, a task whose worker was lost is begun again in its place."""
        logger.debug("%s", outcome)
        self.audience.tell(lambda listener: listener.received(outcome))
        if isinstance(outcome, Observation) and outcome.predictions is not None:
            # Who keeps them has heard of them; a search would hold on to them for ever.
            outcome = replace(outcome, predictions=None)
        lost = isinstance(outcome, Failure) and outcome.reason is Reason.LOST
        if lost and self.window is not None:
            self._begin_again(outcome)
        else:
            self.arrived[outcome.task] = outcome

    def _begin_again(self, outcome: Outcome) -> None:
        """Tell of a loss at once: the search hands the task out next, or ends its candidate.

        It is asked for as many tasks as always, though there is only this one to have: how many
        workers there are is something that policies decide by.
        """
        self.search.tell(outcome)
        self._cancel(self.search.cancellations())
        for task in self._asked():
            if task == outcome.task:
                self.waiting.appendleft(task)
            else:
                self._take_on(task)
        if outcome.task not in self.waiting:
            self.in_order.remove(outcome.task)

    def _next_to_tell(self) -> Task | None:
        """The task whose outcome the search hears next; None if it has not arrived."""
        task = next(iter(self.arrived if self.window is None else self.in_order), None)
        return task if task in self.arrived else None

    def _tell(self) -> None:
        while (task := self._next_to_tell()) is not None:
            self.in_order.remove(task)
            outcome = self.arrived.pop(task)
            self.search.tell(outcome)
            self._announce(outcome)
            self._cancel(self.search.cancellations())
            if self.window is not None:
                # One told, one asked: the same rhythm for any number of workers.
                self._ask()

    def _announce(self, outcome: Outcome) -> None:
        self.audience.tell(lambda listener: listener.told(outcome))

    def _cancel(self, tasks: list[Task]) -> None:
        for task in tasks:
            if task in self.in_order:
                self.in_order.remove(task)
            self.arrived.pop(task, None)
            if task in self.under_way:
                self.under_way.discard(task)
                self.executor.cancel(task)
            elif task in self.waiting:
                self.waiting.remove(task)
