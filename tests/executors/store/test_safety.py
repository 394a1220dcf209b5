"""Opening a stranger's store executes nothing."""

import ast
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
