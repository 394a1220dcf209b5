"""Interrupted and killed searches, resumed until they are done."""

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from curvewise.executors import RunStatus, RunStore
from tests.executors.store.searching import POLICIES, begin, evaluate, search_on

ROOT = Path(__file__).parents[3]
N_INTERRUPTIONS = 50
N_KILLS = 4


class InterruptedRunError(Exception):
    pass


@pytest.fixture(scope="module")
def undisturbed(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "run.db"
    with RunStore.create(path) as store:
        run = begin(store, request.param)
        search, decisions = search_on(run, request.param)
        return request.param, search, decisions, run.outcomes()


def check_equal(path, undisturbed):
    """The stored run is the undisturbed one: outcomes, decisions, results and the choice."""
    _, search, decisions, outcomes = undisturbed
    with RunStore.read(path) as store:
        (summary,) = store.runs()
        run = store.run(summary.id)
        assert summary.status is RunStatus.FINISHED
        assert repr(run.outcomes()) == repr(outcomes)
        assert repr(run.decisions()) == repr(decisions)
        stored = {result.candidate: result for result in run.results()}
    assert summary.best == search.best.candidate
    assert summary.best_loss == search.best.loss
    assert list(stored) == list(search.results)
    for candidate, result in search.results.items():
        same = stored[candidate]
        assert repr((result.status, result.loss, result.interval)) == repr(
            (same.status, same.loss, same.interval)
        )
        assert same.seconds == pytest.approx(result.seconds)


@pytest.mark.parametrize("undisturbed", POLICIES, indirect=True)
@pytest.mark.parametrize("where", ["evaluating", "recorded"])
def test_a_search_that_is_interrupted_again_and_again_comes_out_the_same(
    tmp_path, undisturbed, where
):
    policy, path = undisturbed[0], tmp_path / "run.db"
    moments = random.Random(policy + where)
    n_evaluated, n_interrupted = Counter(), 0
    while True:
        countdown = moments.randint(0, 2) if n_interrupted < N_INTERRUPTIONS else 10_000

        def strike():
            nonlocal countdown
            countdown -= 1
            if countdown < 0:
                raise InterruptedRunError

        def evaluated(task, strike=strike):
            if where == "evaluating":
                strike()
            n_evaluated[task] += 1
            return evaluate(task)

        def recorded(task, strike=strike):
            if where == "recorded":
                strike()

        try:
            with RunStore.open(path) as store:
                run = begin(store, policy)
                _, decisions = search_on(run, policy, evaluated=evaluated, recorded=recorded)
                break
        except InterruptedRunError:
            n_interrupted += 1

    assert n_interrupted == N_INTERRUPTIONS
    assert set(n_evaluated.values()) == {1}
    assert repr(decisions) == repr(undisturbed[2])
    check_equal(path, undisturbed)


@pytest.mark.parametrize("undisturbed", ["race"], indirect=True)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_search_that_is_killed_again_and_again_comes_out_the_same(tmp_path, undisturbed):
    policy, path, log = undisturbed[0], tmp_path / "run.db", tmp_path / "log.txt"
    command = [sys.executable, "-m", "tests.executors.store.searching", path, log, policy]
    moments = random.Random(policy)
    n_lines = 2 * len(undisturbed[3])
    endings = []
    for _ in range(N_KILLS):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            for _ in range(moments.randint(1, n_lines // N_KILLS)):
                process.stdout.readline()
            process.kill()
        endings.append(process.returncode)
    assert -signal.SIGKILL in endings
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)

    recorded = set()
    for line in log.read_text().splitlines():
        verb, _, task = line.partition(" ")
        assert task not in recorded
        if verb == "recorded":
            recorded.add(task)
    check_equal(path, undisturbed)
