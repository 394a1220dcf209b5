"""One contract for every executor; the cases are in `tests.executors.contract`."""

import importlib.util
import os
import signal
import warnings
from contextlib import suppress

import psutil
import pytest

from curvewise.core._outcome import Reason
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._process_executor import ProcessExecutor
from tests.executors import contract
from tests.executors import troublemakers as trouble

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="Dask is not installed: pip install 'curvewise[dask]'",
)

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None,
    reason="Ray is not installed: pip install 'curvewise[ray]'",
)


def in_process():
    return InProcessExecutor(trouble.evaluate)


def processes(start_method=None):
    return ProcessExecutor(
        trouble.evaluate,
        n_workers=2,
        memory_limit=contract.MEMORY_LIMIT,
        start_method=start_method,
    )


def spawned_processes():
    return processes("spawn")


def dask():
    from curvewise.executors._dask_executor import DaskExecutor

    return DaskExecutor(trouble.evaluate, n_workers=2, memory_limit=contract.MEMORY_LIMIT)


def ray():
    from curvewise.executors._ray_executor import RayExecutor

    with pytest.MonkeyPatch.context() as patch:
        # Ray gives its workers a low priority: beside other tests they would hardly get on.
        patch.setenv("RAY_worker_niceness", "0")
        return RayExecutor(trouble.evaluate, n_workers=2, memory_limit=contract.MEMORY_LIMIT)


EXCEPTIONS = {
    (spawned_processes, "children left by a crash"): "only a fork server finds what hides from it",
    (spawned_processes, "a fork server stopped in passing"): "there is none",
}


@pytest.fixture(
    scope="module",
    params=[
        in_process,
        processes,
        pytest.param(spawned_processes, marks=pytest.mark.slow),
        pytest.param(dask, marks=needs_dask),
        pytest.param(ray, marks=[needs_ray, pytest.mark.slow]),
    ],
    ids=lambda make: make.__name__,
)
def shared(request):
    with pytest.MonkeyPatch.context() as patch:
        # Workers see to it themselves that they have one thread each.
        patch.setenv("OMP_NUM_THREADS", "2")
        subject = contract.Subject(request.param)
        yield subject
        subject.close()


@pytest.fixture
def subject(shared):
    yield shared
    shared.forget()


def skip_unless(subject, promise):
    if promise is not None and not getattr(subject.executor.promises, promise):
        pytest.skip(f"{type(subject.executor).__name__} does not promise {promise}")


@pytest.mark.parametrize("case", contract.CASES, ids=lambda case: case.name)
def test_trouble_costs_only_the_one_who_makes_it(case, subject, tmp_path):
    skip_unless(subject, case.needs)
    if (subject.make, case.name) in EXCEPTIONS:
        pytest.skip(EXCEPTIONS[subject.make, case.name])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        contract.check(case, subject, tmp_path)


def kill_from_outside(subject, tmp_path, *, times):
    """Begin a task, and kill its worker from outside so many times."""
    task = subject.begin(trouble.Loiter(tmp_path))
    for _ in range(times):
        subject.until((tmp_path / "pid").exists)
        pid = int((tmp_path / "pid").read_text())
        (tmp_path / "pid").unlink()
        os.kill(pid, signal.SIGKILL)
    return task


def test_a_task_whose_worker_was_killed_from_outside_is_tried_again(subject, tmp_path):
    skip_unless(subject, "isolation")
    task = kill_from_outside(subject, tmp_path, times=1)
    subject.until((tmp_path / "pid").exists)
    (tmp_path / "go").touch()
    (outcome,) = subject.executor.wait(contract.PATIENCE_SECONDS)

    assert outcome == trouble.succeed(task)
    subject.check_peace()


def test_a_task_whose_workers_are_killed_again_is_lost_and_nobody_knows_why(subject, tmp_path):
    skip_unless(subject, "isolation")
    task = kill_from_outside(subject, tmp_path, times=2)
    (outcome,) = subject.executor.wait(contract.PATIENCE_SECONDS)

    assert outcome.task == task
    assert outcome.reason is Reason.LOST
    assert "Nobody knows whether that was the candidate's doing" in outcome.message
    subject.check_peace()


def test_a_worker_killed_between_tasks_is_replaced_unnoticed(subject, tmp_path):
    skip_unless(subject, "isolation")
    for _ in range(2 * subject.executor.n_slots):
        subject.run(trouble.succeed)
        for worker in subject.workers():
            # One that has run code which nobody knows may be about to end by itself.
            with suppress(psutil.NoSuchProcess):
                worker.kill()
            contract.eventually(lambda worker=worker: not contract.is_running(worker.pid))

        assert subject.run(trouble.succeed).loss == 0.25
    subject.check_peace()


def test_a_cancelled_task_ends_with_its_process_and_gives_no_outcome(subject, tmp_path):
    skip_unless(subject, "cancel")
    task = subject.begin(trouble.Loiter(tmp_path))
    contract.eventually((tmp_path / "pid").exists)
    pid = int((tmp_path / "pid").read_text())
    subject.executor.cancel(task)

    contract.eventually(lambda: not contract.is_running(pid))
    assert subject.executor.wait(0) == []
    subject.check_peace()


def test_a_task_that_never_ran_can_be_cancelled(subject):
    subject.executor.cancel(subject.begin(trouble.Unpicklable()))
    subject.executor.cancel(subject.new_task())

    assert subject.executor.wait(contract.PATIENCE_SECONDS) == []
    subject.check_peace()


def test_waiting_ends_with_its_timeout_and_the_task_goes_on(subject, tmp_path):
    skip_unless(subject, "isolation")
    subject.begin(trouble.Loiter(tmp_path))
    contract.eventually((tmp_path / "pid").exists)
    first = subject.executor.wait(0.01)
    (tmp_path / "go").touch()
    (second,) = subject.executor.wait(contract.PATIENCE_SECONDS)

    assert first == []
    assert second.loss == 0.25


def test_an_outcome_comes_back_as_it_was_made(subject):
    task = subject.begin(trouble.succeed)
    (outcome,) = subject.executor.wait(contract.PATIENCE_SECONDS)

    assert outcome == trouble.succeed(task)


def test_a_time_limit_that_is_not_reached_changes_nothing(subject):
    skip_unless(subject, "time_limit")

    assert subject.run(trouble.succeed, seconds=10).loss == 0.25


def test_a_large_candidate_is_pickled_once_and_arrives_as_it_is(subject):
    candidates = [trouble.Large(seed) for seed in range(3)]
    losses = [subject.run(candidate).loss for candidate in candidates * 2]

    assert losses == [0.0, 1.0, 2.0] * 2
    if subject.executor.promises.isolation:
        assert [candidate.n_pickled for candidate in candidates] == [1, 1, 1]


def test_workers_use_one_thread_each(subject):
    skip_unless(subject, "isolation")

    assert subject.run(trouble.tell_threads).loss == 1


def test_workers_draw_different_random_numbers(subject, tmp_path):
    skip_unless(subject, "isolation")
    draws = set()
    for _ in range(3):
        draws.add(subject.run(trouble.draw_number).loss)
        subject.run(trouble.kill_itself)

    assert len(draws) == 3
