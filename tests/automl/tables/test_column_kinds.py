"""A table is typed and prepared the same, whichever way it comes in."""

import datetime
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from curvewise.automl import TablePreparation, read_rows, read_table
from curvewise.automl._components.frames import find_kinds, open_frame

N_ROWS = 40
KINDS = {
    "size": "number",
    "count": "number",
    "price": "number",
    "zip": "text",
    "mixed": "text",
    "city": "text",
    "flag": "boolean",
    "day": "date",
    "moment": "date",
    "stamp": "date",
}


def cells():
    """Draw columns of all kinds, as a text file has them, with gaps in most."""
    rng = np.random.RandomState(0)
    rows = range(N_ROWS)
    offsets = ["Z", "+02:00", "-0530"]
    columns = {
        "size": [None if i % 7 == 3 else float(rng.rand()) for i in rows],
        "count": [int(one) for one in rng.randint(0, 9, N_ROWS)],
        "price": [f"{one:.2f}" for one in rng.rand(N_ROWS)],
        "zip": [f"0{one}" for one in rng.randint(1, 4, N_ROWS)],
        "mixed": [("1", "2.5", "unknown")[one] for one in rng.randint(0, 3, N_ROWS)],
        "city": [None if i % 9 == 4 else ("Rome", "Oslo", "Lima")[i % 3] for i in rows],
        "flag": [None if i % 4 == 0 else i % 4 == 1 for i in rows],
        "day": [None if i % 8 == 5 else f"2024-01-{1 + i % 28:02}" for i in rows],
        "moment": [f"2024-03-{1 + i % 28:02}T{i % 24:02}:30{offsets[i % 3]}" for i in rows],
        "stamp": [f"2024-0{1 + i % 9}-05 {i % 24:02}:00:00" for i in rows],
    }
    y = ["yes" if one > 4 else "no" for one in columns["count"]]
    return columns, y


def written(folder, ending):
    """Write the table into a file."""
    columns, y = cells()
    frame = pd.DataFrame(columns | {"y": y})
    path = folder / f"data.{ending}"
    if ending == "csv":
        frame.to_csv(path, index=False)
    elif ending == "arff":
        numbers = ("size", "count")
        lines = ["@relation r"]
        lines += [f"@attribute {one} {'real' if one in numbers else 'string'}" for one in columns]
        lines += ["@attribute y {no, yes}", "@data"]
        body = frame.to_csv(index=False, header=False, na_rep="?")
        path.write_text("\n".join(lines) + "\n" + body)
    else:
        getattr(frame, f"to_{ending}")(path)
    return path


def frames():
    """Give the table in every form that Python has."""
    columns, _ = cells()
    frame = pd.DataFrame(columns)
    typed = frame.assign(
        price=frame["price"].astype(float),
        flag=frame["flag"].astype("boolean"),
        day=pd.to_datetime(frame["day"]),
        moment=pd.to_datetime(frame["moment"], utc=True).dt.tz_convert("Asia/Tokyo"),
        stamp=pd.to_datetime(frame["stamp"]),
    )
    objects = np.empty((N_ROWS, len(columns)), dtype=object)
    for place, values in enumerate(columns.values()):
        objects[:, place] = values
    return {
        "pandas": frame,
        "pandas objects": frame.astype(object),
        "pandas types": typed,
        "arrow types": typed.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.DataFrame(columns),
        "polars types": pl.from_pandas(typed),
        "objects": objects,
    }


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather", "arff"])
def test_files_have_the_same_kinds(tmp_path, ending):
    path = written(tmp_path, ending)
    table = read_table(path)

    assert table.kinds == KINDS
    pd.testing.assert_frame_equal(read_rows(path, table.kinds), table.X, check_dtype=False)


@pytest.mark.parametrize("form", list(frames()))
def test_frames_have_the_same_kinds(form):
    kinds = find_kinds(open_frame(frames()[form]))

    assert [{"category": "text"}.get(kind, kind) for kind in kinds] == list(KINDS.values())


def test_every_way_in_gives_the_same_matrix_and_the_same_predictions(tmp_path):
    files = {one: read_table(written(tmp_path, one)) for one in ("csv", "parquet", "arff")}
    ways = frames() | {ending: table.X for ending, table in files.items()}
    _, y = cells()
    model = make_pipeline(TablePreparation(), DecisionTreeClassifier(random_state=0))
    model.fit(ways["pandas"], y)
    expected = model[0].transform(ways["pandas"])
    answers = model.predict(ways["pandas"])
    report = json.dumps([{**one, "column": ""} for one in model[0].report_])

    assert all(table.y.tolist() == y for table in files.values())
    for way, X in ways.items():
        own = make_pipeline(TablePreparation(), DecisionTreeClassifier(random_state=0)).fit(X, y)
        assert np.array_equal(own[0].transform(X), expected), way
        assert json.dumps([{**one, "column": ""} for one in own[0].report_]) == report, way
        assert np.array_equal(own.predict(X), answers), way
        if way not in ("objects",):
            assert np.array_equal(model[0].transform(X), expected), way


def test_times_of_the_day_are_seconds_everywhere(tmp_path):
    times = [datetime.time(1), None, datetime.time(0, 0, 30)]
    frame = pd.DataFrame({"time": times, "y": [1.5, 2.5, 3.5]})
    frame.to_parquet(tmp_path / "data.parquet")
    expected = [[3600], [1815], [30]]

    for X in (
        frame[["time"]],
        pl.DataFrame({"time": times}),
        read_table(tmp_path / "data.parquet").X,
    ):
        assert TablePreparation().fit_transform(X).tolist() == expected


def test_text_that_reads_as_numbers_is_a_label_in_the_target(tmp_path):
    path = tmp_path / "data.parquet"
    pd.DataFrame({"a": ["1", "2"] * 5, "y": ["1", "2"] * 5}).to_parquet(path)
    table = read_table(path)

    assert table.kinds == {"a": "number"}
    assert set(table.y) == {"1", "2"}


def test_codes_with_leading_zeros_are_noted(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("zip,y\n01234,p\n20095,q\n04109,p\n")
    table = read_table(path)

    assert table.X["zip"].tolist() == ["01234", "20095", "04109"]
    assert (
        "Column 'zip' is text, because some have leading zeros, as codes do: '01234'."
        in table.notes
    )
