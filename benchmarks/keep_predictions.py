"""What keeping out-of-fold predictions costs: a share of a search's CPU time, and bytes.

    python benchmarks/keep_predictions.py TABLE.parquet ... --candidates 12

A search in this process, with a store, in which the seconds are counted that keeping takes: asking
for predictions that scoring did not need, checking them, writing them. Two searches, one with and
one without, differ by more than that from one time to the next; so the parts are timed themselves.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from curvewise._evaluation.heard_predictions import Heard
from curvewise._selection.kept_predictions import PredictionKeeper
from curvewise.automl import CurveAutoMLClassifier, CurveAutoMLRegressor, read_table
from curvewise.core._predictions import Predictions

ESTIMATORS = {"classification": CurveAutoMLClassifier, "regression": CurveAutoMLRegressor}
PARTS = (
    (Heard, "predictions"),
    (Heard, "__enter__"),
    (Heard, "__exit__"),
    (PredictionKeeper, "received"),
    (PredictionKeeper, "told"),
    (Predictions, "to_bytes"),
)


class Counted:
    """CPU seconds that parts of a search take."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0

    def watch(self, owner: type, name: str) -> None:
        """Count what a method takes from now on; one inside another counts once."""
        method: Callable[..., Any] = getattr(owner, name)

        def counting(*args: Any, **kwargs: Any) -> Any:
            begun = time.process_time()
            self._depth += 1
            try:
                return method(*args, **kwargs)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.seconds += time.process_time() - begun

        setattr(owner, name, counting)


def search(table: Any, n_candidates: int, store: Path) -> float:
    """Search once; give the CPU seconds."""
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ESTIMATORS[table.task](
            n_iter=n_candidates,
            keep_predictions="best",
            proposer="portfolio",
            deterministic=True,
            timeout_per_candidate=None,
            store=store,
            random_state=0,
        ).fit(table.X, table.y)
    return time.process_time() - begun


def kept_bytes(store: Path) -> tuple[int, int]:
    """Give the bytes of all predictions that a store keeps, and of how many folds they are."""
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
    parser.add_argument("--candidates", type=int, default=12)
    arguments = parser.parse_args()
    counted = Counted()
    for owner, name in PARTS:
        counted.watch(owner, name)
    print("table, rows, CPU seconds, share that keeping takes, bytes per row and class")
    shares = []
    for path in arguments.tables:
        table = read_table(path, target="target")
        counted.seconds = 0.0
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "run.db"
            taken = search(table, arguments.candidates, store)
            n_bytes, n_folds = kept_bytes(store)
        n_classes = table.y.nunique() if table.task == "classification" else 1
        per_row = n_bytes / max(n_folds, 1) / (table.n_rows / 5) / n_classes
        shares.append(counted.seconds / taken)
        print(
            f"{table.name}, {table.n_rows}, {taken:.1f}, {shares[-1]:.3%}, {per_row:.1f}",
            flush=True,
        )
    print(f"mean share {np.mean(shares):.2%}")


if __name__ == "__main__":
    main()
