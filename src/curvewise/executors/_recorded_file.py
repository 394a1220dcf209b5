"""A Parquet file of recorded curves: its columns, checked; see `curvewise.executors._recordings`.

A file that ``curvewise bench record`` wrote is marked: the entry ``curvewise.recording`` of its
metadata is JSON with the ``version`` of the format, the ``scoring`` and how losses by row are
packed (``row_losses``); what else stands there is for readers. Without a mark it is version 1, with
the columns that such files always had. Version 2 has a ``status`` for every row, and no losses
where it is not ``ok``.

A file may come from a stranger: every value is checked before it is used, and losses by row have to
have the mean that the row states.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise._files import is_file
from curvewise._packages import require
from curvewise._text import visible
from curvewise.core._outcome import Reason
from curvewise.errors import UnreadableCurvesError
from curvewise.executors._packed_rows import PACKING_OF, is_whole, n_bytes

KEY = b"curvewise.recording"
VERSION = 2
OK = "ok"
FAILED = tuple(reason.value for reason in Reason if reason is not Reason.CANCELLED)

MOST_COLUMNS = 10_000
# Twenty times those of LCDB; a few kilobytes may say that there are billions.
MOST_ROWS = 10_000_000
MOST_ROW_BYTES = 2**32
LONGEST_MARK = 2**20
# So many rows are unpacked at once while losses by row are read.
BATCH_ROWS = 64
REQUIRED = ("dataset", "learner", "anchor", "seed", "valid_err", "test_err", "fit_time")
OPTIONAL = ("n_valid", "train_err")
REQUIRED_OF_2 = (*(name for name in REQUIRED if name != "test_err"), "n_valid", "status")
OPTIONAL_OF_2 = ("test_err", "noise")
ERROR_UNIT = 10_000

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """What a file holds: a value per row in every column.

    The metric and how losses by row are packed are None for version 1; ``row_losses`` are bytes or
    None for each row, if they are recorded at all.
    """

    columns: Columns
    scoring: str | None = None
    packing: str | None = None
    row_losses: NDArray[np.object_] | None = None


def read_file(path: Path) -> RecordedFile:
    """Read a file of either version."""
    pyarrow = require("pyarrow", "Reading recorded curves", extra="replay")
    parquet = require("pyarrow.parquet", "Reading recorded curves", extra="replay")
    if not is_file(path):
        raise UnreadableCurvesError(f"There is no file {path}.")
    try:
        with parquet.ParquetFile(path) as file:
            return _read(path, file)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = visible(str(error).splitlines()[0])
        raise UnreadableCurvesError(f"{path} is not a Parquet file: {reason}") from None


def read_mark(path: Path, file: Any) -> dict[str, Any] | None:
    """Give what an open file says of itself; None if it is of version 1, which says nothing."""
    mark = (file.schema_arrow.metadata or {}).get(KEY)
    if mark is None:
        return None
    try:
        said = json.loads(mark[:LONGEST_MARK])
        version = said["version"]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise UnreadableCurvesError(
            f"{path} is damaged: what it says of its own format cannot be read."
        ) from None
    if version != VERSION:
        named = visible(str(version)[:20])
        raise UnreadableCurvesError(
            f"{path} has version {named} of the format of recorded curves, and this curvewise "
            f"knows up to {VERSION}."
        )
    scoring = said.get("scoring")
    if not isinstance(scoring, str) or PACKING_OF.get(scoring, "") != said.get("row_losses"):
        raise UnreadableCurvesError(
            f"{path} is damaged: its metric must be one of {', '.join(PACKING_OF)}, with losses by "
            f"row as these have them."
        )
    return dict(said)


def _read(path: Path, file: Any) -> RecordedFile:
    n_columns = file.metadata.num_columns
    if n_columns > MOST_COLUMNS:
        raise UnreadableCurvesError(
            f"{path} has {n_columns:,} columns; recorded curves have at most {MOST_COLUMNS:,}."
        )
    mark = read_mark(path, file)
    required = REQUIRED if mark is None else REQUIRED_OF_2
    names = file.schema_arrow.names
    missing = [name for name in required if name not in names]
    if missing:
        raise UnreadableCurvesError(
            f"{path} lacks the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; "
            f"recorded curves need {', '.join(required)}."
        )
    twice = [name for name in (*required, *OPTIONAL, *OPTIONAL_OF_2) if names.count(name) > 1]
    if twice:
        raise UnreadableCurvesError(f"{path} has the column {twice[0]} twice.")
    groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
    n_rows = sum(group.num_rows for group in groups)
    if not n_rows:
        raise UnreadableCurvesError(f"{path} has no rows.")
    if n_rows > MOST_ROWS:
        raise UnreadableCurvesError(
            f"{path} has {n_rows:,} rows; recorded curves have at most {MOST_ROWS:,}."
        )
    optional = OPTIONAL if mark is None else OPTIONAL_OF_2
    wanted = [name for name in (*required, *optional) if name in names]
    table = file.read(columns=wanted)
    if mark is not None:
        return _version_2(path, file, table, mark)
    columns = {name: _column(path, name, table.column(name)) for name in wanted}
    for name in ("valid_err", "test_err", "train_err"):
        if name in columns and columns[name].dtype.kind in "iu":
            columns[name] = columns[name] / ERROR_UNIT
    return RecordedFile(columns)


def _version_2(path: Path, file: Any, table: Any, mark: dict[str, Any]) -> RecordedFile:
    """Read what is marked: losses only where an evaluation succeeded."""
    status = _names(path, "status", table.column("status"))
    unknown = set(status.tolist()) - {OK, *FAILED}
    if unknown:
        raise UnreadableCurvesError(
            f"{path} has the status {min(unknown)[:40]!r}, which is none of "
            f"{', '.join((OK, *FAILED))}."
        )
    worked = status == OK
    columns: Columns = {"status": status}
    for name in table.column_names:
        if name == "noise":
            columns[name] = _where(path, name, table.column(name), None)
        elif name in ("valid_err", "test_err"):
            columns[name] = _where(path, name, table.column(name), worked)
        elif name != "status":
            columns[name] = _column(path, name, table.column(name))
    for name in ("seed", "n_valid"):
        if columns[name].dtype.kind not in "iu":
            raise UnreadableCurvesError(f"The column {name} of {path} must hold whole numbers.")
    packing = mark["row_losses"]
    rows = None
    if "row_losses" in file.schema_arrow.names:
        rows = _row_losses(path, file, columns, packing)
    return RecordedFile(columns, mark["scoring"], packing, rows)


def _where(path: Path, name: str, column: Any, known: NDArray[np.bool_] | None) -> NDArray[Any]:
    """Read floats that are missing exactly where nothing is known, or anywhere (None)."""
    missing = np.asarray(column.is_null().to_numpy(zero_copy_only=False), dtype=bool)
    if known is not None and np.any(missing == known):
        raise UnreadableCurvesError(
            f"The column {name} of {path} must have a value where the status is {OK}, and only "
            "there."
        )
    values = np.asarray(column.to_numpy(zero_copy_only=False))
    if values.dtype.kind != "f":
        raise UnreadableCurvesError(f"The column {name} of {path} must hold floats.")
    values = np.where(missing, np.nan, values.astype(np.float64))
    if not np.isfinite(values[~missing]).all() or (name == "noise" and np.any(values < 0)):
        raise UnreadableCurvesError(f"The column {name} of {path} must hold finite numbers.")
    return values


def _row_losses(path: Path, file: Any, columns: Columns, packing: str) -> NDArray[np.object_]:
    """Read losses by row, a few rows of the file at a time, and compare them with their means."""
    n_valid, mean = columns["n_valid"], columns["valid_err"]
    total = sum(n_bytes(int(n), packing) for n in n_valid)
    if total > MOST_ROW_BYTES:
        raise UnreadableCurvesError(
            f"{path} has losses of more test rows than are read: {total:,} bytes, and "
            f"{MOST_ROW_BYTES:,} are the most."
        )
    found = np.full(len(n_valid), None)
    at = 0
    for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=["row_losses"]):
        for packed in batch.column(0).to_pylist():
            if packed is not None:
                whole = type(packed) is bytes and is_whole(
                    packed, int(n_valid[at]), packing, float(mean[at])
                )
                if not whole:
                    raise UnreadableCurvesError(
                        f"{path} is damaged: the losses by row of its row {at + 1:,} are not those "
                        "of its valid_err and n_valid."
                    )
                found[at] = packed
            at += 1
    return found


def _names(path: Path, name: str, column: Any) -> NDArray[Any]:
    """Turn a column of names into an array: text, or for data sets whole numbers."""
    types = require("pyarrow.types", "Reading recorded curves", extra="replay")
    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if types.is_integer(kind):
        values = np.asarray(column.to_numpy(zero_copy_only=False))
        return values if name == "dataset" else values.astype(str)
    if not (types.is_string(kind) or types.is_large_string(kind)):
        raise UnreadableCurvesError(f"The column {name} of {path} must hold text, got {kind}.")
    return np.asarray(column.to_numpy(zero_copy_only=False)).astype(str)


def _column(path: Path, name: str, column: Any) -> NDArray[Any]:
    """Turn one column into an array: text for names, numbers for the rest."""
    if column.null_count:
        raise UnreadableCurvesError(f"The column {name} of {path} has missing values.")
    if name in ("dataset", "learner"):
        return _names(path, name, column)
    values = np.asarray(column.to_numpy(zero_copy_only=False))
    if values.dtype.kind not in "iuf":
        raise UnreadableCurvesError(f"The column {name} of {path} must hold numbers.")
    if not np.isfinite(values).all():
        raise UnreadableCurvesError(f"The column {name} of {path} must hold finite numbers.")
    if name in ("fit_time", "n_valid") and values.min() < 0:
        raise UnreadableCurvesError(f"The column {name} of {path} must not be negative.")
    if name == "anchor" and (values.min() < 1 or np.any(values % 1)):
        raise UnreadableCurvesError(
            f"The anchors of {path} must be whole numbers of at least 1 row."
        )
    return values
