"""Dates as people write them: 29.06.2023, 06/29/2023 2:05 PM, 29 Jun 2023.

A column is a date if all of its values are written in one *form*. Forms, besides ISO's, which
`values.py` knows:

==================  ===============================================================================
``numbers``         two numbers and a year, between points, slashes or hyphens: 29.06.2023
``year first``      2023/06/29, 2023.06.29
``name``            the month as an English word: 29 Jun 2023, 29-June-2023, Jun 29, 2023
==================  ===============================================================================

Behind a date there may be the time of the day, with a zone or with AM and PM. Rules:

1. Which of two numbers is the day, the whole column says: a number above 12 is no month. This is
   the column's *order*. It is part of what is learnt, and new rows are read by it, so that other
   days never turn it round.
2. Where both are possible, points and hyphens mean that the day comes first, slashes the month,
   unless somebody says otherwise; that is *ambiguous*, and whoever reads the column says so.
3. A year of two digits is behind slashes or a month's name only, and lies between 1969 and 2068. It
   might be the day as well: also ambiguous.
4. 20230629 is a number. Who wants a date says so (`as_compact`).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from typing import NamedTuple

DAY_FIRST, MONTH_FIRST, COMPACT = "day-first", "month-first", "compact"
ORDERS = (DAY_FIRST, MONTH_FIRST)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? +)?"
_TIME = (
    r"(?:(?:,? +|T)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<part>\d{1,9}))?)?"
    r"(?: ?(?P<half>[ap])\.?m\.?)?(?: ?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d))?)?"
)
_FLAGS = re.ASCII | re.IGNORECASE
_FORMS = {
    "numbers": re.compile(
        r"(?P<a>\d{1,2})(?P<sign>[./-])(?P<b>\d{1,2})(?P=sign)(?P<year>\d{4}|(?<=/)\d\d)" + _TIME,
        _FLAGS,
    ),
    "year first": re.compile(
        r"(?P<year>\d{4})(?P<sign>[./])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})" + _TIME, _FLAGS
    ),
    "day, name": re.compile(
        rf"{_WEEKDAY}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.?[ -](?P<name>{_NAMES})\.?,?[ -]"
        r"(?P<year>\d{4}|\d\d)" + _TIME,
        _FLAGS,
    ),
    "name, day": re.compile(
        rf"{_WEEKDAY}(?P<name>{_NAMES})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})"
        + _TIME,
        _FLAGS,
    ),
}
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:\.0)?", re.ASCII)
_FIRST_OF_TWO_DIGITS = 69


class Writing(NamedTuple):
    """How a column of dates is written: its order, "" if there is only one, and what is unsure."""

    order: str = ""
    unsure: str = ""


def find_writing(values: Sequence[str], *, order: str | None = None) -> Writing | None:
    """Say how dates are written, in an order that is preferred; None if not all are dates."""
    if not values:
        return None
    first = values[0].strip()
    pattern = next((one for one in _FORMS.values() if one.fullmatch(first)), None)
    if pattern is None:
        return None
    found = [pattern.fullmatch(value.strip()) for value in values]
    matches = [one for one in found if one is not None]
    if len(matches) < len(found) or len({one.groupdict().get("sign") for one in matches}) > 1:
        return None
    unsure = "years of two digits" if any(len(one["year"]) == 2 for one in matches) else ""
    if pattern is not _FORMS["numbers"]:
        return None if any(_moment(one, "") is None for one in matches) else Writing("", unsure)
    usual = MONTH_FIRST if matches[0]["sign"] == "/" else DAY_FIRST
    orders = sorted(ORDERS, key=lambda one: one != (order or usual))
    possible = [one for one in orders if all(_moment(match, one) for match in matches)]
    if not possible:
        return None
    if len(possible) > 1 and order is None and _differ(matches):
        unsure = "day or month first"
    return Writing(possible[0], unsure)


def read_date(text: str, order: str = "") -> datetime.datetime | None:
    """Read a date that is written in any form, numbers in their order; None if it is none."""
    text = text.strip()
    if order == COMPACT:
        return as_compact(text)
    for pattern in _FORMS.values():
        match = pattern.fullmatch(text)
        if match is not None:
            return _moment(match, order)
    return None


def as_compact(value: object) -> datetime.datetime | None:
    """Read a date without any sign between its numbers, such as 20230629."""
    match = _COMPACT.fullmatch(str(value).strip())
    if match is None:
        return None
    year, month, day = map(int, match.groups())
    return _made(year, month, day)


def _differ(matches: Sequence[re.Match[str]]) -> bool:
    """Whether the two orders give different dates anywhere."""
    return any(int(one["a"]) != int(one["b"]) for one in matches)


def _moment(match: re.Match[str], order: str) -> datetime.datetime | None:
    """Give the moment that a match says; None if the calendar or the clock has none such."""
    said = match.groupdict()
    year = int(said["year"])
    if len(said["year"]) == 2:
        year += 1900 if year >= _FIRST_OF_TWO_DIGITS else 2000
    if "a" in said:
        if order not in ORDERS:
            return None
        numbers = (int(said["a"]), int(said["b"]))
        day, month = numbers if order == DAY_FIRST else numbers[::-1]
    else:
        day = int(said["day"])
        name = said.get("name")
        month = _MONTHS.index(name[:3].lower()) + 1 if name else int(said["month"])
    if said["hour"] is None:
        return _made(year, month, day)
    hour, half = int(said["hour"]), (said["half"] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    hour = hour % 12 + 12 * (half == "p") if half else hour
    part = int((said["part"] or "0").ljust(6, "0")[:6])
    made = _made(year, month, day, hour, int(said["minute"]), int(said["second"] or 0), part)
    return None if made is None else _in_utc(made, said["zone"])


def _made(*numbers: int) -> datetime.datetime | None:
    try:
        return datetime.datetime(*numbers)  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None


def _in_utc(moment: datetime.datetime, zone: str | None) -> datetime.datetime | None:
    """Take a moment of a zone to UTC; one without a zone stays as it is."""
    if zone is None or zone.upper() in ("Z", "UTC", "GMT"):
        return moment
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    try:
        return moment - datetime.timedelta(minutes=minutes if zone[0] == "+" else -minutes)
    except OverflowError:
        return None
