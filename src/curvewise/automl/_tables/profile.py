"""The facts of a table that a report shows, as plain values that JSON can hold."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from curvewise.automl._tables.kinds import kind_of
from curvewise.automl._tables.table import Table

if TYPE_CHECKING:
    import pandas as pd

MOST_CLASSES = 100
MOST_FEATURES = 200


def profile(table: Table) -> dict[str, Any]:
    """Describe a table."""
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
            for i in range(min(X.shape[1], MOST_FEATURES))
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
            {"label": str(label), "count": int(count)} for label, count in ordered[:MOST_CLASSES]
        ],
    }
