"""Lines with too few or too many fields: a table that has them is refused, and the first is named.

pyarrow finds that there are some, but not in which line of the file they stand.
"""

from __future__ import annotations

import csv
import io
from typing import NamedTuple


class Ragged(NamedTuple):
    """The first line with a wrong number of fields, counted from 1."""

    line: int
    n_fields: int


def find_ragged(
    data: bytes, delimiter: str, n_fields: int, *, first_line: int = 1
) -> Ragged | None:
    """Find the first line with another number of fields; blank lines do not count."""
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
