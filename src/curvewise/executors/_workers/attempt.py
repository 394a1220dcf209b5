"""Carry out one task: whatever a learner raises becomes a failure, and nothing else does."""

from __future__ import annotations

import traceback
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import Any

from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task
from curvewise.errors import CurvewiseError
from curvewise.executors._protocol import Evaluate


def attempt(
    evaluate: Evaluate,
    task: Task,
    candidate: Any,
    *,
    within: AbstractContextManager[object] | None = None,
) -> Outcome:
    """Call an evaluation and take what it raises as a failure of the candidate.

    Examples
    --------
    >>> def evaluate(task, candidate):
    ...     raise ValueError("no rows")
    >>> failure = attempt(evaluate, Task("svc", 64, 0), None)
    >>> failure.reason, failure.message.splitlines()[0]
    (<Reason.ERROR: 'error'>, 'ValueError: no rows')
    """
    start = perf_counter()
    try:
        with within or nullcontext():
            outcome = evaluate(task, candidate)
    except MemoryError as error:
        return Failure(task, Reason.MEMORY, describe(error), perf_counter() - start)
    except (Exception, SystemExit) as error:
        return Failure(task, Reason.ERROR, describe(error), perf_counter() - start)
    if not isinstance(outcome, Observation | Failure):
        raise CurvewiseError(
            f"The evaluation must return an Observation or a Failure, got {type(outcome).__name__}."
        )
    if outcome.task != task:
        raise CurvewiseError(f"The evaluation was asked for {task} and answered {outcome.task}.")
    return outcome


def describe(error: BaseException) -> str:
    """Say what was raised: the error in the first line, then where it came from."""
    what = "".join(traceback.format_exception_only(error)).strip()
    where = "".join(traceback.format_exception(error)).strip()
    return f"{what}\n{where}"
