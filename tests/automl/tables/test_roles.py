"""Columns with a role: what is taken from them, and what cannot be."""

import numpy as np
import pandas as pd
import pytest

from curvewise.automl import read_table
from curvewise.errors import InvalidParameterError, TableError

N_ROWS = 30


@pytest.fixture
def write(tmp_path):
    def write(**columns):
        rng = np.random.RandomState(0)
        frame = pd.DataFrame({"size": rng.rand(N_ROWS), "age": rng.rand(N_ROWS)} | columns)
        frame["y"] = rng.choice(["yes", "no"], N_ROWS)
        frame.to_csv(tmp_path / "data.csv", index=False)
        return tmp_path / "data.csv"

    return write


def test_a_dropped_column_is_no_feature(write):
    table = read_table(write(), drop="age")

    assert table.X.columns.tolist() == ["size"]
    assert table.left_out == {"age": "as was asked for (drop)"}
    assert "Dropped, as was asked for: 'age'." in table.notes


def test_groups_are_given_by_row_and_are_no_feature(write):
    table = read_table(write(who=[f"p{i % 5}" for i in range(N_ROWS)]), groups="who")

    assert table.groups.tolist()[:6] == ["p0", "p1", "p2", "p3", "p4", "p0"]
    assert "who" not in table.X
    assert list(table.fit_params) == ["groups"]


def test_rows_are_put_into_the_order_of_time(write):
    days = [f"{1 + (7 * i) % 28:02}.06.2023" for i in range(N_ROWS)]
    path = write(day=days)
    plain, table = read_table(path), read_table(path, time="day")
    order = np.argsort(plain.X["day"].to_numpy(), kind="stable")

    assert table.X["size"].tolist() == plain.X["size"].iloc[order].tolist()
    assert table.y.tolist() == plain.y.iloc[order].tolist()
    assert table.X.index.tolist() == list(range(N_ROWS))
    assert table.time == "day"
    assert "day" not in table.X


def test_time_is_a_feature_for_who_keeps_it(write):
    table = read_table(write(when=range(N_ROWS, 0, -1)), time="when", keep="when")

    assert table.X["when"].tolist() == list(range(1, N_ROWS + 1))
    assert "when" not in table.left_out


def test_weights_are_numbers_by_row(write):
    table = read_table(write(w=[i % 4 for i in range(N_ROWS)]), weights="w")

    assert table.weights.tolist()[:5] == [0.0, 1.0, 2.0, 3.0, 0.0]
    assert "Rows count by their weights in 'w'; 8 have weight 0." in table.notes
    assert "w" not in table.X


def test_weights_that_are_all_the_same_are_left_out(write):
    table = read_table(write(w=2), weights="w")

    assert table.weights is None
    assert "All weights in 'w' are 2: they change nothing." in table.notes


def test_ids_are_no_features(write):
    table = read_table(write(code=[f"c{i % 3}" for i in range(N_ROWS)]), ids="code")

    assert table.ids == ("code",)
    assert "code" not in table.X
    assert table.left_out["code"] == "identifies the rows (id)"


GAPS = [None, *range(1, N_ROWS)]
TEXT = ["a", "b", "c"] * 10


@pytest.mark.parametrize(
    ("columns", "roles", "sentence"),
    [
        ({}, {"drop": "sise"}, "no column 'sise' for drop; the nearest is 'size'"),
        ({}, {"ids": ["agee"]}, "no column 'agee' for id; the nearest is 'age'"),
        ({}, {"keep": "agee"}, "no column 'agee' for keep"),
        ({}, {"groups": "y"}, "'y' is the target of 'data.csv': it cannot be named for groups"),
        ({}, {"drop": "y"}, "cannot be named for drop"),
        ({}, {"drop": "age", "ids": "age"}, "'age' of 'data.csv' is named for drop and for id"),
        ({}, {"drop": "age", "keep": "age"}, "named for drop and for keep"),
        ({}, {"drop": ["size", "age"]}, "no column left to predict the target 'y' from"),
        ({"w": GAPS}, {"weights": "w"}, "'w' of 'data.csv' has no value in 1 row, and weights"),
        ({"w": GAPS}, {"time": "w"}, "no value in 1 row, and time needs one in each"),
        ({"w": GAPS}, {"groups": "w"}, "no value in 1 row, and groups"),
        ({"w": range(-1, 29)}, {"weights": "w"}, "weights below 0, such as '-1.0' in row 1"),
        ({"w": 0}, {"weights": "w"}, "no weight above 0"),
        ({"w": TEXT}, {"weights": "w"}, "holds no numbers, as weights needs: 'a'"),
        ({"w": TEXT}, {"time": "w"}, "holds neither dates nor numbers, as time needs: 'a'"),
        ({"w": "x"}, {"groups": "w"}, "one group only"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_is_one_sentence(write, columns, roles, sentence):
    with pytest.raises(TableError) as raised:
        read_table(write(**columns), **roles)

    assert sentence in str(raised.value)
    assert str(raised.value).endswith(".")


def test_groups_and_time_contradict_each_other(write):
    with pytest.raises(InvalidParameterError, match="groups and time cannot both be given"):
        read_table(write(), groups="age", time="size")


def test_rows_without_a_target_take_their_roles_with_them(tmp_path):
    rows = "".join(f"{i},{i % 3},{'' if i == 2 else i % 2}\n" for i in range(20))
    (tmp_path / "data.csv").write_text("w,g,y\n" + rows)
    table = read_table(tmp_path / "data.csv", weights="w", target="y")

    assert table.weights.tolist() == [float(i) for i in range(20) if i != 2]
    assert len(table.X) == len(table.y) == 19
