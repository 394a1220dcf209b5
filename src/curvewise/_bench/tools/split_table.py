"""Tables and their splits: what tools may see, and what their predictions are measured by.

A quarter of the rows is set aside, of each class if there are classes. Tools get the features as
`read_table` reads them. Classes are renamed, the same for all tools: whatever a tool does to labels
that look like numbers or dates, its predictions can be told apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import train_test_split

from curvewise._packages import require
from curvewise.automl._tables.table import Table
from curvewise.automl._tables.table_reader import read_table
from curvewise.errors import InvalidParameterError

if TYPE_CHECKING:
    import pandas as pd

TEST_SHARE = 0.25
TARGET = "target"
SCHEMES = ("sklearn:", "openml:")


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Rows to learn from and rows that were set aside; `y_test` is not shown to any tool."""

    X_train: pd.DataFrame
    y_train: Any
    X_test: pd.DataFrame
    y_test: Any
    target: str
    task: str

    def write(self, train: Path, test: Path) -> None:
        """Write what a tool may see as Parquet files."""
        _write(self.X_train.assign(**{self.target: self.y_train}), train)
        _write(self.X_test, test)


def find_tables(sources: Iterable[str], *, only: Iterable[str] = ()) -> dict[str, str]:
    """Give each table a name; a folder stands for its Parquet files."""
    found: dict[str, str] = {}
    for source in sources:
        for name, place in _expanded(source):
            if found.setdefault(name, place) != place:
                raise InvalidParameterError(f"Two tables are called {name!r}.")
    only = list(only)
    chosen = {
        name: place
        for name, place in found.items()
        if not only or any(part in name for part in only)
    }
    if found and not chosen:
        raise InvalidParameterError(f"No table has {' or '.join(only)} in its name.")
    return chosen


def _expanded(source: str) -> list[tuple[str, str]]:
    if source.startswith(SCHEMES):
        return [(source.replace("sklearn:", "").replace(":", "-"), source)]
    path = Path(source)
    if path.is_dir():
        files = sorted(path.glob("*.parquet"))
        if not files:
            raise InvalidParameterError(f"There is no Parquet file in {path}.")
        return [(file.stem, str(file.resolve())) for file in files]
    if path.is_file():
        return [(path.stem, str(path.resolve()))]
    raise InvalidParameterError(
        f"There is no table {source!r}: name a file, a folder, sklearn:NAME or openml:ID."
    )


def load_table(source: str) -> Table:
    """Read a table; a Parquet file says by the type of its target what its task is."""
    # Each tool is to find out itself which columns are of no use.
    return read_table(source, task=_declared_task(source), keep=True)


def _declared_task(source: str) -> str | None:
    if source.startswith(SCHEMES) or Path(source).suffix != ".parquet":
        return None
    pyarrow = require("pyarrow", "Reading Parquet files")
    schema = require("pyarrow.parquet", "Reading Parquet files").read_schema(source)
    if TARGET not in schema.names:
        return None
    is_number = pyarrow.types.is_floating(schema.field(TARGET).type)
    return "regression" if is_number else "classification"


def split_table(table: Table, split: int, *, seed: int = 0) -> Split:
    """Set a quarter of the rows aside; a class with a single row stays in training."""
    rows = np.arange(table.n_rows)
    state = np.random.RandomState((seed + 1_000_003 * split) % 2**32)
    if table.task == "regression":
        y = np.asarray(table.y, dtype=float)
        train, test = train_test_split(rows, test_size=TEST_SHARE, random_state=state)
    else:
        _, numbers, counts = np.unique(
            np.asarray(table.y).astype(str), return_inverse=True, return_counts=True
        )
        y = np.array([f"class-{number}" for number in numbers])
        single = counts[numbers] == 1
        kept = rows[~single]
        train, test = _stratified(kept, numbers[kept], state)
        train = np.sort(np.concatenate([train, rows[single]]))
    train, test = np.sort(train), np.sort(test)
    X_train, X_test = (table.X.iloc[part].reset_index(drop=True) for part in (train, test))
    return Split(X_train, y[train], X_test, y[test], table.target, table.task)


def _stratified(rows: Any, numbers: Any, state: Any) -> tuple[Any, Any]:
    n_classes = len(np.unique(numbers))
    if n_classes < 2 or TEST_SHARE * len(rows) < n_classes:
        raise InvalidParameterError("A table needs at least four rows per class, on average.")
    train, test = train_test_split(rows, test_size=TEST_SHARE, stratify=numbers, random_state=state)
    return train, test


def _write(frame: pd.DataFrame, path: Path) -> None:
    """Write a table so that every version of pandas reads it: types are Arrow's alone."""
    pyarrow = require("pyarrow", "Writing Parquet files")
    parquet = require("pyarrow.parquet", "Writing Parquet files")
    # Booleans with gaps are numbers for most tools, or nothing.
    gaps = {name: "float64" for name in frame.columns if str(frame[name].dtype) == "boolean"}
    content = pyarrow.Table.from_pandas(frame.astype(gaps), preserve_index=False)
    parquet.write_table(content.replace_schema_metadata(None), path)
