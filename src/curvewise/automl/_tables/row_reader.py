"""Reading new rows to predict: those columns that a model was fitted on, read as they were then."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curvewise._packages import require
from curvewise.automl._components.values import as_dates
from curvewise.automl._tables.column_names import listed, quoted, suggestion
from curvewise.automl._tables.columns import as_kind, assemble, tidy
from curvewise.automl._tables.date_columns import DatesAsked
from curvewise.automl._tables.roles import as_names, check_names
from curvewise.automl._tables.table_source import Found, read_source
from curvewise.errors import TableError

if TYPE_CHECKING:
    import pandas as pd


def read_rows(
    source: str | Path,
    columns: Iterable[str] | Mapping[str, str],
    *,
    date_orders: Mapping[str, str] | None = None,
    sheet: str | None = None,
) -> pd.DataFrame:
    r"""Read new rows, with the columns that a model was fitted on, in their order.

    Parameters
    ----------
    source
        As for `read_table`; other columns, as the target, may be there or not.
    columns
        The names of the columns. If they are mapped to kinds (`Table.kinds`), values are read as
        they were in the table of that model: a category ``7`` stays text, and text where numbers
        are expected is an error.
    date_orders
        The orders in which dates of that table were written (`Table.date_orders`), by column: day
        and month are read in these, whatever the new rows look like. None by default: the new rows
        say it, and a warning names what is ambiguous.
    sheet
        The sheet of an Excel file; by default the first with anything in it.

    Raises
    ------
    TableError
        If the source cannot be read, or lacks columns: the message names the nearest ones.
    MissingExtraError
        If pandas, pyarrow or openpyxl is needed and not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "new.csv"
    ...     _ = path.write_text("id,size,day\n1,7,01.02.2023\n2,8,\n")
    ...     kinds = {"day": "date", "size": "text"}
    ...     rows = read_rows(path, kinds, date_orders={"day": "day-first"})
    >>> rows.columns.tolist(), rows["size"].tolist(), rows["day"][0].month
    (['day', 'size'], ['7', '8'], 2)
    """
    return read_new_rows(source, columns, date_orders=date_orders, sheet=sheet).rows


class NewRows(NamedTuple):
    """Rows to predict, and the columns that are to stand beside what is predicted."""

    rows: pd.DataFrame
    ids: pd.DataFrame


def read_new_rows(
    source: str | Path,
    columns: Iterable[str] | Mapping[str, str],
    *,
    date_orders: Mapping[str, str] | None = None,
    sheet: str | None = None,
    drop: Sequence[str] = (),
    ids: Sequence[str] = (),
    usual_ids: Sequence[str] = (),
) -> NewRows:
    """Read new rows, without some columns; `ids` have to be there, `usual_ids` may."""
    kinds = dict(columns) if isinstance(columns, Mapping) else {}
    wanted, ids, drop = list(columns), as_names(ids), as_names(drop)
    verbatim = frozenset(name for name, kind in kinds.items() if kind == "text")
    # What stands beside predictions looks as it does in the file, unless it is read as well.
    shown = frozenset({*ids, *usual_ids} - kinds.keys())
    found = read_source(source, expected=frozenset(wanted), verbatim=verbatim | shown, sheet=sheet)
    names = [str(name) for name in found.frame.columns]
    check_names("drop", drop, names, found.label)
    check_names("id", ids, names, found.label)
    for name in drop:
        if name in wanted or name in ids:
            needs = "the model was fitted on it" if name in wanted else "it is an id"
            raise TableError(f"Column {quoted(name)} of {found.label} cannot be dropped: {needs}.")
    _check_columns(found, wanted, names)
    kept = [name for name in (ids or usual_ids) if name in names]
    beside = found.frame[kept]
    return NewRows(_typed(found, wanted, kinds, verbatim, date_orders or {}), beside)


def _check_columns(found: Found, wanted: list[str], names: list[str]) -> None:
    """Refuse rows that lack columns."""
    there = set(names)
    missing = [name for name in wanted if name not in there]
    if missing:
        what = f"the column{'s' if len(missing) > 1 else ''} {listed(missing)}"
        nearest = suggestion(missing[0], names) if names else "it has no columns"
        of = f" to {quoted(missing[0])}" if len(missing) > 1 and "nearest" in nearest else ""
        raise TableError(f"{found.label} lacks {what}; {nearest}{of}.")


def _typed(
    found: Found,
    wanted: list[str],
    kinds: Mapping[str, str],
    verbatim: frozenset[str],
    orders: Mapping[str, str],
) -> pd.DataFrame:
    """Give columns the kinds that they had in the table of the model."""
    frame, notes, _ = tidy(found.frame[wanted], verbatim=verbatim, dates=DatesAsked(known=orders))
    changed = {}
    for position, name in enumerate(wanted if kinds else ()):
        column = frame.iloc[:, position]
        new = as_kind(column, kinds[name])
        if new is None:
            misfit = _misfit(column, name, kinds[name], orders.get(name, ""))
            raise TableError(f"{found.label}: {misfit}.")
        if new is not column:
            changed[position] = new
    for note in notes:
        if "is ambiguous" in note:
            warnings.warn(note, stacklevel=4)
    return assemble(frame, changed)


def _misfit(column: pd.Series, name: str, kind: str, order: str) -> str:
    """Say which value of a column is not of the kind that is expected."""
    expected = {"number": "numbers", "boolean": "booleans", "date": "dates"}[kind]
    values = column.dropna()
    if kind == "date":
        expected += f" ({order})" if order else ""
        wrong = np.isnat(as_dates(values.tolist(), order))
    else:
        numbers = require("pandas").to_numeric(values.astype(object), errors="coerce")
        wrong = numbers.isna().to_numpy()
    strays = values[wrong] if wrong.any() else values
    return (
        f"the column {quoted(name)} must hold {expected}, as when the model was fitted, but row "
        f"{strays.index[0] + 1} has {quoted(strays.iloc[0])}"
    )
