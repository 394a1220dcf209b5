"""The kinds of a table's columns, and their values as that kind.

A file, a pandas or polars frame and an array of objects that hold the same are typed the same,
because all of them are typed here: by `curvewise.automl.read_table` when a file is read, and by
`curvewise.automl.TablePreparation` when a frame is handed over. A type that says enough decides;
of objects and text the values do (`values.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curvewise.automl._components.frames import Frame
from curvewise.automl._components.values import as_dates, as_numbers, kind_of_values

ONE_BLOCK = {"number", "boolean"}
# What the calendar and the clock say comes again; the days since 1970 let a model see time go by.
PARTS = ("year", "month", "day", "weekday", "hour", "days")


def find_kinds(frame: Frame) -> list[str]:
    """Say of each column: ``number``, ``boolean``, ``duration``, ``date`` or ``category``."""
    return [
        kind_of_values(frame.values(column)[1]) if kind == "object" else kind
        for column, kind in enumerate(frame.kinds)
    ]


def read_numbers(frame: Frame, columns: Sequence[int]) -> np.ndarray:
    """Read columns as numbers, whatever they are now; what is none is missing."""
    kinds = [frame.kinds[column] for column in columns]
    if all(kind in ONE_BLOCK for kind in kinds):
        return frame.block(columns)
    numbers = np.empty((frame.n_rows, len(columns)))
    block = [place for place, kind in enumerate(kinds) if kind in ONE_BLOCK]
    if block:
        numbers[:, block] = frame.block([columns[place] for place in block])
    for place, kind in enumerate(kinds):
        if kind == "duration":
            numbers[:, place] = frame.durations(columns[place])
        elif kind not in ONE_BLOCK:
            codes, values = frame.values(columns[place])
            numbers[:, place] = np.append(as_numbers(values), np.nan)[codes]
    return numbers


def read_dates(frame: Frame, column: int) -> np.ndarray:
    """Read a column as dates in UTC; what is none is missing."""
    if frame.kinds[column] == "date":
        return frame.dates(column)
    codes, values = frame.values(column)
    return np.append(as_dates(values), np.datetime64("NaT"))[codes]


def read_date_parts(frame: Frame, column: int) -> np.ndarray:
    """Read a column as dates, and give a column for each part; missing dates have missing parts."""
    dates = read_dates(frame, column)
    missing = np.isnat(dates)
    known = np.where(missing, np.datetime64(0, "us"), dates)
    days = known.astype("datetime64[D]")
    months = known.astype("datetime64[M]")
    years = known.astype("datetime64[Y]")
    parts = np.column_stack(
        [
            years.astype(int) + 1970,
            months.astype(int) % 12 + 1,
            (days - months).astype(int) + 1,
            (days.astype(int) + 3) % 7,  # 1970 began on a Thursday.
            (known - days) / np.timedelta64(1, "h"),
            known.astype(int) / 86_400e6,
        ]
    ).astype(float)
    parts[missing] = np.nan
    return parts
