"""Which columns of a table are dates, and in which order their days and months are written.

The values say it (`curvewise.automl._components.written_dates`), but for three things that a user
or a saved model may say: that a column holds dates, also if it is numbers such as 20230629; which
order is meant where both are possible; and the order that a column had when a model was fitted,
which new rows are read in whatever they look like.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

import numpy as np

from curvewise.automl._components.frames import Frame
from curvewise.automl._components.values import as_dates
from curvewise.automl._components.written_dates import COMPACT, MONTH_FIRST, ORDERS, find_writing
from curvewise.automl._tables.column_names import quoted
from curvewise.automl._tables.warning_note import first_warnings
from curvewise.errors import InvalidParameterError, TableError


@dataclass(frozen=True, slots=True)
class DatesAsked:
    """What is said about dates: columns that are some, the order meant, and orders that are known.

    Columns of `known` that cannot be read in their order are text.
    """

    columns: tuple[str, ...] = ()
    order: str | None = None
    known: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.order is not None and self.order not in ORDERS:
            raise InvalidParameterError(
                f"The order of dates must be {' or '.join(ORDERS)}, got {self.order!r}."
            )


NO_DATES = DatesAsked()


def find_orders(
    asked: Frame, kinds: list[str], dates: DatesAsked, *, verbatim: Container[str] = ()
) -> tuple[dict[int, str], list[str]]:
    """Find the order of each column of written dates; make dates of the kinds of those asked for.

    Gives also what there is to say: where an order might as well be the other one.
    """
    orders: dict[int, str] = {}
    notes: list[str] = []
    for i, name in enumerate(asked.names or []):
        if name in dates.known and asked.kinds[i] != "date":
            order = dates.known[name]
            fits = not np.isnat(as_dates(asked.values(i)[1], order)).any()
            kinds[i] = "date" if fits else "category"
            orders |= {i: order} if fits else {}
        elif name in dates.columns and kinds[i] != "date":
            kinds[i], orders[i] = "date", _compact(asked, i, name)
        elif kinds[i] == "date" and asked.kinds[i] == "object" and name not in verbatim:
            texts = [one for one in asked.values(i)[1] if isinstance(one, str)]
            writing = find_writing(texts, order=dates.order)
            if writing is not None:
                orders[i] = writing.order
                notes += _note(name, writing.order, writing.unsure, texts[0])
    return orders, first_warnings(notes, "So are {} more dates")


def _note(name: str, order: str, unsure: str, example: str) -> list[str]:
    if not unsure:
        return []
    other = next(one for one in ORDERS if one != order) if order else ""
    first = "the month" if order == MONTH_FIRST else "the day"
    if unsure == "day or month first":
        return [
            f"Column {quoted(name)} is ambiguous: in dates such as {quoted(example)} {first} is "
            f"read first; the date order {other} would read them otherwise."
        ]
    return [
        f"Column {quoted(name)} is ambiguous: in dates such as {quoted(example)} the year is read "
        f"last, as one from 1969 to 2068{f', and {first} first' if order else ''}."
    ]


def _compact(asked: Frame, column: int, name: str) -> str:
    """Check that a column, which is asked for as dates, holds some without signs between."""
    codes, values = asked.values(column)
    wrong = np.flatnonzero(np.isnat(as_dates(values, COMPACT)))
    if len(wrong):
        row = int(np.flatnonzero(np.isin(codes, wrong))[0])
        raise TableError(
            f"Column {quoted(name)} cannot be read as dates: row {row + 1} has "
            f"{quoted(values[codes[row]])}; known are forms such as 2023-06-29, 29.06.2023, "
            "06/29/2023, 29 Jun 2023 and 20230629, one for the whole column."
        )
    return COMPACT
