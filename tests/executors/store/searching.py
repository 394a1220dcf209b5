"""A small search over formulas that is stored as it goes, here or in a process of its own.

    python -m tests.executors.store.searching STORE LOG POLICY

writes to LOG a line when it begins an evaluation and one when the outcome has been recorded, and
says each of them on its standard output too.
"""

import sys
import time
from pathlib import Path

from curvewise import LCCV, Failure, KFoldCV, Observation, Race, Reason, Search
from curvewise.executors import RunStore
from tests.play import noise, power_law

N_CANDIDATES = 60
N_FOLDS = 5
TARGET = 5000
FIT_SECONDS = 0.001
POLICIES = {"kfold": KFoldCV(), "lccv": LCCV(), "race": Race()}


def evaluate(task):
    """What a task gives: depends on the task alone. Some learners fail, some are too slow."""
    candidate, anchor, fold = task
    if candidate % 11 == 5:
        return Failure(task, Reason.ERROR, f"Traceback: candidate {candidate}", seconds=0.125)
    if candidate % 13 == 7 and anchor > 500:
        return Failure(task, Reason.TIMEOUT, "after 5 s", seconds=5.0)
    floor = 0.1 + 0.2 * (candidate * 7 % N_CANDIDATES) / N_CANDIDATES
    loss = power_law(floor, wobble=0.01)(anchor, fold)
    seconds = anchor * (1.5 + noise(candidate, anchor, fold)) / 1000
    scores = {"accuracy": 1 - loss, "auc": float("nan")}
    return Observation(task, loss, seconds=seconds, n_test=1000, scores=scores)


def new_search(policy, observer=None):
    return Search(
        range(N_CANDIDATES),
        schedule=POLICIES[policy].schedule(TARGET),
        policy=POLICIES[policy],
        n_folds=N_FOLDS,
        observer=observer,
    )


def begin(store, policy):
    terms = new_search(policy).portfolio
    settings = {"policy": POLICIES[policy], "seed": 0}
    return store.begin(settings, "5000x9-abc", schedule=terms.schedule, n_folds=N_FOLDS)


def search_on(run, policy, *, evaluated=evaluate, recorded=lambda task: None):
    """Go on with a stored search to its end; give the search and what was decided."""
    decisions = []

    def observer(candidate, decision):
        decisions.append((candidate, decision))
        run.decided(candidate, decision)

    search = new_search(policy, observer)
    while not search.done:
        for task in search.ask():
            outcome = run.known(task)
            if outcome is None:
                outcome = evaluated(task)
                assert run.record(outcome)
                recorded(task)
            search.tell(outcome)
    run.finish()
    return search, decisions


def main(path, log, policy):
    with Path(log).open("a", buffering=1) as file, RunStore.open(path) as store:

        def say(verb, task):
            line = f"{verb} {task.candidate} {task.anchor} {task.fold}\n"
            file.write(line)
            sys.stdout.write(line)
            sys.stdout.flush()

        def evaluated(task):
            say("begin", task)
            end = time.perf_counter() + FIT_SECONDS
            while time.perf_counter() < end:
                pass
            return evaluate(task)

        search_on(
            begin(store, policy),
            policy,
            evaluated=evaluated,
            recorded=lambda task: say("recorded", task),
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
