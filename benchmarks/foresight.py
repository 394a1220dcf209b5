"""Who would be stopped for want of time, and rightly: the run-time model on recorded pipelines.

    python benchmarks/foresight.py FILE.parquet ... --seconds 10

One row per evaluation, with the columns candidate, k (folds), fold, anchor, den (1 at the target),
fit_seconds, score_seconds and status (``ok``, ``timeout``, ``budget``, ...). A candidate is flagged
if the model of `curvewise.core._time_limit` predicts from the inner anchors of its first fold that
its target folds exceed the limit by a factor of two.
"""

import argparse
from collections import defaultdict

from pyarrow import parquet

from curvewise import LearningCurve, Observation, Task
from curvewise.core._run_time import predict_seconds
from curvewise.core._time_limit import MARGIN

NO_TIME = ("timeout", "budget")


def candidates(path):
    """Give the rows of each candidate and number of folds."""
    rows = defaultdict(list)
    for row in parquet.read_table(path).to_pylist():
        rows[row["k"], row["candidate"]].append(row)
    return rows.items()


def prediction(rows):
    """Predict the seconds of a target fold from the inner anchors of the first fold."""
    first = min(row["fold"] for row in rows)
    target = max(row["anchor"] for row in rows)
    curve = LearningCurve(
        Observation(
            Task("candidate", row["anchor"], 0),
            0.0,
            seconds=row["fit_seconds"] + row["score_seconds"],
        )
        for row in rows
        if row["status"] == "ok" and row["den"] > 1 and row["fold"] == first
    )
    return predict_seconds(curve, target)


def main():
    """Count flags among those that ran out of time and among the others."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--seconds", type=float, default=10.0, help="the limit per candidate")
    arguments = parser.parse_args()
    flagged, seen = {True: 0, False: 0}, {True: 0, False: 0}
    for path in arguments.paths:
        for (n_folds, _), rows in candidates(path):
            predicted = prediction(rows)
            if predicted is None:
                continue
            ran_out = any(row["status"].startswith(NO_TIME) for row in rows)
            seen[ran_out] += 1
            flagged[ran_out] += n_folds * predicted > MARGIN * arguments.seconds
    print(f"ran out of time: {flagged[True]} of {seen[True]} flagged")
    print(f"finished:        {flagged[False]} of {seen[False]} flagged")


if __name__ == "__main__":
    main()
