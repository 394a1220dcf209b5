"""An executor that makes each fit once, and charges it to every method that asks for it.

Methods that are compared ask for many of the same fits: the folds of a k-fold search are the folds
of a race. Made once and charged with their recorded seconds, they cost half, and the ratio of two
methods' run times is free of the machine's noise.

Rules, for a task that may take *a* seconds:

1. A recorded fit that took at most *a* is given as it was.
2. One that took longer is a TIMEOUT, charged with *a*: a process would have ended it there.
3. A recorded TIMEOUT of a limit of at least *a* is a TIMEOUT, charged with *a*.
4. One of a smaller limit says too little: the fit is made again with *a* seconds.
5. What was lost or cancelled is not recorded: it says nothing about the fit.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from curvewise._bench.experiments.fits import Fits
from curvewise.core._outcome import Candidate, Failure, Outcome, Reason, Task
from curvewise.executors._protocol import Executor, Promises

FLEETING = (Reason.LOST, Reason.CANCELLED)


@dataclass(slots=True)
class Bill:
    """What a method is charged with."""

    seconds: float = 0.0
    n_fits: int = 0
    n_rows: int = 0
    n_made: int = 0
    n_timeouts: int = 0
    by_candidate: dict[Candidate, float] = field(default_factory=dict)

    def charge(self, outcome: Outcome) -> None:
        """Add a fit."""
        self.seconds += outcome.seconds
        own = self.by_candidate.get(outcome.task.candidate, 0.0)
        self.by_candidate[outcome.task.candidate] = own + outcome.seconds
        self.n_fits += 1
        self.n_rows += outcome.task.anchor
        self.n_timeouts += isinstance(outcome, Failure) and outcome.reason is Reason.TIMEOUT

    def seconds_of(self, candidates: Collection[Candidate]) -> float:
        """What some of the candidates took."""
        return math.fsum(self.by_candidate.get(candidate, 0.0) for candidate in candidates)


class SharingExecutor:
    """Looks fits up, and has those made that nobody has asked for yet."""

    def __init__(self, make: Callable[[], Executor], fits: Fits) -> None:
        self._make = make
        self._fits = fits
        self._executor: Executor | None = None
        self._ready: deque[Outcome] = deque()
        self._allowed: dict[Task, float | None] = {}
        self.bill = Bill()
        self.away_seconds = 0.0

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once: one, so that seconds are comparable."""
        return 1

    @property
    def promises(self) -> Promises:
        """What it can promise."""
        return Promises(time_limit=True, cancel=True)

    def submit(self, task: Task, candidate: Any = None, *, seconds: float | None = None) -> None:
        """Look a task up, or begin it."""
        begun = perf_counter()
        known = self._fits.known(task)
        given = None if known is None else as_allowed(known, seconds)
        if given is not None:
            self._ready.append(given)
        else:
            if self._executor is None:
                self._executor = self._make()
            self._allowed[task] = seconds
            self.bill.n_made += 1
            self._executor.submit(task, candidate, seconds=seconds)
        self.away_seconds += perf_counter() - begun

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Give what is known, or wait for what is under way."""
        begun = perf_counter()
        outcomes: list[Outcome] = []
        if self._ready:
            outcomes.append(self._ready.popleft())
        elif self._executor is not None:
            outcomes = [self._keep(outcome) for outcome in self._executor.wait(timeout)]
        for outcome in outcomes:
            self.bill.charge(outcome)
        self.away_seconds += perf_counter() - begun
        return outcomes

    def cancel(self, task: Task) -> None:
        """End a task that no longer matters."""
        self._ready = deque(outcome for outcome in self._ready if outcome.task != task)
        if self._executor is not None and self._allowed.pop(task, self) is not self:
            self._executor.cancel(task)

    def close(self) -> None:
        """Close the executor that carries fits out, if there is one."""
        if self._executor is not None:
            self._executor.close()

    def _keep(self, outcome: Outcome) -> Outcome:
        """Record a fit and charge what counts."""
        allowed = self._allowed.pop(outcome.task, None)
        if isinstance(outcome, Failure):
            if outcome.reason in FLEETING:
                return outcome
            if outcome.reason is Reason.TIMEOUT and allowed is not None:
                # Ending a process takes its time; a method is charged with the limit itself.
                outcome = replace(outcome, seconds=allowed)
        given = as_allowed(self._fits.record(outcome), allowed)
        return outcome if given is None else given


def as_allowed(known: Outcome, seconds: float | None) -> Outcome | None:
    """Say what a recorded fit is worth under a limit; None if it has to be made again."""
    timed_out = isinstance(known, Failure) and known.reason is Reason.TIMEOUT
    if timed_out and (seconds is None or seconds > known.seconds):
        return None
    if seconds is not None and (timed_out or known.seconds > seconds):
        message = f"The time limit of {seconds:g} s was exceeded."
        return Failure(known.task, Reason.TIMEOUT, message, seconds)
    return known
