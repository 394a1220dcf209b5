"""Recorded curves that tests make themselves."""

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tests.play import noise


def rows(datasets=("one", "two"), n_learners=6, anchors=(32, 64, 128, 256, 600), n_seeds=6):
    """Rows of a made-up recording, one dictionary per evaluation."""
    return [
        {
            "dataset": dataset,
            "learner": f"learner{i}",
            "anchor": anchor,
            "seed": seed,
            "valid_err": round(1000 * (1 + i) + 30_000 / anchor + 100 * noise(i, anchor, seed)),
            "test_err": 1000 * (1 + i),
            "fit_time": anchor * (1 + i) / 1000,
        }
        for dataset in datasets
        for i in range(n_learners)
        for anchor in anchors
        for seed in range(n_seeds)
    ]


def write(path, records, **columns):
    """Write rows as a Parquet file; keyword arguments replace whole columns."""
    table = pa.Table.from_pylist(records)
    for name, values in columns.items():
        table = table.drop_columns([name]) if name in table.column_names else table
        if values is not None:
            table = table.append_column(name, pa.array(np.resize(values, len(table))))
    parquet.write_table(table, path)
    return path
