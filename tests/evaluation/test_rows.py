from array import array

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from curvewise._evaluation.rows import (
    as_rows,
    copied,
    is_square,
    n_rows,
    one_column,
    per_row,
    take,
    take_pairs,
)
from curvewise.errors import InvalidParameterError

ROWS = np.array([3, 0, 2])
VALUES = np.arange(1.0, 9.0).reshape(4, 2)

CONTAINERS = {
    "array": VALUES,
    "fortran array": np.asfortranarray(VALUES),
    "list of lists": VALUES.tolist(),
    "pandas frame": pd.DataFrame(VALUES, columns=["a", "b"], index=[9, 8, 7, 6]),
    "polars frame": pl.DataFrame(VALUES, schema=["a", "b"]),
    "csr": sparse.csr_array(VALUES),
    "csr matrix": sparse.csr_matrix(VALUES),
    "csc": sparse.csc_array(VALUES),
    "coo": sparse.coo_array(VALUES),
    "lil": sparse.lil_array(VALUES),
    "dia": sparse.dia_array(VALUES),
    "bsr": sparse.bsr_array(VALUES),
    "dok": sparse.dok_array(VALUES),
}


def dense(data):
    return data.toarray() if sparse.issparse(data) else np.asarray(data)


@pytest.mark.parametrize("name", CONTAINERS)
def test_rows_come_in_the_order_of_the_indices(name):
    data = as_rows(CONTAINERS[name])

    assert n_rows(data) == 4
    assert dense(take(data, ROWS)).tolist() == VALUES[ROWS].tolist()


@pytest.mark.parametrize("name", CONTAINERS)
def test_what_comes_in_comes_out(name):
    data = as_rows(CONTAINERS[name])

    assert type(take(data, ROWS)) is type(data)
    assert type(copied(data)) is type(data)


@pytest.mark.parametrize(
    "column", [np.arange(4), [0, 1, 2, 3], pd.Series(range(4)), pl.Series(range(4))]
)
def test_columns_have_rows_too(column):
    assert list(take(as_rows(column), ROWS)) == [3, 0, 2]


@pytest.mark.parametrize("name", ["array", "fortran array", "pandas frame", "csr"])
@pytest.mark.parametrize("copy", [lambda data: take(data, np.arange(4)), copied])
def test_rows_are_a_copy(name, copy):
    data = CONTAINERS[name]
    rows = copy(data)

    if name == "pandas frame":
        rows.iloc[0, 0] = 99.0
    else:
        rows[0, 0] = 99.0

    assert dense(data).tolist() == VALUES.tolist()


@pytest.mark.parametrize("data", [((1, 2), (3, 4)), range(4), array("d", [1.0, 2.0])], ids=str)
def test_what_has_no_copy_of_its_own_is_copied_row_by_row(data):
    assert copied(data) == list(data)


def test_texts_of_a_list_are_rows():
    assert take(["red", "green", "blue", "grey"], ROWS) == ["grey", "red", "blue"]


def test_nothing_has_no_rows():
    assert as_rows(None) is None
    assert take(None, ROWS) is None


def test_what_has_no_rows_is_refused():
    with pytest.raises(InvalidParameterError, match="Expected data with rows, got int"):
        n_rows(5)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1, 2, 3], True),
        (np.zeros((3, 2)), True),
        (pd.Series([1, 2, 3]), True),
        (sparse.coo_array(np.eye(3)), True),
        ([1, 2], False),
        ("abc", False),
        ({"a": 1, "b": 2, "c": 3}, False),
        (np.float64(3.0), False),
        (3, False),
        (None, False),
    ],
)
def test_metadata_is_per_row_if_it_has_an_entry_for_each(value, expected):
    assert per_row(value, 3) is expected


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_a_kernel_matrix_gives_blocks(make):
    kernel = make(np.arange(16.0).reshape(4, 4))

    assert is_square(kernel)
    assert dense(take_pairs(kernel, ROWS, np.array([1]))).tolist() == [[13.0], [1.0], [9.0]]
    assert not is_square(VALUES)
    assert not is_square(np.zeros(3))


def test_a_target_of_one_column_is_that_column():
    assert one_column(pd.DataFrame({"y": ["a", "b"]})).tolist() == ["a", "b"]
    assert one_column(np.array([[1], [2]])).tolist() == [1, 2]
    assert one_column([1, 2]).tolist() == [1, 2]
    assert one_column(VALUES).shape == VALUES.shape
