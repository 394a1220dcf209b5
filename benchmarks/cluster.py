"""A race on a real Dask cluster: fits that sleep for recorded seconds, workers that are killed.

    python benchmarks/cluster.py                                  # 60 candidates, 16 workers
    python benchmarks/cluster.py --candidates 200 --runs race race-deaths kfold
    python benchmarks/cluster.py lcdb-development.parquet --dataset 1590 --json
    python benchmarks/cluster.py --workers 4 --threads 4          # fewer processes, as many fits

Scheduler and workers are processes of this machine, each worker with the limited processes that it
has on any cluster. A fit sleeps for its recorded seconds, multiplied so that k-fold would take
``--seconds`` on as many workers, and gives its recorded loss; so 16 workers need hardly a core.
In the runs with deaths a tenth of the workers is killed (SIGKILL, at random moments of the first
two thirds, nobody takes their place), and started again for the next run.

It tells, for each run: seconds of the wall clock, as a ratio to k-fold on as many workers
(simulated; really run, too, with ``--runs kfold``) and to the same search in simulation; CPU
seconds per outcome of the controller (this process), of the scheduler and of the workers; what
share of the workers' time nobody slept; and whether runs in order decided and scored as a
simulation with one worker did, which nobody disturbs.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from local_cluster import Cluster, Deaths, cpu_seconds, memory_below

from curvewise import Failure, KFoldCV, Observation, Race, Reason, Search
from curvewise._bench.replays import Setting, portfolios, resized
from curvewise.core import Outcome, Policy, Task
from curvewise.executors import DaskExecutor, Ending, ReplayExecutor, read_recordings, run

RUNS = ("race", "race-deaths", "in-order", "in-order-deaths", "kfold")
NOBODY = "nobody"
# So long nothing is done, to see what workers take that do nothing.
IDLE_SECONDS = 5.0
MB = 1e6


class Sleeping:
    """An evaluation that sleeps as long as was recorded, and gives what was recorded."""

    def __init__(self, curves: Path, dataset: str, n: int, n_folds: int, seed: int) -> None:
        setting = Setting(n_folds=n_folds, n_learners=n)
        found = {one.dataset: one for one in read_recordings(curves)}
        if dataset not in found:
            raise SystemExit(f"{curves} has no data set {dataset}; it has {', '.join(found)}")
        [recording] = portfolios([found[dataset]], setting)
        rng = np.random.default_rng(seed)
        recording = resized(recording, n, rng)
        seeds = rng.choice(recording.n_seeds, n_folds, replace=False)
        self.anchors, self.target = recording.anchors, recording.target
        self.truth = recording.truth.tolist()
        self.order = rng.permutation(n).tolist()
        self.n_folds, self.factor = n_folds, 1.0
        self._n_test = recording.n_test
        self._loss = recording.loss[:, :, seeds].tolist()
        self._seconds = recording.seconds[:, :, seeds].tolist()
        failures = recording.failures
        self._failures = None if failures is None else failures[:, :, seeds].tolist()

    def outcome(self, task: Task) -> Outcome:
        """Give what was recorded."""
        learner, anchor, fold = task.candidate, self.anchors.index(task.anchor), task.fold
        seconds = self.factor * self._seconds[learner][anchor][fold]
        reason = None if self._failures is None else self._failures[learner][anchor][fold]
        if reason is not None:
            return Failure(task, reason, "so it was recorded", seconds)
        loss = self._loss[learner][anchor][fold]
        return Observation(task, loss, seconds=seconds, n_test=self._n_test)

    def __call__(self, task: Task, candidate: object) -> Outcome:
        """Take the time; for no candidate, none."""
        if candidate == NOBODY:
            return Observation(task, 0.0)
        outcome = self.outcome(task)
        time.sleep(outcome.seconds)
        return outcome

    def search(self, policy: Policy, *, count_rows: bool = False) -> Search:
        """Make a search over all candidates."""
        schedule = policy.schedule(self.target).among(self.anchors)
        return Search(
            self.order,
            schedule=schedule,
            policy=policy,
            n_folds=self.n_folds,
            count_rows=count_rows,
        )

    def simulate(
        self, policy: Policy, *, n_workers: int, window: int | None = None
    ) -> tuple[Search, ReplayExecutor]:
        """Run a search on a simulated clock."""
        search = self.search(policy, count_rows=window is not None)
        executor = ReplayExecutor(self.outcome, n_workers=n_workers)
        run(search, executor, window=window)
        return search, executor


def facts(search: Search) -> dict[Any, Any]:
    """Give what must not depend on deaths: statuses, scores to the last digit, decisions."""
    return {
        name: (result.status, repr(result.loss), str(result.decisions))
        for name, result in search.results.items()
    }


class Watched:
    """An executor that notes how long its tasks took, and how much of that they slept."""

    def __init__(self, executor: DaskExecutor, evaluation: Sleeping) -> None:
        self._executor, self._evaluation = executor, evaluation
        self._begun: dict[Task, float] = {}
        self.slept = self.lost = self.cancelled = self.occupied = 0.0
        self.delays: list[float] = []
        self.n_outcomes = self.n_lost = self.n_cancelled = 0
        self.n_slots_seen: list[int] = []

    @property
    def n_slots(self) -> int:
        """As many as the executor has."""
        return self._executor.n_slots

    @property
    def promises(self) -> Any:
        """As the executor's."""
        return self._executor.promises

    def submit(self, task: Task, candidate: object = None, *, seconds: float | None = None) -> None:
        """Begin a task."""
        self._begun[task] = time.monotonic()
        self._executor.submit(task, candidate, seconds=seconds)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for outcomes."""
        outcomes = self._executor.wait(timeout)
        for outcome in outcomes:
            taken = self._taken(outcome.task)
            if isinstance(outcome, Failure) and outcome.reason is Reason.LOST:
                self.n_lost += 1
                self.lost += taken
                continue
            self.n_outcomes += 1
            self.slept += outcome.seconds
            self.delays.append(taken - outcome.seconds)
        return outcomes

    def cancel(self, task: Task) -> None:
        """End a task."""
        asked = self._evaluation.outcome(task).seconds
        self.n_cancelled += 1
        self.cancelled += min(asked, self._taken(task))
        self._executor.cancel(task)

    def _taken(self, task: Task) -> float:
        taken = time.monotonic() - self._begun.pop(task)
        self.occupied += taken
        return taken


@dataclass(kw_only=True)
class Figures:
    """What one run took; shares are of the time of all living workers."""

    run: str
    candidates: int
    seconds: float
    of_kfold: float
    of_simulated: float
    simulated_of_kfold: float
    outcomes: int
    lost_tasks: int
    cancelled_tasks: int
    controller_ms: float
    scheduler_ms: float
    dask_ms: float
    limited_ms: float
    at_rest: float
    idle: float
    idle_simulated: float
    unoccupied: float
    delay_ms: float
    opening_seconds: float
    opening_cpu_per_worker: float
    opened_mb_per_worker: float
    deaths: list[float] = field(default_factory=list)
    orphan_seconds: list[float] = field(default_factory=list)
    gap: float
    as_undisturbed: bool | None = None


class Bench:
    """Everything that runs have in common."""

    def __init__(self, evaluation: Sleeping, cluster: Cluster, options: Any) -> None:
        self.evaluation, self.cluster, self.options = evaluation, cluster, options
        self.chance = random.Random(options.seed)
        self.n_slots = options.workers * options.threads
        kfold, executor = evaluation.simulate(KFoldCV(), n_workers=self.n_slots)
        self.kfold_seconds = executor.clock
        self.kfold_choice = kfold.best.candidate

    def carry_out(self, name: str) -> Figures:
        """Carry out one run on the cluster."""
        policy: Policy = KFoldCV() if name == "kfold" else Race()
        window = self.options.window if name.startswith("in-order") else None
        _, simulated = self.evaluation.simulate(policy, n_workers=self.n_slots, window=window)
        n_deaths = self.options.deaths if name.endswith("deaths") else 0
        moments = [self.chance.uniform(0.05, 0.67) * simulated.clock for _ in range(n_deaths)]
        self.cluster.fill()
        workers = list(self.cluster.alive.values())
        before, begun = cpu_seconds(*workers), time.monotonic()
        with DaskExecutor(self.evaluation, address=self.cluster.address) as executor:
            warm_up(executor, self.n_slots)
            opening, opened = time.monotonic() - begun, cpu_seconds(*workers)
            held = sum(memory_below(worker) for worker in workers)
            time.sleep(IDLE_SECONDS)
            at_rest = (cpu_seconds(*workers) - opened).total() / IDLE_SECONDS / len(workers)
            watched = Watched(executor, self.evaluation)
            scheduler = psutil.Process(self.cluster.scheduler.pid)
            ready, scheduled = cpu_seconds(*workers), cpu_seconds(scheduler)
            controlled = time.process_time()
            search = self.evaluation.search(policy, count_rows=window is not None)
            with Deaths(self.cluster, moments, self.chance) as deaths:
                begun = time.monotonic()
                if run(search, watched, window=window) is not Ending.FINISHED:
                    raise KeyboardInterrupt
                seconds = time.monotonic() - begun
                controlled = time.process_time() - controlled
                scheduled = cpu_seconds(scheduler) - scheduled
                worked = cpu_seconds(*workers) + deaths.spent - ready
        if len(deaths.when) < n_deaths:
            raise SystemExit(f"FAILED: {len(deaths.when)} of {n_deaths} workers were killed")
        present = self.n_slots * seconds
        present -= self.options.threads * sum(seconds - when for when in deaths.when)
        n = watched.n_outcomes
        undisturbed = None
        if window is not None:
            alone, _ = self.evaluation.simulate(policy, n_workers=1, window=window)
            undisturbed = facts(search) == facts(alone)
        return Figures(
            run=name,
            candidates=len(self.evaluation.order),
            seconds=seconds,
            of_kfold=seconds / self.kfold_seconds,
            of_simulated=seconds / simulated.clock,
            simulated_of_kfold=simulated.clock / self.kfold_seconds,
            outcomes=n,
            lost_tasks=watched.n_lost,
            cancelled_tasks=watched.n_cancelled,
            controller_ms=1e3 * controlled / n,
            scheduler_ms=1e3 * scheduled.total() / n,
            dask_ms=1e3 * worked["root"] / n,
            limited_ms=1e3 * worked["below"] / n,
            at_rest=at_rest,
            idle=1 - (watched.slept + watched.cancelled) / present,
            idle_simulated=1 - simulated.busy_seconds / (self.n_slots * simulated.clock),
            unoccupied=1 - watched.occupied / present,
            delay_ms=1e3 * float(np.median(watched.delays)),
            opening_seconds=opening,
            opening_cpu_per_worker=(opened - before).total() / len(workers),
            opened_mb_per_worker=held / len(workers) / MB,
            deaths=deaths.when,
            orphan_seconds=deaths.orphan_seconds,
            gap=self.evaluation.truth[search.best.candidate]
            - self.evaluation.truth[self.kfold_choice],
            as_undisturbed=undisturbed,
        )


def warm_up(executor: DaskExecutor, n: int) -> None:
    """Let each worker carry out something, so that everything is started."""
    while executor.n_slots < n:
        time.sleep(0.1)
        executor.submit(Task(NOBODY, 1, 0), NOBODY)
        executor.wait()
    for fold in range(n):
        executor.submit(Task(NOBODY, 1, fold), NOBODY)
    n_left = n
    while n_left:
        n_left -= len(executor.wait())


def show(figures: Figures) -> None:
    """Print a run."""
    equal = {None: "-", True: "yes", False: "NO"}[figures.as_undisturbed]
    print(
        f"{figures.run:<16}{figures.candidates:>6}{figures.seconds:>8.1f}{figures.of_kfold:>9.3f}"
        f"{figures.of_simulated:>9.3f}{figures.outcomes:>9}{figures.lost_tasks:>6}"
        f"{figures.cancelled_tasks:>8}{figures.controller_ms:>8.1f}{figures.scheduler_ms:>8.1f}"
        f"{figures.dask_ms:>8.1f}{figures.limited_ms:>8.1f}{figures.idle:>8.3f}{figures.idle_simulated:>9.3f}"
        f"{figures.delay_ms:>7.0f}{figures.gap:>9.4f}{equal:>7}",
        flush=True,
    )


HEADER = (
    f"{'run':<16}{'cand.':>6}{'s':>8}{'/k-fold':>9}{'/simul.':>9}{'outcomes':>9}{'lost':>6}"
    f"{'cancel':>8}{'ctl ms':>8}{'sch ms':>8}{'dask ms':>8}{'lim. ms':>8}{'idle':>8}{'simul.':>9}"
    f"{'delay':>7}{'gap':>9}{'equal':>7}"
)


def compare_windows(evaluation: Sleeping, windows: list[int], *, n_slots: int) -> None:
    """Print what searches in order would take, in simulation, beside one that is not."""
    _, kfold = evaluation.simulate(KFoldCV(), n_workers=n_slots)
    print(f"{'window':<10}{'time':>8}{'cost':>8}   (of k-fold's)")
    for window in (None, *windows):
        _, race = evaluation.simulate(Race(), n_workers=n_slots, window=window)
        time_, cost = race.clock / kfold.clock, race.busy_seconds / kfold.busy_seconds
        print(f"{window or 'as it comes':<12}{time_:>6.3f}{cost:>8.3f}", flush=True)


def main() -> None:
    """Read the options, and print a line for each run."""
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("curves", type=Path, nargs="?", default=here / "recordings" / "earlier")
    parser.add_argument("--dataset", default="openml-54-vehicle")
    parser.add_argument("--candidates", type=int, default=60)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--deaths", type=int, help="a tenth of the workers by default")
    parser.add_argument("--window", type=int, default=32, help="tasks asked for ahead, in order")
    parser.add_argument("--windows", type=int, nargs="+", help="only simulate these, without Dask")
    parser.add_argument("--seconds", type=float, default=240, help="of k-fold on the workers")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=RUNS[:-1])
    parser.add_argument("--json", action="store_true", help="a line of JSON for each run")
    options = parser.parse_args()
    if options.deaths is None:
        options.deaths = max(1, round(options.workers / 10))
    evaluation = Sleeping(
        options.curves, options.dataset, options.candidates, options.folds, options.seed
    )
    n_slots = options.workers * options.threads
    if options.windows:
        compare_windows(evaluation, options.windows, n_slots=n_slots)
        return
    _, kfold = evaluation.simulate(KFoldCV(), n_workers=n_slots)
    evaluation.factor = options.seconds / kfold.clock
    say: Callable[[Figures], None] = show
    if options.json:
        say = lambda figures: print(json.dumps(asdict(figures)), flush=True)  # noqa: E731
    else:
        print(HEADER, flush=True)
    with Cluster(options.workers, n_threads=options.threads) as cluster:
        bench = Bench(evaluation, cluster, options)
        for name in options.runs:
            say(bench.carry_out(name))


if __name__ == "__main__":
    main()
