"""Dates as people write them are read back, or what is unsure of them is named."""

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.automl._components.values import as_dates, kind_of_values, order_of
from curvewise.automl._components.written_dates import (
    COMPACT,
    DAY_FIRST,
    MONTH_FIRST,
    find_writing,
    read_date,
)

FORMATS = {
    "%Y-%m-%d": "",
    "%Y-%m-%d %H:%M": "",
    "%Y-%m-%dT%H:%M:%S": "",
    "%d.%m.%Y": DAY_FIRST,
    "%d.%m.%Y %H:%M": DAY_FIRST,
    "%d/%m/%Y": DAY_FIRST,
    "%d-%m-%Y": DAY_FIRST,
    "%m/%d/%Y": MONTH_FIRST,
    "%m/%d/%Y %I:%M:%S %p": MONTH_FIRST,
    "%m.%d.%Y": MONTH_FIRST,
    "%m-%d-%Y %H:%M:%S": MONTH_FIRST,
    "%m/%d/%y": MONTH_FIRST,
    "%d/%m/%y": DAY_FIRST,
    "%y/%m/%d": "",
    "%Y/%m/%d": "",
    "%Y.%m.%d %H:%M": "",
    "%d %b %Y": "",
    "%d-%b-%Y": "",
    "%d-%b-%y": "",
    "%d. %B %Y": "",
    "%B %d, %Y": "",
    "%b %d %Y, %H:%M": "",
    "%a, %d %b %Y %H:%M:%S": "",
}
MOMENTS = st.lists(
    st.integers(0, 3_092_601_599).map(
        lambda seconds: datetime.datetime.fromtimestamp(seconds, datetime.UTC).replace(tzinfo=None)
    ),
    min_size=1,
    max_size=20,
)


def precise(moment, form):
    """What a format says of a moment."""
    if "%S" in form:
        return moment
    if "%M" in form:
        return moment.replace(second=0)
    return moment.replace(hour=0, minute=0, second=0)


@given(MOMENTS, st.sampled_from(list(FORMATS)))
def test_a_column_in_one_format_is_read_back_or_named_as_ambiguous(moments, form):
    written = [moment.strftime(form) for moment in moments]
    expected = np.array([precise(moment, form) for moment in moments], dtype="datetime64[us]")
    writing = find_writing(written)

    # The year comes last, if it has two digits; what cannot be read so stays text.
    assert kind_of_values(written) == "date" or form == "%y/%m/%d"
    if not (writing and writing.unsure) and kind_of_values(written) == "date":
        assert (as_dates(written, order_of(written)) == expected).all()


@given(MOMENTS, st.sampled_from([one for one, order in FORMATS.items() if order]))
def test_who_says_the_order_is_read_in_it(moments, form):
    written = [moment.strftime(form) for moment in moments]
    expected = np.array([precise(moment, form) for moment in moments], dtype="datetime64[us]")
    order = find_writing(written, order=FORMATS[form]).order

    assert order == FORMATS[form]
    assert (as_dates(written, order) == expected).all()


@given(MOMENTS, MOMENTS, st.sampled_from([one for one, order in FORMATS.items() if order]))
def test_an_order_that_was_learnt_reads_other_days_as_they_were_written(first, later, form):
    order = find_writing([one.strftime(form) for one in first], order=FORMATS[form]).order
    expected = np.array([precise(moment, form) for moment in later], dtype="datetime64[us]")

    assert (as_dates([one.strftime(form) for one in later], order) == expected).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("29.06.2023", "2023-06-29"),
        ("06/29/2023", "2023-06-29"),
        ("2023-06-29 14:05", "2023-06-29T14:05"),
        ("29 Jun 2023", "2023-06-29"),
        ("29th June 2023", "2023-06-29"),
        ("Jun. 29, 2023", "2023-06-29"),
        ("6/29/23 2:05 PM", "2023-06-29T14:05"),
        ("6/29/23 12:05 am", "2023-06-29T00:05"),
        ("Thu, 29 Jun 2023 10:00:00 +0200", "2023-06-29T08:00"),
        ("29.06.2023 10:00:00.25", "2023-06-29T10:00:00.25"),
        ("01-JAN-69", "1969-01-01"),
        ("01-JAN-68", "2068-01-01"),
    ],
)
def test_forms_that_people_use(text, expected):
    assert kind_of_values([text]) == "date"
    assert as_dates([text], order_of([text]))[0] == np.datetime64(expected)


@pytest.mark.parametrize(
    "values",
    [
        ["20230629"],
        ["1.2.3"],
        ["10.11.12"],
        ["192.168.1.1"],
        ["31.02.2023"],
        ["13/13/2023"],
        ["29.06.2023", "06/29/2023"],
        ["29.06.2023", "2023-06-29"],
        ["29.06.2023", "unknown"],
        ["29 Jun 2023", "Jun 29, 2023"],
        ["29.06.2023 25:00"],
        ["1/2/2023 13:00 PM"],
        ["may"],
        ["٢٩.٠٦.٢٠٢٣"],
        [],
    ],
    ids=str,
)
def test_what_is_no_column_of_dates(values):
    assert find_writing(values) is None
    assert kind_of_values(values) != "date"


def test_both_orders_are_possible_and_separators_say_which_is_usual():
    for text, order in (("01/02/2023", MONTH_FIRST), ("01.02.2023", DAY_FIRST)):
        writing = find_writing([text])

        assert writing.order == order
        assert writing.unsure == "day or month first"


def test_one_day_above_twelve_settles_the_whole_column():
    assert find_writing(["01/02/2023", "13/02/2023"]) == (DAY_FIRST, "")
    assert find_writing(["01.02.2023", "02.13.2023"]) == (MONTH_FIRST, "")


def test_dates_that_read_the_same_in_both_orders_are_sure():
    assert find_writing(["02/02/2023", "03/03/2023"]).unsure == ""


def test_a_year_of_two_digits_is_unsure():
    assert find_writing(["06/29/23"]).unsure == "years of two digits"


def test_only_who_asks_for_it_gets_a_date_without_signs():
    assert read_date("20230629") is None
    assert read_date("20230629", COMPACT).isoformat() == "2023-06-29T00:00:00"
    assert np.isnat(as_dates([20231329], COMPACT)[0])
    assert as_dates([20230629, 20230630.0, "20230701"], COMPACT).astype(str).tolist() == [
        "2023-06-29T00:00:00.000000",
        "2023-06-30T00:00:00.000000",
        "2023-07-01T00:00:00.000000",
    ]
