"""One attempt at a task: what goes wrong on the way to the learner, in it, or back is a failure.

Candidates and outcomes may hold what cannot be pickled, or what can be pickled in one process and
not be unpickled in another. They therefore travel as bytes, and an `Answer` itself is plain. It is
cloudpickle that pickles: the classes of a script or notebook are not known in another process.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import cloudpickle

from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task
from curvewise.errors import CurvewiseError
from curvewise.executors._protocol import Evaluate


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a task, in a form that always gets through a pipe."""

    # The failure without its task, or None for an observation, which is pickled.
    reason: Reason | None
    message: str = ""
    seconds: float = 0.0
    error: str = ""
    observation: bytes = b""

    @classmethod
    def of(cls, outcome: Outcome) -> Answer:
        """Make an answer from an outcome; a result that cannot be pickled is an error."""
        if isinstance(outcome, Failure):
            return cls(outcome.reason, str(outcome.message), outcome.seconds, outcome.error)
        try:
            return cls(None, seconds=outcome.seconds, observation=cloudpickle.dumps(outcome))
        except Exception as error:
            what, seconds = "The result cannot be pickled", outcome.seconds
            return cls.of(Failure.raised(outcome.task, error, seconds=seconds, what=what))

    def outcome(self, task: Task) -> Outcome:
        """The outcome that this answer stands for."""
        if self.reason is not None:
            return Failure(task, self.reason, self.message, self.seconds, self.error)
        try:
            observation: Observation = pickle.loads(self.observation)
        except Exception as error:
            what = "The result cannot be unpickled"
            return Failure.raised(task, error, seconds=self.seconds, what=what)
        return replace(observation, task=task)


def pickled(task: Task, candidate: Any) -> bytes | Failure:
    """Turn a task and its candidate into bytes, or say why that is not possible."""
    try:
        message: bytes = cloudpickle.dumps((task, candidate))
    except Exception as error:
        what = "The candidate cannot be pickled, and so cannot be sent to a worker"
        return Failure.raised(task, error, what=what)
    return message


def attempt(evaluate: Evaluate, task: Task, candidate: Any) -> Outcome:
    """Call an evaluation and take what it raises as a failure of the candidate."""
    start = perf_counter()
    try:
        outcome = evaluate(task, candidate)
    except (Exception, SystemExit) as error:
        return Failure.raised(task, error, seconds=perf_counter() - start)
    if not isinstance(outcome, Observation | Failure):
        raise CurvewiseError(
            f"The evaluation must return an Observation or a Failure, got {type(outcome).__name__}."
        )
    if outcome.task != task:
        raise CurvewiseError(f"The evaluation was asked for {task} and answered {outcome.task}.")
    return outcome
