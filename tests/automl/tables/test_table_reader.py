import json

import numpy as np
import pandas as pd
import pytest

from curvewise.automl import read_rows, read_table
from curvewise.automl._tables.table import profile


@pytest.fixture
def written(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_table_keeps_what_was_decided_as_notes(written):
    table = read_table(written("a;y\n1,5;p\n2,5;q\n3,5;\n4,5;p\n5,5;q\n"))

    assert (table.name, table.target, table.task) == ("data", "y", "classification")
    assert table.X.index.tolist() == [0, 1, 2, 3] == table.y.index.tolist()
    assert table.notes == [
        "The delimiter is the semicolon.",
        "The decimal sign is the comma.",
        "The target is 'y', by its name.",
        "The task is classification, because 'y' holds text with 2 different values.",
        "1 row without a target was dropped.",
    ]


def test_columns_without_a_name_are_called_by_their_position(written):
    table = read_table(written("a,, b ,y\n1,2,3,p\n4,5,6,q\n7,8,9,p\n"))

    assert table.X.columns.tolist() == ["a", "column_1", "b"]


def test_a_file_without_a_header_gets_names(written):
    table = read_table(written("5.1,3.5,setosa\n4.9,3.0,virginica\n4.7,3.2,setosa\n"))

    assert table.X.columns.tolist() == ["column_0", "column_1"]
    assert table.target == "column_2"
    assert table.n_rows == 3


def test_repeated_names_get_a_number_and_a_note(written):
    path = written("a,a,y\n1,2,p\n3,4,q\n5,6,p\n")
    table = read_table(path)

    assert table.X.columns.tolist() == ["a", "a_2"]
    assert "Repeated names of columns got a number: 'a'." in table.notes
    assert read_rows(path, ["a_2"]).to_numpy().tolist() == [[2], [4], [6]]


def test_infinite_values_become_missing_with_a_note(written):
    table = read_table(written("a,b,y\n1,inf,1.5\n-inf,2,2.5\n3,1,inf\n3,1,2\n"))

    assert table.X.isna().sum().sum() == 2
    assert np.isfinite(table.y).all()
    assert "Infinite values are taken as missing: 'a', 'b' and 'y'." in table.notes


def test_empty_columns_are_noted(written):
    table = read_table(written("a,b,y\n1,,p\n2,NA,q\n3,?,p\n"))

    assert "All values are missing in 1 of the columns: 'b'." in table.notes


def test_text_amid_numbers_is_noted(written):
    table = read_table(written("a,y\n1,p\n2,q\nunknown,p\n"))

    assert table.X["a"].tolist() == ["1", "2", "unknown"]
    assert "Column 'a' is text, but 2 of its 3 values are numbers; 'unknown' is not." in table.notes


def test_iso_dates_become_dates(written):
    table = read_table(written("d,e,y\n2024-01-31,1/2/24,p\n,3/4/24,q\n2024-02-01 10:30,x,p\n"))

    assert table.kinds == {"d": "date", "e": "text"}
    assert table.X["d"].iloc[2] == pd.Timestamp(2024, 2, 1, 10, 30)


def test_booleans_with_gaps_stay_booleans(written):
    table = read_table(written("a,b,y\nTrue,true,p\n,false,q\nFalse,true,p\n"))

    assert table.kinds == {"a": "boolean", "b": "boolean"}
    assert table.X["a"].iloc[[0, 2]].tolist() == [True, False]
    assert table.X["a"].isna().tolist() == [False, True, False]


def test_blanks_after_delimiters_are_no_part_of_values(written):
    table = read_table(written("a, b, y\n1, x, >50K\n2, z, <=50K\n3, ?, >50K\n"))

    assert table.X["b"].tolist()[:2] == ["x", "z"]
    assert table.X["b"].isna().tolist() == [False, False, True]
    assert sorted(set(table.y)) == ["<=50K", ">50K"]


@pytest.mark.parametrize(
    "text",
    [
        "a,b,y,\n1,2,p,\n3,4,q,\n5,6,p,\n",
        "a,b,y\n1,2,p,\n3,4,q,\n5,6,p,\n",
        "a,b,y,\n1,2,p\n3,4,q\n5,6,p\n",
        "a,b,y\nr1,1,2,p\nr2,3,4,q\nr3,5,6,p\n",
    ],
)
def test_a_header_that_is_off_by_one_is_understood(written, text):
    table = read_table(written(text))

    assert table.X.to_numpy().tolist() == [[1, 2], [3, 4], [5, 6]]
    assert (table.X.columns.tolist(), table.target) == (["a", "b"], "y")


@pytest.mark.parametrize("first", [0, 1])
def test_row_numbers_without_a_name_are_left_out(written, first):
    lines = [f"{i + first},{i % 3},{'pq'[i % 2]}" for i in range(12)]
    table = read_table(written(",a,y\n" + "\n".join(lines)))

    assert table.X.columns.tolist() == ["a"]
    assert any("counts the rows" in note for note in table.notes)


def test_new_rows_need_no_target_and_ignore_other_columns(written):
    rows = read_rows(written("z,b,a\n1,2,3\n"), ["a", "b"])

    assert rows.to_dict("list") == {"a": [3], "b": [2]}


def test_new_rows_are_read_as_the_first_ones_were(written):
    train = (
        "code,n,d,flag,y\n7,1,2024-01-01,True,p\nA1,2,2024-01-02,False,q\n8,3,2024-01-03,True,p\n"
    )
    table = read_table(written(train))
    rows = read_rows(written("code,n,d,flag\n007,,,\n8,,,\n", "new.csv"), table.kinds)

    assert rows["code"].tolist() == ["007", "8"]
    assert rows["n"].isna().all()
    assert rows["d"].dtype.kind == "M"
    assert rows["n"].dtype.kind == "f"


def test_a_single_row_can_be_predicted(written):
    assert len(read_rows(written("a,b\n1,2\n"), ["a"])) == 1


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_profile_is_plain_json(written, task):
    text = "a,b,c,t,y\n1,x,2024-01-01,ab,1\n,x,2024-01-02,cd,2\n3,,2024-01-03,ef,1\n3,x,,gh,1\n"
    facts = profile(read_table(written(text), task=task))

    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert (facts["rows"], facts["columns"]) == (4, 4)
    assert facts["kinds"] == {"number": 1, "category": 1, "date": 1, "text": 1}
    assert facts["missing"] == pytest.approx(3 / 16)
    assert facts["target"]["name"] == "y"
    if task == "classification":
        assert facts["target"]["classes"][0] == {"label": "1", "count": 3}
        assert facts["target"]["majority"] == 0.75
    else:
        assert (facts["target"]["min"], facts["target"]["max"]) == (1.0, 2.0)


@pytest.mark.slow
def test_a_hundred_thousand_columns_can_be_read(written):
    header = ",".join(f"c{i}" for i in range(100_000))
    line = ",".join(f"{i % 97}.5" for i in range(100_000))
    path = written("\n".join([header, *[line + "1", line] * 25]))
    table = read_table(path)

    assert table.X.shape == (50, 99_999)


def test_what_was_lost_or_guessed_is_a_warning_and_what_was_found_is_not(tmp_path):
    path = tmp_path / "data.csv"
    rows = "".join(f"{i % 7}.5;{'inf' if i == 3 else i / 3};{i % 2}\n" for i in range(40))
    path.write_text("size;size;label\n" + rows + "1.5;2;\n", encoding="utf-8")
    table = read_table(path)

    assert table.warnings == [
        "Repeated names of columns got a number: 'size'.",
        "1 row without a target was dropped.",
        "Infinite values are taken as missing: 'size_2'.",
    ]
    assert "The delimiter is the semicolon." in table.notes
