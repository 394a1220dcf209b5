"""How a task travels to a worker, and what became of it back, in a form that always gets through.

Candidates and outcomes may hold what cannot be pickled, or what can be pickled in one process and
not be unpickled in another. They therefore travel as bytes, and an `Answer` itself is plain. It is
cloudpickle that pickles: the classes of a script or notebook are not known in another process.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from typing import Any

import cloudpickle

from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task
from curvewise.executors._workers.attempt import describe


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a task."""

    reason: Reason | None
    message: str = ""
    seconds: float = 0.0
    observation: bytes = b""

    def outcome(self, task: Task) -> Outcome:
        """The outcome that this answer stands for.

        Examples
        --------
        >>> task = Task("svc", 64, 0)
        >>> answer_of(Observation(task, loss=0.2)).outcome(task).loss
        0.2
        """
        if self.reason is not None:
            return Failure(task, self.reason, self.message, self.seconds)
        try:
            observation: Observation = pickle.loads(self.observation)
        except Exception as error:
            message = f"The result cannot be unpickled: {describe(error)}"
            return Failure(task, Reason.ERROR, message, self.seconds)
        return replace(observation, task=task)


def pickled(task: Task, candidate: Any) -> bytes | Failure:
    """Turn a task and its candidate into bytes, or say why that is not possible.

    Examples
    --------
    >>> import threading
    >>> failure = pickled(Task("svc", 64, 0), threading.Lock())
    >>> print(failure.message.splitlines()[0])
    The candidate cannot be pickled, and so cannot be sent to a worker: TypeError: cannot pickle
    '_thread.lock' object
    """
    try:
        message: bytes = cloudpickle.dumps((task, candidate))
    except Exception as error:
        why = "The candidate cannot be pickled, and so cannot be sent to a worker"
        return Failure(task, Reason.ERROR, f"{why}: {describe(error)}")
    return message


def answer_of(outcome: Outcome) -> Answer:
    """Make an answer from an outcome; a result that cannot be pickled is an error.

    Examples
    --------
    >>> import threading
    >>> observation = Observation(Task("svc", 64, 0), loss=0.2, scores={"odd": threading.Lock()})
    >>> answer_of(observation).message.splitlines()[0]
    "The result cannot be pickled: TypeError: cannot pickle '_thread.lock' object"
    """
    if isinstance(outcome, Failure):
        return Answer(outcome.reason, str(outcome.message), outcome.seconds)
    try:
        return Answer(None, "", outcome.seconds, cloudpickle.dumps(outcome))
    except Exception as error:
        message = f"The result cannot be pickled: {describe(error)}"
        return Answer(Reason.ERROR, message, outcome.seconds)
