"""What it is worth to try the best also as the mean of four: equal time, with and without.

    python benchmarks/means.py TABLE.parquet ... --target target --rows 1500 --seconds 90

Of each table so many rows are searched with one job, and the winner is tested on all others, at
most 20,000: tables should be large, so that what is found is no chance of few test rows. Only
tables on which there is time for means tell something (`curvewise.automl._budget`).
"""

from __future__ import annotations

import argparse
import statistics
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sklearn.model_selection import train_test_split

from curvewise.automl import CurveAutoMLClassifier, CurveAutoMLRegressor, Table, read_table

ESTIMATORS = {"classification": CurveAutoMLClassifier, "regression": CurveAutoMLRegressor}
MOST_TEST_ROWS = 20_000
ASKED = "curvewise.automl._search_settings.has_time_for_means"


def score_of_winner(table: Table, parts: Any, *, seconds: float, means: bool) -> tuple[float, int]:
    """Search on the rows to train on; give the winner's score on the others, and how many tried."""
    X_train, X_test, y_train, y_test = parts
    model = ESTIMATORS[table.task](
        time_budget=seconds, n_jobs=1, random_state=1, learning_curve=False, importance=False
    )
    with patch(ASKED, return_value=means), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X_train, y_train)
        score = model.score(X_test[:MOST_TEST_ROWS], y_test[:MOST_TEST_ROWS])
    return score, len(model.search_.results_)


def main() -> None:
    """Compare on every table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--target", default="target")
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--seconds", type=float, default=90)
    given = parser.parse_args()
    gains = []
    print("| table | without | candidates | with means of four | candidates | gain |")
    print("|---|---|---|---|---|---|")
    for path in given.tables:
        table = read_table(path, target=given.target)
        parts = train_test_split(
            table.X,
            table.y,
            train_size=given.rows,
            random_state=1,
            stratify=table.y if table.task == "classification" else None,
        )
        (before, n_before), (after, n_after) = (
            score_of_winner(table, parts, seconds=given.seconds, means=means)
            for means in (False, True)
        )
        gains.append(after - before)
        cells = f"{before:.4f} | {n_before} | {after:.4f} | {n_after} | {gains[-1]:+.4f}"
        print(f"| {table.name} | {cells} |", flush=True)
    print(f"\nMean gain: {statistics.fmean(gains):+.4f}")


if __name__ == "__main__":
    main()
