"""A finished recording: one Parquet file that `curvewise replay` reads.

The format is version 2 of that of recorded curves (``docs/reference/recorded-curves.md``). A file
holds one table; it is written some candidates at a time, whatever its size.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curvewise._bench.recorded_tables.journal import Journal, RecordedCell, first_difference
from curvewise._files import write_whole
from curvewise._packages import require
from curvewise.errors import UnreadableCurvesError
from curvewise.executors._recorded_file import KEY, VERSION, read_file, read_mark

if TYPE_CHECKING:
    import pyarrow as pa

# The columns of the file with their types, in the words of pyarrow.
COLUMNS = {
    "dataset": "string",
    "learner": "string",
    "configuration": "string",
    "anchor": "int64",
    "seed": "int32",
    "status": "string",
    "message": "string",
    "n_valid": "int64",
    "valid_err": "float64",
    "test_err": "float64",
    "noise": "float64",
    "fit_time": "float64",
    "fit_seconds": "float64",
    "score_seconds": "float64",
    "row_losses": "binary",
}
# What they are called in a journal.
NAMES = {"seed": "fold", "valid_err": "loss", "test_err": "test_loss", "fit_time": "seconds"}
# Losses by row that are written at once.
GROUP_BYTES = 2**25
TEXTS = ["dataset", "learner", "configuration", "status", "message"]


def write_recording(
    path: Path, journal: Journal, identity: dict[str, Any], notes: dict[str, Any], *, packing: str
) -> None:
    """Write all that a journal holds; a file that was there is replaced as a whole."""
    mark = {"version": VERSION, "row_losses": packing, **identity, **notes}
    pyarrow, parquet = require("pyarrow"), require("pyarrow.parquet")
    columns = _columns_of(identity)
    fields = [(name, getattr(pyarrow, COLUMNS[name])()) for name in columns]
    schema = pyarrow.schema(fields, metadata={KEY: json.dumps(mark).encode()})
    dataset = identity["table"]

    def write(draft: Path) -> None:
        settings = {"compression": "zstd", "use_dictionary": TEXTS, "write_statistics": False}
        with parquet.ParquetWriter(draft, schema, **settings) as writer:
            for cells in _groups(journal):
                writer.write_table(_table(cells, dataset, schema))

    write_whole(path, write)


def _columns_of(identity: dict[str, Any]) -> list[str]:
    """Name the columns of a recording; a truth it has only if rows were set aside."""
    return [name for name in COLUMNS if name != "test_err" or identity.get("test_rows")]


def _groups(journal: Journal) -> Iterator[list[tuple[RecordedCell, str]]]:
    """Give evaluations with what their candidates are made of, as many as go into a row group."""
    group: list[tuple[RecordedCell, str]] = []
    n_bytes = 0
    for name, configuration in journal.candidates():
        for cell in journal.cells(name):
            group.append((cell, configuration))
            n_bytes += len(cell.row_losses or b"")
        if n_bytes > GROUP_BYTES:
            yield group
            group, n_bytes = [], 0
    if group:
        yield group


def _table(cells: list[tuple[RecordedCell, str]], dataset: str, schema: pa.Schema) -> pa.Table:
    said = {"dataset": [dataset] * len(cells), "configuration": [made_of for _, made_of in cells]}
    columns = [
        said[name] if name in said else [getattr(cell, NAMES.get(name, name)) for cell, _ in cells]
        for name in schema.names
    ]
    pyarrow: Any = require("pyarrow")
    pairs = zip(columns, schema, strict=True)
    arrays = [pyarrow.array(values, field.type) for values, field in pairs]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def take_over(path: Path, journal: Journal, identity: dict[str, Any]) -> None:
    """Let a journal have what a finished recording holds, if it is one of the same kind."""
    read_file(path)
    with require("pyarrow.parquet").ParquetFile(path) as file:
        mark = read_mark(path, file)
        difference: str | None = "it is no recording of this kind"
        if mark is not None:
            difference = first_difference({name: mark.get(name) for name in identity}, identity)
        if difference is not None:
            raise UnreadableCurvesError(
                f"{path} holds other curves ({difference}): name another file."
            )
        columns = _columns_of(identity)
        missing = [name for name in columns if name not in file.schema_arrow.names]
        if missing:
            raise UnreadableCurvesError(f"{path} lacks the column {missing[0]}: name another file.")
        for batch in file.iter_batches(batch_size=64, columns=columns):
            rows = batch.to_pylist()
            journal.introduce({row["learner"]: row["configuration"] for row in rows}.items())
            journal.add(_cells(rows))


def _cells(rows: list[dict[str, Any]]) -> Iterator[RecordedCell]:
    columns = {cell: column for column, cell in NAMES.items()}
    for row in rows:
        values: list[Any] = [row.get(columns.get(name, name)) for name in RecordedCell._fields]
        yield RecordedCell(*values)
