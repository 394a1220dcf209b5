"""Every value is checked where it is read, with a sentence that names table and row."""

import json
import os
import sqlite3
from contextlib import closing

import pytest

from curvewise.errors import StoreError
from curvewise.executors import RunStore
from tests.attacks.stores import ENDLESS, make_store


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    path = tmp_path_factory.mktemp("stores") / "run.db"
    make_store(path)
    return path.read_bytes()


def changed(folder, content, *statements):
    path = folder / "run.db"
    path.write_bytes(content)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            connection.execute(statement)
    return path


def read(path):
    with RunStore.read(path) as store:
        for summary in store.runs():
            run = store.run(summary.id)
            run.outcomes(), run.decisions(), run.notes()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "UPDATE outcomes SET seconds = 'long' WHERE id = 3",
            "row 3 of outcomes: seconds is 'lo",
        ),
        ("UPDATE outcomes SET seconds = -1.0 WHERE id = 3", "row 3 of outcomes: seconds is -1.0"),
        ("UPDATE outcomes SET n_test = -7 WHERE id = 2", "row 2 of outcomes: n_test is -7"),
        ("UPDATE outcomes SET n_test = x'ff' WHERE id = 2", "row 2 of outcomes: n_test is b'"),
        ("UPDATE outcomes SET fold = -1 WHERE id = 2", "row 2 of outcomes: fold is -1"),
        ("UPDATE outcomes SET candidate = 77 WHERE id = 2", "outcomes: there is no candidate 77"),
        (
            "UPDATE decisions SET candidate = 'x' WHERE rowid = 1",
            "row 0 of decisions: cand",
        ),
        ("UPDATE results SET loss = 'low'", "of results: 'low' stands where a number should"),
        ("UPDATE results SET candidate = 99", "of results: nothing was decided about"),
        (
            "UPDATE candidates SET parameters = '[1]' WHERE position = 1",
            "row 1 of candidates: pa",
        ),
        ("DELETE FROM candidates WHERE position = 1", "row 2 of candidates: the candidate before"),
        ("DELETE FROM decisions WHERE sequence = 1", "row 2 of decisions: the decision before"),
        ("UPDATE runs SET settings = '7'", "row 1 of runs: settings is 7"),
        ("UPDATE runs SET n_folds = -3", "row 1 of runs: n_folds is -3"),
        ("UPDATE runs SET created = 'today'", "row 1 of runs: created is 'today'"),
        ("UPDATE runs SET status = 'odd'", "row 1 of runs: 'odd' is no RunStatus"),
        ("UPDATE notes SET value = '{' WHERE key = 'data'", "row 'data' of notes: '{' is not JSON"),
    ],
)
def test_what_is_no_such_value_is_named_with_its_table_and_row(
    tmp_path, example, statement, message
):
    with pytest.raises(StoreError) as caught:
        read(changed(tmp_path, example, statement))

    assert message in str(caught.value)


def test_evidence_has_the_types_of_its_decision(tmp_path, example):
    path = changed(tmp_path, example)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        query = "SELECT run, sequence, evidence FROM decisions WHERE kind = 'Complete'"
        run, sequence, evidence = connection.execute(query).fetchone()
        wrong = json.dumps({**json.loads(evidence), "loss": "low"})
        values = (wrong, run, sequence)
        connection.execute(
            "UPDATE decisions SET evidence = ? WHERE (run, sequence) = (?, ?)", values
        )

    with pytest.raises(
        StoreError, match=f"row {sequence} of decisions: loss of a Complete is 'low'"
    ):
        read(path)


def test_deep_nesting_is_refused_before_anybody_walks_through_it(tmp_path, example):
    deep = 500 * "[" + 500 * "]"
    path = changed(tmp_path, example, f"UPDATE notes SET value = '{deep}'")

    with pytest.raises(StoreError, match="nested more than 100 times"):
        read(path)


@pytest.mark.parametrize("table", ["meta", "runs", "outcomes", "decisions"])
def test_a_view_in_the_place_of_a_table_is_refused_before_it_is_read(tmp_path, example, table):
    view = f"CREATE VIEW {table} AS {ENDLESS} SELECT * FROM n"
    path = changed(tmp_path, example, f"ALTER TABLE {table} RENAME TO old", view)

    with pytest.raises(StoreError, match="which curvewise never makes"):
        RunStore.read(path)


def test_triggers_computed_columns_and_missing_tables_are_refused(tmp_path, example):
    trigger = "CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN DELETE FROM outcomes; END"
    computed = "ALTER TABLE outcomes ADD COLUMN more AS (hex(kind))"

    with pytest.raises(StoreError, match="the trigger 't'"):
        RunStore.open(changed(tmp_path, example, trigger))
    with pytest.raises(StoreError, match="it lacks results"):
        RunStore.read(changed(tmp_path, example, "DROP TABLE results"))
    with pytest.raises(StoreError, match="its table outcomes lacks loss"):
        RunStore.read(changed(tmp_path, example, "ALTER TABLE outcomes RENAME COLUMN loss TO l"))
    with pytest.raises(StoreError, match="it has the table 'outcomes', which curvewise never"):
        RunStore.read(changed(tmp_path, example, computed))


def test_a_query_that_never_ends_is_given_up(tmp_path, example, monkeypatch):
    with RunStore.read(changed(tmp_path, example)) as store:
        run = store.run(1)
        monkeypatch.setattr("curvewise._sqlite.STEPS_ALWAYS", 0)
        monkeypatch.setattr("curvewise._sqlite.STEPS_PER_BYTE", 0)
        with pytest.raises(StoreError, match="far longer than its size explains"):
            run._rows._all(f"{ENDLESS} SELECT max(i) FROM n")


def test_no_more_is_read_than_the_file_can_hold(tmp_path, example, monkeypatch):
    monkeypatch.setattr("curvewise._sqlite.STEPS_ALWAYS", 0)
    with RunStore.read(changed(tmp_path, example)) as store:
        run = store.run(1)
        # As if rows shared their pages.
        largest = (
            "SELECT hex(zeroblob(page_count * page_size)) FROM pragma_page_count, pragma_page_size"
        )
        with pytest.raises(StoreError, match="far longer than its size explains"):
            run._rows._all(f"{largest}, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)")


def test_a_pipe_is_no_store(tmp_path):
    os.mkfifo(tmp_path / "run.db")

    with pytest.raises(StoreError, match="it is no regular file"):
        RunStore.read(tmp_path / "run.db")


def test_a_number_that_no_run_can_have_is_refused(tmp_path, example):
    with (
        RunStore.read(changed(tmp_path, example)) as store,
        pytest.raises(StoreError, match="has no run 99999999999999999999"),
    ):
        store.run("99999999999999999999")
