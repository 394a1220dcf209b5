"""Rows of whatever scikit-learn users hand over: arrays, data frames, sparse matrices, lists.

Rules:

1. What comes in comes out: rows of a pandas frame are a pandas frame, rows of a list are a list.
   Only sparse formats that cannot give rows become CSR, once (`as_rows`).
2. Rows are always a copy, exactly one. A learner that works in place never reaches the user's data,
   nor rows that another learner is to see.
3. pandas and polars are recognised by what they can do and never imported.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from curvewise.errors import InvalidParameterError

Indices = np.ndarray[Any, np.dtype[np.integer[Any]]]


def as_rows(data: Any) -> Any:
    """Make data quick to take rows from: sparse matrices become CSR, all else stays as it is.

    Examples
    --------
    >>> from scipy.sparse import coo_array
    >>> as_rows(coo_array([[0, 1], [2, 0]])).format
    'csr'
    """
    if sparse.issparse(data):
        return data.tocsr()
    if data is None or hasattr(data, "__getitem__") or hasattr(data, "iloc"):
        return data
    return np.asarray(data)


def n_rows(data: Any) -> int:
    """Count the rows.

    Examples
    --------
    >>> n_rows(np.zeros((3, 2))), n_rows(["a", "b"])
    (3, 2)
    """
    shape = getattr(data, "shape", None)
    if shape:
        return int(shape[0])
    try:
        return len(data)
    except TypeError:
        kind = type(data).__name__
        raise InvalidParameterError(
            f"Expected data with rows, got {kind} without a length."
        ) from None


def per_row(value: Any, n: int) -> bool:
    """Whether a value has one entry for each of n rows; a text never has.

    Examples
    --------
    >>> per_row([0.5, 1.0], 2), per_row("ab", 2), per_row(7, 2)
    (True, False, False)
    """
    if isinstance(value, str | bytes | dict) or getattr(value, "shape", None) == ():
        return False
    return (hasattr(value, "shape") or hasattr(value, "__len__")) and n_rows(value) == n


def take(data: Any, rows: Indices) -> Any:
    """Copy some rows, in the order of the indices; None has no rows and stays None.

    Examples
    --------
    >>> take(np.array([10, 20, 30]), np.array([2, 0]))
    array([30, 10])
    >>> take(["a", "b", "c"], np.array([2, 0]))
    ['c', 'a']
    """
    if data is None:
        return None
    if isinstance(data, np.ndarray) or hasattr(data, "iloc"):
        return data.take(rows, axis=0)
    if hasattr(data, "shape"):
        return data[rows]
    return [data[row] for row in rows.tolist()]


def take_pairs(data: Any, rows: Indices, columns: Indices) -> Any:
    """Copy a block of a kernel or distance matrix, which has a row and a column per data row.

    Examples
    --------
    >>> take_pairs(np.arange(9).reshape(3, 3), np.array([0]), np.array([1, 2]))
    array([[1, 2]])
    """
    return data[np.ix_(rows, columns)]


def is_square(data: Any) -> bool:
    """Whether data could be a kernel or distance matrix.

    Examples
    --------
    >>> is_square(np.eye(3)), is_square([[1, 0], [0, 1]])
    (True, False)
    """
    if not (isinstance(data, np.ndarray) or sparse.issparse(data)):
        return False
    return data.ndim == 2 and data.shape[0] == data.shape[1]


def copied(data: Any) -> Any:
    """Copy all rows; the memory layout of an array stays.

    Examples
    --------
    >>> copied(np.asfortranarray(np.eye(2))).flags.f_contiguous
    True
    """
    if isinstance(data, np.ndarray):
        return data.copy(order="K")
    if isinstance(data, list):
        return list(data)
    return data.clone() if hasattr(data, "clone") else data.copy()
