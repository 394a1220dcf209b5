"""A source of a table, read in whatever format it is, with names of columns that can be used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curvewise._files import is_file, is_folder
from curvewise._packages import require
from curvewise._plug_ins import TABLE_GROUP, find_plug_in
from curvewise.automl._tables.arff import read_arff
from curvewise.automl._tables.arrow import read_arrow
from curvewise.automl._tables.column_names import clean_names, listed
from curvewise.automl._tables.content import FORMATS, Raw, read_content
from curvewise.automl._tables.delimited import read_delimited
from curvewise.automl._tables.excel import load_packages, read_excel
from curvewise.automl._tables.parquet_folder import read_folder
from curvewise.automl._tables.plugged_table import is_scheme, read_plug_in
from curvewise.automl._tables.repositories import read_bundled, read_openml
from curvewise.automl._tables.warning_note import WarningNote
from curvewise.errors import TableError

if TYPE_CHECKING:
    import pandas as pd

# By the kinds of files in `FORMATS`; text with delimiters is told what is expected, and Excel files
# which sheet is wanted: both are read apart.
_READERS = {"arff": read_arff, "feather": read_arrow, "parquet": read_arrow}
_ROW_NUMBERS = {"", "Unnamed: 0"}
_FEWEST_NUMBERED = 10


class Found(NamedTuple):
    """A source with usable names: `label` is for messages, `repeated` names stood there twice."""

    name: str
    label: str
    frame: pd.DataFrame
    notes: list[str]
    repeated: list[str]
    target: str | None


def read_source(
    source: str | Path,
    *,
    expected: frozenset[str] = frozenset(),
    verbatim: frozenset[str] = frozenset(),
    sheet: str | None = None,
) -> Found:
    """Read a source; columns that are `expected` are looked for, those `verbatim` stay text."""
    if FORMATS.get(Path(source).suffix.lower()) == "excel":
        load_packages()
    else:
        require("pandas")
    name, label, raw = _read(source, expected, verbatim, sheet)
    if not len(raw.frame):
        raise TableError(f"{label} has no rows.")
    names, repeated = clean_names(raw.names)
    notes = list(raw.notes)
    if repeated:
        note = f"Repeated names of columns got a number: {listed(repeated)}."
        notes.append(WarningNote(note))
    frame = raw.frame.set_axis(names, axis=1)
    if raw.names and raw.names[0].strip() in _ROW_NUMBERS and names[0] not in expected:
        frame, more = _without_row_numbers(frame)
        notes += more
    return Found(name, label, frame, notes, repeated, raw.target)


def _read(
    source: str | Path, expected: frozenset[str], verbatim: frozenset[str], sheet: str | None
) -> tuple[str, str, Raw]:
    """Give the table's name, what messages call the source, and what its reader returns."""
    text = str(source)
    scheme, _, rest = text.partition(":")
    if isinstance(source, str) and scheme in ("sklearn", "openml"):
        _check_no_sheet(sheet, text)
        if scheme == "sklearn":
            return rest, text, read_bundled(rest)
        return f"openml-{rest}", text, read_openml(rest)
    is_there = is_file(source) or is_folder(source)
    if isinstance(source, str) and is_scheme(scheme, rest) and not is_there:
        plug_in = find_plug_in(TABLE_GROUP, scheme)
        if plug_in is not None:
            _check_no_sheet(sheet, text)
            return rest, text, read_plug_in(plug_in, rest)
    if is_folder(source):
        _check_no_sheet(sheet, text)
        return read_folder(Path(source))
    content = read_content(Path(source))
    if content.kind == "excel":
        return content.stem, content.label, read_excel(content, sheet)
    _check_no_sheet(sheet, content.label)
    if content.kind == "text":
        return content.stem, content.label, read_delimited(content, expected, verbatim)
    return content.stem, content.label, _READERS[content.kind](content)


def _check_no_sheet(sheet: str | None, label: str) -> None:
    if sheet is not None:
        raise TableError(f"{label} has no sheets, as only Excel files do: leave out the sheet.")


def _without_row_numbers(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Leave out what pandas and R write as an index: it would tell the order of the rows."""
    numbers = frame.iloc[:, 0]
    if len(frame) < _FEWEST_NUMBERED or numbers.dtype.kind not in "iu":
        return frame, []
    rest = numbers.to_numpy() - np.arange(len(frame))
    if rest[0] not in (0, 1) or (rest != rest[0]).any():
        return frame, []
    return frame.iloc[:, 1:], ["The first column has no name and counts the rows: it is left out."]
