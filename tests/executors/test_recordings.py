import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from curvewise.errors import UnreadableCurvesError
from curvewise.executors import _recorded_file, _recordings
from curvewise.executors._recorded_file import REQUIRED
from curvewise.executors._recordings import read_recordings
from tests.recording import rows, write


def test_rows_become_a_dense_table_per_data_set(tmp_path):
    one, two = read_recordings(write(tmp_path / "curves.parquet", rows()))

    assert (one.dataset, two.dataset) == ("one", "two")
    assert one.anchors == (32, 64, 128, 256, 600)
    assert one.target == 600
    assert one.loss.shape == (6, 5, 6)
    assert one.truth == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert one.seconds[1, -1, 0] == pytest.approx(1.2)
    assert one.n_test == 67


def test_decimal_errors_are_taken_as_they_are(tmp_path):
    path = write(tmp_path / "curves.parquet", rows(), valid_err=[0.25], test_err=[0.5])

    (recording, _) = read_recordings(path)
    assert np.all(recording.loss == 0.25)
    assert np.all(recording.truth == 0.5)


def test_the_number_of_validation_rows_can_be_recorded(tmp_path):
    path = write(tmp_path / "curves.parquet", rows(), n_valid=[123])

    assert read_recordings(path)[0].n_test == 123


def test_losses_on_the_training_rows_can_be_recorded(tmp_path):
    path = write(tmp_path / "curves.parquet", rows(), train_err=[250])

    recording = read_recordings(path)[0].complete(n_folds=5)
    assert recording.train.shape == recording.loss.shape
    assert np.all(recording.train == 0.025)
    assert read_recordings(write(path, rows()))[0].train is None


def test_data_sets_may_be_numbers(tmp_path):
    records = rows(datasets=(11, 3))

    assert [r.dataset for r in read_recordings(write(tmp_path / "c.parquet", records))] == [
        "3",
        "11",
    ]


def test_learners_and_seeds_without_every_anchor_take_no_part(tmp_path):
    records = [
        row
        for row in rows(datasets=("one",))
        if not (row["learner"] == "learner0" and row["anchor"] == 600)
        and not (row["learner"] == "learner1" and row["anchor"] == 64 and row["seed"] == 2)
    ]
    (recording,) = read_recordings(write(tmp_path / "curves.parquet", records))

    complete = recording.complete(n_folds=5)
    assert "learner0" not in complete.learners
    assert "learner1" in complete.learners
    assert complete.n_seeds == 5
    assert not np.isnan(complete.loss).any()
    assert "learner1" not in recording.complete(n_folds=6).learners


def test_a_recording_with_no_two_complete_learners_is_left_out(tmp_path):
    (recording, _) = read_recordings(write(tmp_path / "curves.parquet", rows()))

    assert recording.complete(n_folds=7) is None


@pytest.mark.parametrize("column", REQUIRED)
def test_a_missing_column_is_named(tmp_path, column):
    path = write(tmp_path / "curves.parquet", rows(), **{column: None})

    with pytest.raises(UnreadableCurvesError, match=f"lacks the column {column};"):
        read_recordings(path)


def test_an_empty_file_is_refused(tmp_path):
    path = write(tmp_path / "curves.parquet", rows())
    empty = tmp_path / "empty.parquet"
    parquet.write_table(parquet.read_table(path).slice(0, 0), empty)

    with pytest.raises(UnreadableCurvesError, match="has no rows"):
        read_recordings(empty)


def test_what_is_no_parquet_file_is_refused(tmp_path):
    path = tmp_path / "curves.parquet"
    path.write_text("dataset,learner\n")

    with pytest.raises(UnreadableCurvesError, match="is not a Parquet file"):
        read_recordings(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UnreadableCurvesError, match="There is no file"):
        read_recordings(tmp_path / "nothing.parquet")


def test_text_where_numbers_belong_is_refused(tmp_path):
    path = write(tmp_path / "curves.parquet", rows(), fit_time=["quick"])

    with pytest.raises(UnreadableCurvesError, match=r"fit_time .* must hold numbers"):
        read_recordings(path)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"fit_time": [-1.0]}, "fit_time .* must not be negative"),
        ({"fit_time": [float("inf")]}, "fit_time .* must hold finite numbers"),
        ({"fit_time": [0.0]}, "every fit_time is 0"),
        ({"anchor": [64.5]}, "must be whole numbers"),
        ({"anchor": [0]}, "must be whole numbers of at least 1"),
        ({"seed": [3]}, "two rows for the same anchor and seed"),
    ],
)
def test_impossible_values_are_refused(tmp_path, columns, message):
    path = write(tmp_path / "curves.parquet", rows(), **columns)

    with pytest.raises(UnreadableCurvesError, match=message):
        read_recordings(path)


@pytest.mark.parametrize(
    ("module", "most", "said"),
    [
        (_recorded_file, "MOST_COLUMNS", "recorded curves have at most 3"),
        (_recorded_file, "MOST_ROWS", "rows; recorded curves have at most 3"),
        (_recordings, "MOST_CELLS", "at most 3 evaluations are read"),
    ],
)
def test_more_than_is_read_is_refused(tmp_path, monkeypatch, module, most, said):
    monkeypatch.setattr(module, most, 3)
    path = write(tmp_path / "curves.parquet", rows())

    with pytest.raises(UnreadableCurvesError, match=said):
        read_recordings(path)


@pytest.mark.parametrize("name", ["dataset", "learner", "seed", "valid_err"])
def test_a_column_that_is_there_twice_is_refused(tmp_path, name):
    table = pa.Table.from_pylist(rows())
    path = tmp_path / "curves.parquet"
    parquet.write_table(table.append_column(name, table.column(name)), path)

    with pytest.raises(UnreadableCurvesError, match=f"has the column {name} twice"):
        read_recordings(path)


@pytest.mark.parametrize("name", ["dataset", "learner"])
@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, b"\xff", 0.5], ids=repr)
def test_names_that_are_no_text_are_refused(tmp_path, name, value):
    table = pa.Table.from_pylist([{**row, name: value} for row in rows()])
    path = tmp_path / "curves.parquet"
    parquet.write_table(table, path)

    with pytest.raises(UnreadableCurvesError, match=f"The column {name} of .* must hold text"):
        read_recordings(path)


def test_text_that_is_none_is_refused(tmp_path):
    names = pa.array([b"\xd8\xd8"] * len(rows())).view(pa.string())
    table = pa.Table.from_pylist(rows())
    path = tmp_path / "curves.parquet"
    parquet.write_table(table.set_column(0, "dataset", names), path)

    with pytest.raises(UnreadableCurvesError, match=r"^[^\n]*$"):
        read_recordings(path)


def test_the_name_of_a_data_set_steers_no_terminal_and_fills_no_screen(tmp_path):
    records = [{**row, "seed": 0} for row in rows(datasets=("\x1b[2J" + 5_000 * "x",))]

    with pytest.raises(UnreadableCurvesError, match=r"^Data set \\x1b\[2Jx+\.\.\.: ") as told:
        read_recordings(write(tmp_path / "curves.parquet", records))
    assert len(str(told.value)) < 1_000


def test_missing_values_are_refused(tmp_path):
    records = rows()
    records[3]["valid_err"] = None

    with pytest.raises(UnreadableCurvesError, match=r"valid_err .* has missing values"):
        read_recordings(write(tmp_path / "curves.parquet", records))
