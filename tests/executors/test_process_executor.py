import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from curvewise.core._outcome import Failure, Observation, Reason, Task
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._process_executor import ProcessExecutor
from curvewise.executors._workers.memory import can_limit_memory
from tests.executors import forgers
from tests.executors import troublemakers as trouble
from tests.executors.contract import (
    PATIENCE_SECONDS,
    eventually,
    is_fork_server,
    is_running,
)

TASK = Task("candidate", 64, 0)

SCRIPT = """
import os, sys
from curvewise.core._outcome import Observation, Task
from curvewise.executors._process_executor import ProcessExecutor

class Evaluation:
    def __call__(self, task, candidate):
        return Observation(task, float(candidate()))

executor = ProcessExecutor(Evaluation(), n_workers=2)
executor.submit(Task("a", 64, 0), os.getpid)
(outcome,) = executor.wait()
executor.submit(Task("b", 64, 0), lambda: sum(iter(int, 1)))
print(int(outcome.loss), flush=True)
"""

FORK = """
if (pid := os.fork()) == 0:
    sys.exit()
os.waitpid(pid, 0)
executor.cancel(Task("b", 64, 0))
executor.submit(Task("c", 64, 0), os.getppid)
(outcome,) = executor.wait()
print(int(outcome.loss), flush=True)
"""


def run(executor, candidate, *, seconds=None):
    executor.submit(TASK, candidate, seconds=seconds)
    (outcome,) = executor.wait(PATIENCE_SECONDS)
    return outcome


def until(executor, predicate):
    """Let the executor look after its workers until it is so."""
    deadline = time.monotonic() + 3 * PATIENCE_SECONDS
    while not predicate():
        assert executor.wait(0.01) == []
        assert time.monotonic() < deadline


def below():
    return {child.pid for child in psutil.Process().children(recursive=True)}


@pytest.fixture(scope="module")
def executor():
    with ProcessExecutor(trouble.evaluate) as executor:
        yield executor


def test_data_reaches_workers_read_only_and_all_kinds_can_be_used():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    data = trouble.Data(
        array=X,
        columns=np.asfortranarray(X),
        frame=pd.DataFrame(X).assign(name=["a", "b"] * 100),
        sparse=sparse.csr_matrix(X),
        nothing=np.empty((0, 3)),
        y=(X[:, 0] > 0).astype(int),
    )

    def accuracy(estimator, kind):
        return lambda parts: estimator.fit(parts[kind], parts["y"]).score(parts[kind], parts["y"])

    with ProcessExecutor(data) as executor:
        assert run(executor, lambda parts: parts["array"].flags.writeable).loss == 0
        assert run(executor, lambda parts: parts["array"].sum()).loss == X.sum()
        assert run(executor, lambda parts: (parts["frame"]["name"] == "a").sum()).loss == 100
        assert run(executor, lambda parts: parts["nothing"].size).loss == 0
        for kind in ("array", "columns", "sparse"):
            for estimator in (
                LogisticRegression(),
                KNeighborsClassifier(),
                DecisionTreeClassifier(max_depth=3),
            ):
                assert run(executor, accuracy(estimator, kind)).loss > 0.9


def test_workers_share_one_copy_of_the_data():
    n_bytes = 80_000_000
    before = below()
    data = trouble.Data(X=np.ones(n_bytes // 8))
    with ProcessExecutor(data, n_workers=2, fresh_workers="never") as executor:
        for fold in range(2):
            executor.submit(Task("a", 64, fold), lambda parts: parts["X"].sum())
        n = 0
        while n < 2:
            n += len(executor.wait(PATIENCE_SECONDS))
        held = [psutil.Process(pid).memory_full_info().uss for pid in below() - before]

    assert len(held) == 3
    assert sum(held) < n_bytes


def test_the_memory_limit_comes_on_top_of_the_data_and_of_earlier_tasks():
    data = trouble.Data(X=np.ones(10**7), kept=[])

    def keep(parts):
        parts["kept"].append(np.ones(6 * 10**6))
        return len(parts["kept"])

    with ProcessExecutor(data, memory_limit=6 * 10**7, fresh_workers="never") as executor:
        assert run(executor, keep).loss == 1
        assert run(executor, lambda parts: np.ones(10**7).sum()).reason is Reason.MEMORY
        assert run(executor, keep).loss == 1


def test_the_time_limit_does_not_count_what_is_imported(executor):
    assert run(executor, trouble.SlowToUnpickle(0.3), seconds=0.2).loss == 0.25


def test_an_answer_that_came_too_late_is_a_timeout_even_if_nobody_looked(executor, tmp_path):
    executor.submit(TASK, trouble.Loiter(tmp_path), seconds=0.05)
    eventually((tmp_path / "pid").exists)
    began = time.monotonic()
    eventually(lambda: time.monotonic() > began + 0.1)
    (tmp_path / "go").touch()
    (outcome,) = executor.wait(PATIENCE_SECONDS)

    assert outcome.reason is Reason.TIMEOUT


def test_a_busy_executor_refuses_another_task(executor, tmp_path):
    executor.submit(TASK, trouble.Loiter(tmp_path))

    with pytest.raises(CurvewiseError, match="All 1 workers are busy"):
        executor.submit(TASK, trouble.succeed)
    executor.cancel(TASK)


def test_a_closed_executor_refuses_tasks_and_may_be_closed_again():
    executor = ProcessExecutor(trouble.evaluate)
    executor.close()
    executor.close()

    with pytest.raises(CurvewiseError, match="closed"):
        executor.submit(TASK, trouble.succeed)


def test_nothing_is_left_of_an_executor_that_was_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = below()
    executor = ProcessExecutor(trouble.evaluate, n_workers=2)
    executor.submit(TASK, trouble.loop_in_c)
    del executor
    gc.collect()

    eventually(lambda: below() <= before)
    eventually(lambda: list(tmp_path.iterdir()) == [])


def test_a_killed_fork_server_is_replaced_and_costs_nobody_anything(tmp_path):
    before = below()
    with ProcessExecutor(trouble.evaluate, n_workers=2) as executor:
        executor.submit(Task("healthy", 64, 0), trouble.Loiter(tmp_path))
        eventually((tmp_path / "pid").exists)
        (tmp_path / "pid").unlink()
        (server,) = {child.pid for child in psutil.Process().children()} - before
        os.kill(server, signal.SIGKILL)
        until(executor, (tmp_path / "pid").exists)
        (tmp_path / "go").touch()
        (outcome,) = executor.wait(PATIENCE_SECONDS)

        assert outcome.loss == 0.25
        assert run(executor, trouble.succeed).loss == 0.25
        assert run(executor, trouble.succeed).loss == 0.25
    eventually(lambda: below() <= before)


@pytest.mark.skipif(sys.platform != "linux", reason="processes cannot hide elsewhere")
def test_a_process_that_has_left_its_worker_is_ended(executor):
    assert run(executor, trouble.leave_worker).loss == 0.25


@pytest.mark.skipif(sys.platform != "linux", reason="processes cannot hide elsewhere")
def test_nothing_is_left_if_a_candidate_ends_its_fork_server(monkeypatch):
    mark = uuid.uuid4().hex
    monkeypatch.setenv("MARK_OF_THIS_TEST", mark)
    with ProcessExecutor(trouble.evaluate) as executor:
        assert run(executor, trouble.stay_without_fork_server).reason is Reason.LOST
        assert run(executor, trouble.succeed).loss == 0.25

    def left():
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                running = process.status() != psutil.STATUS_ZOMBIE
                if running and process.environ().get("MARK_OF_THIS_TEST") == mark:
                    yield process

    eventually(lambda: not list(left()))


class SharesData:
    """Hands the data of the evaluation to the candidate."""

    def __init__(self):
        self.data = np.ones(10_000)

    def __call__(self, task, candidate):
        if candidate is None:
            return Observation(task, float(self.data.min()))
        return candidate(task, self.data)


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of others can be protected there")
def test_no_candidate_can_write_to_the_data_of_all():
    with ProcessExecutor(SharesData()) as executor:
        assert run(executor, trouble.write_to_shared_data).loss == 0.25
        assert run(executor, None).loss == 1.0


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="semaphores are no files here")
@pytest.mark.parametrize(
    ("candidate", "seconds", "reason"),
    [(trouble.use_semaphores, None, None), (trouble.use_semaphores_for_long, 5.0, Reason.TIMEOUT)],
)
def test_no_semaphore_outlives_its_task(executor, candidate, seconds, reason):
    before = set(Path("/dev/shm").iterdir())
    outcome = run(executor, candidate, seconds=seconds)

    assert getattr(outcome, "reason", None) is reason
    eventually(lambda: set(Path("/dev/shm").iterdir()) <= before)


def test_an_evaluation_that_starts_threads_is_loaded_by_each_worker():
    with ProcessExecutor(trouble.Threaded()) as executor:
        assert run(executor, None).loss == 1


def test_an_evaluation_that_cannot_be_pickled_is_refused():
    with pytest.raises(CurvewiseError, match="The evaluation cannot be pickled"):
        ProcessExecutor(trouble.Data(lock=threading.Lock()))


@pytest.mark.parametrize("start_method", ["forkserver", "spawn"])
def test_an_evaluation_that_cannot_be_loaded_is_an_error(start_method):
    with (
        pytest.raises(CurvewiseError, match="I stay where I am"),
        ProcessExecutor(trouble.Stubborn(), start_method=start_method) as executor,
    ):
        run(executor, None)


def test_an_evaluation_that_gives_no_outcome_is_an_error():
    with (
        ProcessExecutor(lambda task, candidate: None) as executor,
        pytest.raises(CurvewiseError, match="must return an Observation or a Failure, got None"),
    ):
        run(executor, LogisticRegression())


def test_what_may_be_the_doing_of_unknown_code_ends_no_search(executor):
    failure = run(executor, trouble.give_nothing)

    assert failure.reason is Reason.ERROR
    assert "must return an Observation or a Failure, got None" in failure.headline
    assert "cannot be told" in failure.message
    assert run(executor, trouble.succeed).loss == 0.25


@pytest.mark.parametrize(
    "candidate",
    [
        forgers.say_broken_in_a_list_of_lists,
        forgers.say_it_in_a_pickle,
        forgers.take_endless_seconds,
    ],
    ids=lambda candidate: candidate.__name__,
)
def test_a_forged_message_that_cannot_be_is_the_end_of_its_worker(executor, candidate):
    failure = run(executor, candidate)

    assert failure.reason is Reason.LOST
    assert "had written to it" in failure.message
    assert run(executor, trouble.succeed).loss == 0.25


@pytest.mark.skipif(not can_limit_memory(), reason="memory can be limited on Linux")
def test_a_forged_message_that_is_larger_than_the_memory_limit_is_not_taken():
    with ProcessExecutor(trouble.evaluate, memory_limit=10**8) as executor:
        failure = run(executor, forgers.answer_without_measure)

    assert failure.reason is Reason.LOST
    assert "had written to it" in failure.message


@pytest.mark.parametrize(
    "candidate",
    [
        forgers.answer_with_an_endless_pickle,
        forgers.answer_with_a_huge_array,
        forgers.answer_with_numbers_without_end,
    ],
    ids=lambda candidate: candidate.__name__,
)
def test_a_forged_result_that_cannot_be_is_a_failure(executor, candidate):
    failure = run(executor, candidate)

    assert failure.reason is Reason.ERROR
    assert failure.headline.startswith("The result cannot be used: ")
    assert run(executor, trouble.succeed).loss == 0.25


@pytest.mark.skipif(sys.platform != "linux", reason="where there are no fork servers")
def test_forged_names_of_modules_cost_nobody_anything(tmp_path):
    with ProcessExecutor(trouble.evaluate) as executor:
        server = {child.pid for child in psutil.Process().children() if is_fork_server(child)}
        for candidate in (forgers.name_programs, *[forgers.name_modules_without_end] * 3):
            assert run(executor, candidate).loss == 0.99
        assert run(executor, trouble.succeed).loss == 0.25
        same = {child.pid for child in psutil.Process().children() if is_fork_server(child)}

        assert same == server


def test_a_failure_in_seconds_that_cannot_be_has_taken_none(executor):
    assert run(executor, forgers.fail_in_no_time) == Failure(TASK, Reason.ERROR, "failed", 0.0)


@pytest.mark.parametrize("candidate", forgers.NO_RESULTS, ids=str)
def test_a_result_that_a_search_cannot_use_is_a_failure(executor, candidate):
    failure = run(executor, candidate)

    assert failure.reason is Reason.ERROR
    assert failure.headline.startswith("The result cannot be used: ")


@pytest.mark.skipif(sys.platform != "linux", reason="workers are kept where they are spawned")
def test_a_candidate_cannot_answer_for_the_next_one(executor):
    assert run(executor, forgers.answer_for_others).loss == 0.99
    assert run(executor, trouble.succeed).loss == 0.25


def test_classes_of_the_main_script_travel_in_both_directions(executor):
    class Local(str):
        __slots__ = ()

    task = Task(Local("mine"), 64, 0)
    executor.submit(task, lambda task: Observation(task, 0.5, scores={"len": len(task.candidate)}))
    (outcome,) = executor.wait(PATIENCE_SECONDS)

    assert outcome.task is task
    assert outcome.scores == {"len": 4}


def test_failures_of_an_evaluation_come_back_as_they_are(executor):
    failure = run(executor, lambda task: Failure(task, Reason.ERROR, "no score", 1.5))

    assert failure == Failure(TASK, Reason.ERROR, "no score", 1.5)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_workers": 0}, "n_workers must be at least 1, got 0"),
        ({"memory_limit": 0}, "memory_limit must be at least 1 byte, got 0"),
        ({"start_method": "fork"}, "start_method must be 'forkserver', 'spawn' or None"),
        ({"fresh_workers": "often"}, "fresh_workers must be 'unknown', 'always', 'never' or None"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        ProcessExecutor(trouble.evaluate, **settings)


@pytest.mark.parametrize("ending", ["", "os.kill(os.getpid(), 9)", "executor.wait()"])
def test_a_script_without_main_guard_leaves_nothing_behind(ending, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT + ending)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)},
        text=True,
    )
    worker = int(process.stdout.readline())
    if ending == "executor.wait()":
        process.kill()
    process.wait()
    process.stdout.close()

    eventually(lambda: not is_running(worker))
    eventually(lambda: list(temporary.iterdir()) == [])


@pytest.mark.skipif(sys.platform != "linux", reason="it is about fork servers")
def test_a_fork_of_the_program_ends_without_ending_the_programs_workers(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("os.getpid", "os.getppid") + FORK)
    said = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, check=True, text=True)
    before, after = said.stdout.split()

    assert before == after
