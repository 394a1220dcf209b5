"""Kill a search again and again, and see that nothing is lost, repeated or decided otherwise.

    python benchmarks/kills.py --kills 50                      # the whole search, with SIGKILL
    python benchmarks/kills.py --kills 20 --jobs 2 --victim worker
    python benchmarks/kills.py --kills 12 --jobs 2 --victim server      # fork servers
    python benchmarks/kills.py --kills 1 --dask --victim worker

A search over real candidates on scikit-learn's digits, decisions in order, with a run store.
First undisturbed; then killed at random moments and resumed each time (or: its workers killed at
random moments). At the end the outcomes, decisions, scores and the choice have to be equal.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

N_CANDIDATES = 32
WINDOW = 4


def candidates(n):
    """Give so many different estimators, each with a fixed seed; later ones take longer."""
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    kinds = [
        lambda i: SVC(C=2.0 ** (i - 4)),
        lambda i: RandomForestClassifier(20 + 10 * i, random_state=i),
        lambda i: ExtraTreesClassifier(20 + 10 * i, random_state=i),
        lambda i: KNeighborsClassifier(1 + i),
        lambda i: LogisticRegression(C=10.0 ** (i - 4), max_iter=50),
    ]
    return {i: kinds[i % len(kinds)](i // len(kinds)) for i in range(n)}


def search_digits(path, *, n_candidates, n_jobs, dask):
    """Run the search, or go on with it."""
    import warnings

    from sklearn.datasets import load_digits

    from curvewise import Race, Search
    from curvewise._evaluation.evaluator import Evaluator
    from curvewise._evaluation.folds import Folds
    from curvewise._evaluation.scorers import resolve_scoring
    from curvewise.executors import Execution, RunStore, fingerprint, make_executor, run

    warnings.simplefilter("ignore")
    X, y = load_digits(return_X_y=True)
    folds = Folds(X, y, cv=5, classifier=True, random_state=0)
    scoring = resolve_scoring("accuracy")
    evaluate = Evaluator(X, y, folds=folds, scoring=scoring)
    estimators = candidates(n_candidates)
    policy = Race(price=0.0005)
    schedule = policy.schedule(folds.target)
    with RunStore.open(path) as store:
        stored = store.begin(
            {"policy": policy, **evaluate.describe()},
            fingerprint(X, y),
            schedule=schedule,
            n_folds=5,
            name="digits",
        )
        search = Search(
            estimators,
            schedule=schedule,
            policy=policy,
            n_folds=5,
            scale=scoring.scale,
            count_rows=True,
        )
        execution = Execution(n_jobs=n_jobs, dask="local" if dask else None)
        executor = make_executor(evaluate, execution=execution)
        try:
            print("ready", flush=True)
            run(search, executor, candidates=estimators, record=stored, window=WINDOW)
        finally:
            executor.close()


def facts(path):
    """Read what must not depend on kills: scores, decisions, results; and check for repeats."""
    from curvewise import Observation
    from curvewise.executors import RunStore

    with RunStore.read(path) as store:
        stored = store.run("digits")
        observations = [o for o in stored.outcomes() if isinstance(o, Observation)]
        tasks = [o.task for o in observations]
        if len(tasks) != len(set(tasks)):
            raise SystemExit("FAILED: a finished evaluation was repeated")
        scores = {o.task: (o.loss, o.scores) for o in observations}
        results = [(r.candidate, r.status, repr(r.loss)) for r in stored.results()]
        return scores, [str(d) for d in stored.decisions()], results, store.runs()[0].best


def child(arguments, path):
    """Start the search in a process of its own and wait until it is ready."""
    command = [sys.executable, __file__, "--store", str(path), "--jobs", str(arguments.jobs)]
    command += ["--candidates", str(arguments.candidates)]
    command += ["--dask"] if arguments.dask else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    return process


def kill_search(arguments, path, chance):
    """Kill the whole search at random moments, then let it finish."""
    n_kills = 0
    while n_kills < arguments.kills:
        process = child(arguments, path)
        try:
            process.wait(chance.uniform(0, arguments.longest))
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            n_kills += 1
    child(arguments, path).wait()
    return n_kills


def is_fork_server(process):
    """Whether a process is one that workers are forked from."""
    try:
        return "_workers.fork_server" in " ".join(process.cmdline())
    except psutil.Error:
        return False


def victims_of(search, kind):
    """Find the fork servers of a search, or the workers below them, which look just like them."""
    try:
        servers = [child for child in search.children() if is_fork_server(child)]
        if kind == "server":
            return servers
        return [worker for server in servers for worker in server.children()]
    except psutil.NoSuchProcess:
        return []


def kill_workers(arguments, path, chance):
    """Kill workers of the running search, or what they are forked from, at random moments."""
    process, n_kills = child(arguments, path), 0
    while process.poll() is None:
        time.sleep(chance.uniform(0.1, arguments.longest))
        if n_kills < arguments.kills and process.poll() is None:
            victims = victims_of(psutil.Process(process.pid), arguments.victim)
            # It may have ended by itself meanwhile.
            with suppress(IndexError, psutil.NoSuchProcess):
                chance.choice(victims).kill()
                n_kills += 1
    if process.returncode:
        raise SystemExit(f"FAILED: the search ended with exit code {process.returncode}")
    return n_kills


def main():
    """Run undisturbed and disturbed, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--candidates", type=int, default=N_CANDIDATES)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--victim", choices=["search", "worker", "server"], default="search")
    parser.add_argument("--longest", type=float, default=0.15, help="seconds between kills")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.store is not None:
        search_digits(
            arguments.store,
            n_candidates=arguments.candidates,
            n_jobs=arguments.jobs,
            dask=arguments.dask,
        )
        return
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        undisturbed, disturbed = Path(folder) / "undisturbed.db", Path(folder) / "disturbed.db"
        start = time.perf_counter()
        child(arguments, undisturbed).wait()
        print(f"undisturbed: {time.perf_counter() - start:.1f} s")
        attack = kill_search if arguments.victim == "search" else kill_workers
        n_kills = attack(arguments, disturbed, chance)
        expected, found = facts(undisturbed), facts(disturbed)
        names = ("scores", "decisions", "results", "choice")
        for name, one, other in zip(names, expected, found, strict=True):
            if one != other:
                raise SystemExit(f"FAILED: the {name} differ")
        print(
            f"{n_kills} kills of the {arguments.victim}: {len(expected[0])} evaluations, none lost "
            "or repeated; scores, decisions, results and choice equal"
        )


if __name__ == "__main__":
    main()
