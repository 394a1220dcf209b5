"""What the run store costs: milliseconds per outcome, and seconds to resume.

    python benchmarks/store.py

Every outcome comes with two metrics and a decision, every twentieth ends its candidate; each is one
transaction of its own. ``--folder`` chooses the disk.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from curvewise import Observation, Race, Schedule
from curvewise.core._decisions import Complete, Sample
from curvewise.core._outcome import Task
from curvewise.executors import RunStore
from curvewise.executors._store.fingerprint import fingerprint

SCHEDULE = Schedule((128, 512, 2048, 8192))
N_FOLDS = 5
PER_CANDIDATE = len(SCHEDULE.anchors) * N_FOLDS


class Cost(NamedTuple):
    """What writing and reading back a run cost."""

    mean_ms: float
    median_ms: float
    worst_ms: float
    resume_seconds: float
    megabytes: float


def begin(store):
    """Begin the run, or resume it."""
    settings = {"policy": Race(), "cv": N_FOLDS, "scoring": "accuracy"}
    return store.begin(settings, "10240x20-0", schedule=SCHEDULE, n_folds=N_FOLDS)


def steps(n_outcomes):
    """Make up outcomes, each with the decision that follows it."""
    for i in range(n_outcomes):
        candidate, rest = divmod(i, PER_CANDIDATE)
        anchor, fold = SCHEDULE.anchors[rest // N_FOLDS], rest % N_FOLDS
        loss = 0.1 + (i * 7919 % 1000) / 3000
        outcome = Observation(
            Task(candidate, anchor, fold),
            loss,
            seconds=anchor / 1e4,
            n_test=2048,
            fit_seconds=anchor / 2e4,
            score_seconds=anchor / 2e4,
            scores={"accuracy": 1 - loss, "neg_log_loss": -loss},
        )
        if rest == PER_CANDIDATE - 1:
            yield outcome, Complete(anchor, loss, N_FOLDS)
        else:
            yield outcome, Sample(anchor, ((anchor, fold),), (2.0, loss, candidate), 0.02, 0.1)


def measure(n_outcomes, folder):
    """Record outcomes one by one into a new store, then resume it."""
    with tempfile.TemporaryDirectory(dir=folder) as inner:
        path = Path(inner) / "run.db"
        seconds = []
        with RunStore.create(path) as store:
            run = begin(store)
            for outcome, decision in steps(n_outcomes):
                start = time.perf_counter()
                run.record(outcome)
                run.decided(outcome.task.candidate, decision)
                seconds.append(time.perf_counter() - start)
        megabytes = path.stat().st_size / 2**20
        start = time.perf_counter()
        with RunStore.open(path) as store:
            n_known = begin(store).n_known
        resume_seconds = time.perf_counter() - start
    if n_known != n_outcomes:
        raise SystemExit(f"recorded {n_outcomes} outcomes, found {n_known}")
    return Cost(
        1e3 * statistics.fmean(seconds),
        1e3 * statistics.median(seconds),
        1e3 * max(seconds),
        resume_seconds,
        megabytes,
    )


def measure_fingerprint(megabytes):
    """Seconds to take the fingerprint of an array in C order, and of one in Fortran order."""
    array = np.ones((megabytes * 2**20 // 800, 100))
    taken = []
    for data in (array, np.asfortranarray(array)):
        start = time.perf_counter()
        fingerprint(data)
        taken.append(time.perf_counter() - start)
    return taken


def main():
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--outcomes", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", help="where the store is written; a temporary folder")
    parser.add_argument("--megabytes", type=int, default=500, help="data to fingerprint; 0: none")
    arguments = parser.parse_args()
    costs = [measure(arguments.outcomes, arguments.folder) for _ in range(arguments.repeats)]
    for cost in sorted(costs):
        print(
            f"{cost.mean_ms:.3f} ms per outcome (median {cost.median_ms:.3f}, worst "
            f"{cost.worst_ms:.1f}); resuming {arguments.outcomes} outcomes took "
            f"{cost.resume_seconds:.2f} s; {cost.megabytes:.1f} MB"
        )
    if arguments.megabytes:
        c_order, f_order = measure_fingerprint(arguments.megabytes)
        print(
            f"fingerprint of {arguments.megabytes} MB: {c_order:.2f} s in C order, "
            f"{f_order:.2f} s in Fortran order"
        )


if __name__ == "__main__":
    main()
