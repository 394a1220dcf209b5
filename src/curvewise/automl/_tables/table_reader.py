"""Reading a table to learn from: `read_table`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.automl._tables.column_names import listed, quoted
from curvewise.automl._tables.columns import tidy
from curvewise.automl._tables.date_columns import DatesAsked
from curvewise.automl._tables.giveaways import find_giveaways
from curvewise.automl._tables.identifiers import find_identifiers
from curvewise.automl._tables.roles import (
    Roles,
    as_names,
    assign,
    check_names,
    check_roles,
    describe_drop,
)
from curvewise.automl._tables.table import Table
from curvewise.automl._tables.table_source import Found, read_source
from curvewise.automl._tables.target import find_target, settle_task
from curvewise.automl._tables.warning_note import WarningNote
from curvewise.errors import TableError

if TYPE_CHECKING:
    import pandas as pd


def read_table(
    source: str | Path,
    *,
    target: str | int | None = None,
    task: str | None = None,
    drop: str | Iterable[str] = (),
    ids: str | Iterable[str] = (),
    groups: str | None = None,
    time: str | None = None,
    weights: str | None = None,
    keep: str | Iterable[str] | bool = (),
    dates: str | Iterable[str] = (),
    date_order: str | None = None,
    sheet: str | None = None,
    by: str | None = None,
) -> Table:
    r"""Read a table to learn from.

    Parameters
    ----------
    source
        A file (CSV or other delimited text, Excel, ARFF, Parquet or Feather, also compressed), a
        folder of Parquet files, ``sklearn:NAME`` for a data set that comes with scikit-learn, or
        ``openml:ID``.
    target
        The target's name, or its position: 0 is the first column, -1 the last. By default what the
        source declares, else the only column called target, class, label or y, else the last.
    task
        ``"classification"`` or ``"regression"``. By default text, booleans, and few different whole
        numbers (two, or at most 20 with at least 5 rows each) are classes, and all else is
        regression.
    drop
        Names of columns that are left out.
    ids
        Names of columns that identify the rows: no features, but kept beside predictions.
    groups
        The column that says which rows belong together: no feature, and never divided between
        training and test rows.
    time
        The column that says when, in dates or numbers: rows are put into its order, and it is no
        feature unless `keep` names it.
    weights
        The column that says how much each row counts: no feature.
    keep
        Names of columns that are features even if they look like identifiers; True for all.
    dates
        Names of columns that hold dates, even if these are numbers such as 20230629.
    date_order
        ``"day-first"`` or ``"month-first"``, for columns in which both are possible. By default
        what their separators usually mean, and a note.
    sheet
        The sheet of an Excel file; by default the first with anything in it.
    by
        A column by whose levels models are to be scored, also one that is no feature.

    Returns
    -------
    table
        Features, target and task, with notes on what was decided. Columns are typed by their
        values, as those of a frame that `TablePreparation` gets: text that reads as numbers is a
        number, unless leading zeros say that it is a code; text is a date if all of it is written
        in one form (2023-06-29, 29.06.2023, 06/29/2023, 29 Jun 2023, with or without a time), in
        UTC if it has a zone; the words true and false are booleans; any mixture is text. In
        delimited files, which have no missing cells, an empty field, ``?``, ``NA``, ``NaN``,
        ``null`` and their like are missing. Identifiers are left out, and columns that give the
        target away are named in a note.

    Raises
    ------
    TableError
        If the table cannot be read or used: one sentence that says why.
    MissingExtraError
        If pandas, pyarrow or openpyxl is needed and not installed.

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
    roles = Roles(
        drop=as_names(drop),
        ids=as_names(ids),
        groups=groups,
        time=time,
        weights=weights,
        keep=() if isinstance(keep, bool) else as_names(keep),
        keep_all=keep is True,
    )
    asked = DatesAsked(as_names(dates), date_order)
    expected = frozenset({target.strip()} if isinstance(target, str) else ())
    found = read_source(source, expected=expected, sheet=sheet)
    name, notes = _find_target(found, target)
    names = [str(column) for column in found.frame.columns]
    check_roles(roles, names, found.label, target=name)
    check_names("date", asked.columns, names, found.label)
    check_names("by", [] if by is None else [by], names, found.label)
    dropped_but = [column for column in roles.drop if column != by]
    frame, tidied, orders = tidy(found.frame.drop(columns=dropped_but), target=name, dates=asked)
    frame, dropped, numbers = _with_target(frame, name, found.label)
    # Rows may be put into another order, and identifiers often count them as they stood.
    no_feature = [column for column in roles.drop if column == by]
    seen, seeing = _identifiers(frame.drop(columns=[name, *no_feature]), roles)
    named = [*roles.ids, *seen][:1]
    wanted = list(dict.fromkeys([*named, *([] if by is None else [by])]))
    assigned = assign(frame, roles, found.label, beside=wanted)
    settled, y, settling = settle_task(assigned.frame[name], name, found.label, task=task)
    X = assigned.frame.drop(columns=[name, *no_feature, *seen])
    _check_features(X, name, found.label)
    told = find_giveaways(X, y, name, task=settled)
    said = [*describe_drop(roles.drop), *assigned.notes, *seeing]
    left_out = dict.fromkeys(roles.drop, "as was asked for (drop)") | assigned.left_out | seen
    return Table(
        found.name,
        X,
        y,
        name,
        settled,
        [*notes, *settling, *dropped, *said, *tidied, *_empty_columns(X), *told],
        str(source),
        groups=assigned.groups,
        weights=assigned.weights,
        time=roles.time,
        ids=roles.ids,
        left_out=left_out,
        date_orders={one: order for one, order in orders.items() if one in X.columns},
        row_numbers=numbers[assigned.order],
        row_names=assigned.beside[named[0]] if named else None,
        by=None if by is None else assigned.beside[by],
    )


def _find_target(found: Found, target: str | int | None) -> tuple[str, list[str]]:
    """Name the target, and say how it was found besides what was said of the source."""
    frame = found.frame
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
    return name, [*found.notes, *([note] if note else [])]


def _identifiers(X: pd.DataFrame, roles: Roles) -> tuple[dict[str, str], list[str]]:
    """Find what only names rows, unless it is to be kept, has a role, or is all that there is."""
    if roles.keep_all:
        return {}, []
    left = X.drop(columns=[name for role, name in roles.named if role != "drop"])
    found = find_identifiers(left.drop(columns=list(roles.keep), errors="ignore"))
    if not found or len(found) == left.shape[1]:
        return {}, []
    note = f"Left out, because they only name rows (keep uses them): {listed(found)}."
    if len(found) == 1:
        ((name, reason),) = found.items()
        note = f"Column {quoted(name)} is left out as an identifier, by {reason} (keep uses it)."
    why = {name: f"an identifier: {reason}" for name, reason in found.items()}
    return why, [WarningNote(note)]


def _check_features(X: pd.DataFrame, target: str, label: str) -> None:
    if not X.shape[1]:
        raise TableError(f"{label} has no column left to predict the target {quoted(target)} from.")
    if X.isna().all(axis=None):
        raise TableError(
            f"{label} has no value in any column but the target {quoted(target)}: there is "
            f"nothing to predict it from."
        )


def _with_target(
    frame: pd.DataFrame, name: str, label: str
) -> tuple[pd.DataFrame, list[str], np.ndarray[Any, Any]]:
    """Keep the rows whose target is known, and their numbers, the first of which is 1."""
    known = frame[name].notna()
    n_missing = len(frame) - int(known.sum())
    notes: list[str] = []
    if n_missing == len(frame):
        raise TableError(f"The target {quoted(name)} of {label} is missing in every row.")
    if n_missing:
        rows = "row without a target was" if n_missing == 1 else "rows without a target were"
        notes.append(WarningNote(f"{n_missing:,} {rows} dropped."))
        frame = frame[known].reset_index(drop=True)
    if len(frame) < 2:
        rest = " with a target" if n_missing else ""
        raise TableError(f"{label} has a single row{rest}; at least 2 are needed.")
    return frame, notes, np.flatnonzero(known.to_numpy()) + 1


def _empty_columns(X: pd.DataFrame) -> list[str]:
    names = X.columns[X.isna().all()]
    if not len(names):
        return []
    which = f"{len(names):,} of the columns: {listed(names)}"
    return [WarningNote(f"All values are missing in {which}.")]
