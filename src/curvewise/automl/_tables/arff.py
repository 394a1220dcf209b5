"""ARFF files, as Weka and OpenML write them.

As Weka's documentation has it: keywords in any case, names and values in single or double quotes
with backslashes, ``%`` for comments, ``?`` for a missing value, and rows either dense (``1, 2``) or
sparse (``{0 1, 7 'x'}``). A sparse row leaves out zeros, and the first of a nominal attribute's
values. Attributes are numeric, nominal, text or dates; relations inside relations are not
supported.

scikit-learn reads ARFF only from OpenML. SciPy reads neither text nor sparse rows, takes three
times as long (1.2 s against 0.4 s for 100,000 rows of 20) and names no line of what is wrong. Hence
this reader. Nothing in a file is ever executed. Rows without quotes, the bulk of all files, go
through the same fast parser as CSV; the others are split one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from curvewise._packages import require
from curvewise._text import counted
from curvewise.automl._tables.character_set import to_utf8
from curvewise.automl._tables.column_names import quoted
from curvewise.automl._tables.content import Content, Raw
from curvewise.automl._tables.delimited import Ragged, parse
from curvewise.automl._tables.dialect import Dialect
from curvewise.automl._tables.measure import check_columns
from curvewise.errors import TableError

_T = TypeVar("_T")
_DATA = re.compile(rb"^[ \t]*@data\b[^\n]*\n?", re.MULTILINE | re.IGNORECASE)
_COMMENT = re.compile(rb"^[ \t]*%[^\n]*", re.MULTILINE)
_NEEDS_SPLITTING = re.compile(rb"['\"\\{\t]")
_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:{_QUOTED}|([^\s{{'\"]\S*?))\s*(?=[\s{{])(.+)", re.I)
# What was once taken is not given back: a line of blanks would be tried in every possible way.
_VALUE = re.compile(rf"\s*+(?:(?:{_QUOTED})\s*+|([^,'\"][^,]*+|))(?:,|$)")
_WORD = re.compile(rf"\s*(?:{_QUOTED}|([^\s,'\"]+))\s*,?")
_CELL = re.compile(rf"\s*+(\d{{1,9}})\s++(?:(?:{_QUOTED})\s*+|([^,'\"\s][^,]*+))(?:,|$)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_NUMERIC = {"numeric", "real", "integer"}
# Java's letters for dates, as strptime has them; the longest come first.
_DATE_PARTS = [("yyyy", "%Y"), ("MMM", "%b"), ("SSS", "%f"), ("yy", "%y"), ("MM", "%m")]
_DATE_PARTS += [("dd", "%d"), ("HH", "%H"), ("hh", "%I"), ("mm", "%M"), ("ss", "%S"), ("a", "%p")]
_ISO_PATTERN = "yyyy-MM-dd'T'HH:mm:ss"
_LONGEST_PATTERN = 100


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared column; ``kind`` is numeric, nominal, string or date.

    ``values`` are those of a nominal attribute, ``pattern`` is that of a date as strptime has it.
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()
    pattern: str = ""


def read_arff(content: Content) -> Raw:
    """Read an ARFF file."""
    pandas = require("pandas")
    data, _ = to_utf8(content.data, content.label)
    mark = _DATA.search(data)
    if mark is None:
        raise TableError(f"{content.label} is no ARFF file: there is no line @data.")
    header = data[: mark.start()]
    check_columns(header.lower().count(b"@attribute"), content.label)
    attributes = _attributes(header.decode(), content.label)
    body = data[mark.end() :]
    first_line = data.count(b"\n", 0, mark.end()) + 1
    if b"%" in body:
        body = _COMMENT.sub(b"", body)
    if not body or body.isspace():
        raise TableError(f"{content.label} has no rows below @data.")
    columns = _columns(body, attributes, content.label, first_line)
    typed = [
        _typed(values, attribute, content.label)
        for values, attribute in zip(columns, attributes, strict=True)
    ]
    frame = pandas.DataFrame(dict(enumerate(typed)))
    return Raw(frame, [attribute.name for attribute in attributes])


def _attributes(header: str, label: str) -> list[Attribute]:
    declared = _split_lines(header, label, _attribute)
    attributes = [attribute for _, attribute in declared if attribute is not None]
    if not attributes:
        raise TableError(f"{label} declares no attributes.")
    return attributes


def _columns(body: bytes, attributes: list[Attribute], label: str, first_line: int) -> list[Any]:
    """Split the rows into columns: of numbers or of texts with None for missing values."""
    n_columns = len(attributes)
    first = body.lstrip().split(b"\n", 1)[0]
    if first.startswith(b"{"):
        return _sparse_columns(body, attributes, label, first_line)
    if _NEEDS_SPLITTING.search(body) or (b"," not in first and n_columns > 1):
        return _split_columns(body, n_columns, label, first_line)
    dialect = Dialect(",", ".", None, n_columns, 0, first_line)
    texts = [i for i, attribute in enumerate(attributes) if attribute.kind != "numeric"]
    frame = parse(body, dialect, label, verbatim=texts, missing=("?", ""), complain=_wrong_length)
    return [frame[i] for i in range(n_columns)]


def _split_lines(
    text: str, label: str, split: Callable[[str], _T], *, first_line: int = 1
) -> Iterator[tuple[int, _T]]:
    """Split the lines that are not blank, each with its number."""
    for number, line in enumerate(text.split("\n"), start=first_line):
        if line.strip():
            try:
                yield number, split(line.strip())
            except TableError as error:
                raise TableError(f"Line {number} of {label} {error}.") from None


def _split_columns(body: bytes, n_columns: int, label: str, first_line: int) -> list[Any]:
    rows = []
    for number, values in _split_lines(body.decode(), label, _split_values, first_line=first_line):
        if len(values) != n_columns:
            raise _wrong_length(label, Ragged(number, len(values)), n_columns)
        rows.append(values)
    return list(zip(*rows, strict=True))


def _sparse_columns(
    body: bytes, attributes: list[Attribute], label: str, first_line: int
) -> list[Any]:
    rows = list(_split_lines(body.decode(), label, _split_cells, first_line=first_line))
    columns = [np.full(len(rows), _unsaid(attribute), dtype=object) for attribute in attributes]
    for row, (number, cells) in enumerate(rows):
        for position, value in cells.items():
            if position >= len(attributes):
                raise _wrong_length(label, Ragged(number, position + 1), len(attributes))
            columns[position][row] = value
    return columns


def _unsaid(attribute: Attribute) -> str | None:
    first = attribute.values[0] if attribute.values else None
    return {"numeric": "0", "nominal": first}.get(attribute.kind)


def _wrong_length(label: str, ragged: Ragged, n_columns: int) -> TableError:
    values, declared = counted(ragged.n_fields, "value"), counted(n_columns, "attribute")
    return TableError(f"{label} has {values} in line {ragged.line}, but declares {declared}.")


def _typed(values: Any, attribute: Attribute, label: str) -> Any:
    """Give a column the type of its attribute; what does not fit is an error."""
    pandas = require("pandas")
    column = pandas.Series(values)
    if attribute.kind == "numeric" and column.dtype.kind in "iuf":
        return column
    texts = column.astype(object).where(column.notna(), None)
    if attribute.kind == "numeric":
        texts = texts.where(texts != "", None).map(str, na_action="ignore")
        new = pandas.to_numeric(texts, errors="coerce").astype("float64")
        wrong = new.isna() & texts.notna() & (texts.astype(str).str.lower() != "nan")
        what = "is no number"
    elif attribute.kind == "nominal":
        texts = texts.map(str.strip, na_action="ignore")
        wrong = texts.notna() & ~texts.isin(attribute.values)
        known = texts.where(~wrong, None)
        new = pandas.Series(pandas.Categorical(known, categories=list(attribute.values)))
        what = "is none of its declared values"
    elif attribute.kind == "date":
        new = pandas.to_datetime(texts, format=attribute.pattern, errors="coerce")
        wrong = new.isna() & texts.notna()
        what = "is no such date"
    else:
        return texts
    if wrong.any():
        value = quoted(texts[wrong].iloc[0])
        raise TableError(f"{label}: {value} {what} for the attribute {quoted(attribute.name)}.")
    return new


def _attribute(line: str) -> Attribute | None:
    """Parse a line of the header; None if it declares no attribute, and need not."""
    if line.startswith("%") or line.lower().startswith("@relation"):
        return None
    match = _ATTRIBUTE.match(line.strip())
    if match is None:
        raise TableError("is no declaration of an attribute")
    name = _value(match[1], match[2], match[3])
    # Only among values does a question mark mean that there is none.
    name = "?" if name is None else name
    declared = match[4].strip()
    word = declared.split(None, 1)[0].lower()
    if declared.startswith("{"):
        end = declared.rfind("}")
        if end < 0:
            raise TableError("lacks a closing brace")
        values = (value.strip() for value in _split_values(declared[1:end]) if value is not None)
        return Attribute(name, "nominal", tuple(dict.fromkeys(values)))
    if word in _NUMERIC:
        return Attribute(name, "numeric")
    if word == "string":
        return Attribute(name, "string")
    if word == "date":
        pattern = declared[4:].strip().strip("\"'") or _ISO_PATTERN
        return Attribute(name, "date", pattern=_strptime(pattern))
    raise TableError(f"has the type {quoted(word)}, which is not numeric, nominal, string or date")


def _split_values(text: str) -> list[str | None]:
    """Split a dense row or a list of nominal values; None is a missing value."""
    pattern, text = _VALUE if "," in text else _WORD, text.strip()
    matches = _matches(pattern, text, "has a quote that is not closed, or text behind one")
    values = [_value(*match.groups()) for match in matches]
    if pattern is _VALUE and text.endswith(","):
        values.append("")
    return values


def _split_cells(text: str) -> dict[int, str | None]:
    """Split a sparse row into the values by position; None is a missing value."""
    if not text.endswith("}"):
        raise TableError("lacks a closing brace")
    matches = _matches(_CELL, text[1:-1].strip(), "is no list of positions and values")
    return {int(match[1]): _value(*match.groups()[1:]) for match in matches}


def _matches(pattern: re.Pattern[str], text: str, complaint: str) -> Iterator[re.Match[str]]:
    """Find a pattern again and again, without anything in between."""
    position = 0
    while position < len(text):
        match = pattern.match(text, position)
        if match is None or match.end() == position:
            raise TableError(complaint)
        yield match
        position = match.end()


def _value(single: str | None, double: str | None, bare: str | None) -> str | None:
    """Give what stands in quotes of either kind or in none; None is a missing value."""
    inside = single if single is not None else double
    if inside is None:
        bare = (bare or "").rstrip()
        return None if bare == "?" else bare
    if "\\" not in inside:
        return inside
    # Java writes rarer letters as two halves; one that is alone is none.
    text = _ESCAPE.sub(_unescape, inside)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescape(match: re.Match[str]) -> str:
    letter = match[1]
    if len(letter) == 5:
        return chr(int(letter[1:], 16))
    return _ESCAPED.get(letter, letter)


def _strptime(pattern: str) -> str:
    """Translate a pattern of Java's SimpleDateFormat."""
    if len(pattern) > _LONGEST_PATTERN:
        raise TableError(f"has a date pattern of more than {_LONGEST_PATTERN} characters")
    parts, used = [], []
    while pattern:
        if pattern.startswith("'"):
            literal, _, pattern = pattern[1:].partition("'")
            parts.append(literal.replace("%", "%%"))
            continue
        known = next((pair for pair in _DATE_PARTS if pattern.startswith(pair[0])), None)
        letters, directive = known or (pattern[0], pattern[0].replace("%", "%%"))
        if known is None and letters.isalpha() and letters != "T":
            raise TableError(f"has a date pattern with {quoted(letters)}, which is unknown")
        if directive in used:
            raise TableError(f"has a date pattern with {quoted(letters)} twice")
        used += [directive] if known else []
        parts.append(directive)
        pattern = pattern[len(letters) :]
    return "".join(parts)
