"""What an executor is: the place where tasks are carried out.

An executor knows nothing about policies, and nothing about data: it calls the evaluation that it
was given. The loop (`curvewise.executors._loop`) connects it to a search.

Not every executor can keep every promise. `Promises` says which it keeps, so that a limit that
could not be kept is refused at the start and not forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

from curvewise.core._outcome import Failure, Observation, Outcome, Raised, Task
from curvewise.errors import CurvewiseError


class Evaluate(Protocol):
    """Carries out one task; for worker processes it has to be picklable.

    It never raises on account of the learner: a learner's error is a `Failure`. `Evaluator` is one.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.executors import Evaluate
    >>> def evaluate(task, candidate):
    ...     return cw.Observation(task, loss=candidate / task.anchor)
    >>> carried_out: Evaluate = evaluate
    >>> carried_out(cw.Task("svc", 64, 0), 16).loss
    0.25
    """

    def __call__(self, task: Task, candidate: Any) -> Outcome:
        """Fit and score a candidate as the task says.

        Parameters
        ----------
        task
            Which candidate, on how many rows, on which fold.
        candidate
            An unfitted estimator, or whatever the loop was given for the candidate's name.
        """


def attempt(evaluate: Evaluate, task: Task, candidate: Any) -> Outcome:
    """Call an evaluation and take what it raises as a failure of the candidate.

    All but an interrupt from the keyboard: nobody can tell a candidate's from the user's.
    """
    start = perf_counter()
    try:
        outcome = evaluate(task, candidate)
    except (KeyboardInterrupt, Raised):
        raise
    except BaseException as error:
        return Failure.raised(task, error, seconds=perf_counter() - start)
    if not isinstance(outcome, Observation | Failure):
        raise CurvewiseError(
            f"The evaluation must return an Observation or a Failure, got {type(outcome).__name__}."
        )
    if outcome.task != task:
        raise CurvewiseError(f"The evaluation was asked for {task} and answered {outcome.task}.")
    return outcome


@dataclass(frozen=True, slots=True)
class Promises:
    """What an executor can promise; a limit that it cannot keep is refused at the start.

    Parameters
    ----------
    time_limit, memory_limit
        It ends evaluations that take too long, or too much memory.
    cancel
        It ends an evaluation that no longer matters, instead of waiting for it.
    isolation
        A crash of an evaluation costs that evaluation alone.

    Examples
    --------
    >>> from curvewise.executors import InProcessExecutor, Promises
    >>> InProcessExecutor(lambda task, candidate: None).promises == Promises()
    True
    """

    time_limit: bool = False
    memory_limit: bool = False
    cancel: bool = False
    isolation: bool = False


class Executor(Protocol):
    """Carries out tasks, several at a time.

    Whoever writes one of their own needs these methods and no base class.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.core import Task
    >>> from curvewise.executors import Executor, InProcessExecutor
    >>> executor: Executor = InProcessExecutor(
    ...     lambda task, candidate: cw.Observation(task, loss=candidate)
    ... )
    >>> executor.submit(Task("svc", 64, 0), 0.25)
    >>> [outcome.loss for outcome in executor.wait()]
    [0.25]
    """

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once."""

    @property
    def promises(self) -> Promises:
        """What it can promise."""

    def submit(self, task: Task, candidate: object = None, *, seconds: float | None = None) -> None:
        """Begin a task; there must be a free slot.

        Parameters
        ----------
        task
            What is wanted.
        candidate
            The unfitted estimator, or whatever the evaluation takes.
        seconds
            The time limit of this task; None for no limit.
        """

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Wait until a task has finished; give the outcomes of all that have.

        Parameters
        ----------
        timeout
            Seconds to wait at the most, then the list may be empty; None waits for ever.
        """

    def cancel(self, task: Task) -> None:
        """End a task that no longer matters; it gives no outcome.

        Parameters
        ----------
        task
            Which one.
        """

    def close(self) -> None:
        """End everything that is under way and leave nothing behind."""


@contextmanager
def cancelled_after(executor: Executor, under_way: Collection[Task]) -> Iterator[None]:
    """Cancel tasks that are still under way afterwards: an interrupt or an error leaves some.

    Whoever begins a task adds it to the collection first, and takes it out when its outcome is
    there.
    """
    try:
        yield
    finally:
        for task in list(under_way):
            executor.cancel(task)
