"""Whatever is wrong with a source, the user gets one sentence that says it."""

import gzip
import os
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from curvewise.automl import read_rows, read_table
from curvewise.errors import CurvewiseError, InvalidParameterError, MissingExtraError, TableError


def write(folder: Path, content: str | bytes, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def complaint(source: str | Path, **settings: object) -> str:
    with pytest.raises(TableError) as caught:
        read_table(source, **settings)
    message = str(caught.value)
    assert message.count("\n") == 0
    assert message.endswith(".")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message


BINARY = bytes(range(256)) * 20
CASES = {
    "": "'data.csv' is empty",
    " \n\n": "'data.csv' is empty",
    "a,b\n": "'data.csv' has a header but no rows",
    "a\n1\n2\n": "has a single column, 'a'",
    "a,b\n1,2\n": "has a single row",
    "a,b\n1,2\n3\n4,5\n": "has 1 field in line 3 where 2 are expected",
    "a,b\n1,2\n3,4\n4,5,6\n": "has 3 fields in line 4 where 2 are expected",
    'a,b\n1,"x\ny"\n3,4\n5,6,7\n': "has 3 fields in line 5 where 2 are expected",
    "a,b\n\n1,2\n\n3,4,5\n": "has 3 fields in line 5 where 2 are expected",
    "a,b,c,d\n1,2\n3,4\n": "4 names in its header",
    "a,b\n1,x\n2,x\n": "has only one class, 'x'",
    "a,b\n1,7\n2,7\n": "has only one class, '7'",
    "a,b\n1,0.5\n2,0.5\n": "has only one value, '0.5'",
    "a,b\n1,\n2,\n": "The target 'b' of 'data.csv' is missing in every row",
    "a,b\n1,\n2,x\n": "has a single row with a target",
    "a,b\n1,x\n2,y\n3,z\n": "a class of its own for each of its 3 rows",
    "a,b\n1,2024-01-01\n2,2024-01-02\n": "holds dates",
    "a,b,b\n1,2,3\n1,3,4\n": "several columns called 'b'",
    '"a,b\n1,2\n3,4\n': "'data.csv'",
    BINARY: "'data.csv' is a binary file",
    b"PAR1" + BINARY: "is a Parquet file, which is not what its ending says",
    b"PK\x03\x04" + BINARY: "is a ZIP archive or an Excel sheet",
    b"\xff\xfea": "starts as utf-16 text but is not all of it",
}


@pytest.mark.parametrize(("content", "sentence"), CASES.items(), ids=map(str, range(len(CASES))))
def test_a_bad_file_is_explained(tmp_path, content, sentence):
    target = (
        1 if b"a,b,b" not in (content if isinstance(content, bytes) else content.encode()) else "b"
    )

    assert sentence in complaint(write(tmp_path, content), target=target)


def test_a_directory_is_refused(tmp_path):
    assert "is a directory" in complaint(tmp_path)


def test_a_missing_file_names_the_nearest(tmp_path):
    write(tmp_path, "a,b\n", "train.csv")

    assert complaint(tmp_path / "trian.csv").endswith("the nearest is 'train.csv'.")
    assert "There is no file" in complaint(tmp_path / "no" / "such.csv")


def test_a_forbidden_file_is_refused(tmp_path, monkeypatch):
    def forbid(*_):
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, "a,b\n1,2\n")
    monkeypatch.setattr(os, "open", forbid)

    assert complaint(path) == "There is no permission to read 'data.csv'."


@pytest.mark.parametrize("name", ["data.doc", "data", "data.gz", ".csv"])
def test_an_unknown_ending_lists_the_known(tmp_path, name):
    assert ".csv, .tsv, " in complaint(write(tmp_path, "a,b\n1,2\n", name))


@pytest.mark.parametrize("name", ["data.csv.gz", "data.csv.bz2", "data.csv.xz", "data.csv.zip"])
@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", gzip.compress(b"a,b\n" * 99, mtime=0)[:-9]])
def test_a_damaged_archive_is_refused(tmp_path, name, content):
    assert name in complaint(write(tmp_path, content, name))


def test_an_archive_with_two_tables_is_refused(tmp_path):
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "a,b\n")
        archive.writestr("b.csv", "a,b\n")

    assert "holds 2 files ('a.csv' and 'b.csv')" in complaint(path)


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_a_damaged_binary_table_is_refused(tmp_path, ending):
    magic = b"PAR1" if ending == "parquet" else b"ARROW1"

    assert "or damaged" in complaint(write(tmp_path, magic + BINARY, f"data.{ending}"))


def test_a_missing_target_names_the_nearest(tmp_path):
    path = write(tmp_path, "age,label,size\n1,2,3\n4,5,6\n")

    assert complaint(path, target="lable").endswith("the nearest is 'label'.")
    assert complaint(path, target="zzz").endswith("there are 'age', 'label' and 'size'.")
    assert "no column at position 3" in complaint(path, target=3)
    assert "no column at position -4" in complaint(path, target="-4")


def test_regression_on_text_is_refused(tmp_path):
    path = write(tmp_path, "a,b\n1,5\n2,red\n3,5\n")

    assert "'red' is no number" in complaint(path, task="regression")


@pytest.mark.parametrize("settings", [{"task": "clustering"}, {"target": 1.5}, {"target": True}])
def test_a_setting_that_cannot_work_is_named(tmp_path, settings):
    path = write(tmp_path, "a,b\n1,2\n2,3\n")

    with pytest.raises(InvalidParameterError, match=next(iter(settings))):
        read_table(path, **settings)


def test_long_and_hostile_names_are_cut_and_escaped(tmp_path):
    name = "<img src=x onerror=alert(1)>" + "\u202e" + "x" * 10_000
    path = write(tmp_path, f"{name},b\n1,2\n2,3\n")

    message = complaint(path, target="<img src=x onerror=alert(1)>" + "x" * 9_000)

    assert len(message) < 300
    assert "\u202e" not in message


@pytest.mark.parametrize(
    ("module", "name"),
    [("pandas", "data.csv"), ("pyarrow", "data.parquet"), ("pandas", "data.arff")],
)
def test_a_missing_package_names_its_command(tmp_path, monkeypatch, module, name):
    content = b"PAR1" if name.endswith("parquet") else b"@data\na,b\n1,2\n"
    path = write(tmp_path, content, name)
    monkeypatch.setitem(__import__("sys").modules, module, None)

    with pytest.raises(MissingExtraError, match=r"Reading tables needs .*curvewise\[select\]"):
        read_table(path)


def test_new_rows_that_lack_columns_name_the_nearest(tmp_path):
    path = write(tmp_path, "age,size\n1,2\n")

    with pytest.raises(TableError, match=r"lacks the column 'sizes'; the nearest is 'size'\."):
        read_rows(path, ["age", "sizes"])
    with pytest.raises(
        TableError, match=r"lacks the columns 'sizes' and 'x'; the nearest is 'size'"
    ):
        read_rows(path, ["sizes", "x"])


@pytest.mark.parametrize("kind", ["number", "date", "boolean"])
def test_new_rows_of_another_kind_name_row_and_value(tmp_path, kind):
    path = write(tmp_path, "age,size\n1,2\nold,3\n")

    with pytest.raises(TableError, match=r"row [12] has '(old|1)'"):
        read_rows(path, {"age": kind})


def test_a_table_of_nested_values_leaves_them_out(tmp_path):
    path = tmp_path / "data.parquet"
    pd.DataFrame({"a": [1, 2], "b": [[1], [2]], "y": [[3], [4]]}).to_parquet(path)

    assert "has a single column, 'a'" in complaint(path)


def test_every_error_is_one_of_ours():
    assert issubclass(TableError, CurvewiseError)
    assert issubclass(TableError, ValueError)


def test_a_directory_is_one_whole_sentence(tmp_path):
    assert "is a directory without Parquet files; give a file" in complaint(tmp_path)
    assert "cannot be read" not in complaint(tmp_path)


def test_a_name_that_is_too_long_is_refused_in_a_sentence():
    with pytest.raises(TableError, match="cannot be read: "):
        read_table(f"{5_000 * 'x'}.csv")


def test_a_member_of_an_archive_may_have_no_name(tmp_path):
    path = tmp_path / "data.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("?.csv", "a,b\n1,x\n2,y\n3,x\n")
    path.write_bytes(path.read_bytes().replace(b"?.csv", b"\0.csv"))

    assert read_table(path).X["a"].tolist() == [1, 2, 3]
