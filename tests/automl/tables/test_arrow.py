import io

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from curvewise.automl import read_table
from curvewise.automl._tables import arrow
from curvewise.automl._tables.arrow import read_arrow
from curvewise.automl._tables.content import Content
from curvewise.errors import TableError


class CountedTable:
    """An arrow table that counts how often it is asked for what it has to build anew."""

    def __init__(self, table):
        self._table = table
        self.n_asked = 0

    def __getattr__(self, name):
        self.n_asked += name in {"column_names", "schema", "columns", "itercolumns"}
        return getattr(self._table, name)


def test_the_work_for_a_wide_file_does_not_grow_with_each_column(monkeypatch):
    asked = []
    together = arrow.together

    def counted(*parts):
        asked.append(CountedTable(together(*parts)))
        return asked[-1]

    monkeypatch.setattr(arrow, "together", counted)
    for n_columns in (10, 500):
        file = io.BytesIO()
        pd.DataFrame({f"c{i}": [1.5, 2.5] for i in range(n_columns)}).to_parquet(file)
        raw = read_arrow(Content("'w'", "w", ".parquet", "parquet", file.getvalue()))
        assert raw.frame.shape == (2, n_columns)

    assert asked[0].n_asked == asked[1].n_asked > 0


def test_decimals_days_and_small_floats_are_plain_columns():
    table = pa.table(
        {
            "price": pa.array([1, None], pa.decimal128(5, 2)),
            "day": pa.array([0, 1], pa.date32()),
            "half": pa.array([1.5, None], pa.float16()),
            "clock": pa.array([60, None], pa.time32("s")),
        }
    )
    file = io.BytesIO()
    pq.write_table(table, file)
    raw = read_arrow(Content("'t'", "t", ".parquet", "parquet", file.getvalue()))

    assert [dtype.kind for dtype in raw.frame.dtypes] == ["f", "M", "f", "m"]


LISTS = pa.DictionaryArray.from_arrays(pa.array([0, 1] * 10), pa.array([[1], [2]]))
TENSORS = pa.ExtensionArray.from_storage(
    pa.fixed_shape_tensor(pa.int64(), [1]), pa.array([[1]] * 20, pa.list_(pa.int64(), 1))
)


@pytest.mark.parametrize("column", [LISTS, TENSORS], ids=["lists by number", "tensors"])
def test_lists_behind_another_type_are_left_out(tmp_path, column):
    table = pa.table({"a": range(20), "x": column, "y": ["no", "yes"] * 10})
    feather.write_feather(table, tmp_path / "table.feather", compression="uncompressed")

    assert list(read_table(tmp_path / "table.feather", target="y").X) == ["a"]
    with pytest.raises(TableError):
        read_table(tmp_path / "table.feather", target="x")


def test_metadata_that_are_nested_without_end_are_passed_over(tmp_path):
    deep = b'{"columns": ' + 100_000 * b"[" + 100_000 * b"]" + b"}"
    table = pa.table({"a": range(20), "y": ["no", "yes"] * 10})
    pq.write_table(table.replace_schema_metadata({"pandas": deep}), tmp_path / "table.parquet")

    assert list(read_table(tmp_path / "table.parquet", target="y").X) == ["a"]
