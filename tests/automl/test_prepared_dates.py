"""What becomes of dates, times and durations of a table."""

import datetime

import pandas as pd
import polars as pl
import pytest

from curvewise.automl._table_preparation import TablePreparation
from tests.automl.test_table_preparation import prepared


@pytest.mark.parametrize(
    "values",
    [
        pd.to_datetime(["2024-02-29 06:00", "2023-12-31 18:00", None]),
        pd.to_datetime(["2024-02-29 06:00", "2023-12-31 18:00", None])
        .tz_localize("UTC")
        .tz_convert("Asia/Tokyo"),
        ["2024-02-29 06:00", "2023-12-31T18:00:00", None],
        pd.Series(
            [pd.Timestamp("2024-02-29 06:00"), pd.Timestamp("2023-12-31 18:00"), None],
            dtype=object,
        ),
    ],
    ids=["naive", "zone", "text", "objects"],
)
def test_dates_become_what_calendar_and_clock_say(values):
    columns, report = prepared(values)

    assert columns["column_year"] == [2024, 2023, 2023.5]
    assert columns["column_month"] == [2, 12, 7]
    assert columns["column_day"] == [29, 31, 30]
    assert columns["column_weekday"] == [3, 6, 4.5]
    assert columns["column_hour"] == [6, 18, 12]
    assert columns["column_days"][0] == 19782.25
    assert report["kind"] == "date"


def test_parts_of_a_date_that_are_all_the_same_are_dropped():
    columns, _ = prepared(pd.to_datetime(["2024-02-01", "2024-02-02"]))

    assert list(columns) == ["column_day", "column_weekday", "column_days"]


def test_dates_before_1970_are_dates_too():
    columns, _ = prepared(pd.to_datetime(["1969-12-31 23:00", "1900-03-01 00:00"]))

    assert columns["column_year"] == [1969, 1900]
    assert columns["column_day"] == [31, 1]
    assert columns["column_hour"] == [23, 0]
    assert columns["column_weekday"] == [2, 3]


def test_durations_become_seconds():
    columns, report = prepared(pd.to_timedelta(["1h", None, "30s"]))

    assert columns == {"column": [3600, 1815, 30]}
    assert report["kind"] == "duration"


def test_months_are_dates():
    assert prepared(pd.period_range("2023-12", periods=2, freq="M"))[0]["column_month"] == [12, 1]


def test_polars_times_and_zones_are_read():
    frame = pl.DataFrame(
        {
            "time": [datetime.time(1), datetime.time(0, 0, 30)],
            "span": [datetime.timedelta(hours=1), None],
            "when": [pd.Timestamp("2024-05-01 09:00"), pd.Timestamp("2024-05-01 10:00")],
            "flag": [True, None],
            "kind": pl.Series(["a", "b"], dtype=pl.Categorical),
        }
    ).with_columns(pl.col("when").dt.replace_time_zone("Europe/Rome"))
    preparation = TablePreparation()
    result = preparation.fit_transform(frame)

    assert preparation.get_feature_names_out().tolist() == [
        "time",
        "when_hour",
        "when_days",
        "kind_b",
    ]
    # Nine in Rome is seven in UTC.
    assert result[:, :2].tolist() == [[3600, 7], [30, 8]]
