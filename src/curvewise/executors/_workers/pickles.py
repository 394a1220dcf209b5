"""What travels between processes: an evaluation as one shared file, tasks and answers as bytes.

It is cloudpickle that pickles: the classes of a script or notebook are unknown in other processes.

1. Pickle's protocol 5 hands over large buffers (arrays, data frames, sparse matrices) apart from
   the rest. They are written one after the other, then the rest, then where all that is. Whoever
   opens the file maps it read-only: its pages are in memory once, for all processes together, and
   are read when they are needed. Objects that do not know protocol 5 (lists, polars frames) are
   copied into every process.
2. Candidates and outcomes may hold what cannot be pickled, or what can be pickled in one process
   and not be unpickled in another: that is a failure. They therefore travel as bytes, and an
   `Answer` itself is plain.
"""

from __future__ import annotations

import mmap
import pickle
import struct
from dataclasses import dataclass, replace
from typing import IO, Any

import cloudpickle

from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task
from curvewise.errors import CurvewiseError

# Where a buffer begins in the file: what vector instructions and numpy's own arrays are used to.
ALIGNMENT = 64

# At the end of the file: where the pickled objects begin, and how many bytes they are.
FOOTER = struct.Struct("=qq")


def pack(value: Any, file: IO[bytes]) -> None:
    """Write a value into a file."""
    buffers: list[pickle.PickleBuffer] = []
    try:
        stream = cloudpickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    except Exception as error:
        raise CurvewiseError(
            f"The evaluation cannot be pickled, and so cannot reach other processes: {error}"
        ) from error
    spans: list[tuple[int, int]] = []
    for buffer in buffers:
        raw = buffer.raw()
        file.write(bytes(-file.tell() % ALIGNMENT))
        spans.append((file.tell(), raw.nbytes))
        file.write(raw)
    objects = pickle.dumps((spans, stream))
    footer = FOOTER.pack(file.tell(), len(objects))
    file.write(objects)
    file.write(footer)
    file.flush()


def unpack(descriptor: int) -> Any:
    """Read a value from an open file; its buffers stay in the file, mapped read-only.

    The file may be closed afterwards, and removed where systems keep mapped files (not on Windows).
    """
    mapped = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    start, size = FOOTER.unpack(mapped[-FOOTER.size :])
    spans, stream = pickle.loads(mapped[start : start + size])
    return pickle.loads(stream, buffers=[mapped[start : start + size] for start, size in spans])


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
