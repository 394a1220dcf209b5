"""How large a model may be: looked at in its archive, before anything of it is unpacked.

1. All members together unpack to at most half of this machine's memory. A sparse matrix is an
   archive inside the archive, and counts with what it unpacks to.
2. An array is as large as its member: numpy sets aside what an array's header asks for before it
   has read any of it.
3. There are at most 200,000 members; a forest of 1,000 trees has some 3,000.

What the archive says of its members is enough: reading stops where a member should end.
"""

from __future__ import annotations

import io
import math
import zipfile
from typing import IO, Any

import numpy as np

from curvewise.automl._tables.measure import most_bytes
from curvewise.errors import UnsafeModelError

MOST_MEMBERS = 200_000
# Of a sparse matrix, which is read here to be looked at.
LARGEST_NESTED = 2**31
HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def measure(archive: zipfile.ZipFile) -> None:
    """Refuse an archive that is too large when it is unpacked."""
    most, n_bytes = most_bytes(), 0
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise UnsafeModelError(f"it has {len(members):,} parts.")
    for member in members:
        n_bytes += member.file_size
        if n_bytes <= most and member.filename.endswith(".npz"):
            n_bytes += _nested(archive, member)
        if n_bytes > most:
            raise UnsafeModelError(
                f"it unpacks to more than {most / 2**30:.1f} GiB, half of this machine's memory."
            )
    for member in members:
        if member.filename.endswith(".npy"):
            _check_array(archive, member)


def _nested(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> int:
    """Give what an archive in the archive unpacks to, and look at its arrays."""
    if member.file_size > LARGEST_NESTED:
        raise UnsafeModelError(f"{member.filename!r:.60} in it is too large.")
    with archive.open(member) as file, zipfile.ZipFile(io.BytesIO(file.read())) as inner:
        for array in inner.infolist():
            _check_array(inner, array)
        return sum(array.file_size for array in inner.infolist())


def is_single(archive: zipfile.ZipFile, name: str) -> bool:
    """Whether an array is one number."""
    with archive.open(name) as file:
        return _header(file)[0] == ()


def _check_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    """Refuse an array whose header asks for more than there is (rule 2)."""
    with archive.open(member) as file:
        shape, dtype = _header(file)
        # Pickled objects have no size of their own, and are refused when they are read.
        # What takes no room, any number of times, would take some once something is made of it.
        n_bytes = math.prod(shape) * max(1, dtype.itemsize)
        if not dtype.hasobject and n_bytes != member.file_size - file.tell():
            raise UnsafeModelError("it has an array of another size than it says.")


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Read the shape of an array, and of which kind its numbers are."""
    read_header = HEADERS.get(np.lib.format.read_magic(file))
    if read_header is None:
        raise UnsafeModelError("it has an array in a format that is not known.")
    shape, _, dtype = read_header(file)
    return shape, dtype
