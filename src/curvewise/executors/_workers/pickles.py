"""What travels between processes: an evaluation as one shared file, tasks as bytes, and answers.

It is cloudpickle that pickles: the classes of a script or notebook are unknown in other processes.

1. Pickle's protocol 5 hands over large buffers (arrays, data frames, sparse matrices) apart from
   the rest. They are written one after the other, then the rest, then where all that is. Whoever
   opens the file maps it read-only: its pages are in memory once, for all processes together, and
   are read when they are needed. Objects that do not know protocol 5 (lists, polars frames) are
   copied into every process.
2. Candidates may hold what cannot be pickled, or what can be pickled in one process and not be
   unpickled in another: that is a failure.
3. A large candidate is pickled once and written to a file, of which workers get the descriptor.
4. What a worker answers was perhaps written by a candidate: it is never a pickle
   (`observation_bytes`).
"""

from __future__ import annotations

import mmap
import pickle
import struct
import uuid
from dataclasses import dataclass, replace
from typing import IO, Any

import cloudpickle

from curvewise._temporary import explaining_the_disk
from curvewise.core._outcome import Failure, Outcome, Reason, Task
from curvewise.errors import CurvewiseError
from curvewise.executors._workers.channel import CAN_SEND_FILES, MOST_BYTES, Order
from curvewise.executors._workers.observation_bytes import MOST_SECONDS, from_bytes, to_bytes
from curvewise.executors._workers.shelf import Shelf
from curvewise.executors._workers.unnamed_file import UnnamedFile

# Where a buffer begins in the file: what vector instructions and numpy's own arrays are used to.
ALIGNMENT = 64

# At the end of the file: where the pickled objects begin, and how many bytes they are.
FOOTER = struct.Struct("=qq")

UNUSABLE = "The result cannot be used"

# Below this, a candidate is quicker sent than written to a file.
LARGE_BYTES = 2**20


def pack(value: Any, file: IO[bytes]) -> None:
    """Write a value into a file."""
    buffers: list[pickle.PickleBuffer] = []
    try:
        stream = cloudpickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    except Exception as error:
        raise CurvewiseError(
            f"The evaluation cannot be pickled, and so cannot reach other processes: {error}"
        ) from error
    with explaining_the_disk():
        _write(stream, buffers, file)


def _write(stream: bytes, buffers: list[pickle.PickleBuffer], file: IO[bytes]) -> None:
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

    # The failure without its task, or None for an observation, which is written down.
    reason: Reason | None
    message: str = ""
    seconds: float = 0.0
    error: str = ""
    observation: bytes = b""

    @classmethod
    def of(cls, outcome: Outcome) -> Answer:
        """Make an answer from an outcome; a result that cannot be used is an error."""
        if isinstance(outcome, Failure):
            return cls(outcome.reason, str(outcome.message), outcome.seconds, outcome.error)
        seconds = outcome.seconds
        try:
            observation = to_bytes(outcome)
        except Exception as error:
            return cls.of(Failure.raised(outcome.task, error, seconds=seconds, what=UNUSABLE))
        if len(observation) > MOST_BYTES // 2:
            most = f"{MOST_BYTES // 2:,} are the most"
            why = f"{UNUSABLE}: it has {len(observation):,} bytes, and {most}"
            return cls(Reason.ERROR, why, seconds)
        return cls(None, seconds=seconds, observation=observation)

    def plain(self) -> tuple[Any, ...]:
        """Give it as plain values, but for the observation."""
        reason = None if self.reason is None else self.reason.value
        return reason, self.message, _seconds(self.seconds), self.error

    @classmethod
    def from_plain(cls, values: Any, observation: bytes) -> Answer:
        """Make it from plain values; whatever else they are raises."""
        reason, message, seconds, error = values
        if not (isinstance(message, str) and isinstance(error, str)):
            raise TypeError("what is said of a failure is text")
        kind = None if reason is None else Reason(reason)
        return cls(kind, message, seconds, error, observation)

    def outcome(self, task: Task) -> Outcome:
        """The outcome that this answer stands for."""
        # Those of a failure; an observation has its own.
        seconds = _seconds(self.seconds)
        if self.reason is not None:
            return Failure(task, self.reason, self.message, seconds, self.error)
        try:
            return replace(from_bytes(self.observation), task=task)
        except Exception as error:
            return Failure.raised(task, error, seconds=seconds, what=UNUSABLE)


def _seconds(value: Any) -> float:
    """Give seconds as a number; what is none took no time that anybody knows."""
    try:
        return float(value) if 0.0 <= float(value) <= MOST_SECONDS else 0.0
    except (TypeError, ValueError, OverflowError):
        return 0.0


class Orders:
    """Makes orders of tasks and candidates; large candidates are pickled once."""

    def __init__(self) -> None:
        # Whom the file is for is kept with it, so that no other gets its identity.
        self._large: Shelf[tuple[Any, Order]] = Shelf()

    def make(self, task: Task, candidate: Any) -> Order | Failure:
        """Turn a task and its candidate into bytes, or say why that is not possible."""
        try:
            plain = type(task.candidate) in (str, int)
            named = pickle.dumps(task) if plain else cloudpickle.dumps(task)
            kept = self._large.get(id(candidate))
            if kept is not None:
                return replace(kept[1], task=named)
            pickled: bytes = cloudpickle.dumps(candidate)
        except Exception as error:
            what = "The candidate cannot be pickled, and so cannot be sent to a worker"
            return Failure.raised(task, error, what=what)
        if len(pickled) < LARGE_BYTES or not CAN_SEND_FILES:
            return Order(named, pickled)
        order = Order(named, file=UnnamedFile(pickled), name=uuid.uuid4().hex)
        self._large.put(id(candidate), (candidate, order), n_bytes=len(pickled))
        return order

    def clear(self) -> None:
        """Forget all candidates."""
        self._large.clear()
