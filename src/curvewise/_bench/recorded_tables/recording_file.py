"""A finished recording: one Parquet file that `curvewise replay` reads.

The format is version 2 of that of recorded curves (``docs/reference/recorded-curves.md``). A file
holds one table; it is written some candidates at a time, whatever its size.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from curvewise._bench.recorded_tables.journal import Journal, RecordedCell, first_difference
from curvewise._files import write_whole
from curvewise.errors import UnreadableCurvesError
from curvewise.executors._recorded_file import KEY, VERSION, read_file, read_mark

# The columns of the file, and what they are called in a journal.
SCHEMA = pa.schema(
    [
        ("dataset", pa.string()),
        ("learner", pa.string()),
        ("configuration", pa.string()),
        ("anchor", pa.int64()),
        ("seed", pa.int32()),
        ("status", pa.string()),
        ("message", pa.string()),
        ("n_valid", pa.int64()),
        ("valid_err", pa.float64()),
        ("noise", pa.float64()),
        ("fit_time", pa.float64()),
        ("fit_seconds", pa.float64()),
        ("score_seconds", pa.float64()),
        ("row_losses", pa.binary()),
    ]
)
# Losses by row that are written at once.
GROUP_BYTES = 2**25
NAMES = {"seed": "fold", "valid_err": "loss", "fit_time": "seconds"}
TEXTS = ["dataset", "learner", "configuration", "status", "message"]


def write_recording(
    path: Path, journal: Journal, identity: dict[str, Any], notes: dict[str, Any], *, packing: str
) -> None:
    """Write all that a journal holds; a file that was there is replaced as a whole."""
    mark = {"version": VERSION, "row_losses": packing, **identity, **notes}
    schema = SCHEMA.with_metadata({KEY: json.dumps(mark).encode()})
    dataset = identity["table"]

    def write(draft: Path) -> None:
        settings = {"compression": "zstd", "use_dictionary": TEXTS, "write_statistics": False}
        with parquet.ParquetWriter(draft, schema, **settings) as writer:
            for cells in _groups(journal):
                writer.write_table(_table(cells, dataset, schema))

    write_whole(path, write)


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
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def take_over(path: Path, journal: Journal, identity: dict[str, Any]) -> None:
    """Let a journal have what a finished recording holds, if it is one of the same kind."""
    read_file(path)
    with parquet.ParquetFile(path) as file:
        mark = read_mark(path, file)
        difference: str | None = "it is no recording of this kind"
        if mark is not None:
            difference = first_difference({name: mark.get(name) for name in identity}, identity)
        if difference is not None:
            raise UnreadableCurvesError(
                f"{path} holds other curves ({difference}): name another file."
            )
        missing = [name for name in SCHEMA.names if name not in file.schema_arrow.names]
        if missing:
            raise UnreadableCurvesError(f"{path} lacks the column {missing[0]}: name another file.")
        for batch in file.iter_batches(batch_size=64, columns=SCHEMA.names):
            rows = batch.to_pylist()
            journal.introduce({row["learner"]: row["configuration"] for row in rows}.items())
            journal.add(_cells(rows))


def _cells(rows: list[dict[str, Any]]) -> Iterator[RecordedCell]:
    names = {cell: column for column, cell in NAMES.items()}
    for row in rows:
        yield RecordedCell(*(row[names.get(name, name)] for name in RecordedCell._fields))
