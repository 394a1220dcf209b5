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
    """Make data quick to take rows from: sparse matrices become CSR, all else stays as it is."""
    if sparse.issparse(data):
        return data.tocsr()
    if data is None or hasattr(data, "__getitem__") or hasattr(data, "iloc"):
        return data
    return np.asarray(data)


def n_rows(data: Any) -> int:
    """Count the rows."""
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
    """Whether a value has one entry for each of n rows; a text never has."""
    if isinstance(value, str | bytes | dict) or getattr(value, "shape", None) == ():
        return False
    return (hasattr(value, "shape") or hasattr(value, "__len__")) and n_rows(value) == n


def take(data: Any, rows: Indices) -> Any:
    """Copy some rows, in the order of the indices; None has no rows and stays None."""
    if data is None:
        return None
    if isinstance(data, np.ndarray) or hasattr(data, "iloc"):
        return data.take(rows, axis=0)
    if hasattr(data, "shape"):
        return data[rows]
    return [data[row] for row in rows.tolist()]


def take_pairs(data: Any, rows: Indices, columns: Indices) -> Any:
    """Copy a block of a kernel or distance matrix, which has a row and a column per data row."""
    return data[np.ix_(rows, columns)]


def is_square(data: Any) -> bool:
    """Whether data could be a kernel or distance matrix."""
    if not (isinstance(data, np.ndarray) or sparse.issparse(data)):
        return False
    return data.ndim == 2 and data.shape[0] == data.shape[1]


def one_column(y: Any) -> np.ndarray[Any, Any]:
    """Give a target as an array; a table of one column as that column, as classifiers take it."""
    values = np.asarray(y)
    return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values


def copied(data: Any) -> Any:
    """Copy all rows; the memory layout of an array stays."""
    if isinstance(data, np.ndarray):
        return data.copy(order="K")
    if hasattr(data, "clone"):
        return data.clone()
    return data.copy() if hasattr(data, "copy") else take(data, np.arange(n_rows(data)))
