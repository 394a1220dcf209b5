"""No bytes whatever may bring a traceback, a warning or half a table."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.automl import read_rows, read_table
from curvewise.automl._tables.table import profile
from curvewise.errors import TableError

PIECES = st.sampled_from(
    [
        *('"', "'", ",", ";", "\t", "|", "\n", "\r\n", " ", "\\", "{", "}", "?", "%", "\0", "\x7f"),
        *("a", "y", "é", "1", "-2.5", "3,5", "inf", "1e999", "9" * 30, "NaN", "True", "sep=;\n"),
        *("2024-01-01", "9999-99-99", "@data\n", "@relation r\n", "@attribute a numeric\n"),
        *("@attribute 'b c' {x, 'y z'}\n", "@attribute d date 'yyyy'\n", "x,y\n1,2\n3,4\n"),
    ]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hostile")


def attempt(path):
    try:
        return read_table(path), ""
    except TableError as error:
        return None, str(error)


@given(
    pieces=st.lists(PIECES, max_size=25),
    ending=st.sampled_from(["csv", "tsv", "arff"]),
    encoding=st.sampled_from(["utf-8", "utf-16", "cp1252"]),
)
def test_text_is_a_table_or_one_sentence(folder, pieces, ending, encoding):
    path = folder / f"data.{ending}"
    path.write_bytes("".join(pieces).encode(encoding))
    table, complaint = attempt(path)

    assert "\n" not in complaint
    if table is None:
        return
    assert len(table.X) == len(table.y) >= 2
    assert table.y.notna().all()
    assert len(read_rows(path, table.kinds)) >= len(table.X)
    json.dumps(profile(table), allow_nan=False)


@given(data=st.binary(max_size=200), ending=st.sampled_from(["csv", "arff", "parquet", "feather"]))
def test_bytes_are_a_table_or_one_sentence(folder, data, ending):
    path = folder / f"data.{ending}"
    path.write_bytes(data)

    assert "\n" not in attempt(path)[1]


def test_a_lone_quote_hides_no_ragged_line(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('a,b,y\n5" pipe,1,p,6\n7" pipe,q\n8,2,p\n')

    with pytest.raises(TableError, match="4 fields in line 2"):
        read_table(path)


def test_a_column_may_have_any_name(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("self,index,y\n7,1,p\nA,2,q\n8,3,p\n")
    table = read_table(path)

    assert read_rows(path, table.kinds)["self"].tolist() == ["7", "A", "8"]


@pytest.mark.parametrize("day", ["0000-01-01", "0000-12-31T23:59:59", "0001-01-01", "9999-12-31"])
def test_a_day_may_be_of_any_year(tmp_path, day):
    path = tmp_path / "data.csv"
    path.write_text(f"day,y\n{day},p\n2020-01-01,q\n,p\n{day},q\n")

    assert read_table(path).kinds == {"day": "date"}
