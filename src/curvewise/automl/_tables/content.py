"""The bytes of a file, decompressed, with the format that its ending names.

The ending decides, never a guess from the content: ``data.csv``, ``data.csv.gz``, and the only
member of ``data.zip``. A file whose first bytes belong to another format than its ending says is
refused by name, because the reader of the ending's format would only say something confusing.

Everything that can be wrong with a file before its format matters is an error here: it is missing,
a directory, a pipe or a device, empty, unreadable, of an unknown kind, compressed badly, or larger
than memory, packed or unpacked (`curvewise.automl._tables.measure`).
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO

from curvewise._files import open_regular
from curvewise.automl._tables.column_names import listed, nearest, quoted
from curvewise.automl._tables.measure import check_bytes, read_bounded
from curvewise.errors import TableError

if TYPE_CHECKING:
    import pandas as pd

# A new format: its endings here, its first bytes in `_MAGIC`, its reader in `table_source.py`.
FORMATS = {
    ".csv": "text",
    ".tsv": "text",
    ".tab": "text",
    ".txt": "text",
    ".data": "text",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
    ".arff": "arff",
    ".xlsx": "excel",
    ".xlsm": "excel",
}
_DECOMPRESS: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
_MAGIC = {
    b"PAR1": ("parquet", "a Parquet file"),
    b"ARROW1": ("feather", "a Feather file"),
    b"FEA1": ("feather", "a Feather file"),
    # As every Excel file is.
    b"PK\x03\x04": ("excel", "a ZIP archive or an Excel sheet"),
    b"\x1f\x8b": ("gzip", "compressed by gzip"),
    b"\xd0\xcf\x11\xe0": ("office", "an Excel sheet"),
    b"SQLite format 3": ("sqlite", "an SQLite database"),
}
_BAD_ARCHIVE = (
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    NotImplementedError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """What a file holds.

    ``label`` is the file's name as messages show it, ``stem`` the name of the table, ``kind`` one
    of the values of `FORMATS`, ``ending`` what the kind was known by.
    """

    label: str
    stem: str
    ending: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """What every reader of a format returns.

    ``frame`` has one column per name, whatever its labels are; ``names`` are as the source has
    them, possibly empty or repeated; ``target`` is the name of the target if the source says it.
    """

    frame: pd.DataFrame
    names: list[str]
    notes: list[str] = field(default_factory=list)
    target: str | None = None


def read_content(path: Path) -> Content:
    """Read and decompress a file."""
    label = quoted(path.name or path)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packing = suffixes[-1] if suffixes and suffixes[-1] in {*_DECOMPRESS, ".zip"} else ""
    inner = path.name[: -len(packing)] if packing else path.name
    data = _read_bytes(path, label)
    if PurePosixPath(inner).suffix.lower() not in FORMATS and packing != ".zip":
        raise _unknown(label, PurePosixPath(inner).suffix)
    if not data:
        raise TableError(f"{label} is empty.")
    if packing == ".zip":
        inner, data = _unzip(data, label, inner)
    elif packing:
        data = _decompress(data, label, packing)
    if not data or data.isspace():
        raise TableError(f"{label} is empty.")
    ending = PurePosixPath(inner).suffix.lower()
    _check_magic(data, label, FORMATS[ending])
    return Content(label, PurePosixPath(inner).stem, ending, FORMATS[ending], data)


def _read_bytes(path: Path, label: str) -> bytes:
    try:
        if path.is_dir():
            raise TableError(f"{label} is a directory; give one of the files in it.")
        if path.exists() and not path.is_file():
            raise TableError(f"{label} is not a regular file.")
        with open_regular(path) as file:
            check_bytes(os.fstat(file.fileno()).st_size, label)
            return file.read()
    except TableError:
        raise
    except FileNotFoundError:
        raise TableError(f"There is no file {quoted(path)}{_neighbours(path)}.") from None
    except PermissionError:
        raise TableError(f"There is no permission to read {label}.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TableError(f"{label} cannot be read: {reason}.") from None


def _neighbours(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    close = nearest(path.name, names)
    return f"; the nearest is {quoted(close[0])}" if close else ""


def _unknown(label: str, ending: str) -> TableError:
    if ending.lower() in (".xls", ".xlsb", ".ods"):
        return TableError(f"{label} is a spreadsheet of a kind that is not read; save it as .xlsx.")
    what = f"the ending {quoted(ending)}" if ending else "no ending"
    return TableError(
        f"{label} has {what}; known are {', '.join(FORMATS)}, and each of them with .gz, .bz2, .xz "
        "or .zip behind it."
    )


def _decompress(data: bytes, label: str, packing: str) -> bytes:
    try:
        packed = io.BytesIO(data)
        with _DECOMPRESS[packing](packed) as file:
            return read_bounded(file, label, packed=packed)
    except TableError:
        raise
    except _BAD_ARCHIVE:
        raise TableError(f"{label} is damaged or not a {packing} file.") from None


def _unzip(data: bytes, label: str, inner: str) -> tuple[str, bytes]:
    """Return the name and the bytes of an archive's only table; `inner` names it if need be."""
    try:
        packed = io.BytesIO(data)
        with zipfile.ZipFile(packed) as archive:
            names = [name for name in archive.namelist() if not _is_litter(name)]
            if len(names) != 1:
                what = f"{len(names)} files ({listed(names)})" if names else "no file"
                raise TableError(f"{label} holds {what}, but exactly one is expected.")
            check_bytes(archive.getinfo(names[0]).file_size, label, verb="unpacks to")
            with archive.open(names[0]) as member:
                content = read_bounded(member, label, packed=packed)
    except TableError:
        raise
    except _BAD_ARCHIVE:
        raise TableError(f"{label} is damaged, encrypted or not a .zip file.") from None
    for name in (names[0], inner):
        if PurePosixPath(name).suffix.lower() in FORMATS:
            return PurePosixPath(name).name, content
    raise _unknown(f"{quoted(names[0])} in {label}", PurePosixPath(names[0]).suffix)


def _is_litter(name: str) -> bool:
    return (
        name.endswith("/")
        or name.startswith("__MACOSX/")
        or name.rsplit("/", maxsplit=1)[-1].startswith(".")
    )


def _check_magic(data: bytes, label: str, kind: str) -> None:
    for magic, (other, description) in _MAGIC.items():
        if data.startswith(magic) and other != kind:
            raise TableError(f"{label} is {description}, which is not what its ending says.")
