"""Parquet and Feather, through pyarrow.

What a Parquet file says of its size is looked at first, and may be wrong; it is also read part by
part, and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from curvewise._packages import require
from curvewise.automl._tables.column_names import listed
from curvewise.automl._tables.content import Content, Raw
from curvewise.automl._tables.measure import check_bytes, check_columns, check_density
from curvewise.automl._tables.warning_note import WarningNote
from curvewise.errors import TableError

_NAMELESS_INDEX = re.compile(r"__index_level_\d+__")
# So many rows, and so many cells, are read at once.
MOST_ROWS = 2**16
MOST_CELLS = 2**24


def read_arrow(content: Content) -> Raw:
    """Read a Parquet or a Feather file."""
    require("pandas")
    pyarrow = require("pyarrow")
    kind = "Parquet" if content.kind == "parquet" else "Feather"
    reader = require(f"pyarrow.{content.kind}")
    try:
        _measure(content, pyarrow)
        source = pyarrow.BufferReader(content.data)
        if content.kind == "parquet":
            file = reader.ParquetFile(source)
            parts = file.iter_batches(rows_at_once(file.metadata.num_columns))
            table = together(parts, file.schema_arrow, content.label)
        else:
            table = reader.read_table(source)
        # Texts that are not UTF-8 and the like would otherwise show much later.
        table.validate(full=True)
        return to_raw(table, pyarrow)
    except TableError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        reason = (str(error).splitlines() or ["unknown reason"])[0].rstrip(".")
        raise TableError(f"{content.label} is not a {kind} file, or damaged: {reason}.") from None


def _measure(content: Content, pyarrow: Any) -> None:
    """Refuse what would be too large, by what the file says of itself."""
    source = pyarrow.BufferReader(content.data)
    if content.kind == "parquet":
        found = require("pyarrow.parquet").ParquetFile(source).metadata
        check_columns(found.num_columns, content.label)
        n_bytes = sum(unpacked_sizes(found))
        check_bytes(n_bytes, content.label, verb="unpacks to")
        check_density(n_bytes, len(content.data), content.label)
    elif content.data.startswith(b"ARROW1"):
        check_columns(len(require("pyarrow.ipc").open_file(source).schema), content.label)


def unpacked_sizes(metadata: Any) -> Iterator[int]:
    """Give what the groups of rows of a Parquet file unpack to, as the file says."""
    for i in range(metadata.num_row_groups):
        yield max(0, metadata.row_group(i).total_byte_size)


def rows_at_once(n_columns: int) -> int:
    """Give how many rows are read at once."""
    return max(1, min(MOST_ROWS, MOST_CELLS // max(1, n_columns)))


def together(parts: Iterable[Any], schema: Any, label: str) -> Any:
    """Put the parts of a table together, as long as they fit into memory."""
    kept: list[Any] = []
    n_bytes = 0
    for part in parts:
        n_bytes += part.nbytes
        check_bytes(n_bytes, label, verb="unpacks to")
        kept.append(part)
    return require("pyarrow").Table.from_batches(kept, schema)


def to_raw(table: Any, pyarrow: Any) -> Raw:
    """Make what every reader returns of an arrow table."""
    notes: list[str] = []
    nested = []
    names, columns = [], []
    categories = _categories(table)
    # A table makes a new list of all its names, and a new schema, each time that it is asked.
    for field, column in zip(table.schema, table.itercolumns(), strict=True):
        if _NAMELESS_INDEX.fullmatch(field.name):
            notes = ["The index that pandas wrote beside the columns is left out."]
        elif _is_nested(field.type, pyarrow):
            nested.append(field.name)
        else:
            names.append(field.name)
            columns.append(_plain(column, pyarrow, category=field.name in categories))
    if nested:
        why = "because lists, structures and raw bytes are no values"
        notes.append(WarningNote(f"Left out, {why}: {listed(nested)}."))
    table = pyarrow.table(columns, names=[str(i) for i in range(len(columns))])
    # The metadata of pandas would restore indexes and types that other writers do not know.
    frame = table.replace_schema_metadata(None).to_pandas(ignore_metadata=True)
    return Raw(frame, names, notes)


def _is_nested(kind: Any, pyarrow: Any) -> bool:
    types = pyarrow.types
    if isinstance(kind, pyarrow.BaseExtensionType):
        return _is_nested(kind.storage_type, pyarrow)
    if types.is_dictionary(kind):
        return _is_nested(kind.value_type, pyarrow)
    return (
        types.is_nested(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
    )


def _categories(table: Any) -> set[str]:
    """Return the columns that were categories in pandas: Parquet keeps only those of text."""
    try:
        columns = table.schema.pandas_metadata["columns"]
        return {c["field_name"] for c in columns if c["pandas_type"] == "categorical"}
    except (KeyError, TypeError, ValueError, RecursionError):
        # Written by others than pandas.
        return set()


def _plain(column: Any, pyarrow: Any, *, category: bool) -> Any:
    """Cast what pandas could only hold as slow Python objects."""
    types = pyarrow.types
    if category and not types.is_dictionary(column.type):
        return column.dictionary_encode()
    if types.is_decimal(column.type):
        return column.cast(pyarrow.float64())
    if types.is_date(column.type):
        return column.cast(pyarrow.timestamp("ms"))
    if types.is_time(column.type):
        return column.cast(pyarrow.time64("ns")).cast(pyarrow.int64()).cast(pyarrow.duration("ns"))
    if types.is_float16(column.type):
        return column.cast(pyarrow.float32())
    return column
