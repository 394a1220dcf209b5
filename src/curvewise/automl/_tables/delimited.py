"""CSV and its relatives: text with delimiters, read by pandas once the dialect is known."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from curvewise.automl._tables.column_names import quoted
from curvewise.automl._tables.content import Content
from curvewise.automl._tables.dialect import MISSING, Dialect, find_dialect
from curvewise.automl._tables.encoding import to_utf8
from curvewise.automl._tables.packages import require
from curvewise.automl._tables.raggedness import find_ragged
from curvewise.automl._tables.raw_table import Raw
from curvewise.errors import TableError

if TYPE_CHECKING:
    import pandas as pd

_WIDE = 1_000
_NOTHING = re.compile(rb"[ \n]*+")
_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


def read_delimited(
    content: Content,
    *,
    expected: frozenset[str] = frozenset(),
    verbatim: frozenset[str] = frozenset(),
) -> Raw:
    r"""Read a text file.

    Examples
    --------
    >>> content = Content("'a.csv'", "a", ".csv", "text", b"x; y\n1,5; b\n2,5; c\n")
    >>> raw = read_delimited(content)
    >>> raw.frame.values.tolist(), raw.names, raw.notes
    ([[1.5, 'b'], [2.5, 'c']], ['x', 'y'],
     ['The delimiter is the semicolon.', 'The decimal sign is the comma.'])
    """
    data, encoding = to_utf8(content.data, content.label)
    if not data or data.isspace():
        raise TableError(f"{content.label} is empty.")
    dialect = find_dialect(data, ending=content.ending, expected=expected)
    if not dialect.n_fields:
        raise TableError(f"{content.label} has no lines that can be split into fields.")
    body = data[dialect.body_start :]
    if _NOTHING.fullmatch(body):
        raise TableError(f"{content.label} has a header but no rows.")
    layout = _layout(dialect, body, content.label)
    ragged = find_ragged(body, dialect.delimiter, layout.n_fields, first_line=dialect.body_line)
    if ragged is not None:
        raise TableError(
            f"{content.label} has {_fields(ragged.n_fields)} in line {ragged.line} where "
            f"{layout.n_fields} are expected."
        )
    kept = [i for i, name in enumerate(layout.names) if name.strip() in verbatim]
    frame = parse(body, dialect, layout.n_fields, content.label, verbatim=kept)
    notes = [*_describe(dialect, encoding), *layout.notes]
    names, left_out = layout.names, layout.left_out
    if left_out == 0 or (left_out is not None and frame[left_out].isna().all()):
        frame = frame.drop(columns=left_out)
        names = [name for i, name in enumerate(names) if i != left_out]
    return Raw(frame, names, notes)


def parse(
    body: bytes,
    dialect: Dialect,
    n_fields: int,
    label: str,
    *,
    verbatim: Sequence[int] = (),
    missing: Sequence[str] = MISSING,
) -> pd.DataFrame:
    r"""Parse lines that are known to have the same number of fields.

    Examples
    --------
    >>> dialect = Dialect(",", ".", None, 2, 0, 1)
    >>> parse(b"1,07\n?,08\n", dialect, 2, "'a.csv'", verbatim=[1]).values.tolist()
    [[1.0, '07'], [nan, '08']]
    """
    pandas = require("pandas")
    try:
        with warnings.catch_warnings():
            # pandas only warns of fields that it would throw away.
            warnings.simplefilter("error", pandas.errors.ParserWarning)
            frame = pandas.read_csv(
                io.BytesIO(body),
                sep=dialect.delimiter,
                decimal=dialect.decimal,
                header=None,
                names=range(n_fields),
                index_col=False,
                dtype=dict.fromkeys(verbatim, str) or None,
                na_values=list(missing),
                keep_default_na=False,
                skipinitialspace=True,
                # Types are found out from whole columns, not from pieces that may disagree.
                low_memory=False,
                encoding="utf-8",
            )
    except (ValueError, pandas.errors.ParserWarning) as error:
        reason = str(error).splitlines()[0].removeprefix("Error tokenizing data. C error: ")
        raise TableError(f"{label} cannot be read as a table: {reason.rstrip('.')}.") from None
    # pandas leaves each column in a block of its own; a copy gathers them, which pays if many.
    return frame.copy() if n_fields > _WIDE else frame


class _Layout(NamedTuple):
    """Which fields a line has; the one at `left_out` is not part of the table."""

    names: list[str]
    n_fields: int
    left_out: int | None = None
    notes: tuple[str, ...] = ()


def _layout(dialect: Dialect, body: bytes, label: str) -> _Layout:
    """Bring the header and the lines below together where they differ by one field."""
    if dialect.names is None:
        note = "There is no header: columns are called column_0, column_1 and so on."
        return _Layout([""] * dialect.n_fields, dialect.n_fields, None, (note,))
    names = list(dialect.names)
    n_names, n_fields = len(names), dialect.n_fields
    first = body.lstrip(b"\n").split(b"\n", 1)[0].rstrip(b" ")
    if n_fields == n_names:
        if n_names > 2 and not names[-1].strip() and first.endswith(dialect.delimiter.encode()):
            return _Layout(names, n_fields, n_fields - 1)
        return _Layout(names, n_fields)
    if n_fields == n_names - 1 and not names[-1].strip():
        return _Layout(names[:-1], n_fields)
    if n_fields == n_names + 1 and first.endswith(dialect.delimiter.encode()):
        return _Layout([*names, ""], n_fields, n_fields - 1)
    if n_fields == n_names + 1:
        # As R writes it: no name stands above the names of the rows.
        note = "The header lacks one name: the first column, with names of rows, is left out."
        return _Layout(["", *names], n_fields, 0, (note,))
    raise TableError(
        f"{label} has {_fields(n_fields)} in line {dialect.body_line} and in most others, but "
        f"{n_names} names in its header."
    )


def _fields(number: int) -> str:
    return f"{number} field{'s' if number > 1 else ''}"


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
