"""A folder of Parquet files is one table."""

import numpy as np
import pandas as pd
import pytest

from curvewise.automl import read_rows, read_table
from curvewise.errors import TableError


def part(n, seed, **more):
    rng = np.random.RandomState(seed)
    frame = pd.DataFrame({"size": rng.rand(n), "kind": rng.choice(["a", "b"], n)} | more)
    frame["y"] = rng.choice(["no", "yes"], n)
    return frame


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "rows"
    path.mkdir()
    part(20, 1).to_parquet(path / "b.parquet")
    part(10, 0).to_parquet(path / "a.parquet")
    return path


def test_files_are_read_in_the_order_of_their_names(folder):
    table = read_table(folder, target="y")
    expected = pd.concat([part(10, 0), part(20, 1)], ignore_index=True)

    assert table.name == "rows"
    assert table.X["size"].tolist() == expected["size"].tolist()
    assert table.notes[0] == "2 Parquet files of the folder 'rows'."


def test_what_is_no_part_of_the_table_is_passed_over(folder):
    (folder / "_SUCCESS").touch()
    (folder / "README.txt").write_text("about")
    (folder / ".hidden.parquet").write_text("nothing")
    (folder / "_temporary").mkdir()
    (folder / "_temporary" / "half.parquet").write_text("nothing")

    assert read_table(folder).n_rows == 30


def test_partitions_are_columns(tmp_path):
    years = pd.concat([part(20, 0, year=2022), part(15, 1, year=2023)])
    years.to_parquet(tmp_path / "data.parquet", partition_cols=["year"], index=False)
    table = read_table(tmp_path / "data.parquet", target="y")
    rows = read_rows(tmp_path / "data.parquet", table.kinds)

    assert table.name == "data"
    assert table.kinds["year"] == "number"
    assert table.X["year"].value_counts().to_dict() == {2022: 20, 2023: 15}
    assert "From the names of its folders: 'year'." in table.notes
    assert rows.shape == (35, 3)


def test_a_column_that_some_files_lack_has_gaps(folder):
    part(5, 2, extra=1.5).to_parquet(folder / "c.parquet")
    table = read_table(folder, target="y")

    assert table.X["extra"].notna().sum() == 5


def test_what_cannot_be_one_table_is_one_sentence(folder, tmp_path):
    part(5, 2).assign(size="large").to_parquet(folder / "c.parquet")
    (tmp_path / "none").mkdir()

    with pytest.raises(TableError, match="'rows' cannot be read as one table: "):
        read_table(folder)
    with pytest.raises(TableError, match="'none' is a directory without Parquet files"):
        read_table(tmp_path / "none")


def test_a_damaged_file_is_one_sentence(folder):
    (folder / "c.parquet").write_bytes(b"PAR1 not at all")

    with pytest.raises(TableError, match="'rows' cannot be read as one table: "):
        read_table(folder)
