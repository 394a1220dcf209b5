"""How a search scales: outcomes per second in the controller, and memory per candidate.

    python benchmarks/scale.py
    python benchmarks/scale.py --policy race-by-rows --candidates 20000 --rows 10000

Simulated searches of up to 100,000 candidates on 1,000 workers, five folds, a target of 10,000
rows. Controller seconds are CPU seconds spent in ``ask``, ``tell`` and ``cancellations``; the
simulated learners and workers are not counted. With ``--rows`` every observation carries the losses
of so many test rows, with which a race by rows compares candidates.
"""

import argparse
import math
import time
import tracemalloc
from functools import partial

import numpy as np

from curvewise import LCCV, KFoldCV, Observation, Race, Search
from curvewise.executors._replay_executor import ReplayExecutor

TARGET = 10_000
N_FOLDS = 5
POLICIES = {
    "kfold": (KFoldCV, True),
    "lccv": (LCCV, True),
    "race": (Race, True),
    "race-stream": (Race, False),
    "race-by-rows": (partial(Race, by_rows=True), True),
}
# How hard each test row of each fold is, if losses by row are wanted.
HARD_ROWS: list[np.ndarray] = []


def unit(*key):
    """A number in [0, 1) that depends on the key alone."""
    value = math.sin(sum((i + 1) * 12.9898 * part for i, part in enumerate(key))) * 43758.5453
    return value - math.floor(value)


def look_up(task):
    """A learner that is a formula: power law, noise, and a cost that grows with the rows."""
    candidate, anchor, fold = task
    floor = 0.05 + 0.5 * unit(candidate)
    loss = floor + 2 * anchor**-0.6 + 0.01 * (unit(candidate, anchor, fold) - 0.5)
    seconds = anchor * (0.5 + unit(candidate, 1)) / 1000
    if not HARD_ROWS:
        return Observation(task, min(1.0, loss), seconds=seconds, n_test=2000)
    rows = HARD_ROWS[fold] < loss
    n_test = len(rows)
    return Observation(task, float(rows.mean()), seconds=seconds, n_test=n_test, row_losses=rows)


def search_of(name, n):
    """A search over n candidates."""
    policy, listed = POLICIES[name]
    candidates = range(n) if listed else iter(range(n))
    return Search(candidates, schedule=TARGET, policy=policy(), n_folds=N_FOLDS)


def carry_out(search, n_workers):
    """Run a search; give its outcomes and the controller's CPU seconds.

    The simulated learners and workers are run once more alone, and their seconds subtracted.
    """
    executor = ReplayExecutor(look_up, n_workers=n_workers)
    tasks, n_outcomes, n_free = [], 0, n_workers
    start = time.process_time()
    while True:
        asked = search.ask(n_free)
        for task in asked:
            executor.submit(task)
        tasks += asked
        n_free -= len(asked)
        outcomes = executor.wait()
        if not outcomes:
            break
        for outcome in outcomes:
            search.tell(outcome)
        cancelled = search.cancellations()
        for task in cancelled:
            executor.cancel(task)
        n_outcomes += len(outcomes)
        n_free += len(outcomes) + len(cancelled)
    seconds = time.process_time() - start
    return n_outcomes, seconds - alone(tasks, n_workers)


def alone(tasks, n_workers):
    """CPU seconds of the simulated learners and workers."""
    executor = ReplayExecutor(look_up, n_workers=n_workers)
    start = time.process_time()
    for i, task in enumerate(tasks):
        executor.submit(task)
        if i >= n_workers:
            executor.wait()
    while executor.wait():
        pass
    return time.process_time() - start


def memory_of(name, n, n_workers):
    """Bytes that the search holds per finished candidate."""
    tracemalloc.start()
    search = search_of(name, n)
    carry_out(search, n_workers)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / len(search.portfolio.contenders)


def main():
    """Print one row per policy and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--candidates", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=1_000)
    parser.add_argument("--policy", default=",".join(POLICIES))
    parser.add_argument("--rows", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.rows:
        rng = np.random.default_rng(0)
        HARD_ROWS.extend(rng.random(arguments.rows) for _ in range(N_FOLDS))
    print(f"{'policy':<12}{'candidates':>12}{'outcomes':>12}{'seconds':>10}{'outcomes/s':>12}")
    for name in arguments.policy.split(","):
        for divisor in (8, 4, 2, 1):
            n = arguments.candidates // divisor
            search = search_of(name, n)
            n_outcomes, seconds = carry_out(search, arguments.workers)
            if not search.done:
                raise SystemExit(f"{name} did not end")
            rate = n_outcomes / seconds
            print(f"{name:<12}{n:>12,}{n_outcomes:>12,}{seconds:>10.2f}{rate:>12,.0f}", flush=True)
        memory = memory_of(name, max(1, arguments.candidates // 20), arguments.workers)
        print(f"{name:<12}{memory:,.0f} bytes held per finished candidate", flush=True)


if __name__ == "__main__":
    main()
