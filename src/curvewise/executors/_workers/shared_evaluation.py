"""An evaluation as one file, from which any number of processes share one copy of the data.

Pickle's protocol 5 hands over large buffers (arrays, data frames, sparse matrices) apart from the
rest. They are written one after the other, then the rest, then where all that is. Whoever opens the
file maps it read-only: its pages are in memory once, for all processes together, and are
read when they are needed. Objects that do not know protocol 5 (lists, polars frames) are copied
into every process.
"""

from __future__ import annotations

import mmap
import pickle
import struct
from typing import IO, Any

import cloudpickle

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
