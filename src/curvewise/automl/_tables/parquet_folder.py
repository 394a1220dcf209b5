"""A folder of Parquet files as one table, also with partitions in its folders' names.

All files below it that end in .parquet or .pq are read, in the order of their paths; names that
begin with a point or an underscore are no part of the table, as everywhere. A folder ``year=2023``
gives its rows a column ``year`` (hive's partitions). Files may lack columns of others, which are
gaps then; columns that files have in types that do not go together are an error.
"""

from __future__ import annotations

from pathlib import Path

from curvewise._packages import require
from curvewise._text import counted
from curvewise.automl._tables.arrow import rows_at_once, to_raw, together, unpacked_sizes
from curvewise.automl._tables.column_names import listed, quoted
from curvewise.automl._tables.content import Raw
from curvewise.automl._tables.measure import check_bytes, check_columns, check_density
from curvewise.errors import TableError

ENDINGS = (".parquet", ".pq")


def read_folder(folder: Path) -> tuple[str, str, Raw]:
    """Read all files of a folder: the table's name, what messages call it, and what is in it."""
    require("pandas")
    pyarrow, dataset = require("pyarrow"), require("pyarrow.dataset")
    label = quoted(folder.name or folder)
    files = _files(folder, label)
    try:
        found = dataset.dataset(
            [str(path) for path in files],
            format="parquet",
            partitioning=dataset.partitioning(flavor="hive"),
            partition_base_dir=str(folder),
        )
        fragments = list(found.get_fragments())
        own = [one.physical_schema.remove_metadata() for one in fragments]
        partitions = [
            name for name in found.schema.names if all(name not in one.names for one in own)
        ]
        every = [found.schema.remove_metadata(), *own]
        schema = pyarrow.unify_schemas(every, promote_options="permissive")
        check_columns(len(schema), label)
        n_bytes = sum(sum(unpacked_sizes(one.metadata)) for one in fragments)
        check_bytes(n_bytes, label, verb="unpacks to")
        check_density(n_bytes, sum(path.stat().st_size for path in files), label)
        parts = found.replace_schema(schema).to_batches(batch_size=rows_at_once(len(schema)))
        table = together(parts, schema, label)
        table.validate(full=True)
        raw = to_raw(table, pyarrow)
    except TableError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        reason = (str(error).splitlines() or ["unknown reason"])[0].rstrip(".")
        raise TableError(f"{label} cannot be read as one table: {reason}.") from None
    notes = [f"{counted(len(files), 'Parquet file')} of the folder {label}."]
    if partitions:
        notes.append(f"From the names of its folders: {listed(partitions)}.")
    return folder.name.removesuffix(".parquet"), label, Raw(raw.frame, raw.names, notes + raw.notes)


def _files(folder: Path, label: str) -> list[Path]:
    found = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in ENDINGS
        and path.is_file()
        and not any(part[0] in "._" for part in path.relative_to(folder).parts)
    ]
    if not found:
        raise TableError(
            f"{label} is a directory without Parquet files; give a file, or a folder of those."
        )
    return found
