"""Dates of a table: their order is decided once, named if unsure, and kept for new rows."""

import warnings

import numpy as np
import pandas as pd
import pytest

from curvewise.automl import TablePreparation, read_rows, read_table
from curvewise.errors import InvalidParameterError, TableError

N_ROWS = 24


def written(folder, days, name="data.csv"):
    frame = pd.DataFrame({"day": days, "size": np.linspace(0, 1, len(days))})
    frame["y"] = ["yes", "no"] * (len(days) // 2)
    path = folder / name
    frame.to_csv(path, index=False)
    return path


def test_the_whole_column_decides_the_order(tmp_path):
    path = written(tmp_path, ["01/02/2023"] * (N_ROWS - 1) + ["29/06/2023"])
    table = read_table(path)

    assert table.kinds["day"] == "date"
    assert table.date_orders == {"day": "day-first"}
    assert table.X["day"].dt.month.tolist() == [2] * (N_ROWS - 1) + [6]
    assert not any("ambiguous" in note for note in table.notes)


def test_what_is_unsure_is_named_with_the_way_to_say_it(tmp_path):
    path = written(tmp_path, ["01/02/2023", "03/04/2023"] * (N_ROWS // 2))
    table = read_table(path)
    other = read_table(path, date_order="day-first")
    (note,) = [note for note in table.notes if "ambiguous" in note]

    assert "'day' is ambiguous" in note
    assert "the date order day-first would read them otherwise" in note
    assert table.X["day"].dt.month[0] == 1
    assert other.X["day"].dt.month[0] == 2
    assert not any("ambiguous" in note for note in other.notes)


def test_an_order_is_none_of_two_words_only():
    with pytest.raises(InvalidParameterError, match="day-first or month-first, got 'dmy'"):
        read_table("sklearn:iris", date_order="dmy")


def test_new_rows_are_read_in_the_order_of_the_table(tmp_path):
    table = read_table(written(tmp_path, ["29/06/2023", "01/02/2023"] * (N_ROWS // 2)))
    # Alone these would be read with the month first.
    new = written(tmp_path, ["03/04/2023", "12/11/2023"], "new.csv")
    rows = read_rows(new, table.kinds, date_orders=table.date_orders)

    assert rows["day"].dt.month.tolist() == [4, 11]


def test_new_rows_that_contradict_the_order_are_refused(tmp_path):
    table = read_table(written(tmp_path, ["29/06/2023", "01/02/2023"] * (N_ROWS // 2)))
    new = written(tmp_path, ["03/04/2023", "06/29/2023"], "new.csv")

    with pytest.raises(TableError, match=r"dates \(day-first\).* row 2 has '06/29/2023'"):
        read_rows(new, table.kinds, date_orders=table.date_orders)


def test_new_rows_of_which_nothing_is_known_warn_if_they_are_unsure(tmp_path):
    new = written(tmp_path, ["03/04/2023", "12/11/2023"], "new.csv")

    with pytest.warns(UserWarning, match="'day' is ambiguous"):
        read_rows(new, {"day": "date"})


def test_iso_dates_are_read_whatever_the_order(tmp_path):
    new = written(tmp_path, ["2023-04-03", "2023-11-12"], "new.csv")
    rows = read_rows(new, {"day": "date"}, date_orders={"day": "day-first"})

    assert rows["day"].dt.month.tolist() == [4, 11]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_numbers_are_dates_for_who_asks(tmp_path, ending):
    frame = pd.DataFrame({"day": [20230101 + i for i in range(N_ROWS)], "y": ["a", "b"] * 12})
    frame["size"] = np.arange(N_ROWS) / 7
    path = tmp_path / f"data.{ending}"
    getattr(frame, f"to_{ending}")(path, index=False)
    plain, asked = (
        read_table(path, keep="day", target="y"),
        read_table(path, dates="day", target="y"),
    )
    rows = read_rows(path, asked.kinds, date_orders=asked.date_orders)

    assert plain.kinds["day"] == "number"
    assert asked.kinds["day"] == "date"
    assert asked.date_orders == {"day": "compact"}
    assert rows["day"].dt.day.tolist() == list(range(1, N_ROWS + 1))


def test_a_column_that_is_asked_for_and_holds_no_dates_is_named(tmp_path):
    path = written(tmp_path, ["2023-01-01"] * N_ROWS)

    with pytest.raises(TableError, match=r"'size' cannot be read as dates: row 1 has '0\.0'"):
        read_table(path, dates=["size"])
    with pytest.raises(TableError, match="no column 'dya' for date; the nearest is 'day'"):
        read_table(path, dates=["dya"])


def test_a_preparation_keeps_the_order_that_it_learnt():
    train = pd.DataFrame({"day": ["29/06/2023", "01/02/2023"], "size": [1.0, 2.0]})
    new = pd.DataFrame({"day": ["03/04/2023", "05/06/2023"], "size": [1.0, 2.0]})
    preparation = TablePreparation().fit(train)
    names = preparation.get_feature_names_out().tolist()

    assert preparation.transform(new)[:, names.index("day_month")].tolist() == [4.0, 6.0]
    assert preparation.report_[0]["action"].endswith("(read day-first)")


def test_a_plan_of_an_earlier_version_has_no_orders():
    train = pd.DataFrame({"day": ["2023-06-29", "2023-02-01"], "size": [1.0, 2.0]})
    preparation = TablePreparation().fit(train)
    expected = preparation.transform(train)
    del preparation.plan_["date_orders"]

    assert (preparation.transform(train) == expected).all()


def test_text_that_is_text_stays_text_in_new_rows(tmp_path):
    new = written(tmp_path, ["03/04/2023", "12/11/2023"], "new.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = read_rows(new, {"day": "text"})

    assert rows["day"].tolist() == ["03/04/2023", "12/11/2023"]
