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
3. A large candidate is pickled once and written to a file, of which workers get the descriptor.
4. What a worker answers was perhaps written by a candidate: an observation may hold numbers, text,
   arrays and our own classes, and nothing else is looked up, let alone called. Then it is looked at
   whether it can be used (`checked_results`).
"""

from __future__ import annotations

import io
import math
import mmap
import pickle
import struct
import uuid
from dataclasses import dataclass, replace
from typing import IO, Any

import cloudpickle

from curvewise._temporary import explaining_the_disk
from curvewise.core._outcome import Failure, Observation, Outcome, Reason, Task
from curvewise.core._predictions import Predictions
from curvewise.errors import CurvewiseError
from curvewise.executors._workers.channel import CAN_SEND_FILES, MOST_BYTES, Order
from curvewise.executors._workers.checked_results import checked
from curvewise.executors._workers.known_code import KNOWN_NAMES
from curvewise.executors._workers.shelf import Shelf
from curvewise.executors._workers.unnamed_file import UnnamedFile

# Where a buffer begins in the file: what vector instructions and numpy's own arrays are used to.
ALIGNMENT = 64

# At the end of the file: where the pickled objects begin, and how many bytes they are.
FOOTER = struct.Struct("=qq")

# Below this, a candidate is quicker sent than written to a file.
LARGE_BYTES = 2**20

# What an array or a number of numpy is made from, in any of its versions.
NUMPY_NAMES = frozenset(("_frombuffer", "_reconstruct", "dtype", "ndarray", "scalar"))
# What an observation stands for until its owner puts in its own.
NO_TASK = Task(None, 0, 0)


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
        what, seconds = "The result cannot be pickled", outcome.seconds
        try:
            observation = cloudpickle.dumps(replace(outcome, task=NO_TASK))
        except Exception as error:
            return cls.of(Failure.raised(outcome.task, error, seconds=seconds, what=what))
        if len(observation) > MOST_BYTES // 2:
            why = f"{what}: it has {len(observation):,} bytes, and {MOST_BYTES // 2:,} are the most"
            return cls(Reason.ERROR, why, seconds)
        return cls(None, seconds=seconds, observation=observation)

    def plain(self) -> tuple[Any, ...]:
        """Give it as plain values."""
        reason = None if self.reason is None else self.reason.value
        return reason, self.message, float(self.seconds), self.error, self.observation

    @classmethod
    def from_plain(cls, values: tuple[Any, ...]) -> Answer:
        """Make it from plain values; whatever else they are raises."""
        reason, message, seconds, error, observation = values
        return cls(
            None if reason is None else Reason(reason),
            str(message),
            # Those of a failure; an observation has its own.
            float(seconds) if 0.0 <= float(seconds) < math.inf else 0.0,
            str(error),
            bytes(observation),
        )

    def outcome(self, task: Task) -> Outcome:
        """The outcome that this answer stands for."""
        if self.reason is not None:
            return Failure(task, self.reason, self.message, self.seconds, self.error)
        what = "The result cannot be unpickled"
        try:
            result = _ResultUnpickler(io.BytesIO(self.observation)).load()
            what = "The result cannot be used"
            return replace(checked(result), task=task)
        except Exception as error:
            return Failure.raised(task, error, seconds=self.seconds, what=what)


class _ResultUnpickler(pickle.Unpickler):
    """Reads an observation: our own classes, numbers, text and arrays (rule 4)."""

    def find_class(self, module: str, name: str) -> Any:
        root = module.partition(".")[0]
        if name in KNOWN_NAMES.get(module, ()) or (root == "numpy" and name in NUMPY_NAMES):
            return super().find_class(module, name)
        if root == "curvewise":
            found = super().find_class(module, name)
            if isinstance(found, type) and issubclass(found, Observation | Predictions | Task):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a result")


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
