"""An evaluation as two files, from which any number of processes share one copy of the data.

Pickle's protocol 5 hands over large buffers (arrays, data frames, sparse matrices) apart from the
rest. They are written one after the other into one file. Whoever opens the parcel maps that file
read-only: its pages are in memory once, for all processes together, and are read when they are
needed. Objects that do not know protocol 5 (lists, polars frames) are copied into every process.
"""

from __future__ import annotations

import mmap
import pickle
from pathlib import Path
from typing import Any

import cloudpickle

from curvewise.errors import CurvewiseError

# Where a buffer begins in the file: what vector instructions and numpy's own arrays are used to.
ALIGNMENT = 64

OBJECTS = "objects"
BUFFERS = "buffers"


def pack(value: Any, folder: Path) -> None:
    """Write a value into a folder.

    Parameters
    ----------
    value
        Anything that cloudpickle can pickle: functions of a notebook and lambdas too.
    folder
        An existing, empty folder.

    Raises
    ------
    CurvewiseError
        If it cannot be pickled.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pack({"X": np.arange(6.0)}, Path(folder))
    ...     X = unpack(Path(folder))["X"]
    >>> X.sum(), X.flags.writeable
    (np.float64(15.0), False)
    """
    buffers: list[pickle.PickleBuffer] = []
    try:
        stream = cloudpickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    except Exception as error:
        raise CurvewiseError(
            f"The evaluation cannot be pickled, and so cannot reach other processes: {error}"
        ) from error
    spans: list[tuple[int, int]] = []
    with (folder / BUFFERS).open("wb") as file:
        for buffer in buffers:
            raw = buffer.raw()
            file.write(bytes(-file.tell() % ALIGNMENT))
            spans.append((file.tell(), raw.nbytes))
            file.write(raw)
    (folder / OBJECTS).write_bytes(pickle.dumps((spans, stream)))


def unpack(folder: Path) -> Any:
    """Read a value from a folder; its buffers stay in the file, mapped read-only.

    The folder may be removed afterwards on systems that keep open files alive (not on Windows).
    """
    spans, stream = pickle.loads((folder / OBJECTS).read_bytes())
    if not any(size for _, size in spans):
        return pickle.loads(stream, buffers=[b""] * len(spans))
    with (folder / BUFFERS).open("rb") as file:
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    return pickle.loads(stream, buffers=[mapped[start : start + size] for start, size in spans])
