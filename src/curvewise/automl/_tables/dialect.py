"""How a text file writes a table: its delimiter, its decimal sign, whether it has a header.

All of it is found out from the first lines:

* **Delimiter**: of comma, semicolon, tab and pipe, the one that splits most lines into the same
  number of fields, at least two. On a tie the comma comes last, since it is also a decimal sign. A
  first line ``sep=;``, as Excel writes it, decides at once.
* **Decimal sign**: the comma if more fields look like ``3,14`` than like ``3.14``. Between commas,
  ``1,234`` is no decimal number: it may as well be a thousand.
* **Header**: the first line is one unless it looks like the others. It does if it holds a number
  (or nothing) and no column has text there above numbers only, except for the running numbers
  0, 1, 2, … that pandas gives to nameless columns; and it does if most of its texts appear again
  further down in their column, as in a table of nominal values. Names that the caller expects, as
  the target, decide if they stand there.

The standard library's ``csv.Sniffer`` finds no decimal signs, splits ``1,5;2,5`` at its commas, and
of five headers from our tests it sees one.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from statistics import mode

DELIMITERS = ("\t", ";", "|", ",")
# What stands for a missing value, in any text format: what pandas knows, and UCI's question mark.
MISSING = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NULL", "null", "None"),
    *("NaN", "nan", "-NaN", "-nan", "-1.#IND", "1.#IND", "-1.#QNAN", "1.#QNAN"),
)
_FIRST_LINES = 2_000
_FIRST_BYTES = 1_000_000
_EXPONENT = r"(?:[eE][+-]?\d+)?"
_WHOLE = re.compile(r"[+-]?\d+" + _EXPONENT)
_POINT = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)" + _EXPONENT)
_COMMA = re.compile(r"[+-]?(?:\d+,\d*|,\d+)" + _EXPONENT)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
_LATER_COMMA = re.compile(rb'[;\t|\n]"?[+-]?\d+,\d+(?:[eE][+-]?\d+)?"?[;\t|\n]')


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one file writes its table; `names` is its header as it stands, None without one."""

    delimiter: str
    decimal: str
    names: tuple[str, ...] | None
    n_fields: int
    body_start: int
    body_line: int


def find_dialect(
    data: bytes, *, ending: str = ".csv", expected: frozenset[str] = frozenset()
) -> Dialect:
    """Find out the dialect of a file."""
    start, line, told = 0, 1, ""
    first = re.match(rb"\s*?^sep=([!-~\t])[ \t]*\n", data, re.MULTILINE)
    if first:
        start, line, told = first.end(), 1 + data.count(b"\n", 0, first.end()), first[1].decode()
    blank = re.compile(rb"(?:[ ]*\n)*").match(data, start)
    if blank:
        start, line = blank.end(), line + data.count(b"\n", start, blank.end())
    sample = _sample(data, start)
    delimiter = told or _delimiter(sample, prefer_tab=ending in {".tsv", ".tab"})
    rows = list(_rows(sample, delimiter))
    if not rows:
        return Dialect(delimiter, ".", None, 0, len(data), line)
    n_fields = mode([len(row) for row in rows[1:]] or [len(rows[0])])
    n_comma, n_point = _count_decimals(rows, delimiter)
    if not n_comma and not n_point and delimiter != ",":
        n_comma = _LATER_COMMA.search(data, start) is not None
    decimal = "," if n_comma > n_point else "."
    if not _is_header(rows, decimal, expected):
        return Dialect(delimiter, decimal, None, n_fields, start, line)
    reader = csv.reader(sample, delimiter=delimiter, skipinitialspace=True)
    names = tuple(next(reader))
    if any(len(row) == len(names) for row in rows[1:]):
        n_fields = len(names)
    length = sum(len(text.encode()) for text in sample[: reader.line_num])
    return Dialect(delimiter, decimal, names, n_fields, start + length, line + reader.line_num)


def is_number(text: str, *, decimal: str = ".") -> bool:
    """Tell whether a field is a number."""
    text = text.strip()
    fraction = _COMMA if decimal == "," else _POINT
    return bool(_WHOLE.fullmatch(text) or fraction.fullmatch(text))


def _sample(data: bytes, start: int) -> list[str]:
    """Return the first lines with their ends: whole ones, at least two however long they are."""
    size = _FIRST_BYTES
    while data.count(b"\n", start, start + size) < 3 and start + size < len(data):
        size *= 2
    part = data[start : start + size]
    if start + size < len(data):
        part = part[: part.rfind(b"\n") + 1]
    lines = io.StringIO(part.decode(errors="replace"), newline="\n")
    return list(islice(lines, _FIRST_LINES))


def _rows(sample: list[str], delimiter: str) -> Iterator[list[str]]:
    """Split lines into fields; a field that csv deems too long ends the sample."""
    try:
        for row in csv.reader(sample, delimiter=delimiter, skipinitialspace=True):
            if row and (len(row) > 1 or row[0].strip()):
                yield row
    except csv.Error:
        return


def _delimiter(sample: list[str], *, prefer_tab: bool) -> str:
    best, best_share = "\t" if prefer_tab else ",", 0.0
    for delimiter in DELIMITERS:
        counts = [len(row) for row in _rows(sample, delimiter)]
        if not counts:
            continue
        n_fields = mode(counts[1:] or counts)
        share = counts.count(n_fields) / len(counts) if n_fields > 1 else 0.0
        if prefer_tab and delimiter == "\t" and share > 0:
            return delimiter
        if share > best_share:
            best, best_share = delimiter, share
    return best


def _count_decimals(rows: list[list[str]], delimiter: str) -> tuple[int, int]:
    """Count the numbers with a decimal comma, and those with a point."""
    n_comma = n_point = 0
    for row in rows:
        for field in map(str.strip, row):
            if _COMMA.fullmatch(field):
                n_comma += delimiter != "," or not _THOUSANDS.fullmatch(field)
            elif _POINT.fullmatch(field):
                n_point += 1
    return n_comma, n_point


def _is_header(rows: list[list[str]], decimal: str, expected: frozenset[str]) -> bool:
    first, body = [field.strip() for field in rows[0]], rows[1:]
    if expected and 2 * len(expected.intersection(first)) >= len(expected):
        return True
    if not body:
        return not any(is_number(field, decimal=decimal) for field in first)
    columns = list(zip(*(row for row in body if len(row) == len(first)), strict=True))
    if any(is_number(field, decimal=decimal) or field in MISSING[1:] for field in first):
        if first in ([str(i) for i in range(len(first))], [str(i + 1) for i in range(len(first))]):
            return True
        return any(
            not is_number(name, decimal=decimal)
            and name not in MISSING
            and _all_numbers(column, decimal)
            for name, column in zip(first, columns, strict=False)
        )
    again = sum(
        name in map(str.strip, column) for name, column in zip(first, columns, strict=False)
    )
    return 2 * again <= len(first)


def _all_numbers(column: tuple[str, ...], decimal: str) -> bool:
    fields = [field for field in map(str.strip, column) if field not in MISSING]
    return bool(fields) and all(is_number(field, decimal=decimal) for field in fields)
