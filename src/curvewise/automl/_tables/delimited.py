"""CSV and its relatives: text with delimiters, parsed by pyarrow once the dialect is known.

Lines with a wrong number of fields are refused: a shifted row is worse than an error. What pyarrow
takes for numbers or times but is text by any other way in stays text: codes with leading zeros, and
times of the day. Blanks behind delimiters are no part of values.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from curvewise._packages import require
from curvewise._text import counted
from curvewise.automl._tables.character_set import to_utf8
from curvewise.automl._tables.column_names import quoted
from curvewise.automl._tables.content import Content, Raw
from curvewise.automl._tables.dialect import DELIMITERS, MISSING, Dialect, find_dialect
from curvewise.automl._tables.measure import check_columns
from curvewise.errors import TableError

if TYPE_CHECKING:
    import pandas as pd

_NOTHING = re.compile(rb"[ \n]*+")
_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
_CODE = r"^\s*[+-]?0[0-9xX]"
# A line has to fit into a block, of which pyarrow counts the bytes with 32 bits.
_LARGEST_BLOCK = 2**31 - 1


def read_delimited(content: Content, expected: frozenset[str], verbatim: frozenset[str]) -> Raw:
    """Read a text file."""
    data, encoding = to_utf8(content.data, content.label)
    if not data or data.isspace():
        raise TableError(f"{content.label} is empty.")
    _check_first_line(data, content.label)
    dialect = find_dialect(data, ending=content.ending, expected=expected)
    check_columns(dialect.n_fields, content.label)
    if not dialect.n_fields:
        raise TableError(f"{content.label} has no lines that can be split into fields.")
    body = data[dialect.body_start :]
    if _NOTHING.fullmatch(body):
        raise TableError(f"{content.label} has a header but no rows.")
    layout = _layout(dialect, body, content.label)
    kept = [i for i, name in enumerate(layout.names) if name.strip() in verbatim]
    frame = parse(body, dialect, content.label, verbatim=kept)
    notes = [*_describe(dialect, encoding), *layout.notes]
    names, left_out = layout.names, layout.left_out
    if left_out == 0 or (left_out is not None and frame[left_out].isna().all()):
        frame = frame.drop(columns=left_out)
        names = [name for i, name in enumerate(names) if i != left_out]
    return Raw(frame, names, notes)


def _check_first_line(data: bytes, label: str) -> None:
    """Refuse too many columns before their names are split."""
    end = data.find(b"\n") if b"\n" in data else len(data)
    check_columns(1 + max(data.count(each.encode(), 0, end) for each in DELIMITERS), label)


class _Layout(NamedTuple):
    """Which fields a line has; the one at `left_out` is not part of the table."""

    names: list[str]
    left_out: int | None = None
    notes: tuple[str, ...] = ()


def _layout(dialect: Dialect, body: bytes, label: str) -> _Layout:
    """Bring the header and the lines below together where they differ by one field."""
    if dialect.names is None:
        note = "There is no header: columns are called column_0, column_1 and so on."
        return _Layout([""] * dialect.n_fields, None, (note,))
    names = list(dialect.names)
    n_names, n_fields = len(names), dialect.n_fields
    first = body.lstrip(b"\n").split(b"\n", 1)[0].rstrip(b" ")
    if n_fields == n_names:
        if n_names > 2 and not names[-1].strip() and first.endswith(dialect.delimiter.encode()):
            return _Layout(names, n_fields - 1)
        return _Layout(names)
    if n_fields == n_names - 1 and not names[-1].strip():
        return _Layout(names[:-1])
    if n_fields == n_names + 1 and first.endswith(dialect.delimiter.encode()):
        return _Layout([*names, ""], n_fields - 1)
    if n_fields == n_names + 1:
        # As R writes it: no name stands above the names of the rows.
        note = "The header lacks one name: the first column, with names of rows, is left out."
        return _Layout(["", *names], 0, (note,))
    raise TableError(
        f"{label} has {counted(n_fields, 'field')} in line {dialect.body_line} and in most others, "
        f"but {n_names} names in its header."
    )


def _describe(dialect: Dialect, encoding: str) -> list[str]:
    """Say what is not as everybody expects it."""
    notes = []
    if dialect.delimiter != ",":
        sign = _SIGNS.get(dialect.delimiter, quoted(dialect.delimiter))
        notes.append(f"The delimiter is the {sign}.")
    if dialect.decimal == ",":
        notes.append("The decimal sign is the comma.")
    if encoding:
        notes.append(f"The encoding is {encoding}.")
    return notes


class Ragged(NamedTuple):
    """The first line with a wrong number of fields, counted from 1."""

    line: int
    n_fields: int


def wrong_fields(label: str, ragged: Ragged, n_fields: int) -> TableError:
    """Say which line has a wrong number of fields."""
    fields = counted(ragged.n_fields, "field")
    return TableError(f"{label} has {fields} in line {ragged.line} where {n_fields} are expected.")


def parse(
    body: bytes,
    dialect: Dialect,
    label: str,
    *,
    verbatim: Sequence[int] = (),
    missing: Sequence[str] = MISSING,
    complain: Callable[[str, Ragged, int], TableError] = wrong_fields,
) -> pd.DataFrame:
    """Parse lines that have to have as many fields each, with texts in the columns `verbatim`."""
    require("pandas")
    pyarrow = require("pyarrow")
    wrong_rows: list[Any] = []
    read = partial(_read, dialect, missing, wrong_rows)
    try:
        columns = _columns(body, dialect, verbatim, read)
    except (pyarrow.ArrowException, ValueError, csv.Error) as error:
        n_fields, line = dialect.n_fields, dialect.body_line
        if wrong_rows:
            ragged = find_ragged(body, dialect.delimiter, n_fields, first_line=line)
            first = Ragged(line, wrong_rows[0].actual_columns)
            raise complain(label, ragged or first, n_fields) from None
        reason = (str(error).splitlines() or ["unknown reason"])[0].rstrip(".")
        raise TableError(f"{label} cannot be read as a table: {reason}.") from None
    table = pyarrow.table(columns, names=[str(i) for i in range(len(columns))])
    return table.to_pandas().set_axis(range(len(columns)), axis=1)


def find_ragged(
    data: bytes, delimiter: str, n_fields: int, *, first_line: int = 1
) -> Ragged | None:
    """Find the first line with another number of fields, which pyarrow does not name."""
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="\n")
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=True)
    line = first_line
    try:
        for row in reader:
            blank = not row or (len(row) == 1 and not row[0].strip())
            if not blank and len(row) != n_fields:
                return Ragged(line, len(row))
            line = first_line + reader.line_num
    except csv.Error:
        # A field of more than 128 KiB: csv gives up.
        return None
    return None


def _columns(
    body: bytes, dialect: Dialect, verbatim: Sequence[int], read: Callable[..., list[Any]]
) -> list[Any]:
    every = range(dialect.n_fields)
    text = body
    try:
        columns = read(body, every, verbatim)
        string = require("pyarrow").string()
        if any(_begins_with_blank(column) for column in columns if column.type == string):
            text = _without_blanks(body, dialect.delimiter)
    except ValueError:
        text = _without_blanks(body, dialect.delimiter)
        if text == body:
            raise
    if text is not body:
        columns = read(text, every, verbatim)
    doubtful = _doubtful(columns, text, dialect.delimiter)
    if doubtful:
        texts = read(text, doubtful, doubtful)
        for i, column in zip(doubtful, texts, strict=True):
            columns[i] = column if _are_codes(columns[i], column) else columns[i]
    return columns


def _read(
    dialect: Dialect,
    missing: Sequence[str],
    wrong_rows: list[Any],
    text: bytes,
    columns: Sequence[int],
    texts: Sequence[int],
) -> list[Any]:
    """Read some columns, those of `texts` as text; rows of a wrong length go to `wrong_rows`."""
    wrong_rows.clear()
    pyarrow, reader = require("pyarrow"), require("pyarrow.csv")

    def refuse(row: Any) -> str:
        wrong_rows.append(row)
        return "error"

    table = reader.read_csv(
        pyarrow.BufferReader(text),
        read_options=reader.ReadOptions(
            column_names=[str(i) for i in range(dialect.n_fields)],
            block_size=min(len(text) + 1, _LARGEST_BLOCK),
        ),
        parse_options=reader.ParseOptions(
            delimiter=dialect.delimiter, newlines_in_values=True, invalid_row_handler=refuse
        ),
        convert_options=reader.ConvertOptions(
            include_columns=[str(i) for i in columns],
            column_types={str(i): pyarrow.string() for i in texts},
            null_values=list(missing),
            true_values=["true", "True", "TRUE"],
            false_values=["false", "False", "FALSE"],
            strings_can_be_null=True,
            decimal_point=dialect.decimal,
        ),
    )
    return [_moments(column, pyarrow) for column in table.itercolumns()]


def _moments(column: Any, pyarrow: Any) -> Any:
    """Give dates as moments: Python's own dates have no year 0."""
    is_date = pyarrow.types.is_date(column.type)
    return column.cast(pyarrow.timestamp("us")) if is_date else column


def _begins_with_blank(column: Any) -> bool:
    compute = require("pyarrow.compute")
    return bool(compute.any(compute.starts_with(column, pattern=" ")).as_py())


def _without_blanks(body: bytes, delimiter: str) -> bytes:
    """Leave out blanks at the beginning of fields, which pyarrow would take as part of a text."""
    if b'"' not in body:
        mark = re.escape(delimiter.encode())
        return re.sub(rb"(?m)(^|" + mark + rb") +", rb"\1", body)
    given = io.StringIO(body.decode(), newline="")
    rows = csv.reader(given, delimiter=delimiter, skipinitialspace=True)
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    writer.writerows(row for row in rows if row and (len(row) > 1 or row[0].strip()))
    return written.getvalue().encode()


def _doubtful(columns: list[Any], text: bytes, delimiter: str) -> list[int]:
    """Name the columns that may be something else than pyarrow takes them for."""
    types = require("pyarrow").types
    times = [i for i, column in enumerate(columns) if types.is_time(column.type)]
    if not _has_codes(text, delimiter):
        return times
    numbers = {types.is_integer, types.is_floating}
    found = [i for i, column in enumerate(columns) if any(one(column.type) for one in numbers)]
    return sorted(times + found)


def _has_codes(text: bytes, delimiter: str) -> bool:
    """Tell whether any field may begin with a zero and another digit, quickly."""
    before = rb'[\n"' + re.escape(delimiter.encode()) + rb"]"
    # Looking for the zero first, and behind it then, is what makes it quick.
    code = rb"0(?:(?<=" + before + rb"0)|(?<=" + before + rb"[+-]0))[0-9xX]"
    return re.search(code, b"\n" + text) is not None


def _are_codes(column: Any, texts: Any) -> bool:
    """Tell numbers with leading zeros, and times of the day."""
    pyarrow, compute = require("pyarrow"), require("pyarrow.compute")
    if pyarrow.types.is_time(column.type):
        return True
    return bool(compute.any(compute.match_substring_regex(texts, _CODE)).as_py())
