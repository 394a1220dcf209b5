"""Dates as numbers: what the calendar and the clock say, and the days since 1970.

The last lets a model see time go by; the others let it see what comes again.
"""

from __future__ import annotations

import numpy as np

PARTS = ("year", "month", "day", "weekday", "hour", "days")


def date_parts(dates: np.ndarray) -> np.ndarray:
    """Give a column for each part of a date; missing dates have missing parts.

    Examples
    --------
    >>> date_parts(np.array(["2024-02-29T12:00"], dtype="datetime64[us]")).tolist()
    [[2024.0, 2.0, 29.0, 3.0, 12.0, 19782.5]]
    """
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
