"""Lines with too few or too many fields: a table that has them is refused, and the first is named.

pandas fills lines that are too short with missing values, without a word. A shifted row is worse
than an error, so every line is counted here before it is parsed. Counting is vectorised: delimiters
and line ends outside quotes, where a quote's parity tells inside from outside. That needs quotes to
stand at the ends of fields. Files with others (``5" pipe``), and whatever looks ragged, are counted
field by field by the standard library's reader, whose rules for quotes are those of pandas.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_CHUNK = 1 << 23
_NEWLINE, _QUOTE = 10, 34


class Ragged(NamedTuple):
    """The first line with a wrong number of fields, counted from 1."""

    line: int
    n_fields: int


def find_ragged(
    data: bytes, delimiter: str, n_fields: int, *, first_line: int = 1
) -> Ragged | None:
    r"""Find the first line with another number of fields; blank lines do not count.

    Examples
    --------
    >>> find_ragged(b"1,2\n3,4\n\n5\n", ",", 2)
    Ragged(line=4, n_fields=1)
    >>> find_ragged(b'1,"a\nb"\n3,"c,d"\n', ",", 2) is None
    True
    """
    mark = ord(delimiter)
    if _quotes_are_regular(data, mark) and all(
        (counts == n_fields).all() for counts in _field_counts(data, mark)
    ):
        return None
    return _find_slowly(data, delimiter, n_fields, first_line)


def _quotes_are_regular(data: bytes, delimiter: int) -> bool:
    """Tell whether every quote opens or closes a field, or is one of two inside a quoted field."""
    if b'"' not in data:
        return True
    whole = np.frombuffer(data, dtype=np.uint8)
    usual = np.zeros(256, dtype=np.bool_)
    usual[[_QUOTE, _NEWLINE, delimiter]] = True
    n_quotes = 0
    for start in range(0, len(whole), _CHUNK):
        quotes = np.flatnonzero(whole[start : start + _CHUNK] == _QUOTE) + start
        first_opens = n_quotes % 2
        opening, closing = quotes[first_opens::2], quotes[1 - first_opens :: 2]
        before = opening[opening > 0] - 1
        behind = closing[closing < len(whole) - 1] + 1
        if not (usual[whole[before]].all() and usual[whole[behind]].all()):
            return False
        n_quotes += len(quotes)
    return n_quotes % 2 == 0


def _field_counts(data: bytes, delimiter: int) -> Iterator[NDArray[np.int64]]:
    """Yield the number of fields of each line that is not blank, chunk by chunk."""
    whole = np.frombuffer(data, dtype=np.uint8)
    has_quotes = b'"' in data
    parity = 0
    n_open = 0
    last_end = -1
    for start in range(0, len(whole), _CHUNK):
        chunk = whole[start : start + _CHUNK]
        ends, marks = chunk == _NEWLINE, chunk == delimiter
        if has_quotes:
            inside = (np.cumsum(chunk == _QUOTE, dtype=np.int64) + parity) & 1
            parity = int(inside[-1])
            outside = inside == 0
            ends, marks = ends & outside, marks & outside
        line_ends, positions = np.flatnonzero(ends), np.flatnonzero(marks)
        before = np.searchsorted(positions, line_ends)
        counts = np.diff(before, prepend=0) + 1
        if len(counts):
            counts[0] += n_open
            blank = np.diff(line_ends + start, prepend=last_end) == 1
            last_end = int(line_ends[-1]) + start
            n_open = len(positions) - int(before[-1])
            yield counts[~blank]
        else:
            n_open += len(positions)
    if last_end < len(whole) - 1:
        yield np.array([n_open + 1])


def _find_slowly(data: bytes, delimiter: str, n_fields: int, first_line: int) -> Ragged | None:
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
        # A field of more than 128 KiB: csv gives up, and pandas will tell.
        return None
    return None
