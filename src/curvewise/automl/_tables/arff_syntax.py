"""The syntax of ARFF: the header's declarations and the values of a row.

As Weka's documentation has it: keywords in any case, names and values in single or double quotes
with backslashes, ``%`` for comments, ``?`` for a missing value, and rows either dense (``1, 2``) or
sparse (``{0 1, 7 'x'}``). Attributes are numeric, nominal, text or dates; relations inside
relations are not supported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curvewise.automl._tables.column_names import quoted
from curvewise.errors import TableError

_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:{_QUOTED}|([^\s{{'\"]\S*?))\s*(?=[\s{{])(.+)", re.I)
_VALUE = re.compile(rf"\s*(?:{_QUOTED}|([^,'\"][^,]*?|))\s*(?:,|$)")
_WORD = re.compile(rf"\s*(?:{_QUOTED}|([^\s,'\"]+))\s*,?")
_CELL = re.compile(rf"\s*(\d+)\s+(?:{_QUOTED}|([^,'\"\s][^,]*?))\s*(?:,|$)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_NUMERIC = {"numeric", "real", "integer"}
# Java's letters for dates, as strptime has them; the longest come first.
_DATE_PARTS = [("yyyy", "%Y"), ("MMM", "%b"), ("SSS", "%f"), ("yy", "%y"), ("MM", "%m")]
_DATE_PARTS += [("dd", "%d"), ("HH", "%H"), ("hh", "%I"), ("mm", "%M"), ("ss", "%S"), ("a", "%p")]
_ISO_PATTERN = "yyyy-MM-dd'T'HH:mm:ss"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared column; ``kind`` is numeric, nominal, string or date.

    ``values`` are those of a nominal attribute, ``pattern`` is that of a date as strptime has it.
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()
    pattern: str = ""


def parse_attribute(line: str) -> Attribute:
    """Parse a declaration."""
    match = _ATTRIBUTE.match(line.strip())
    if match is None:
        raise TableError("is no declaration of an attribute")
    name = _first(match[1], match[2], match[3])
    declared = match[4].strip()
    word = declared.split(None, 1)[0].lower()
    if declared.startswith("{"):
        end = declared.rfind("}")
        if end < 0:
            raise TableError("lacks a closing brace")
        values = (value.strip() for value in split_values(declared[1:end]) if value is not None)
        return Attribute(name, "nominal", tuple(dict.fromkeys(values)))
    if word in _NUMERIC:
        return Attribute(name, "numeric")
    if word == "string":
        return Attribute(name, "string")
    if word == "date":
        pattern = declared[4:].strip().strip("\"'") or _ISO_PATTERN
        return Attribute(name, "date", pattern=_strptime(pattern))
    raise TableError(f"has the type {quoted(word)}, which is not numeric, nominal, string or date")


def split_values(text: str) -> list[str | None]:
    """Split a dense row or a list of nominal values; None is a missing value."""
    pattern = _VALUE if "," in text else _WORD
    values: list[str | None] = []
    position, text = 0, text.strip()
    while position < len(text):
        match = pattern.match(text, position)
        if match is None or match.end() == position:
            raise TableError("has a quote that is not closed, or text behind one")
        bare = match[3]
        values.append(None if bare == "?" else _first(match[1], match[2], bare))
        position = match.end()
    if pattern is _VALUE and text.endswith(","):
        values.append("")
    return values


def split_cells(text: str) -> dict[int, str | None]:
    """Split a sparse row into the values by position; None is a missing value."""
    if not text.endswith("}"):
        raise TableError("lacks a closing brace")
    text = text[1:-1].strip()
    cells: dict[int, str | None] = {}
    position = 0
    while position < len(text):
        match = _CELL.match(text, position)
        if match is None:
            raise TableError("is no list of positions and values")
        bare = match[4]
        cells[int(match[1])] = None if bare == "?" else _first(match[2], match[3], bare)
        position = match.end()
    return cells


def _first(single: str | None, double: str | None, bare: str | None) -> str:
    inside = single if single is not None else double
    if inside is None:
        return bare or ""
    return _ESCAPE.sub(_unescape, inside) if "\\" in inside else inside


def _unescape(match: re.Match[str]) -> str:
    letter = match[1]
    if len(letter) == 5:
        return chr(int(letter[1:], 16))
    return _ESCAPED.get(letter, letter)


def _strptime(pattern: str) -> str:
    """Translate a pattern of Java's SimpleDateFormat."""
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
