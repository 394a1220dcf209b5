"""Excel files: one sheet is a table, and which one is said."""

import datetime
import sys

import pandas as pd
import pytest

from curvewise.automl import read_rows, read_table
from curvewise.errors import MissingExtraError, TableError

openpyxl = pytest.importorskip("openpyxl")
HEADER = ("day", "size", "kind", "flag", "y")


def body(n=20):
    start = datetime.date(2023, 6, 1)
    for i in range(n):
        day = start + datetime.timedelta(days=i % 9)
        yield day, i / 7 if i != 3 else None, ("a", "b", "c")[i % 3], i % 4 == 0, i % 2


@pytest.fixture
def write(tmp_path):
    def write(sheets, name="data.xlsx"):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        book.save(tmp_path / name)
        return tmp_path / name

    return write


def complaint(*given, **options):
    with pytest.raises(TableError) as raised:
        read_table(*given, **options)
    return str(raised.value)


def test_cells_keep_their_types(write):
    table = read_table(write({"Data": [HEADER, *body()]}))

    assert table.kinds == {"day": "date", "size": "number", "kind": "text", "flag": "boolean"}
    assert table.X["size"].isna().sum() == 1
    assert table.X["day"][1] == pd.Timestamp("2023-06-02")
    assert table.task == "classification"


def test_the_first_sheet_with_anything_in_it_is_taken_and_named(write):
    path = write({"Cover": [], "Data": [HEADER, *body()], "Old": [HEADER, *body(12)]})
    table, old = read_table(path), read_table(path, sheet="Old")

    assert table.n_rows == 20
    assert old.n_rows == 12
    assert "The sheet is 'Data', the first with anything in it; " in table.notes[0]
    assert table.notes[0].endswith("there are also 'Cover' and 'Old'.")


def test_a_single_sheet_needs_no_note(write):
    assert not any("sheet" in note for note in read_table(write({"A": [HEADER, *body()]})).notes)


def test_what_stands_around_the_table_is_left_out(write):
    rows = [[], [None, *HEADER], [], *([None, *row] for row in body()), [None] * 9]

    assert list(read_table(write({"A": rows})).X.columns) == list(HEADER[:-1])


def test_errors_of_formulas_are_gaps(write):
    rows = [HEADER, *body(), (None, "#N/A", "a", True, 1)]
    table = read_table(write({"A": rows}))

    assert table.kinds["size"] == "number"
    assert table.X["size"].isna().sum() == 2


def test_new_rows_come_from_a_sheet_as_well(write):
    path = write({"Old": [HEADER, *body()], "New": [HEADER[:2], *(row[:2] for row in body(5))]})
    kinds = {"size": "number", "day": "date"}

    assert read_rows(path, kinds, sheet="New").shape == (5, 2)


def test_counted_rows_are_seen_in_sheets_too(write):
    rows = [("n", *HEADER), *((i, *row) for i, row in enumerate(body()))]

    assert list(read_table(write({"A": rows})).left_out) == ["n"]


def test_what_cannot_be_read_is_one_sentence(write, tmp_path):
    path = write({"Data": [HEADER, *body()], "Empty": [], "Names": [HEADER]})
    (tmp_path / "text.xlsx").write_text("a,b\n1,2\n")
    (tmp_path / "cut.xlsx").write_bytes(path.read_bytes()[:500])
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    (tmp_path / "data.csv").write_text("a,y\n1,2\n2,1\n")

    assert complaint(path, sheet="Dat") == "'data.xlsx' has no sheet 'Dat'; the nearest is 'Data'."
    assert complaint(path, sheet="Empty") == "'data.xlsx' has nothing in the sheet 'Empty'."
    assert "a header but no rows in the sheet 'Names'" in complaint(path, sheet="Names")
    assert "not an Excel file, or damaged" in complaint(tmp_path / "text.xlsx")
    assert "not an Excel file, or damaged" in complaint(tmp_path / "cut.xlsx")
    assert "save it as .xlsx" in complaint(tmp_path / "old.xls")
    assert "only Excel files do" in complaint(tmp_path / "data.csv", sheet="A")
    assert "nothing in any sheet" in complaint(write({"A": []}, "none.xlsx"))


@pytest.mark.parametrize("missing", ["openpyxl", "pandas"])
def test_a_missing_package_names_the_extra_that_brings_all_it_needs(missing, write, monkeypatch):
    path = write({"A": [HEADER, *body()]})
    monkeypatch.setitem(sys.modules, missing, None)

    with pytest.raises(MissingExtraError, match=r"curvewise\[excel\]"):
        read_table(path)
