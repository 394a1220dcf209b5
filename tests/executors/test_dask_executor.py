"""What only a cluster can do: lose workers, gain workers, outlive the program that uses it.

What it shares with all executors is in the contract.
"""

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier

from curvewise import Search
from curvewise._evaluation.evaluator import Evaluator
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.scorers import resolve_scoring
from curvewise.core._outcome import Reason, Task
from curvewise.errors import CurvewiseError, InvalidParameterError, MissingExtraError
from curvewise.executors import _dask_executor
from curvewise.executors._dask_executor import DaskExecutor
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._listener import Listener
from curvewise.executors._loop import run as carry_out
from tests.executors import troublemakers as trouble
from tests.executors.contract import PATIENCE_SECONDS, eventually

distributed = pytest.importorskip(
    "distributed", reason="Dask is not installed: pip install 'curvewise[dask]'"
)

pytestmark = pytest.mark.slow

SCRIPT = """
import sys, time
from curvewise.core._outcome import Task
from curvewise.executors._dask_executor import DaskExecutor
from tests.executors import troublemakers as trouble

executor = DaskExecutor(trouble.evaluate, address=sys.argv[1])
executor.submit(Task("a", 64, 0), trouble.succeed)
(outcome,) = executor.wait()
executor.submit(Task("b", 64, 0), trouble.loop_in_c)
executor.wait(0.01)
print(outcome.loss, flush=True)
time.sleep(1000)
"""


def make_cluster():
    return distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    )


@pytest.fixture
def cluster():
    """One for each test: a worker that is killed just after its birth is given up by Dask."""
    with make_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def unharmed():
    """One for all tests that leave its workers alone."""
    with make_cluster() as cluster:
        yield cluster


@pytest.fixture
def executor(cluster):
    with DaskExecutor(trouble.evaluate, address=cluster.scheduler_address) as executor:
        eventually(lambda: look(executor) == 2)
        yield executor
    eventually(lambda: n_fork_servers() == 0)


def look(executor):
    """Let the executor look at its cluster."""
    executor._look_around()
    return executor.n_slots


def run(executor, candidate, fold=0):
    executor.submit(Task("candidate", 64, fold), candidate)
    (outcome,) = executor.wait(PATIENCE_SECONDS)
    return outcome


def until(executor, predicate):
    """Let the executor look after its tasks until it is so."""
    deadline = time.monotonic() + 3 * PATIENCE_SECONDS
    while not predicate():
        assert executor.wait(0.01) == []
        assert time.monotonic() < deadline


def n_fork_servers():
    n = 0
    for process in psutil.Process().children(recursive=True):
        try:
            n += "_workers.fork_server" in " ".join(process.cmdline())
        except psutil.Error:
            continue
    return n


def worker_of(pid):
    """The cluster's worker in which a task runs: above the process is its fork server."""
    return psutil.Process(pid).parent().ppid()


def kill_worker_of(task_folder):
    """Kill the cluster's worker in which a task loiters."""
    eventually((task_folder / "pid").exists)
    pid = int((task_folder / "pid").read_text())
    (task_folder / "pid").unlink()
    os.kill(worker_of(pid), signal.SIGKILL)


def begin_counted(executor, folder):
    loiter = trouble.Loiter(folder)
    executor.submit(Task("counted", 64, 0), trouble.Count(folder / "runs", loiter))


def test_a_task_of_a_lost_worker_is_sent_to_another(executor, tmp_path):
    begin_counted(executor, tmp_path)
    kill_worker_of(tmp_path)
    until(executor, (tmp_path / "pid").exists)
    (tmp_path / "go").touch()
    (outcome,) = executor.wait(PATIENCE_SECONDS)
    eventually(lambda: look(executor) == 2)

    assert outcome.loss == 0.25
    assert (tmp_path / "runs").read_text() == "0\n0\n"


def test_a_task_that_loses_two_workers_is_lost_and_not_run_again_unasked(executor, tmp_path):
    begin_counted(executor, tmp_path)
    kill_worker_of(tmp_path)
    until(executor, (tmp_path / "pid").exists)
    kill_worker_of(tmp_path)
    (lost,) = executor.wait(PATIENCE_SECONDS)

    assert lost.task == Task("counted", 64, 0)
    assert lost.reason is Reason.LOST
    assert "Nobody knows whether that was the candidate's doing" in lost.message
    for fold in range(4):
        assert run(executor, trouble.succeed, fold).loss == 0.25
    eventually(lambda: look(executor) == 2)
    assert (tmp_path / "runs").read_text() == "0\n0\n"


def test_a_search_whose_worker_is_killed_half_way_comes_out_the_same(cluster):
    X, y = load_digits(return_X_y=True)
    folds = Folds(X, y, cv=3, classifier=True, random_state=0)
    evaluate = Evaluator(X, y, folds=folds, scoring=resolve_scoring("accuracy"))
    candidates = {
        i: RandomForestClassifier(5 + 5 * i, max_depth=3 + i, random_state=i) for i in range(6)
    }

    def search_on(executor, *listeners):
        search = Search(candidates, schedule=folds.target, n_folds=3, count_rows=True)
        carry_out(search, executor, candidates=candidates, window=4, listeners=listeners)
        return [(r.status, repr(r.loss), r.decisions) for r in search.results.values()]

    killed = []

    class Killer(Listener):
        def told(self, outcome):
            if not killed and outcome.task.candidate == 3:
                victim = next(iter(cluster.workers.values())).pid
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)

    undisturbed = search_on(InProcessExecutor(evaluate))
    with DaskExecutor(evaluate, address=cluster.scheduler_address) as executor:
        disturbed = search_on(executor, Killer())

    assert killed
    assert disturbed == undisturbed


def test_a_task_waits_for_a_worker_if_all_are_lost(executor):
    for pid in executor._client.run(os.getpid).values():
        os.kill(pid, signal.SIGKILL)
    executor.submit(Task("survivor", 64, 0), trouble.succeed)
    outcome = None
    while outcome is None:
        (outcome,) = executor.wait(PATIENCE_SECONDS)
        if getattr(outcome, "reason", None) is Reason.LOST:
            outcome = None
            executor.submit(Task("survivor", 64, 0), trouble.succeed)

    assert outcome.loss == 0.25


def test_a_large_candidate_whose_worker_has_just_gone_is_sent_to_another(executor):
    for pid in executor._client.run(os.getpid).values():
        os.kill(pid, signal.SIGKILL)
        assert run(executor, trouble.Large(3)).loss == 3.0


def test_workers_may_go_while_the_evaluation_is_brought_to_them(executor):
    identities = dict(executor._identities)
    for address, pid in executor._client.run(os.getpid).items():
        os.kill(pid, signal.SIGKILL)
        executor._open_in({address: identities[address]})

    eventually(lambda: look(executor) == 2)
    assert run(executor, trouble.succeed).loss == 0.25


def test_a_worker_that_joins_is_put_to_use(cluster, executor, tmp_path):
    cluster.scale(3)
    eventually(lambda: look(executor) == 3)
    for slot in range(3):
        (tmp_path / str(slot)).mkdir()
        executor.submit(Task("a", 64, slot), trouble.Loiter(tmp_path / str(slot)))
    for slot in range(3):
        eventually((tmp_path / str(slot) / "pid").exists)
    workers = {worker_of(int((tmp_path / str(i) / "pid").read_text())) for i in range(3)}
    for slot in range(3):
        executor.cancel(Task("a", 64, slot))
    cluster.scale(2)
    eventually(lambda: look(executor) == 2)

    assert len(workers) == 3


def test_a_worker_reborn_at_its_address_does_not_run_what_the_old_one_lost(executor, tmp_path):
    (first, *_) = executor._identities
    executor._identities[first] = "another process"
    executor._threads = {first: 1}
    outcome = run(executor, trouble.Count(tmp_path / "runs", trouble.succeed))

    assert outcome.loss == 0.25
    assert executor._identities[first] != "another process"
    assert (tmp_path / "runs").read_text() == "0\n"


def test_a_large_candidate_reaches_each_worker_once(unharmed, monkeypatch):
    sent = []
    scatter = distributed.Client.scatter

    def counted(client, content, *args, **settings):
        sent.append(settings.get("workers"))
        return scatter(client, content, *args, **settings)

    candidate = trouble.Large(7)
    with DaskExecutor(trouble.evaluate, address=unharmed.scheduler_address) as executor:
        eventually(lambda: look(executor) == 2)
        monkeypatch.setattr(distributed.Client, "scatter", counted)
        for fold in range(8):
            executor.submit(Task("large", 64, fold), candidate)
            if fold % 2:
                outcomes = executor.wait(PATIENCE_SECONDS)
                while len(outcomes) < 2:
                    outcomes += executor.wait(PATIENCE_SECONDS)
                assert [outcome.loss for outcome in outcomes] == [7.0, 7.0]

    assert len(sent) == len({tuple(workers) for workers in sent}) == 2


def test_closing_leaves_the_cluster_of_others_alone(unharmed):
    executor = DaskExecutor(trouble.evaluate, address=unharmed.scheduler_address, n_workers=1)
    first = run(executor, trouble.succeed)
    n_slots = executor.n_slots
    executor.close()

    eventually(lambda: n_fork_servers() == 0)
    assert first.loss == 0.25
    assert n_slots == 1
    with distributed.Client(unharmed, set_as_default=False) as client:
        assert client.submit(sum, [1, 2]).result() == 3
    with pytest.raises(CurvewiseError, match="closed"):
        executor.submit(Task("late", 64, 0), trouble.succeed)


def test_a_worker_that_does_not_answer_keeps_nobody_waiting(executor, monkeypatch, tmp_path):
    monkeypatch.setattr(_dask_executor, "CLOSE_SECONDS", 1.0)
    executor.submit(Task("a", 64, 0), trouble.Loiter(tmp_path))
    eventually((tmp_path / "pid").exists)
    frozen = worker_of(int((tmp_path / "pid").read_text()))
    os.kill(frozen, signal.SIGSTOP)
    thaw = threading.Timer(PATIENCE_SECONDS, os.kill, (frozen, signal.SIGCONT))
    thaw.start()
    try:
        executor.cancel(Task("a", 64, 0))
        cancelled_in_time = thaw.is_alive()
        executor.close()
        closed_in_time = thaw.is_alive()
    finally:
        thaw.cancel()
        os.kill(frozen, signal.SIGCONT)

    assert cancelled_in_time
    assert closed_in_time


class SlowToLoad:
    """An evaluation that takes a while to be loaded."""

    def __reduce__(self):
        return load_slowly, ()


def load_slowly():
    time.sleep(1.0)
    return SlowToLoad()


def n_executing(dask_worker):
    return len(dask_worker.state.executing)


def test_closing_waits_for_worker_pools_that_are_being_opened(unharmed, monkeypatch):
    monkeypatch.setattr(_dask_executor, "CLOSE_SECONDS", PATIENCE_SECONDS)
    DaskExecutor(SlowToLoad(), address=unharmed.scheduler_address).close()

    with distributed.Client(unharmed, set_as_default=False) as client:
        assert sum(client.run(n_executing).values()) == 0
    assert n_fork_servers() == 0


def test_nothing_is_left_in_the_cluster_of_a_program_that_was_killed(unharmed):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, unharmed.scheduler_address],
        stdout=subprocess.PIPE,
        text=True,
    )
    loss = process.stdout.readline()
    n_before = n_fork_servers()
    process.kill()
    process.wait()
    process.stdout.close()

    assert float(loss) == 0.25
    assert n_before > 0
    eventually(lambda: n_fork_servers() == 0)


def test_an_executor_that_was_forgotten_ends_its_local_cluster():
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    executor = DaskExecutor(trouble.evaluate, n_workers=2)
    executor.submit(Task("a", 64, 0), trouble.loop_in_c)
    del executor
    gc.collect()

    eventually(lambda: {c.pid for c in psutil.Process().children(recursive=True)} <= before)


def test_an_evaluation_that_cannot_be_loaded_is_an_error():
    with (
        pytest.raises(CurvewiseError, match="I stay where I am"),
        DaskExecutor(trouble.Stubborn()) as executor,
    ):
        run(executor, None)


def test_a_missing_package_names_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(MissingExtraError, match=r"pip install 'curvewise\[dask\]'"):
        DaskExecutor(trouble.evaluate)


def test_an_address_where_nobody_listens_is_named(monkeypatch):
    monkeypatch.setattr(_dask_executor, "CONNECT_SECONDS", 0.2)

    with pytest.raises(CurvewiseError, match=r"no Dask scheduler at 'tcp://127\.0\.0\.1:1'"):
        DaskExecutor(trouble.evaluate, address="tcp://127.0.0.1:1")


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(InvalidParameterError, match="n_workers must be at least 1, got 0"):
        DaskExecutor(trouble.evaluate, n_workers=0)
