"""A table that is ready for a search: features, target, task, and what was decided on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.automl._tables.columns import kind_of
from curvewise.automl._tables.warning_note import WarningNote

if TYPE_CHECKING:
    import pandas as pd

MOST_CLASSES_SHOWN = 100
MOST_FEATURES_SHOWN = 200


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What `read_table` returns.

    Parameters
    ----------
    name
        The file's name without its endings, or the data set's.
    X
        The features: numbers, booleans (pandas' nullable type if cells are missing), dates in UTC
        and text, possibly with missing cells. Rows are counted from 0.
    y
        The target without missing values: text, whole numbers or booleans for classes, floats for
        regression.
    target
        The name of the target's column.
    task
        ``"classification"`` or ``"regression"``.
    notes
        Sentences on what was found out, changed or left out; `warnings` are some of them.
    source
        What was given to read.
    groups
        The group of each row, if a column says it; else None.
    weights
        How much each row counts, if a column says it; else None.
    time
        The column in whose order the rows are; None if they are as they stood.
    ids
        The columns that identify the rows, as was said.
    left_out
        The columns that are no features, each with the reason.
    date_orders
        For dates that were written as text whether the day or the month comes first, by column;
        `read_rows` needs them to read new rows as these were read.
    row_numbers
        The number of each row in the source, the first is 1; None if they are not known.
    row_names
        What each row is called, if a column says it: the first that identifies rows; else None.
    by
        The column by whose levels models are to be scored, if one was named; else None.

    Examples
    --------
    >>> from curvewise.automl import read_table
    >>> table = read_table("sklearn:iris")
    >>> table.name, table.X.shape, table.task, table.n_rows
    ('iris', (150, 4), 'classification', 150)
    >>> table.kinds["petal width (cm)"]
    'number'
    """

    name: str
    X: pd.DataFrame
    y: pd.Series
    target: str
    task: str
    notes: list[str] = field(default_factory=list)
    source: str = ""
    groups: pd.Series | None = None
    weights: pd.Series | None = None
    time: str | None = None
    ids: tuple[str, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)
    date_orders: dict[str, str] = field(default_factory=dict)
    row_numbers: np.ndarray[Any, np.dtype[np.int64]] | None = None
    row_names: pd.Series | None = None
    by: pd.Series | None = None

    @property
    def fit_params(self) -> dict[str, pd.Series]:
        """What ``fit`` takes besides X and y: the groups and the weights that there are."""
        given = {"groups": self.groups, "sample_weight": self.weights}
        return {name: values for name, values in given.items() if values is not None}

    @property
    def warnings(self) -> list[str]:
        """Those of the notes that say what was lost, or which guess may be wrong."""
        return [note for note in self.notes if isinstance(note, WarningNote)]

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.y)

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each feature: ``number``, ``boolean``, ``date`` or ``text``.

        `read_rows` needs them to read new rows as these were read.
        """
        names = map(str, self.X.columns)
        return dict(zip(names, map(kind_of, self.X.dtypes), strict=True))


def profile(table: Table) -> dict[str, Any]:
    """Give the facts of a table that a report shows, as plain values that JSON can hold."""
    X = table.X
    missing = X.isna().to_numpy().mean(axis=0)
    kinds = [_kind(X, i, dtype) for i, dtype in enumerate(X.dtypes)]
    return {
        "name": table.name,
        "source": table.source,
        "task": table.task,
        "rows": int(X.shape[0]),
        "columns": int(X.shape[1]),
        "kinds": dict(Counter(kinds).most_common()),
        "missing": float(missing.mean()),
        "memory": int(X.memory_usage(deep=True).sum()),
        "target": {"name": table.target, **_target(table)},
        "features": [
            {
                "name": str(X.columns[i]),
                "kind": kinds[i],
                "missing": float(missing[i]),
                "distinct": int(X.iloc[:, i].nunique()),
            }
            for i in range(min(X.shape[1], MOST_FEATURES_SHOWN))
        ],
        "notes": list(table.notes),
    }


def _kind(X: pd.DataFrame, position: int, dtype: Any) -> str:
    """Tell categories from text: values that repeat, on average at least once."""
    kind = kind_of(dtype)
    if kind != "text" or dtype.name == "category":
        return "category" if kind == "text" else kind
    column = X.iloc[:, position]
    return "category" if 2 * column.nunique() <= column.count() else "text"


def _target(table: Table) -> dict[str, Any]:
    y = table.y
    if table.task == "regression":
        return {"min": float(y.min()), "mean": float(y.mean()), "max": float(y.max())}
    counts = y.value_counts(sort=False)
    ordered = sorted(zip(counts.index, counts, strict=True), key=lambda pair: (-pair[1], pair[0]))
    return {
        "n_classes": len(ordered),
        "majority": float(ordered[0][1] / len(y)),
        "classes": [
            {"label": str(label), "count": int(count)}
            for label, count in ordered[:MOST_CLASSES_SHOWN]
        ],
    }
