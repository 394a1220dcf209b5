import datetime

import numpy as np
import pytest

from curvewise.automl._components.values import as_dates, as_numbers, as_text, kind_of_values


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2.5], "number"),
        (["1", "2.5"], "number"),
        (["01", "02"], "category"),
        ([1, "a"], "category"),
        (["2024-02-29", "2024-03-01 12:30"], "date"),
        (["2024-02-30"], "category"),
        ([], "category"),
    ],
)
def test_values_say_what_they_are(values, kind):
    assert kind_of_values(values) == kind


def test_whatever_can_be_a_number_is_read_as_one():
    numbers = as_numbers(["1.5", True, "many", datetime.time(0, 1)])

    assert np.array_equal(numbers, [1.5, 1.0, np.nan, 60.0], equal_nan=True)


def test_dates_are_read_in_utc_and_those_that_do_not_exist_are_missing():
    dates = as_dates(["2024-02-29", "2024-02-30", "2024-01-31T01:00+02:00"])

    assert np.isnat(dates).tolist() == [False, True, False]
    assert dates[[0, 2]].astype(str).tolist() == [
        "2024-02-29T00:00:00.000000",
        "2024-01-30T23:00:00.000000",
    ]


@pytest.mark.parametrize("value", [3.0, 3, "3", np.float32(3)])
def test_a_whole_number_reads_the_same_whatever_its_type(value):
    assert as_text(value) == "3"


def test_a_moment_reads_as_iso_has_it():
    moment = datetime.datetime(2024, 1, 31, tzinfo=datetime.UTC)

    assert as_text(moment) == "2024-01-31T00:00:00+00:00"
