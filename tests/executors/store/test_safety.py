"""Opening a stranger's store executes nothing."""

import ast
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import curvewise._sqlite
import curvewise.executors._store
from curvewise import Schedule
from curvewise.core._decisions import Lead
from curvewise.errors import StoreError
from curvewise.executors import RunStore
from tests.executors.store.journals import write_journal

FILES = [
    Path(curvewise._sqlite.__file__),
    *sorted(Path(curvewise.executors._store.__file__).parent.glob("*.py")),
]
FORBIDDEN = {"pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "copyreg", "importlib"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_imports_or_calls_what_could_run_foreign_code(path):
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module != "importlib.metadata":
            names = [node.module]
        assert not {name.partition(".")[0] for name in names} & FORBIDDEN
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"eval", "exec", "compile", "__import__"}


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE decisions SET kind = 'os.system'", "unknown kind 'os.system'"),
        ('UPDATE decisions SET evidence = \'{"loss": 1, "run": "rm"}\'', "does not belong"),
        ("UPDATE candidates SET key = 'Path()'", "is not JSON"),
        (
            "UPDATE runs SET schedule = '[64, 32]'",
            "row 1 of runs: the schedule is",
        ),
        ("UPDATE runs SET scale = '{}'", "row 1 of runs: the scale is impossible"),
        ("UPDATE runs SET n_rows = 'many'", "row 1 of runs: n_rows is 'many'"),
    ],
)
def test_strange_content_is_refused_and_not_interpreted(tmp_path, statement, message):
    with RunStore.create(tmp_path / "run.db") as store:
        run = store.begin({}, "data", schedule=Schedule((900,)), n_folds=5)
        run.decided("svc", Lead(0.5, 1))
        run.finish()
        store._connection.execute(statement)
    with RunStore.read(tmp_path / "run.db") as store, pytest.raises(StoreError, match=message):
        store.run(1).decisions()


def test_a_trigger_of_a_stranger_gets_no_dangerous_functions(tmp_path):
    with RunStore.create(tmp_path / "run.db") as store:
        (trusted,) = store._connection.execute("PRAGMA trusted_schema").fetchone()

        assert trusted == 0


@pytest.mark.parametrize("name", ["run.db", "link.db"])
def test_a_journal_that_names_another_file_is_refused(tmp_path, name):
    path, precious = tmp_path / "strange" / "run.db", tmp_path / "precious.txt"
    path.parent.mkdir()
    RunStore.create(path).close()
    (path.parent / "link.db").symlink_to(path)
    precious.write_text("of the user")
    write_journal(path, precious)

    with pytest.raises(StoreError, match="its journal names another file"):
        RunStore.open(path.parent / name)
    assert precious.exists()


@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm"])
def test_what_lies_beside_a_store_is_a_file(tmp_path, ending):
    path, precious = tmp_path / "run.db", tmp_path / "precious.txt"
    RunStore.create(path).close()
    precious.write_text("of the user")
    (tmp_path / f"run.db{ending}").symlink_to(precious)

    with pytest.raises(StoreError, match="is no regular file"):
        RunStore.open(path)
    assert precious.read_text() == "of the user"


def test_a_pipe_beside_a_store_is_not_waited_for(tmp_path):
    path = tmp_path / "run.db"
    RunStore.create(path).close()
    os.mkfifo(tmp_path / "run.db-journal")

    with pytest.raises(StoreError, match="is no regular file"):
        RunStore.read(path)


# What SQLite would carry out when a row is written or sorted, or take for another column.
DECLARED = {
    "a condition": ("writer TEXT NOT NULL", "writer TEXT NOT NULL CHECK (hex(writer) > '')"),
    "a default": ("writer TEXT NOT NULL", "writer TEXT NOT NULL, more DEFAULT (hex(7))"),
    "a computed column": ("writer TEXT NOT NULL", "writer TEXT NOT NULL, more AS (hex(writer))"),
    "a collation": ("name TEXT UNIQUE", "name TEXT COLLATE NOCASE UNIQUE"),
    "a key of text": ("id INTEGER PRIMARY KEY", "id TEXT PRIMARY KEY"),
    "a comment": ("limits TEXT", "limits TEXT /* */"),
    "strictness": ("writer TEXT NOT NULL\n    )", "writer TEXT NOT NULL) STRICT"),
}


def declare(path, before, after):
    """Declare a table in another way; its rows stay as they are."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        statement = "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = 'runs'"
        connection.execute(statement, (before, after))


@pytest.mark.parametrize("what", DECLARED)
def test_a_table_is_declared_word_for_word(tmp_path, what):
    path = tmp_path / "run.db"
    RunStore.create(path).close()
    declare(path, *DECLARED[what])

    for opened in (RunStore.open, RunStore.read):
        with pytest.raises(StoreError, match="which curvewise never makes"):
            opened(path)


def test_only_columns_are_indexed(tmp_path):
    path = tmp_path / "run.db"
    RunStore.create(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE INDEX plain ON outcomes (run, reason)")
        RunStore.read(path).close()
        connection.execute("CREATE INDEX computed ON outcomes (hex(reason))")

    with pytest.raises(StoreError, match="it has the index 'computed', which curvewise never"):
        RunStore.open(path)


def test_plain_columns_and_tables_of_others_do_no_harm(tmp_path):
    path = tmp_path / "run.db"
    RunStore.create(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE runs ADD COLUMN of_later TEXT")
        connection.execute("CREATE TABLE of_others (a, b TEXT)")
        connection.execute("ANALYZE")

    with RunStore.open(path) as store:
        assert store.runs() == []
