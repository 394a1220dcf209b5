"""Excel files (.xlsx, .xlsm), through openpyxl: one sheet is one table.

The first row with anything in it has the names, and what stands below are the rows; empty rows and
columns around them are left out. A formula has the value that Excel last saw, and an error such as
``#N/A`` is a gap. Of several sheets the first with anything in it is taken, and a note says so.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable
from typing import Any

from curvewise._packages import require
from curvewise.automl._tables.column_names import listed, quoted, suggestion
from curvewise.automl._tables.content import Content, Raw
from curvewise.automl._tables.measure import check_bytes, check_density, counted_cells
from curvewise.errors import TableError

Row = tuple[Any, ...]


def load_packages() -> tuple[Any, Any]:
    """Import pandas and openpyxl; an error that names the extra with both."""
    what = "Reading Excel files"
    pandas = require("pandas", what, extra="excel")
    return pandas, require("openpyxl", what, extra="excel")


def read_excel(content: Content, sheet: str | None = None) -> Raw:
    """Read a sheet of an Excel file."""
    pd, openpyxl = load_packages()
    try:
        with zipfile.ZipFile(io.BytesIO(content.data)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        # Python's objects take several times what stands in the file.
        check_bytes(4 * unpacked, content.label, verb="takes")
        check_density(unpacked, len(content.data), content.label)
        with warnings.catch_warnings():
            # About styles and extensions that it does not know.
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(content.data), read_only=True, data_only=True)
            tables = {one.title: one for one in book.worksheets}
            name, rows = _taken(tables, sheet, content.label)
    except TableError:
        raise
    except Exception as error:
        # A damaged archive, or XML of any wrong kind: it raises what its parts raise.
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise TableError(f"{content.label} is not an Excel file, or damaged: {reason}.") from None
    notes = []
    if len(tables) > 1:
        how = "as was asked for" if sheet is not None else "the first with anything in it"
        others = [one for one in tables if one != name]
        notes = [f"The sheet is {quoted(name)}, {how}; there are also {listed(others)}."]
        if len(others) == 1:
            notes = [f"The sheet is {quoted(name)}, {how}; there is also {listed(others)}."]
    header, *body = rows
    columns = {i: [row[i] for row in body] for i in range(len(header))}
    frame = pd.DataFrame(columns, dtype=object).infer_objects()
    return Raw(frame, ["" if one is None else str(one) for one in header], notes)


def _taken(tables: dict[str, Any], sheet: str | None, label: str) -> tuple[str, list[Row]]:
    """Give the sheet that is wanted, or the first with anything in it: its name and its rows."""
    if sheet is not None and sheet not in tables:
        raise TableError(
            f"{label} has no sheet {quoted(sheet)}; {suggestion(sheet, list(tables))}."
        )
    for name in tables if sheet is None else [sheet]:
        # What a sheet says of its size may be anything: only rows that are there count.
        tables[name].reset_dimensions()
        rows = _filled(counted_cells(tables[name].iter_rows(), label))
        if rows:
            if len(rows) == 1:
                raise TableError(f"{label} has a header but no rows in the sheet {quoted(name)}.")
            return name, rows
    what = "nothing in any sheet" if sheet is None else f"nothing in the sheet {quoted(sheet)}"
    raise TableError(f"{label} has {what}.")


def _filled(rows: Iterable[Any]) -> list[Row]:
    """Give the rows with anything in them, all of one length and without empty outer columns."""
    found = (tuple(map(_value, row)) for row in rows)
    values = [row for row in found if any(one is not None for one in row)]
    if not values:
        return []
    used = {i for row in values for i, one in enumerate(row) if one is not None}
    first, last = min(used), max(used) + 1
    return [(row + (None,) * (last - len(row)))[first:last] for row in values]


def _value(cell: Any) -> Any:
    value = cell.value
    if getattr(cell, "data_type", "") == "e" or (isinstance(value, str) and not value.strip()):
        return None
    return value
