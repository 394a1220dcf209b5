"""What is written in any dialect is read back as it was."""

import gzip
import io
import math
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.automl import read_rows, read_table

LATIN = "abcxyz äöüßé'\"#%&()-;,|\t\n"
DIALECTS = st.tuples(
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([".", ","]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"]),
    st.sampled_from(["\n", "\r\n"]),
    # A decimal comma between commas cannot be told from a thousand: see the example below.
).filter(lambda dialect: dialect[0] != dialect[1])


@st.composite
def frames(draw, alphabet=LATIN):
    """Draw a table; texts start with a letter, so that they are neither numbers nor missing."""
    n_rows = draw(st.integers(1, 12))
    whole = st.integers(-(2**53), 2**53)
    decimal = st.floats(allow_nan=False, allow_infinity=False)
    text = st.text(alphabet, max_size=8).map(lambda text: ("t" + text).rstrip())
    kinds = draw(st.lists(st.sampled_from([whole, decimal, text]), min_size=2, max_size=6))
    columns = {
        f"name {i}": draw(
            st.lists(st.none() | kind, min_size=n_rows, max_size=n_rows).filter(
                lambda values: any(value is not None for value in values)
            )
        )
        for i, kind in enumerate(kinds)
    }
    return pd.DataFrame(columns, dtype=object)


def same(read: object, written: object) -> bool:
    if written is None:
        return bool(pd.isna(read))
    if isinstance(written, str):
        return read == written
    return math.isclose(float(read), float(written), rel_tol=1e-14, abs_tol=5e-324)


def check(path: Path, frame: pd.DataFrame) -> None:
    rows = read_rows(path, frame.columns)

    assert rows.columns.tolist() == frame.columns.tolist()
    assert len(rows) == len(frame)
    for name in frame.columns:
        pairs = zip(rows[name].tolist(), frame[name].tolist(), strict=True)
        assert all(same(read, written) for read, written in pairs)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


@given(frame=frames(), dialect=DIALECTS)
def test_any_dialect_is_found_out(folder, frame, dialect):
    delimiter, decimal, encoding, line_end = dialect
    path = folder / "data.csv"
    frame.to_csv(
        path,
        sep=delimiter,
        decimal=decimal,
        encoding=encoding,
        lineterminator=line_end,
        index=False,
    )

    check(path, frame)


@given(frame=frames(alphabet=LATIN + "漢字🙂ñЖ"), packing=st.sampled_from(["gz", "zip"]))
def test_compressed_files_are_read_as_plain_ones(folder, frame, packing):
    data = frame.to_csv(index=False).encode()
    path = folder / f"data.csv.{packing}"
    if packing == "gz":
        path.write_bytes(gzip.compress(data))
    else:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("data.csv", data)
            archive.writestr("__MACOSX/._data.csv", b"litter")
        path.write_bytes(packed.getvalue())

    check(path, frame)


@given(frame=frames(alphabet="abc äé'\"\\,{}%?"))
def test_arff_is_read_as_written(folder, frame):
    def quote(value: object) -> str:
        if value is None:
            return "?"
        if isinstance(value, str):
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
        return repr(value)

    texts = [any(isinstance(value, str) for value in frame[name]) for name in frame.columns]
    lines = ["@relation r"]
    lines += [
        f"@attribute '{name}' {'string' if text else 'numeric'}"
        for name, text in zip(frame.columns, texts, strict=True)
    ]
    lines += ["@data", *(",".join(map(quote, row)) for row in frame.itertuples(index=False))]
    path = folder / "data.arff"
    path.write_text("\n".join(lines), encoding="utf-8")

    check(path, frame)


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_binary_formats_keep_values_and_missing_cells(tmp_path, ending):
    frame = pd.DataFrame(
        {
            "whole": [1, 2, None],
            "text": ["a", None, "c"],
            "flag": [True, None, False],
            "day": pd.to_datetime(["2024-01-01", None, "2024-01-03"], utc=True),
            "kind": pd.Categorical([3, None, 4]),
            "target": [0.5, 1.5, 2.5],
        }
    )
    path = tmp_path / f"data.{ending}"
    getattr(frame, f"to_{ending}")(path)

    table = read_table(path)

    assert table.kinds == {
        "whole": "number",
        "text": "text",
        "flag": "boolean",
        "day": "date",
        "kind": "text",
    }
    assert table.X["flag"].tolist()[::2] == [True, False]
    assert table.X["kind"].tolist()[::2] == ["3", "4"]
    assert table.X["day"].dt.tz is None
    assert table.X.isna().sum().tolist() == [1, 1, 1, 1, 1]


def test_quoted_decimal_commas_between_commas(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('a,b,y\n"1,5","1,234",p\n"2,25","2,345",q\n"3,0","0,1",p\n')

    assert read_table(path).X.to_numpy().tolist() == [[1.5, 1.234], [2.25, 2.345], [3.0, 0.1]]


def test_quoted_thousands_between_commas_are_no_decimals(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('a,y\n"1,234",p\n"2,345",q\n"12,345",p\n')

    table = read_table(path)

    assert table.X["a"].tolist() == ["1,234", "2,345", "12,345"]
