"""What names rows is left out; what only looks a little like it is not."""

import uuid

import numpy as np
import pandas as pd
import pytest

from curvewise.automl import read_rows, read_table
from curvewise.automl._tables.identifiers import find_identifiers

N_ROWS = 40
RNG = np.random.RandomState(0)
WORDS = ["old", "red", "small", "house", "near", "the", "river", "with", "a", "garden"]
IDENTIFIERS = {
    "uuid": [str(uuid.UUID(int=int(one))) for one in RNG.permutation(10**6)[:N_ROWS]],
    "order": [f"A-{one:06}" for one in RNG.permutation(10**6)[:N_ROWS]],
    "who": [f"First{i} Last{i}" for i in range(N_ROWS)],
    "zip": [f"0{one}" for one in RNG.permutation(10**6)[:N_ROWS]],
    "n": list(range(N_ROWS)),
    "from 1001": list(range(1001, 1001 + N_ROWS)),
    "down": list(range(N_ROWS, 0, -1)),
    "with holes": [i + i // 9 for i in range(N_ROWS)],
    "as floats": [float(i) for i in range(N_ROWS)],
    "customerId": RNG.permutation(10**6)[:N_ROWS].tolist(),
    "ID": RNG.permutation(10**6)[:N_ROWS].tolist(),
    "row_index": RNG.permutation(N_ROWS).tolist(),
}
OTHERS = {
    "text": [" ".join(RNG.permutation(WORDS)[:5]) for _ in range(N_ROWS)],
    "size": RNG.rand(N_ROWS).tolist(),
    "sorted": sorted(RNG.rand(N_ROWS).tolist()),
    "population": sorted(RNG.permutation(10**6)[:N_ROWS].tolist()),
    "amount": RNG.permutation(10**6)[:N_ROWS].tolist(),
    "year": list(range(1980, 1980 + N_ROWS)),
    "city": ["Rome", "Oslo"] * (N_ROWS // 2),
    "idle": [i % 7 for i in range(N_ROWS)],
    "day": pd.date_range("2023-01-01", periods=N_ROWS).tolist(),
    "paid": RNG.permutation(10**6)[:N_ROWS].tolist(),
}


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_what_names_rows_is_seen(name):
    assert list(find_identifiers(pd.DataFrame({name: IDENTIFIERS[name]}))) == [name]


@pytest.mark.parametrize("name", OTHERS)
def test_what_says_something_of_rows_is_none(name):
    assert find_identifiers(pd.DataFrame({name: OTHERS[name]})) == {}


def test_of_few_rows_nothing_is_known():
    assert find_identifiers(pd.DataFrame({"id": range(9)})) == {}


@pytest.fixture
def path(tmp_path):
    frame = pd.DataFrame({"id": IDENTIFIERS["order"], "size": OTHERS["size"], "n": range(N_ROWS)})
    frame["y"] = ["yes", "no"] * (N_ROWS // 2)
    frame.to_csv(tmp_path / "data.csv", index=False)
    return tmp_path / "data.csv"


def test_identifiers_are_left_out_with_a_note_and_not_needed_again(path, tmp_path):
    table = read_table(path)
    (tmp_path / "new.csv").write_text("size\n0.5\n")

    assert table.X.columns.tolist() == ["size"]
    assert list(table.left_out) == ["id", "n"]
    assert any("'id' and 'n'" in note and "(keep uses them)" in note for note in table.notes)
    assert len(read_rows(tmp_path / "new.csv", table.kinds)) == 1


def test_a_single_identifier_has_its_reason_in_the_note(path):
    notes = read_table(path, drop="n").notes

    assert (
        "Column 'id' is left out as an identifier, by another value in every row (keep uses it)."
        in notes
    )


def test_what_is_to_be_kept_stays(path):
    assert read_table(path, keep=["n"]).X.columns.tolist() == ["size", "n"]
    assert read_table(path, keep=True).X.columns.tolist() == ["id", "size", "n"]


def test_a_column_that_is_all_there_is_stays(path):
    assert read_table(path, drop=["size", "id"]).X.columns.tolist() == ["n"]


def test_counters_are_seen_although_rows_are_put_into_another_order(tmp_path):
    frame = pd.DataFrame({"n": range(N_ROWS), "size": OTHERS["size"], "when": OTHERS["size"][::-1]})
    frame["y"] = ["yes", "no"] * (N_ROWS // 2)
    frame.to_csv(tmp_path / "data.csv", index=False)

    assert list(read_table(tmp_path / "data.csv", time="when").left_out) == ["when", "n"]
