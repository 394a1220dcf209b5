"""Recorded curves of hostile bytes and values: each has to be read, or refused in a sentence."""

import json
import random
from functools import partial

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from curvewise.errors import CurvewiseError
from curvewise.executors import read_recordings
from curvewise.executors._recorded_file import KEY
from tests.attacks.attack import Attack
from tests.attacks.spaces import VALUES, changed
from tests.attacks.tables import changed as changed_bytes
from tests.recording import rows

COLUMNS = (
    ["x"], [""], ["\x1b[2J\u202e"], ["x" * 5_000], [b"\xff\x00"], [None], [True], [-1], [0],
    [2**62], [1e308], [-1e308], [float("nan")], [float("inf")], [0.5], [[1, 2]], [{"a": 1}],
    [np.datetime64(0, "s")], [3, None], [1, 2, 3], ["ok", "error"], [10**9],
)  # fmt: skip
MARK = {"version": 2, "scoring": "accuracy", "row_losses": "bits"}


def examples():
    """Give tables as they should be, of both versions."""
    first = pa.Table.from_pylist(rows(n_learners=3, n_seeds=2))
    second = first
    for name in ("valid_err", "test_err"):
        floats = pa.array(np.asarray(first.column(name)) / 10_000.0)
        second = second.set_column(second.column_names.index(name), name, floats)
    second = second.append_column("n_valid", pa.array(np.full(len(first), 50)))
    second = second.append_column("status", pa.array(["ok"] * len(first)))
    return first, second.replace_schema_metadata({KEY: json.dumps(MARK)})


def changed_table(table, chance):
    """Change columns, their types, their names, rows, or what the file says of itself."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        kind, names = chance.randrange(6), table.column_names
        place = chance.randrange(len(names))
        if kind < 3:
            values = chance.choice(COLUMNS)
            column = pa.array([values[i % len(values)] for i in range(len(table))])
            table = table.set_column(place, names[place], column)
        elif kind == 3:
            table = table.append_column(names[place], table.column(place))
        elif kind == 4:
            table = pa.concat_tables([table, table.slice(0, chance.randrange(3))])
        else:
            mark = changed(MARK, chance) if chance.random() < 0.7 else chance.choice(VALUES)
            table = table.replace_schema_metadata({KEY: json.dumps(mark)})
    return table


def _read(path):
    try:
        for recording in read_recordings(path):
            recording.truth, recording.finished, recording.without_target()
            recording.complete(2)
            recording.row_losses(0, 0, 0)
    except CurvewiseError as error:
        if "\n" in str(error):
            raise AssertionError(f"more than a sentence: {error!s:.100}") from None
        raise


def attacks(folder, n_cases):
    """Give files whose values were changed, and files whose bytes were."""
    tables = examples()
    path = folder / "curves.parquet"
    for seed in range(n_cases):
        chance = random.Random(seed)
        table = chance.choice(tables)
        what = "values"
        if seed % 3:
            table = changed_table(table, chance)
        parquet.write_table(table, path)
        if not seed % 3:
            what = "bytes"
            path.write_bytes(changed_bytes(path.read_bytes(), chance))
        yield Attack(f"curves: changed {what}, {seed}", partial(_read, path))
