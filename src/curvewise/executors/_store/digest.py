"""A digest of arrays and cells that is the same in every process.

Everything that goes in is preceded by what it is and how long it is, so that different data never
give the same bytes; Python's own `hash`, which differs between processes, plays no part.

1. Arrays go in as type, shape and bytes, always in C order (the last axis runs fastest) and little
   endian. An array in Fortran order, a view with gaps or one of the other endianness is brought
   into that form block by block, without copying it as a whole.
2. Cells (lists, and arrays of objects) are grouped by their type: text as lengths and characters,
   floats, whole numbers and booleans as arrays. ``1``, ``1.0`` and ``True`` are different cells.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from pathlib import PurePath
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import InvalidParameterError

# An array whose bytes are out of order is copied block by block: so much memory at the most.
BLOCK_BYTES = 4 * 2**20
# Types whose text says everything about their value. Dates include pandas' own.
SPOKEN = (complex, date, time, timedelta, Decimal, Fraction, PurePath, UUID)
SPOKEN_IN_PANDAS = ("pandas.NAType", "pandas.NaTType", "pandas.Period", "pandas.Interval")


class Digest:
    """Takes data in, piece by piece; `hexdigest` gives 32 characters.

    Examples
    --------
    >>> one, other = Digest(), Digest()
    >>> one.add_array(np.arange(6).reshape(2, 3))
    >>> other.add_array(np.asfortranarray(np.arange(6).reshape(2, 3)))
    >>> one.hexdigest() == other.hexdigest()
    True
    """

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)

    def hexdigest(self) -> str:
        """Give the digest of what went in so far."""
        return self._hash.hexdigest()

    def add_words(self, *words: object) -> None:
        """Take in some words that say what follows."""
        for word in words:
            self._add_bytes(str(word).encode("utf-8", "surrogatepass"))

    def add_array(self, array: NDArray[Any]) -> None:
        """Take in an array of any type and shape."""
        dtype = array.dtype
        if dtype.names is not None:
            self.add_words("record", array.shape, *dtype.names)
            for name in dtype.names:
                self.add_array(array[name])
        elif dtype.kind in "OT":
            self.add_words("objects", array.shape)
            self.add_cells(array.ravel().tolist())
        elif dtype.kind in "fc" and dtype.itemsize > (8 if dtype.kind == "f" else 16):
            # Long doubles have bytes that mean nothing and may hold anything; their text is exact.
            self.add_words(dtype.name)
            self.add_array(array.astype(str))
        else:
            little = dtype.newbyteorder("<")
            self.add_words("array", little.str, array.shape)
            for block in _blocks(array, in_order=array.flags.c_contiguous and dtype == little):
                plain = np.ascontiguousarray(block, dtype=little)
                self._hash.update(plain.reshape(-1).view(np.uint8).data)

    def add_cells(self, cells: Sequence[Any]) -> None:
        """Take in values of any types, in order."""
        kinds = sorted(set(map(type, cells)), key=_name)
        self.add_words("cells", len(cells), len(kinds), *map(_name, kinds))
        if len(kinds) > 1:
            codes = {kind: code for code, kind in enumerate(kinds)}
            self.add_array(np.fromiter((codes[type(cell)] for cell in cells), np.int32))
        for kind in kinds:
            same = cells if len(kinds) == 1 else [cell for cell in cells if type(cell) is kind]
            self._add_same(kind, same)

    def _add_same(self, kind: type[Any], cells: Sequence[Any]) -> None:
        """Take in values of one type."""
        if issubclass(kind, str):
            self._add_pieces(cells, "".join(cells).encode("utf-8", "surrogatepass"))
        elif issubclass(kind, bytes):
            self._add_pieces(cells, b"".join(cells))
        elif issubclass(kind, float | bool | np.generic):
            self.add_array(np.array(cells))
        elif issubclass(kind, int):
            self._add_whole_numbers(cells)
        elif issubclass(kind, list | tuple):
            self.add_array(np.fromiter(map(len, cells), np.int64))
            self.add_cells(list(chain.from_iterable(cells)))
        elif issubclass(kind, np.ndarray):
            for cell in cells:
                self.add_array(cell)
        elif issubclass(kind, Mapping):
            for cell in cells:
                self.add_cells(list(cell))
                self.add_cells(list(cell.values()))
        elif issubclass(kind, SPOKEN) or _name(kind) in SPOKEN_IN_PANDAS:
            self.add_words(*map(str, cells))
        elif kind is not type(None):
            raise InvalidParameterError(
                f"The data hold values of type {_name(kind)}, of which no fingerprint can be taken."
            )

    def _add_whole_numbers(self, cells: Sequence[int]) -> None:
        try:
            self.add_array(np.array(cells, dtype=np.int64))
        except OverflowError:
            self.add_words("long", *cells)

    def _add_pieces(self, pieces: Sequence[Any], joined: bytes) -> None:
        self.add_array(np.fromiter(map(len, pieces), np.int64))
        self._add_bytes(joined)

    def _add_bytes(self, content: bytes) -> None:
        self._hash.update(len(content).to_bytes(8, "little"))
        self._hash.update(content)


def _blocks(array: NDArray[Any], *, in_order: bool) -> Iterator[NDArray[Any]]:
    """Cut an array along its first axis, unless its bytes are in order already."""
    if in_order or array.ndim == 0:
        yield array
        return
    n_rows = max(1, BLOCK_BYTES * len(array) // max(1, array.nbytes))
    for start in range(0, len(array), n_rows):
        yield array[start : start + n_rows]


def _name(kind: type[Any]) -> str:
    """Name a type by its package: in which module it stands may change with the next version."""
    return f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"
