import contextlib
import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.automl._tables.delimited import Ragged, parse
from curvewise.automl._tables.dialect import Dialect, find_dialect
from curvewise.errors import TableError


@pytest.mark.parametrize(
    ("text", "delimiter", "decimal"),
    [
        ("a,b\n1,2\n", ",", "."),
        ("a;b\n1,5;2\n", ";", ","),
        ("1,5;2,5\n3,5;4,5\n", ";", ","),
        ("a\tb\n1.5\t2\n", "\t", "."),
        ("a|b\n1.5|x,y\n", "|", "."),
        ("sep=;\na;b\n1;2\n", ";", "."),
        ("a,b\n1,x;y\n2,z;w\n", ",", "."),
        ('a,b\n1,"x, y, z"\n2,w\n', ",", "."),
        ("a;b\n" + "1;2\n" * 3_000 + "1,5;2\n", ";", ","),
        ("a;b\n1,234;1.5\n2,5;1.5\n3.5;1.5\n", ";", "."),
    ],
)
def test_delimiter_and_decimal_sign_are_found_out(text, delimiter, decimal):
    dialect = find_dialect(text.encode())

    assert (dialect.delimiter, dialect.decimal) == (delimiter, decimal)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b\n1,2\n", ("a", "b")),
        ("a,b\nx,y\nz,y\n", ("a", "b")),
        ("name,2019,2020\nx,1,2\n", None),
        ("id,2019,2020\n7,1,2\n", ("id", "2019", "2020")),
        ("0,1,2\n5,6,7\n", ("0", "1", "2")),
        ("0,1,target\n5.5,6,7\n", ("0", "1", "target")),
        ("5.1,3.5,setosa\n4.9,3.0,setosa\n", None),
        ("?,3,x\n1,2,y\n", None),
        ("p,x,s\ne,x,s\np,b,s\n", None),
        (",a\n0,5\n1,6\n", ("", "a")),
        ("\n\n a , b\n1,2\n", ("a ", "b")),
        ('"a\nb",c\n1,2\n', ("a\nb", "c")),
    ],
)
def test_a_header_is_told_from_values(text, names):
    assert find_dialect(text.encode()).names == names


def test_expected_names_make_a_header():
    text = b"p,x\ne,x\np,x\n"

    assert find_dialect(text).names is None
    assert find_dialect(text, expected=frozenset({"x"})).names == ("p", "x")


def test_a_tsv_prefers_its_tab():
    text = b"a,b\tc,d\n1,5\t2,5\n"

    assert find_dialect(text, ending=".tsv").delimiter == "\t"


def first_ragged(text, n_fields):
    """Give the line that parsing complains of; None if it does not."""
    found = []

    def complain(label, ragged, expected):
        found.append(ragged)
        return TableError(label)

    with contextlib.suppress(TableError):
        parse(text, Dialect(",", ".", None, n_fields, 0, 1), "t", complain=complain)
    return found[0] if found else None


FIELDS = st.lists(
    st.text('ab"\n,', max_size=4).map(lambda text: text and "x" + text), min_size=1, max_size=4
)


@given(rows=st.lists(FIELDS, min_size=1, max_size=8), n_fields=st.integers(1, 4))
def test_the_first_ragged_line_is_found(rows, n_fields):
    text, expected = "", None
    for row in rows:
        written = io.StringIO()
        csv.writer(written, lineterminator="\n").writerow(row)
        blank = len(row) == 1 and not row[0].strip(" ") and '"' not in row[0]
        if expected is None and len(row) != n_fields and not blank:
            expected = Ragged(text.count("\n") + 1, len(row))
        text += written.getvalue()

    assert first_ragged(text.encode(), n_fields) == expected


def test_a_lone_quote_amid_a_field_is_no_quote():
    text = b'5" pipe,1\n6" pipe,2\n7 pipe,3\n8" pipe,4\n'

    assert first_ragged(text, 2) is None


@given(n_rows=st.integers(1, 40), ragged=st.integers(0, 39), quotes=st.booleans())
def test_lines_are_counted_across_quoted_line_ends(n_rows, ragged, quotes):
    lines = ['"a\nb",c' if quotes else "a,b"] * n_rows
    if ragged < n_rows:
        lines[ragged] = "a,b,c"
    per_line = 2 if quotes else 1
    text = "\n".join(lines).encode()

    assert first_ragged(text, 2) == (Ragged(1 + per_line * ragged, 3) if ragged < n_rows else None)
