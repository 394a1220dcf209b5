"""The fingerprint of a data set: whether a run is resumed with the data that it was begun with.

Shape, types, column names and every cell take part; the index of a pandas object does not, because
no learner sees it. A copy has the same fingerprint, in this process or another, and so have:

- an array in C order and in Fortran order, and any view of the same cells;
- a sparse matrix in any format, with or without zeros that are stored.

The same numbers as an array and as a table have different fingerprints.

Everything that goes in is preceded by what it is and how long it is, so that different data never
give the same bytes; Python's own `hash`, which differs between processes, plays no part.

1. Arrays go in as type, shape and bytes, always in C order (the last axis runs fastest) and little
   endian. An array in Fortran order, a view with gaps or one of the other endianness is brought
   into that form block by block, without copying it as a whole.
2. Cells (lists, and arrays of objects) are grouped by their type: text as lengths and characters,
   floats, whole numbers and booleans as arrays. ``1``, ``1.0`` and ``True`` are different cells.

pandas, polars and SciPy's sparse matrices are recognised only if they have been imported: who
hands over an object of theirs has done so.
"""

from __future__ import annotations

import hashlib
import sys
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


def fingerprint(X: Any, y: Any = None, *, metadata: Mapping[str, Any] | None = None) -> str:
    """Take the fingerprint of a data set.

    Parameters
    ----------
    X, y
        Features and target: numpy arrays, pandas or polars tables and columns, sparse matrices,
        lists, or anything that numpy can read; ``y`` may be None.
    metadata
        What else the learners are given by name, such as sample weights and groups.

    Returns
    -------
    str
        The shape of X and 32 hexadecimal digits.

    Raises
    ------
    InvalidParameterError
        If the data hold something of which no fingerprint can be taken.

    Examples
    --------
    >>> import numpy as np
    >>> from curvewise.executors import fingerprint
    >>> fingerprint([[1.0, 2.0], [3.0, 4.0]], ["yes", "no"])
    '2-...'
    >>> fingerprint(np.zeros((150, 4)))
    '150x4-...'
    """
    digest = Digest()
    for part in (X, y, {} if metadata is None else metadata):
        _add(digest, part)
    return f"{_shape(X)}-{digest.hash.hexdigest()}"


def _add(digest: Digest, data: Any) -> None:
    """Take in whatever a learner may be given."""
    pandas, polars, sparse = map(sys.modules.get, ("pandas", "polars", "scipy.sparse"))
    if isinstance(data, np.ndarray):
        digest.add_array(data)
    elif sparse is not None and sparse.issparse(data):
        _add_sparse(digest, data)
    elif pandas is not None and isinstance(data, pandas.DataFrame):
        digest.add_words("pandas", data.shape)
        digest.add_cells(list(data.columns))
        for i in range(data.shape[1]):
            _add_pandas(digest, data.iloc[:, i], pandas)
    elif pandas is not None and isinstance(
        data, pandas.Series | pandas.Index | pandas.api.extensions.ExtensionArray
    ):
        column = pandas.Series(data)
        digest.add_cells(["pandas", column.name])
        _add_pandas(digest, column, pandas)
    elif polars is not None and isinstance(data, polars.DataFrame | polars.Series):
        columns = data.get_columns() if isinstance(data, polars.DataFrame) else [data]
        digest.add_words("polars", data.shape)
        for column in columns:
            _add_polars(digest, column, polars)
    elif isinstance(data, Mapping):
        digest.add_cells(sorted(data))
        for name in sorted(data):
            _add(digest, data[name])
    elif hasattr(data, "__array__"):
        digest.add_array(np.asarray(data))
    else:
        digest.add_cells([data])


def _add_sparse(digest: Digest, matrix: Any) -> None:
    """Take in a sparse matrix as sorted rows without stored zeros."""
    rows = matrix.tocsr()
    if not rows.has_canonical_format or np.count_nonzero(rows.data) < rows.nnz:
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    digest.add_words("sparse", matrix.shape)
    digest.add_array(rows.indptr.astype(np.int64))
    digest.add_array(rows.indices.astype(np.int64))
    digest.add_array(rows.data)


def _add_pandas(digest: Digest, column: Any, pandas: Any) -> None:
    """Take in one column; missing values of pandas' own types go in as a mask."""
    dtype = column.dtype
    numbers = getattr(dtype, "numpy_dtype", np.dtype(object))
    digest.add_words(dtype)
    if isinstance(dtype, np.dtype):
        digest.add_array(column.to_numpy())
    elif isinstance(dtype, pandas.CategoricalDtype):
        digest.add_words(dtype.ordered)
        digest.add_cells(list(dtype.categories))
        digest.add_array(column.cat.codes.to_numpy())
    elif isinstance(dtype, pandas.DatetimeTZDtype):
        digest.add_array(column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    elif isinstance(dtype, pandas.SparseDtype):
        digest.add_array(np.asarray(column))
    elif numbers.kind in "biuf":
        digest.add_array(column.isna().to_numpy())
        digest.add_array(column.to_numpy(dtype=numbers, na_value=0))
    else:
        digest.add_cells(column.tolist())


def _add_polars(digest: Digest, column: Any, polars: Any) -> None:
    """Take in one column; missing values go in as a mask."""
    dtype = column.dtype
    digest.add_words(column.name, dtype)
    if dtype.is_temporal():
        column = column.to_physical()
    if column.dtype.is_integer() or column.dtype.is_float() or column.dtype == polars.Boolean:
        nothing = False if column.dtype == polars.Boolean else 0
        digest.add_array(column.is_null().to_numpy())
        digest.add_array(column.fill_null(nothing).to_numpy())
    elif dtype in (polars.Categorical, polars.Enum):
        digest.add_cells(column.cast(polars.String).to_list())
    else:
        digest.add_cells(column.to_list())


def _shape(X: Any) -> str:
    shape = getattr(X, "shape", None)
    if shape is None:
        try:
            shape = (len(X),)
        except TypeError:
            raise InvalidParameterError(
                f"X must be a table of data, got {type(X).__name__}."
            ) from None
    return "x".join(str(size) for size in shape)


class Digest:
    """Takes data in, piece by piece; its ``hash`` gives 32 characters."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=16)

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
                self.hash.update(plain.reshape(-1).view(np.uint8).data)

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
        self.hash.update(len(content).to_bytes(8, "little"))
        self.hash.update(content)


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
