"""CSV and its relatives: text with delimiters, once the dialect is known."""

from __future__ import annotations

import re
from typing import NamedTuple

from curvewise._text import counted
from curvewise.automl._tables.character_set import to_utf8
from curvewise.automl._tables.column_names import quoted
from curvewise.automl._tables.content import Content, Raw
from curvewise.automl._tables.dialect import Dialect, find_dialect
from curvewise.automl._tables.fields import parse
from curvewise.errors import TableError

_NOTHING = re.compile(rb"[ \n]*+")
_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


def read_delimited(
    content: Content,
    *,
    expected: frozenset[str] = frozenset(),
    verbatim: frozenset[str] = frozenset(),
) -> Raw:
    """Read a text file."""
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
    kept = [i for i, name in enumerate(layout.names) if name.strip() in verbatim]
    frame = parse(body, dialect, content.label, verbatim=kept)
    notes = [*_describe(dialect, encoding), *layout.notes]
    names, left_out = layout.names, layout.left_out
    if left_out == 0 or (left_out is not None and frame[left_out].isna().all()):
        frame = frame.drop(columns=left_out)
        names = [name for i, name in enumerate(names) if i != left_out]
    return Raw(frame, names, notes)


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
