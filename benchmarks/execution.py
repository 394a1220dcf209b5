"""What executing costs, and how exactly limits are kept.

    python benchmarks/execution.py                    # everything, about a minute on two cores
    python benchmarks/execution.py --only limits

Every section measures side by side in one run and prints what was wanted and what it was. On a
machine that is busy with other things, throughput and limits look worse than they are.
"""

import argparse
import itertools
import os
import signal
import statistics
import time

import numpy as np
import psutil

from curvewise.core._outcome import Observation, Task
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._process_executor import ProcessExecutor

MB = 10**6


class Evaluation:
    """Holds data, and burns as much of the processor as the candidate says."""

    def __init__(self, n_bytes=0):
        self.X = np.ones(n_bytes // 8)

    def __call__(self, task, candidate):
        """Carry out one task."""
        return Observation(task, float(candidate(self.X) or 0.0))


def burn(seconds):
    """Make a candidate that takes so many seconds of processor time."""

    def candidate(_):
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    return candidate


def nothing(_):
    """Do nothing: what is left is overhead."""


def loop_in_python(_):
    """Never end."""
    while True:
        pass


def loop_in_c(_):
    """Never end, hold the interpreter's lock and look at no signal."""
    sum(itertools.repeat(0, 10**13))


def read_all(X):
    """Touch all data."""
    return X.sum()


def tell_process(_):
    """Give the process id."""
    return os.getpid()


def run_all(executor, candidates, anchor=64):
    """Keep all slots busy until every candidate has its outcome."""
    waiting = [(Task(i, anchor, 0), candidate) for i, candidate in enumerate(candidates)][::-1]
    n_under_way = 0
    outcomes = []
    while waiting or n_under_way:
        while waiting and n_under_way < executor.n_slots:
            executor.submit(*waiting.pop())
            n_under_way += 1
        finished = executor.wait()
        n_under_way -= len(finished)
        outcomes += finished
    return outcomes


def seconds_of(function, *args):
    """How long a call takes."""
    start = time.perf_counter()
    function(*args)
    return time.perf_counter() - start


def show(what, wanted, measured):
    """Print one line of the table."""
    print(f"{what:<58} {wanted:>18} {measured:>18}", flush=True)


def in_process():
    """An executor in this process, against a bare loop."""
    evaluate, n, rounds = Evaluation(), 5_000, 5
    executor = InProcessExecutor(evaluate)

    def bare():
        for i in range(n):
            evaluate(Task(i, 64, 0), nothing)

    costs = [
        (seconds_of(run_all, executor, [nothing] * n) - seconds_of(bare)) / n for _ in range(rounds)
    ]
    cost = statistics.median(costs)
    show("in-process: overhead per task", "", f"{1e6 * cost:.1f} us")
    show("in-process: the same for fits of 10 ms", "at most 3%", f"{100 * cost / 0.01:.3f}%")


def evaluation():
    """An evaluator against a bare loop of clone, fit and score over index slices."""
    from sklearn.base import BaseEstimator, ClassifierMixin, clone
    from sklearn.metrics import get_scorer

    from curvewise._evaluation.evaluator import Evaluator
    from curvewise._evaluation.folds import Folds
    from curvewise._evaluation.scorers import resolve_scoring

    class Busy(ClassifierMixin, BaseEstimator):
        """Fits in ten milliseconds, whatever the data."""

        def fit(self, X, y):
            self.classes_ = np.array([0, 1])
            burn(0.010)(X)
            return self

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    for n_rows in (1_000, 10_000, 100_000, 1_000_000):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(n_rows, 10)), rng.integers(0, 2, n_rows)
        folds = Folds(X, y, cv=5, classifier=True, random_state=0)
        evaluate = Evaluator(X, y, folds=folds, scoring=resolve_scoring("accuracy"))
        scorer = get_scorer("accuracy")
        splits = [(folds.train(i, folds.target), folds.test(i)) for i in range(5)]

        def bare(fold, X=X, y=y, splits=splits, scorer=scorer):
            train, test = splits[fold]
            scorer(clone(Busy()).fit(X[train], y[train]), X[test], y[test])

        def ours(fold, evaluate=evaluate, target=folds.target):
            evaluate(Task("busy", target, fold), Busy())

        both = {bare: 0.0, ours: 0.0}
        for fold in list(range(5)) * 12:
            for function in both:
                start = time.process_time()
                function(fold)
                both[function] += time.process_time() - start
        more = 100 * (both[ours] / both[bare] - 1)
        show(f"evaluator: more CPU than a bare loop, {n_rows:,} rows", "at most 3%", f"{more:.2f}%")


def overhead():
    """Worker processes: what a task costs that does nothing."""
    start = time.perf_counter()
    evaluation = Evaluation(100 * MB)
    with ProcessExecutor(evaluation, n_workers=1, fresh_workers="never") as executor:
        run_all(executor, [nothing])
        show("processes: start, with 100 MB", "", f"{time.perf_counter() - start:.2f} s")
        costs = [1e3 * seconds_of(run_all, executor, [nothing]) for _ in range(2_000)]
        mean, high = statistics.mean(costs), statistics.quantiles(costs, n=100)[98]
        show("processes: per task, with 100 MB", "at most 1.5 ms", f"{mean:.2f} ms")
        show("processes: 99th percentile of that", "", f"{high:.2f} ms")
        restarts = []
        for _ in range(20):
            (outcome,) = run_all(executor, [tell_process])
            os.kill(int(outcome.loss), signal.SIGKILL)
            restarts.append(1e3 * seconds_of(run_all, executor, [nothing]))
        median = statistics.median(restarts)
        show("processes: a task and a new worker, with 100 MB", "", f"{median:.1f} ms")


def fresh_workers():
    """What a worker of its own costs a task: small trees, of scikit-learn and of one's own."""
    from sklearn.datasets import make_classification
    from sklearn.tree import DecisionTreeClassifier

    from curvewise._evaluation.evaluator import Evaluator
    from curvewise._evaluation.folds import Folds
    from curvewise._evaluation.scorers import resolve_scoring

    class OwnTree(DecisionTreeClassifier):
        """Nobody knows its code."""

    X, y = make_classification(1_000, 10, random_state=0)
    folds = Folds(X, y, cv=5, classifier=True, random_state=0)
    evaluate = Evaluator(X, y, folds=folds, scoring=resolve_scoring("accuracy"))
    for n_workers, fresh in itertools.product((1, 2), ("never", "unknown", "always")):
        executor = ProcessExecutor(evaluate, n_workers=n_workers, fresh_workers=fresh)
        with executor:
            for tree in (DecisionTreeClassifier(), OwnTree()):
                run_all(executor, [tree] * 5, anchor=folds.target)
                milliseconds = 1e3 * seconds_of(run_all, executor, [tree] * 60, folds.target) / 60
                whose = "own tree" if isinstance(tree, OwnTree) else "known tree"
                what = f"fresh workers {fresh}: {whose}, {n_workers} workers, per task"
                show(what, "", f"{milliseconds:.1f} ms")


def throughput():
    """Two workers against one, on fits of 50 ms; the best of some rounds, taken in turns."""
    candidates = [burn(0.05)] * 30
    with (
        ProcessExecutor(Evaluation(), n_workers=1) as one,
        ProcessExecutor(Evaluation(), n_workers=2) as two,
    ):
        seconds = {one: [], two: []}
        for _, executor in itertools.product(range(6), seconds):
            seconds[executor].append(seconds_of(run_all, executor, candidates))
    ratio = min(seconds[one]) / min(seconds[two])
    show("processes: throughput of 2 workers on fits of 50 ms", "at least 1.8", f"{ratio:.2f}")


def limits():
    """Seconds that were asked for, and that it took."""
    with ProcessExecutor(Evaluation(), n_workers=1) as executor:
        for candidate in (loop_in_python, loop_in_c):
            for asked in (0.5, 2.0):
                executor.submit(Task("slow", 64, 0), candidate, seconds=asked)
                taken = seconds_of(executor.wait)
                within = f"{asked:g} to {asked + max(0.3, asked / 10):g} s"
                name = candidate.__name__.replace("_", " ")
                show(f"limits: {asked:g} s for a {name}", within, f"{taken:.3f} s")


def memory():
    """What two workers hold of 500 MB."""
    n_bytes = 500 * MB
    with ProcessExecutor(Evaluation(n_bytes), n_workers=2) as executor:
        run_all(executor, [read_all] * 4)
        processes = psutil.Process().children(recursive=True)
        held = sum(process.memory_full_info().pss for process in processes)
    what = "memory: 2 workers and their fork server on 500 MB"
    show(what, "below 1,000 MB", f"{held / MB:,.0f} MB")


def large_candidates():
    """What candidates of 200 MB cost the program that sends them, with five tasks each."""
    from curvewise.executors._dask_executor import DaskExecutor

    def seconds_and_memory(make):
        before = psutil.Process().memory_info().rss
        with make() as executor:
            run_all(executor, [nothing])
            candidates = [candidate for i in range(3) for candidate in [Large(200 * MB, i)] * 5]
            seconds = seconds_of(run_all, executor, candidates)
            return seconds / 15, psutil.Process().memory_info().rss - before

    for name, executor in (("processes", ProcessExecutor), ("dask", DaskExecutor)):
        seconds, grown = seconds_and_memory(lambda made=executor: made(Evaluation(), n_workers=1))
        what = f"{name}: candidates of 200 MB, per task"
        show(what, "", f"{seconds:.2f} s, {grown / MB:,.0f} MB")


class Large:
    """A candidate that holds much, and does nothing."""

    def __init__(self, n_bytes, seed):
        self.content = np.full(n_bytes // 8, float(seed))

    def __call__(self, _):
        """Do nothing."""


def dask():
    """A local Dask cluster: what a task costs that does nothing."""
    from curvewise.executors import DaskExecutor

    _on_cluster("dask", DaskExecutor)


def ray():
    """The same on a local Ray cluster."""
    from curvewise.executors import RayExecutor

    _on_cluster("ray", RayExecutor)


def _on_cluster(name, make):
    what = f"{name}: per task, with 100 MB"
    try:
        executor = make(Evaluation(100 * MB), n_workers=1)
    except ImportError as error:
        show(what, "", str(error))
        return
    with executor:
        run_all(executor, [nothing] * 10)
        costs = [1e3 * seconds_of(run_all, executor, [nothing]) for _ in range(200)]
    show(what, "", f"{statistics.mean(costs):.1f} ms")


SECTIONS = {
    section.__name__.replace("_", "-"): section
    for section in (
        in_process,
        evaluation,
        overhead,
        fresh_workers,
        throughput,
        limits,
        memory,
        large_candidates,
        dask,
        ray,
    )
}


def main():
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), default=list(SECTIONS))
    chosen = parser.parse_args().only
    show("what", "wanted", "measured")
    for name in chosen:
        SECTIONS[name]()


if __name__ == "__main__":
    main()
