"""Reading a table to learn from, or new rows to predict: `read_table` and `read_rows`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curvewise._packages import require
from curvewise.automl._tables.arff import read_arff
from curvewise.automl._tables.arrow import read_arrow
from curvewise.automl._tables.column_names import clean_names, listed, quoted, suggestion
from curvewise.automl._tables.columns import as_kind, assemble, tidy
from curvewise.automl._tables.content import read_content
from curvewise.automl._tables.delimited import read_delimited
from curvewise.automl._tables.repositories import read_bundled, read_openml
from curvewise.automl._tables.table import Table
from curvewise.automl._tables.target import find_target, settle_task
from curvewise.errors import TableError

if TYPE_CHECKING:
    import pandas as pd

# By the kinds of files in `FORMATS`; text with delimiters is told what is expected, and read apart.
_READERS = {"arff": read_arff, "feather": read_arrow, "parquet": read_arrow}
_ROW_NUMBERS = {"", "Unnamed: 0"}
_FEWEST_NUMBERED = 10


def read_table(
    source: str | Path, *, target: str | int | None = None, task: str | None = None
) -> Table:
    r"""Read a table to learn from.

    Parameters
    ----------
    source
        A file (CSV or other delimited text, ARFF, Parquet or Feather, also compressed),
        ``sklearn:NAME`` for a data set that comes with scikit-learn, or ``openml:ID``.
    target
        The target's name, or its position: 0 is the first column, -1 the last. By default what the
        source declares, else the only column called target, class, label or y, else the last.
    task
        ``"classification"`` or ``"regression"``. By default text, booleans, and few different whole
        numbers (two, or at most 20 with at least 5 rows each) are classes, and all else is
        regression.

    Returns
    -------
    table
        Features, target and task, with notes on what was decided. Columns are typed by their
        values, as those of a frame that `TablePreparation` gets: text that reads as numbers is a
        number, unless leading zeros say that it is a code; text in ISO form is a date, in UTC if
        it has a zone; the words true and false are booleans; any mixture is text. In delimited
        files, which have no missing cells, an empty field, ``?``, ``NA``, ``NaN``, ``null`` and
        their like are missing.

    Raises
    ------
    TableError
        If the table cannot be read or used: one sentence that says why.
    MissingExtraError
        If pandas or pyarrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "fruit.csv"
    ...     _ = path.write_text("grams;kind\n81,5;apple\n9,25;cherry\n78,0;apple\n")
    ...     table = read_table(path)
    >>> table.X["grams"].tolist(), table.y.tolist()
    ([81.5, 9.25, 78.0], ['apple', 'cherry', 'apple'])
    >>> for note in table.notes[2:4]:
    ...     print(note)
    The target is 'kind', because it is the last column.
    The task is classification, because 'kind' holds text with 2 different values.
    """
    expected = frozenset({target.strip()} if isinstance(target, str) else ())
    found = _read(source, expected, verbatim=frozenset())
    frame, notes = found.frame, found.notes
    if frame.shape[1] < 2:
        what = f"a single column, {listed(frame.columns)}" if frame.shape[1] else "no columns"
        raise TableError(f"{found.label} has {what}, so there is nothing to predict a target from.")
    position, note = find_target(list(frame.columns), target, found.label, declared=found.target)
    name = str(frame.columns[position])
    if name in found.repeated:
        raise TableError(
            f"{found.label} has several columns called {quoted(name)}, so the target is unclear; "
            "give its position."
        )
    notes = notes + ([note] if note else [])
    frame, tidied = tidy(frame, target=name)
    frame, dropped = _with_target(frame, name, found.label)
    settled, y, settling = settle_task(frame[name], name, found.label, task=task)
    X = frame.drop(columns=name)
    if X.isna().all(axis=None):
        raise TableError(
            f"{found.label} has no value in any column but the target {quoted(name)}: there is "
            f"nothing to predict it from."
        )
    notes = [*notes, *settling, *dropped, *tidied, *_empty_columns(X)]
    return Table(found.name, X, y, name, settled, notes, str(source))


def read_rows(source: str | Path, columns: Iterable[str] | Mapping[str, str]) -> pd.DataFrame:
    r"""Read new rows, with the columns that a model was fitted on, in their order.

    Parameters
    ----------
    source
        As for `read_table`; other columns, as the target, may be there or not.
    columns
        The names of the columns. If they are mapped to kinds (`Table.kinds`), values are read as
        they were in the table of that model: a category ``7`` stays text, and text where numbers
        are expected is an error.

    Raises
    ------
    TableError
        If the source cannot be read, or lacks columns: the message names the nearest ones.
    MissingExtraError
        If pandas or pyarrow is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "new.csv"
    ...     _ = path.write_text("id,size,age\n1,7,30\n2,8,\n")
    ...     rows = read_rows(path, {"age": "number", "size": "text"})
    >>> rows.columns.tolist(), rows["size"].tolist()
    (['age', 'size'], ['7', '8'])
    """
    kinds = dict(columns) if isinstance(columns, Mapping) else {}
    wanted = list(columns)
    verbatim = frozenset(name for name, kind in kinds.items() if kind == "text")
    found = _read(source, frozenset(wanted), verbatim)
    there = set(found.frame.columns)
    missing = [name for name in wanted if name not in there]
    if missing:
        names = [str(name) for name in found.frame.columns]
        what = f"the column{'s' if len(missing) > 1 else ''} {listed(missing)}"
        nearest = suggestion(missing[0], names) if names else "it has no columns"
        of = f" to {quoted(missing[0])}" if len(missing) > 1 and "nearest" in nearest else ""
        raise TableError(f"{found.label} lacks {what}; {nearest}{of}.")
    frame, _ = tidy(found.frame[wanted], verbatim=verbatim)
    changed = {}
    for position, name in enumerate(wanted if kinds else ()):
        column = frame.iloc[:, position]
        new = as_kind(column, kinds[name])
        if new is None:
            raise TableError(f"{found.label}: {_misfit(column, name, kinds[name])}.")
        if new is not column:
            changed[position] = new
    return assemble(frame, changed)


class _Found(NamedTuple):
    """A source with usable names: `label` is for messages, `repeated` names stood there twice."""

    name: str
    label: str
    frame: pd.DataFrame
    notes: list[str]
    repeated: list[str]
    target: str | None


def _read(source: str | Path, expected: frozenset[str], verbatim: frozenset[str]) -> _Found:
    require("pandas")
    text = str(source)
    scheme, _, rest = text.partition(":")
    if isinstance(source, str) and scheme == "sklearn":
        name, label, raw = rest, text, read_bundled(rest)
    elif isinstance(source, str) and scheme == "openml":
        name, label, raw = f"openml-{rest}", text, read_openml(rest)
    else:
        content = read_content(Path(source))
        name, label = content.stem, content.label
        if content.kind == "text":
            raw = read_delimited(content, expected, verbatim)
        else:
            raw = _READERS[content.kind](content)
    if not len(raw.frame):
        raise TableError(f"{label} has no rows.")
    names, repeated = clean_names(raw.names)
    notes = list(raw.notes)
    if repeated:
        notes.append(f"Repeated names of columns got a number: {listed(repeated)}.")
    frame = raw.frame.set_axis(names, axis=1)
    if raw.names and raw.names[0].strip() in _ROW_NUMBERS and names[0] not in expected:
        frame, more = _without_row_numbers(frame)
        notes += more
    return _Found(name, label, frame, notes, repeated, raw.target)


def _without_row_numbers(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Leave out what pandas and R write as an index: it would tell the order of the rows."""
    numbers = frame.iloc[:, 0]
    if len(frame) < _FEWEST_NUMBERED or numbers.dtype.kind not in "iu":
        return frame, []
    rest = numbers.to_numpy() - np.arange(len(frame))
    if rest[0] not in (0, 1) or (rest != rest[0]).any():
        return frame, []
    return frame.iloc[:, 1:], ["The first column has no name and counts the rows: it is left out."]


def _with_target(frame: pd.DataFrame, name: str, label: str) -> tuple[pd.DataFrame, list[str]]:
    """Keep the rows whose target is known."""
    known = frame[name].notna()
    n_missing = len(frame) - int(known.sum())
    notes = []
    if n_missing == len(frame):
        raise TableError(f"The target {quoted(name)} of {label} is missing in every row.")
    if n_missing:
        rows = "row without a target was" if n_missing == 1 else "rows without a target were"
        notes.append(f"{n_missing:,} {rows} dropped.")
        frame = frame[known].reset_index(drop=True)
    if len(frame) < 2:
        rest = " with a target" if n_missing else ""
        raise TableError(f"{label} has a single row{rest}; at least 2 are needed.")
    return frame, notes


def _empty_columns(X: pd.DataFrame) -> list[str]:
    names = X.columns[X.isna().all()]
    if not len(names):
        return []
    return [f"All values are missing in {len(names):,} of the columns: {listed(names)}."]


def _misfit(column: pd.Series, name: str, kind: str) -> str:
    """Say which value of a column is not of the kind that is expected."""
    expected = {"number": "numbers", "boolean": "booleans", "date": "dates"}[kind]
    values = column.dropna()
    strays = values
    if kind != "date":
        numbers = require("pandas").to_numeric(values.astype(object), errors="coerce")
        strays = values[numbers.isna()] if numbers.isna().any() else values
    return (
        f"the column {quoted(name)} must hold {expected}, as when the model was fitted, but row "
        f"{strays.index[0] + 1} has {quoted(strays.iloc[0])}"
    )
