"""What keeping out-of-fold predictions costs: CPU seconds of a search, and bytes in its store.

    python benchmarks/keep_predictions.py TABLE.parquet ... --candidates 20

The same search with and without, one after the other, in turn, with the same seed: the same
candidates on the same folds. CPU seconds are those of this process and its workers.
"""

from __future__ import annotations

import argparse
import resource
import sqlite3
import tempfile
import warnings
from pathlib import Path

import numpy as np

from curvewise.automl import CurveAutoMLClassifier, CurveAutoMLRegressor, read_table

ESTIMATORS = {"classification": CurveAutoMLClassifier, "regression": CurveAutoMLRegressor}


def cpu_seconds() -> float:
    """Give the CPU seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def search(table, keep: str, n_candidates: int, store: Path | None) -> float:
    """Search once; give the CPU seconds."""
    begun = cpu_seconds()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ESTIMATORS[table.task](
            n_iter=n_candidates,
            keep_predictions=keep,
            proposer="portfolio",
            deterministic=True,
            store=store,
            random_state=0,
        ).fit(table.X, table.y)
    return cpu_seconds() - begun


def kept_bytes(table, n_candidates: int, folder: Path) -> tuple[int, int]:
    """Give the bytes of all predictions that a store keeps, and of how many folds they are."""
    store = folder / f"{table.name}.db"
    search(table, "best", n_candidates, store)
    connection = sqlite3.connect(store)
    lengths = connection.execute(
        "SELECT count(predictions), total(length(predictions)) FROM outcomes"
    ).fetchone()
    connection.close()
    return int(lengths[1]), int(lengths[0])


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=2)
    arguments = parser.parse_args()
    print("table, rows, CPU seconds without and with, ratio, bytes per row and class")
    ratios = []
    for path in arguments.tables:
        table = read_table(path, target="target")
        taken = {"none": 0.0, "best": 0.0}
        for _ in range(arguments.repeats):
            for keep in taken:
                taken[keep] += search(table, keep, arguments.candidates, None)
        with tempfile.TemporaryDirectory() as folder:
            n_bytes, n_folds = kept_bytes(table, arguments.candidates, Path(folder))
        n_classes = table.y.nunique() if table.task == "classification" else 1
        per_row = n_bytes / max(n_folds, 1) / (table.n_rows / 5) / n_classes
        ratios.append(taken["best"] / taken["none"])
        print(
            f"{table.name}, {table.n_rows}, {taken['none']:.1f}, {taken['best']:.1f}, "
            f"{ratios[-1]:.3f}, {per_row:.1f}",
            flush=True,
        )
    print(f"mean ratio {np.mean(ratios):.3f}")


if __name__ == "__main__":
    main()
