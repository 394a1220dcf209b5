"""How large a table may be: what is larger is refused in a sentence, before memory is gone.

1. A file, and what it unpacks to, takes at most half of this machine's memory: a table is held
   more than once while it is read. A few kilobytes may unpack to any size.
2. A table has at most 100,000 columns: each costs some kilobytes however few rows there are.
3. A sheet of an Excel file has at most 200,000,000 cells, the empty ones between others included.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any, BinaryIO

from curvewise.errors import TableError

MOST_COLUMNS = 100_000
MOST_CELLS = 200_000_000
# Where a machine does not say how much memory it has.
ASSUMED_BYTES = 8 * 2**30


def most_bytes() -> int:
    """Give half of this machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):
        return ASSUMED_BYTES


def check_bytes(n_bytes: int, label: str, *, verb: str = "has") -> None:
    """Refuse what does not fit into memory (rule 1)."""
    most = most_bytes()
    if n_bytes > most:
        raise TableError(
            f"{label} {verb} more than {most / 2**30:.1f} GiB, half of this machine's memory."
        )


def read_bounded(file: BinaryIO | Any, label: str) -> bytes:
    """Read what unpacks on its way, but no more than fits into memory (rule 1)."""
    most = most_bytes()
    # Its bytes are handed over as they are: joining parts would hold them twice.
    whole = io.BytesIO()
    while part := file.read(2**24):
        whole.write(part)
        if whole.tell() > most:
            check_bytes(whole.tell(), label, verb="unpacks to")
    return whole.getvalue()


def check_columns(n_columns: int, label: str) -> None:
    """Refuse a table with too many columns (rule 2)."""
    if n_columns > MOST_COLUMNS:
        raise TableError(
            f"{label} has {n_columns:,} columns, and at most {MOST_COLUMNS:,} are read: "
            "leave out those that are not needed."
        )


def counted_cells(rows: Any, label: str) -> Iterator[Any]:
    """Give the rows of a sheet, as long as there are not too many cells in them (rule 3)."""
    n_cells = 0
    for row in rows:
        n_cells += len(row)
        if n_cells > MOST_CELLS:
            raise TableError(
                f"{label} has a sheet of more than {MOST_CELLS:,} cells: save it as CSV."
            )
        yield row
