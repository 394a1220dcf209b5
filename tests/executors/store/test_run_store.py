import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from curvewise import Schedule
from curvewise.core._outcome import Failure, Observation, Reason, Task
from curvewise.errors import StoreError
from curvewise.executors import RunStore

TERMS = {"schedule": Schedule((64, 900)), "n_folds": 5}
everyone_may_write = os.name != "posix" or os.geteuid() == 0


def begin(store, **changed):
    return store.begin({}, "data", **{**TERMS, **changed})


def make(path):
    with RunStore.create(path) as store:
        begin(store).record(Observation(Task("svc", 64, 0), 0.25))
    return path


def change(path, statement):
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()
    return path


def test_opening_creates_a_store_once(tmp_path):
    path = tmp_path / "a folder?" / "100% my run#1.db"
    path.parent.mkdir()
    make(path)

    with RunStore.open(path) as store:
        assert len(store.runs()) == 1
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_creating_refuses_a_file_that_exists(tmp_path):
    with pytest.raises(StoreError, match="exists already: name another file, or open this one"):
        RunStore.create(make(tmp_path / "run.db"))


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "run.db"
    path.touch()

    with pytest.raises(StoreError, match="is empty: no run was stored in it yet"):
        RunStore.read(path)
    with RunStore.open(path) as store:
        assert store.runs() == []


def test_many_may_create_the_same_store_at_once(tmp_path):
    barrier = Barrier(6)

    def work(i):
        barrier.wait()
        with RunStore.open(tmp_path / "run.db") as store:
            return begin(store, name=str(i)).id

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(work, range(6))) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("way", [RunStore.open, RunStore.read])
@pytest.mark.parametrize("content", [b"a,b\n", b"a,b\n1,2\n" * 1000, b"PK\x03\x04"])
def test_what_is_no_sqlite_file_is_refused_and_left_alone(tmp_path, way, content):
    path = tmp_path / "data.csv"
    path.write_bytes(content)

    with pytest.raises(StoreError, match=r"data\.csv is not a run store: it is not an SQLite file"):
        way(path)
    assert path.read_bytes() == content


OPENING = """
import sys
from curvewise.executors import RunStore
RunStore.open(sys.argv[1]).close()
"""


@pytest.mark.parametrize("way", [RunStore.open, RunStore.read])
def test_who_opens_a_store_again_takes_no_locks_from_the_first(tmp_path, way):
    path = tmp_path / "run.db"
    with RunStore.open(path) as store:
        run = begin(store)
        way(path).close()
        subprocess.run([sys.executable, "-c", OPENING, str(path)], check=True)

        # Who closes a file last removes the log; the other process was not the last.
        assert path.with_name("run.db-wal").exists()
        run.record(Observation(Task("svc", 64, 0), 0.25))


@pytest.mark.parametrize("way", [RunStore.open, RunStore.read])
def test_an_sqlite_file_of_something_else_is_refused_and_left_alone(tmp_path, way):
    path = tmp_path / "photos.db"
    change(path, "CREATE TABLE runs (id INTEGER PRIMARY KEY)")
    content = path.read_bytes()

    with pytest.raises(StoreError, match="is not a run store of curvewise but an SQLite file of"):
        way(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("way", [RunStore.open, RunStore.read])
def test_another_schema_version_is_refused_with_what_to_do(tmp_path, way):
    path = change(make(tmp_path / "run.db"), "UPDATE meta SET value = 7 WHERE key = 'schema'")
    change(path, "UPDATE meta SET value = '9.1.0' WHERE key = 'created_by'")

    with pytest.raises(
        StoreError,
        match=r"has schema version 7, and this curvewise \(.*\) knows version 2 only: open it with "
        r"the curvewise that created it \(9.1.0\), or name another file.",
    ):
        way(path)


def test_what_a_terminal_would_obey_in_a_version_is_shown_as_text(tmp_path):
    path = make(tmp_path / "run.db")
    change(path, "UPDATE meta SET value = char(27) || '[2J' WHERE key = 'schema'")

    with pytest.raises(StoreError, match=r"has schema version \\x1b\[2J, and") as raised:
        RunStore.open(path)
    assert "\x1b" not in str(raised.value)


@pytest.mark.parametrize("statement", ["DELETE FROM meta", "DROP TABLE meta"])
def test_a_store_that_lost_its_version_is_refused(tmp_path, statement):
    path = change(make(tmp_path / "run.db"), statement)

    with pytest.raises(StoreError, match=r"is damaged: it (does not say which|lacks meta)"):
        RunStore.open(path)


def test_a_damaged_store_is_refused(tmp_path):
    path = make(tmp_path / "run.db")
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)

    with pytest.raises(StoreError, match="is damaged"):
        RunStore.read(path)


def test_missing_folders_and_files_and_folders_as_files_are_refused(tmp_path):
    with pytest.raises(StoreError, match=r"There is no folder .*nowhere: create it first"):
        RunStore.open(tmp_path / "nowhere" / "run.db")
    with pytest.raises(StoreError, match=r"There is no file .*run.db"):
        RunStore.read(tmp_path / "run.db")
    with pytest.raises(StoreError, match="is no name of a file"):
        RunStore.open("a\0b")
    with pytest.raises(StoreError, match="is a folder, not a run store"):
        RunStore.open(tmp_path)


def test_a_locked_store_is_refused_after_the_given_time(tmp_path):
    path = make(tmp_path / "run.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match="is locked: another process is writing"):
        RunStore.open(path, busy_seconds=0.01)
    with RunStore.read(path, busy_seconds=0.01) as store:
        assert len(store.runs()) == 1
    other.close()


def test_a_full_disk_loses_nothing_and_the_outcome_can_be_recorded_again(tmp_path):
    path = tmp_path / "run.db"
    failure = Failure(Task("svc", 64, 1), Reason.ERROR, "x" * 100_000)
    with RunStore.create(path) as store:
        run = begin(store)
        run.record(Observation(Task("svc", 64, 0), 0.25))
        store._connection.execute("PRAGMA max_page_count = 1")

        with pytest.raises(StoreError, match=r"The disk is full: .*run.db cannot grow"):
            run.record(failure)
        assert run.known(failure.task) is None

        store._connection.execute("PRAGMA max_page_count = 1000000")
        assert run.record(failure)
    with RunStore.read(path) as store:
        assert store.run(1).outcomes() == [Observation(Task("svc", 64, 0), 0.25), failure]


def test_a_store_that_was_opened_to_read_is_not_written(tmp_path):
    with (
        RunStore.read(make(tmp_path / "run.db")) as store,
        pytest.raises(StoreError, match="cannot be written: it is read-only"),
    ):
        begin(store)


def test_a_file_whose_log_cannot_be_opened_is_refused(tmp_path):
    (tmp_path / "run.db-wal").mkdir()

    with pytest.raises(StoreError, match="is no regular file"):
        RunStore.open(tmp_path / "run.db")


@pytest.mark.skipif(everyone_may_write, reason="this user may write everywhere")
def test_a_read_only_file_can_be_read_and_not_written(tmp_path):
    path = make(tmp_path / "run.db")
    path.chmod(0o444)

    with pytest.raises(StoreError, match="cannot be written: it is read-only"):
        RunStore.open(path)
    with RunStore.read(path) as store:
        assert store.runs()[0].n_observations == 1


@pytest.mark.skipif(everyone_may_write, reason="this user may write everywhere")
def test_a_read_only_folder_can_be_read_and_not_written(tmp_path):
    path = make(tmp_path / "run.db")
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(StoreError, match=r"cannot be (written|opened)"):
            RunStore.open(path)
        with pytest.raises(StoreError, match="cannot be opened: check the rights"):
            RunStore.open(tmp_path / "new.db")
        with RunStore.read(path) as store:
            assert store.runs()[0].n_observations == 1
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.skipif(everyone_may_write, reason="this user may read everywhere")
def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    path = make(tmp_path / "run.db")
    path.chmod(0)

    with pytest.raises(StoreError, match="cannot be opened: Permission denied"):
        RunStore.read(path)


@pytest.mark.parametrize("way", [RunStore.open, RunStore.read])
def test_a_store_from_before_a_column_came_can_be_read_and_written(tmp_path, way):
    path = make(tmp_path / "run.db")
    change(path, "ALTER TABLE outcomes DROP COLUMN error")
    change(path, "ALTER TABLE runs DROP COLUMN n_rows")
    with way(path) as store:
        outcomes = store.run(1).outcomes()
    failure = Failure(Task("svc", 64, 1), Reason.ERROR, "no rows", error="ValueError")
    with RunStore.open(path) as store:
        begin(store).record(failure)

    assert outcomes == [Observation(Task("svc", 64, 0), 0.25)]
    with RunStore.read(path) as store:
        assert store.run(1).outcomes()[1] == failure


@pytest.mark.parametrize("opened", [RunStore.open, RunStore.read])
def test_a_name_that_is_too_long_is_refused_in_a_sentence(tmp_path, opened):
    with pytest.raises(StoreError, match="cannot be opened"):
        opened(tmp_path / ("x" * 5_000))
