"""The syntax of ARFF: the header's declarations and the values of a row.

As Weka's documentation has it: keywords in any case, names and values in single or double quotes
with backslashes, ``%`` for comments, ``?`` for a missing value, and rows either dense (``1, 2``) or
sparse (``{0 1, 7 'x'}``). Attributes are numeric, nominal, text or dates; relations inside
relations are not supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    name = _value(match[1], match[2], match[3])
    # Only among values does a question mark mean that there is none.
    name = "?" if name is None else name
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
    pattern, text = _VALUE if "," in text else _WORD, text.strip()
    matches = _matches(pattern, text, "has a quote that is not closed, or text behind one")
    values = [_value(*match.groups()) for match in matches]
    if pattern is _VALUE and text.endswith(","):
        values.append("")
    return values


def split_cells(text: str) -> dict[int, str | None]:
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
        return None if bare == "?" else bare or ""
    return _ESCAPE.sub(_unescape, inside)


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
