"""How large a table may be: what is larger is refused in a sentence, before memory is gone.

1. A file, and what it unpacks to, takes at most half of this machine's memory (in a container, of
   the container's): a table is held more than once while it is read.
2. What unpacks to more than a GiB and to more than 900 times what was read of it is refused at
   once: a few kilobytes may unpack to any size, and half of a large memory takes minutes to fill.
3. A table has at most 100,000 columns: each costs some kilobytes however few rows there are.
4. A sheet of an Excel file has at most 200,000,000 cells, the empty ones between others included,
   and as many rows as Excel knows: a file may say that its second row has any number.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

from curvewise.errors import TableError
from curvewise.executors._workers.memory import machine_memory

MOST_COLUMNS = 100_000
MOST_CELLS = 200_000_000
MOST_ROWS = 2**20
# Where one cell in a thousand is not 0, tables are packed 200 to 600 times smaller; gzip knows no
# more than 1,032 times.
MOST_TIMES = 900
FREE_BYTES = 2**30


def most_bytes() -> int:
    """Give half of this machine's memory, or of the container's."""
    return machine_memory()[0] // 2


def check_bytes(n_bytes: int, label: str, *, verb: str = "has") -> None:
    """Refuse what does not fit into memory (rule 1)."""
    most = most_bytes()
    if n_bytes > most:
        raise TableError(
            f"{label} {verb} more than {most / 2**30:.1f} GiB, half of this machine's memory."
        )


def check_density(n_bytes: int, n_packed: int, label: str) -> None:
    """Refuse what was packed so tightly that there is nothing in it (rule 2)."""
    if n_bytes > FREE_BYTES and n_bytes > MOST_TIMES * n_packed:
        raise TableError(
            f"{label} unpacks to more than {MOST_TIMES} times its size: unpack it yourself if that "
            "is as it should be."
        )


def read_bounded(file: BinaryIO | Any, label: str, *, packed: BinaryIO) -> bytes:
    """Read what unpacks on its way, but no more than fits into memory (rules 1 and 2)."""
    most = most_bytes()
    # Its bytes are handed over as they are: joining parts would hold them twice.
    whole = io.BytesIO()
    while part := file.read(2**24):
        whole.write(part)
        if whole.tell() > most:
            check_bytes(whole.tell(), label, verb="unpacks to")
        check_density(whole.tell(), packed.tell(), label)
    return whole.getvalue()


def check_columns(n_columns: int, label: str) -> None:
    """Refuse a table with too many columns (rule 3)."""
    if n_columns > MOST_COLUMNS:
        raise TableError(
            f"{label} has {n_columns:,} columns, and at most {MOST_COLUMNS:,} are read: "
            "leave out those that are not needed."
        )


def counted_cells(rows: Any, label: str) -> Iterator[Any]:
    """Give the rows of a sheet, as long as there are not too many cells in them (rule 4)."""
    n_cells = 0
    for n_rows, row in enumerate(rows, start=1):
        n_cells += len(row)
        if n_cells > MOST_CELLS or n_rows > MOST_ROWS:
            most = f"{MOST_CELLS:,} cells" if n_cells > MOST_CELLS else f"{MOST_ROWS:,} rows"
            raise TableError(f"{label} has a sheet of more than {most}: save it as CSV.")
        yield row
