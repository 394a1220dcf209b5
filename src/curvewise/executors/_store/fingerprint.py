"""The fingerprint of a data set: whether a run is resumed with the data that it was begun with.

Shape, types, column names and every cell take part; the index of a pandas object does not, because
no learner sees it. A copy has the same fingerprint, in this process or another, and so have:

- an array in C order and in Fortran order, and any view of the same cells;
- a sparse matrix in any format, with or without zeros that are stored.

The same numbers as an array and as a table have different fingerprints.

pandas, polars and SciPy's sparse matrices are recognised only if they have been imported: who
hands over an object of theirs has done so.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from curvewise.errors import InvalidParameterError
from curvewise.executors._store.digest import Digest


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
    return f"{_shape(X)}-{digest.hexdigest()}"


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
    elif pandas is not None and _is_pandas_column(data, pandas):
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


def _is_pandas_column(data: Any, pandas: Any) -> bool:
    kinds = (pandas.Series, pandas.Index, pandas.api.extensions.ExtensionArray)
    return isinstance(data, kinds)


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
