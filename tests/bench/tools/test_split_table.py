import numpy as np
import pandas as pd
import pytest

from curvewise._bench.tools.split_table import find_tables, load_table, split_table
from curvewise.errors import InvalidParameterError
from tests.bench.tools.samples import write_classes, write_numbers


def test_a_quarter_is_set_aside_of_each_class(tmp_path):
    split = split_table(load_table(str(write_classes(tmp_path))), 0)

    assert (len(split.y_train), len(split.y_test)) == (30, 10)
    assert sorted(np.unique(split.y_test, return_counts=True)[1]) in ([2, 8], [3, 7])
    assert set(split.y_test) == {"class-0", "class-1"}


def test_the_same_split_is_the_same_for_every_tool_and_others_differ(tmp_path):
    table = load_table(str(write_numbers(tmp_path)))
    first, again, other, reseeded = (
        split_table(table, i, seed=seed) for i, seed in ((0, 0), (0, 0), (1, 0), (0, 1))
    )

    assert np.array_equal(first.y_test, again.y_test)
    assert not np.array_equal(first.y_test, other.y_test)
    assert not np.array_equal(first.y_test, reseeded.y_test)


def test_training_and_test_rows_are_all_rows_and_none_twice(tmp_path):
    table = load_table(str(write_numbers(tmp_path)))
    split = split_table(table, 3)

    assert sorted([*split.y_train, *split.y_test]) == sorted(table.y)


def test_a_class_with_a_single_row_stays_in_training(tmp_path):
    path = write_classes(tmp_path)
    path.write_text(path.read_text() + "1,a,rare\n")
    for number in range(5):
        split = split_table(load_table(str(path)), number)

        assert set(split.y_train) == {"class-0", "class-1", "class-2"}
        assert "class-1" not in split.y_test or (split.y_train == "class-1").any()


def test_what_a_tool_sees_of_the_test_rows_has_no_target(tmp_path):
    split = split_table(load_table(str(write_classes(tmp_path))), 0)
    split.write(tmp_path / "train.parquet", tmp_path / "test.parquet")
    train, test = (pd.read_parquet(tmp_path / f"{part}.parquet") for part in ("train", "test"))

    assert list(train.columns) == ["size", "kind", "target"]
    assert list(test.columns) == ["size", "kind"]
    assert train["target"].tolist() == split.y_train.tolist()


def test_categories_gaps_dates_and_booleans_survive_the_file(tmp_path):
    frame = pd.DataFrame(
        {
            "category": pd.Categorical(["a", "b", None, "a"] * 10),
            "number": [1.5, None, 2.5, 3.5] * 10,
            "flag": pd.array([True, False, None, True] * 10, dtype="boolean"),
            "day": pd.date_range("2020-01-01", periods=40),
            "target": np.linspace(0, 1, 40),
        }
    )
    frame.to_parquet(tmp_path / "mixed.parquet")
    split = split_table(load_table(str(tmp_path / "mixed.parquet")), 0)
    split.write(tmp_path / "train.parquet", tmp_path / "test.parquet")
    train = pd.read_parquet(tmp_path / "train.parquet")

    assert train["category"].dtype.name == "category"
    assert train["flag"].dtype == float
    assert train["day"].dtype.kind == "M"
    assert 0 < train["number"].isna().sum() < len(train)


def test_a_float_target_of_a_parquet_file_is_a_number_however_few_values_it_has(tmp_path):
    for kind, task in (float, "regression"), (int, "classification"):
        frame = pd.DataFrame({"x": range(40), "target": np.arange(40) % 4}).astype({"target": kind})
        frame.to_parquet(tmp_path / "few.parquet")

        assert load_table(str(tmp_path / "few.parquet")).task == task


def test_too_few_rows_for_the_classes_are_said(tmp_path):
    path = tmp_path / "many.csv"
    path.write_text("x,target\n" + "".join(f"{i},{'abcdef'[i % 6]}\n" for i in range(12)))

    with pytest.raises(InvalidParameterError, match="four rows per class"):
        split_table(load_table(str(path)), 0)


def test_files_folders_and_bundled_tables_are_found_by_name(tmp_path):
    path = write_classes(tmp_path)
    (tmp_path / "folder").mkdir()
    pd.DataFrame({"x": [1], "target": [1.0]}).to_parquet(tmp_path / "folder" / "one.parquet")

    found = find_tables([str(path), str(tmp_path / "folder"), "sklearn:iris", "openml:61"])

    assert list(found) == ["classes", "one", "iris", "openml-61"]
    assert list(find_tables([str(path), "sklearn:iris"], only=["ir"])) == ["iris"]


def test_what_is_no_table_is_said(tmp_path):
    path = write_classes(tmp_path)
    for sources, only, sentence in (
        (["none.csv"], [], "no table 'none.csv'"),
        ([str(tmp_path)], [], "no Parquet file"),
        ([str(path)], ["other"], "No table has other"),
    ):
        with pytest.raises(InvalidParameterError, match=sentence):
            find_tables(sources, only=only)


def test_two_tables_of_one_name_are_refused(tmp_path):
    (tmp_path / "other").mkdir()
    paths = [str(write_classes(tmp_path)), str(write_classes(tmp_path / "other"))]

    with pytest.raises(InvalidParameterError, match="Two tables are called 'classes'"):
        find_tables(paths)
