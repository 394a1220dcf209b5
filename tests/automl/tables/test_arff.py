from time import process_time

import pandas as pd
import pytest

from curvewise.automl import read_table
from curvewise.automl._tables.arff import read_arff
from curvewise.automl._tables.content import Content
from curvewise.errors import TableError

HEADER = """% a comment
@RELATION 'some relation'
@Attribute 'body size' REAL
@attribute "it's" {small, 'very large', "a,b"}
@attribute note string
@attribute day date 'yyyy-MM-dd'
@attribute y{p,q}

@DATA
"""


def read(text):
    return read_arff(Content("'t.arff'", "t", ".arff", "arff", text.encode()))


def test_every_type_of_attribute_is_read():
    raw = read(HEADER + "1.5,small,'a \\'note\\'',2024-01-31,p\n% no row\n?,'very large',?,?,q\n")

    assert raw.names == ["body size", "it's", "note", "day", "y"]
    assert raw.frame.iloc[0].tolist() == [1.5, "small", "a 'note'", pd.Timestamp(2024, 1, 31), "p"]
    assert raw.frame.iloc[1].isna().tolist() == [True, False, True, True, False]
    assert raw.frame[1].cat.categories.tolist() == ["small", "very large", "a,b"]


def test_escapes_and_letters_in_date_patterns_are_understood():
    header = "@attribute ? string\n@attribute day date \"yyyy-MM-dd'T'HH:mm\"\n@data\n"
    raw = read(header + "'a\\tb\\u00e9\\'',2024-01-31T10:30\n")

    assert raw.names == ["?", "day"]
    assert raw.frame[0].tolist() == ["a\tbé'"]
    assert raw.frame[1].tolist() == [pd.Timestamp(2024, 1, 31, 10, 30)]


def test_rows_with_and_without_quotes_read_the_same():
    plain = read(HEADER + "1,small,abc,2024-01-31,p\n2,?,NA,2024-01-01,q\n")
    quoted = read(HEADER + "1,'small',abc,'2024-01-31',p\n2,?,\"NA\",2024-01-01,q\n")

    pd.testing.assert_frame_equal(plain.frame, quoted.frame, check_dtype=False)
    assert plain.frame[2].tolist() == ["abc", "NA"]


def test_sparse_rows_leave_out_zeros_and_first_values():
    raw = read(HEADER + "{0 5, 1 'a,b', 4 q}\n{2 'x y'}\n{0 ?}\n")

    assert raw.frame[0].tolist()[:2] == [5.0, 0.0]
    assert raw.frame[0].isna().tolist() == [False, False, True]
    assert raw.frame[1].tolist() == ["a,b", "small", "small"]
    assert raw.frame[2].tolist()[1] == "x y"
    assert raw.frame[4].tolist() == ["q", "p", "p"]


def test_halves_of_letters_belong_together_or_are_none():
    raw = read("@attribute '\\ud83d' string\n@data\n'\\ud83d\\ude00'\n'a\\ude00'\n")

    assert raw.names == ["\ufffd"]
    assert raw.frame[0].tolist() == ["\U0001f600", "a\ufffd"]


@pytest.mark.parametrize(
    "line", ["'1',{}x,3", "{{0 1, 2 y{}x}}", "1, 'y' ,{}"], ids=["row", "cells", "end"]
)
def test_blanks_are_looked_at_once(line):
    header = "@attribute a string\n@attribute b string\n@attribute c string\n@data\n"
    begun = process_time()
    read(header + line.format(30_000 * " ") + "\n")

    assert process_time() - begun < 2


def test_blanks_may_separate_values():
    raw = read("@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1 2\n3\t4\n")

    assert raw.frame.to_numpy().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\n1,2\n", "there is no line @data"),
        ("@relation r\n@data\n1\n", "declares no attributes"),
        ("@attribute a numeric\n@data\n", "has no rows below @data"),
        ("@attribute a\n@data\n1\n", "Line 1 of 't.arff' is no declaration"),
        ("@attribute a {x\n@data\nx\n", "lacks a closing brace"),
        ("@attribute a relational\n@data\n1\n", "has the type 'relational'"),
        ("@attribute a date 'Q'\n@data\n1\n", "date pattern with 'Q'"),
        (HEADER + "1,small,a,2024-01-01,p\n1,small\n", "has 2 values in line 11, but declares 5"),
        (HEADER + "1,'small',a,2024-01-01\n", "has 4 values in line 10, but declares 5"),
        (HEADER + "x,small,a,2024-01-01,p\n", "'x' is no number for the attribute 'body size'"),
        (HEADER + "1,huge,a,2024-01-01,p\n", "'huge' is none of its declared values"),
        (HEADER + "1,small,a,31.1.2024,p\n", "'31.1.2024' is no such date"),
        (HEADER + "1,'small,a,2024-01-01,p\n", "Line 10 of 't.arff' has a quote"),
        (HEADER + "{0 5, 9 1}\n", "has 10 values in line 10, but declares 5"),
        (HEADER + "{0 5\n", "Line 10 of 't.arff' lacks a closing brace"),
        (HEADER + "{zero 5}\n", "is no list of positions and values"),
        (HEADER + "{" + 5_000 * "9" + " 5}\n", "is no list of positions and values"),
        (HEADER + "1,small, 'a,2024-01-01,p\n", "Line 10 of 't.arff' has a quote"),
        (f"@attribute a date '{1_000 * '-'}'\n@data\n1\n", "pattern of more than 100 characters"),
    ],
)
def test_what_is_not_arff_is_explained(text, sentence):
    with pytest.raises(TableError) as caught:
        read(text)

    assert sentence in str(caught.value)
    assert str(caught.value).count("\n") == 0


def test_an_arff_file_becomes_a_table(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text(HEADER + "1,small,a,2024-01-01,p\n2,small,b,2024-01-02,q\n3,?,c,?,p\n")

    table = read_table(path)

    assert (table.target, table.task) == ("y", "classification")
    assert table.kinds == {"body size": "number", "it's": "text", "note": "text", "day": "date"}
