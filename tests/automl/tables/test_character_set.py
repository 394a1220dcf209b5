import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.automl._tables.character_set import to_utf8
from curvewise.errors import TableError


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("a,ä\n".encode(), ""),
        (codecs.BOM_UTF8 + "a,ä\n".encode(), ""),
        ("a,ä\n".encode("utf-16"), "UTF-16"),
        (codecs.BOM_UTF16_BE + "a,ä\n".encode("utf-16-be"), "UTF-16"),
        ("a,ä\n".encode("utf-16-le"), "UTF-16"),
        ("a,ä\n".encode("utf-16-be"), "UTF-16"),
        ("a,ä\n".encode("utf-32"), "UTF-32"),
        ("a,ä\n".encode("cp1252"), "Windows-1252"),
        ("a,ä\r\n".encode("cp1252"), "Windows-1252"),
        (b"a" * 70_000 + b",\xe4\n", "Windows-1252"),
    ],
)
def test_the_encoding_is_found_out(data, name):
    text, found = to_utf8(data, "t")

    assert found == name
    assert text.endswith("a,ä\n".encode())


def test_what_windows_does_not_know_is_latin_1():
    assert to_utf8(b"a,\x81\n", "t") == ("a,\x81\n".encode(), "Latin-1")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_text_survives_every_unicode_encoding(text):
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert to_utf8(text.encode(encoding), "t")[0].decode() == text.removeprefix("\ufeff")


@pytest.mark.parametrize("data", [b"a,b,c,d\0", bytes(range(1, 32)) * 10])
def test_binary_data_is_no_text(data):
    with pytest.raises(TableError, match="binary"):
        to_utf8(data, "t")
