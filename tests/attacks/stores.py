"""Stores that are damaged or hostile: a small real one, changed in places that matter.

Which places is drawn from a seed: a cell of another type, sign or size, JSON with another shape,
rows that are missing or there twice, keys of nothing, tables that are views, bytes that are others.
Then everything reads it: the listing, the report, advice, and a search that wants to go on.
"""

import json
import random
import shutil
import sqlite3
import warnings
from contextlib import closing, suppress
from dataclasses import dataclass

import numpy as np
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

import curvewise as cw
from curvewise._report.report_facts import facts_of
from curvewise._report.report_page import as_script
from curvewise.core import Predictions
from curvewise.executors import RunStore
from tests.attacks.attack import Attack
from tests.cli.runner import invoke

TABLES = ("runs", "notes", "candidates", "outcomes", "decisions", "results", "meta")
ESCAPES = "\x1b[2J\x1b]0;owned\x07 \u202eevil"
DEEP = 5_000 * "[" + 5_000 * "]"
CELLS = (
    None, "", "abc", "nan", "1e999", "-1", b"\xff\xfe\x00", b"", -1, 0, 1, 7, 2**62, -(2**62), 1.5,
    1e308, -1e308, float("inf"), float("-inf"), "[]", "{}", "null", '"text"', "[1, 2]", '{"a": 1}',
    DEEP, ESCAPES, '{"$float": "nan"}', "[NaN]", "9" * 400, "9" * 5_000, 100_000 * "x",
)  # fmt: skip
VALUES = (
    None, True, -1, 0, 2**70, 10**400, 1e308, -1e308, {"$float": "nan"}, {"$float": "inf"}, "",
    "abc", ESCAPES, "\ud800", [], [1], {}, {"a": {"b": [1]}}, [[[[[[[[1]]]]]]]], 5_000 * "x",
)  # fmt: skip
NOTES = {
    "data": {"name": "iris", "rows": 150, "columns": 4, "kinds": {"number": 4}, "missing": 0.0},
    "versions": {"curvewise": "1", "python": "3"},
    "command": "curvewise select iris.csv",
    "limits": {"seconds per candidate": 60.0},
    "learning curves": {"seconds": 0.5, "n_fits": 3},
    "taken": {"candidate": "depth 2", "reason": "It was there."},
    "ensemble": {
        "weights": {"depth 1": 0.5, "depth 2": 0.5},
        "score": 0.9,
        "single_score": 0.8,
        "prediction_cost": 2.0,
    },
    "threshold": {
        "metric": "f1", "pos_label": "a", "method": "predict_proba", "tuned": True,
        "threshold": 0.4, "default_threshold": 0.5, "score": 0.9, "default_score": 0.8,
    },
    "calibration": {
        "log_loss": 0.4, "calibration_error": 0.1, "recommended": "sigmoid", "calibrated": True,
        "gains": [{"method": "sigmoid", "log_loss": 0.3}],
    },
    "best_pipeline": "tree",
    "columns left out": [{"column": "id", "reason": "names rows"}],
}  # fmt: skip
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
RECURSIVE = f"{ENDLESS} SELECT {{columns}} FROM n"
REDECLARE = (
    "PRAGMA writable_schema = ON; "
    "UPDATE sqlite_master SET sql = replace(sql, '{}', '{}') WHERE name = '{{table}}'"
)
SCHEMAS = (
    "DROP TABLE {table}",
    "ALTER TABLE {table} RENAME TO elsewhere; CREATE VIEW {table} AS SELECT * FROM elsewhere",
    "ALTER TABLE {table} RENAME TO elsewhere; CREATE VIEW {table} AS " + RECURSIVE,
    "CREATE VIEW another AS SELECT * FROM {table}",
    "CREATE TRIGGER again AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END",
    "ALTER TABLE {table} RENAME COLUMN {column} TO elsewhere",
    "ALTER TABLE {table} ADD COLUMN computed AS (hex({column}))",
    "ALTER TABLE {table} ADD COLUMN more",
    "PRAGMA application_id = 7",
    "DROP INDEX decisions_by_candidate",
    # A condition that takes for ever, and a collation that nobody knows.
    REDECLARE.format(
        " NOT NULL",
        " NOT NULL CHECK (instr(hex(zeroblob(9000000)), hex(zeroblob(4000000)) || 1) >= 0)",
    ),
    REDECLARE.format(" TEXT", " TEXT COLLATE unknown"),
)


class Unspeakable(DummyClassifier):
    """Fails at its second fold."""

    def fit(self, X, y):
        raise ValueError(ESCAPES)


def candidates():
    """Give what is searched: some are pruned, one fails."""
    trees = {f"depth {n}": DecisionTreeClassifier(max_depth=n, random_state=0) for n in (1, 2, 3)}
    return {**trees, "dummy": DummyClassifier(), "fails": Unspeakable()}


def search_on(path, **options):
    """Search, or go on with a search, in a store."""
    X, y = load_iris(return_X_y=True)
    search = cw.CurveSearchCV(
        candidates(),
        cv=3,
        store=path,
        run="iris",
        random_state=0,
        keep_predictions="all",
        **options,
    )
    return search.fit(X, y)


def make_store(path):
    """Make a small store: a finished run with notes and predictions, and one that is under way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # One of them fails.
        search_on(path)
    with RunStore.open(path) as store:
        settings = {"policy": cw.LCCV(), "seed": 0}
        run = store.begin(
            settings, "x", schedule=cw.Schedule((64, 128, 300)), n_folds=3, name="lccv"
        )
        search = cw.Search(
            range(6), schedule=cw.Schedule((64, 128, 300)), n_folds=3, policy=cw.LCCV(),
            observer=run.decided,
        )  # fmt: skip
        for key, value in NOTES.items():
            run.note(key, value)
        for _ in range(40):
            for task in search.ask():
                outcome = outcome_of(task)
                run.record(outcome)
                search.tell(outcome)


def outcome_of(task):
    """Give an outcome of a formula, with all that an outcome can have."""
    candidate, anchor, fold = task
    if candidate == 4:
        return cw.Failure(task, cw.Reason.ERROR, "ValueError: no", 0.1, "ValueError")
    loss = 0.1 + 0.02 * candidate + 2 / anchor + 0.001 * fold
    return cw.Observation(
        task,
        loss,
        seconds=0.01,
        n_test=50,
        noise=0.001,
        fit_seconds=0.005,
        score_seconds=0.001,
        scores={"accuracy": 1 - loss},
        train_scores={"accuracy": 1.0},
        found={"n_rounds": 7},
        predictions=Predictions("predict", np.zeros(3)),
    )


@dataclass
class Change:
    """Changes a store, as a seed says."""

    path: str
    rng: random.Random

    def make(self):
        """Change one thing to three; give their names."""
        kinds = [self.cell, self.cell, self.json, self.json, self.row, self.key]
        last = [None, None, None, self.schema, self.bytes]
        changes = [self.rng.choice(kinds) for _ in range(self.rng.choice((0, 1, 1, 2)))]
        # What is changed of the whole file comes last: nothing can be looked up in it afterwards.
        changes.append(self.rng.choice(last) or self.rng.choice(kinds))
        return "; ".join(filter(None, (change() for change in changes)))

    def _connected(self):
        connection = sqlite3.connect(self.path, isolation_level=None)
        connection.execute("PRAGMA foreign_keys = OFF")
        return closing(connection)

    def _place(self, connection):
        """Draw a table, one of its columns, and the condition of one of its rows."""
        table = self.rng.choice(TABLES)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        if not columns:
            return None
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        if not rows:
            return None
        row = self.rng.choice(rows)
        condition = " AND ".join(f"{name} IS ?" for name in columns)
        return table, columns, row, condition

    def cell(self):
        """Put another value into a cell."""
        with self._connected() as connection, suppress(sqlite3.Error):
            place = self._place(connection)
            if place is not None:
                table, columns, row, condition = place
                column, value = self.rng.choice(columns), self.rng.choice(CELLS)
                text = (
                    "CAST(? AS TEXT)"
                    if isinstance(value, bytes) and self.rng.random() < 0.5
                    else "?"
                )
                connection.execute(
                    f"UPDATE {table} SET {column} = {text} WHERE {condition}", (value, *row)
                )
                return f"{table}.{column} = {str(value)[:20]!r}"
        return None

    def json(self):
        """Change the shape of some JSON."""
        with self._connected() as connection, suppress(sqlite3.Error):
            place = self._place(connection)
            if place is None:
                return None
            table, columns, row, condition = place
            found = [
                (name, cell) for name, cell in zip(columns, row, strict=True) if _is_json(cell)
            ]
            if found:
                column, cell = self.rng.choice(found)
                changed = self._changed(json.loads(cell))
                values = (json.dumps(changed), *row)
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE {condition}", values)
                return f"JSON in {table}.{column}"
        return None

    def _changed(self, value):
        """Change a value somewhere inside."""
        if self.rng.random() < 0.3 or not isinstance(value, list | dict) or not value:
            return self.rng.choice(VALUES)
        if isinstance(value, list):
            place = self.rng.randrange(len(value))
            return [*value[:place], self._changed(value[place]), *value[place + 1 :]]
        name = self.rng.choice(list(value))
        if self.rng.random() < 0.2:
            return {key: each for key, each in value.items() if key != name}
        return {**value, name: self._changed(value[name])}

    def row(self):
        """Remove rows, or put one there twice."""
        with self._connected() as connection, suppress(sqlite3.Error):
            place = self._place(connection)
            if place is None:
                return None
            table, columns, row, condition = place
            if self.rng.random() < 0.6:
                connection.execute(f"DELETE FROM {table} WHERE {condition}", row)
                return f"a row of {table} is missing"
            other = [self._another(each) for each in row]
            marks = ", ".join("?" * len(columns))
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", other)
            return f"a row of {table} is there again"
        return None

    def _another(self, cell):
        return cell + 1000 if isinstance(cell, int) and self.rng.random() < 0.5 else cell

    def key(self):
        """Let rows be about nothing."""
        with self._connected() as connection, suppress(sqlite3.Error):
            table = self.rng.choice(("outcomes", "decisions", "results"))
            value = self.rng.choice((99, -1, "x", 2**40))
            where = f"rowid = {self.rng.randrange(1, 30)}"
            connection.execute(f"UPDATE {table} SET candidate = ? WHERE {where}", (value,))
            return f"{table}.candidate = {value!r}"
        return None

    def schema(self):
        """Change the tables themselves."""
        with self._connected() as connection, suppress(sqlite3.Error):
            table = self.rng.choice(TABLES)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            script = self.rng.choice(SCHEMAS).format(
                table=table,
                column=self.rng.choice(columns or ["x"]),
                columns=", ".join(f"i AS {name}" for name in columns),
            )
            connection.executescript(script)
            return script[:60]
        return None

    def bytes(self):
        """Change bytes of the file."""
        content = bytearray(self.path.read_bytes())
        for _ in range(self.rng.choice((1, 4, 64))):
            place = self.rng.randrange(len(content))
            content[place] = self.rng.choice((0, 255, content[place] ^ 1, self.rng.randrange(256)))
        self.path.write_bytes(content)
        return "bytes"


def _is_json(cell):
    if not isinstance(cell, str) or cell[:1] not in tuple("[{"):
        return False
    try:
        json.loads(cell)
    except (ValueError, RecursionError):
        return False
    return True


def _list(path):
    with RunStore.read(path) as store:
        for summary in store.runs():
            str(summary), summary.best_score
            run = store.run(summary.id)
            run.decisions(), run.notes(), run.results()
            for outcome in run.outcomes():
                run.predictions(outcome.task)


def _commands(path):
    page = path.with_suffix(".html")
    arguments = (["runs", path], ["advise", path], ["report", path, "--run", "2", "-o", page])
    results = [invoke(*each) for each in arguments]
    page.unlink(missing_ok=True)
    for result in results:
        if not {"\x1b", "\u202e"}.isdisjoint(result.output):
            raise AssertionError("the terminal is steered")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception


def _report(path):
    with RunStore.read(path) as store:
        for which in (1, 2):
            as_script(facts_of(store.run(which)))


def _advise(path):
    with RunStore.read(path) as store:
        for which in (1, 2):
            advice = cw.advise(store.run(which), target_score=0.99)
            advice.explain(), advice.facts()


def _resume(path):
    search_on(path)


READERS = {
    "list": _list,
    "report": _report,
    "advise": _advise,
    "resume": _resume,
    "commands": _commands,
}


def changed_store(example, folder, seed):
    """Copy a store and change it; give its path and what was changed."""
    path = folder / f"{seed}.db"
    shutil.copy(example, path)
    return path, Change(path, random.Random(seed)).make()


def attacks(folder, n_cases):
    """Give changed stores, each to be read in one way after the other."""
    example = folder / "example.db"
    make_store(example)
    readers = list(READERS.items())
    for seed in range(n_cases):
        path, what = changed_store(example, folder, seed)
        name, read = readers[seed % len(readers)]
        yield Attack(f"{name} of a store, {seed}: {what}", lambda read=read, path=path: read(path))
        for left in folder.glob(f"{seed}.db*"):
            left.unlink()
