import pytest

from curvewise import KFoldCV, Observation, Search, Task
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._loop import run
from curvewise.executors._replay_executor import ReplayExecutor


def look_up(task):
    return Observation(task, 0.1, seconds=float(task.anchor))


@pytest.mark.parametrize(("n_workers", "clock"), [(1, 60.0), (2, 30.0), (4, 20.0), (9, 10.0)])
def test_workers_share_the_simulated_time(n_workers, clock):
    search = Search(["a", "b", "c"], schedule=10, policy=KFoldCV(), n_folds=2)
    executor = ReplayExecutor(look_up, n_workers=n_workers)

    run(search, executor)

    assert executor.clock == clock
    assert executor.busy_seconds == 60.0
    assert (executor.n_tasks, executor.n_rows) == (6, 60)


def test_outcomes_come_in_the_order_of_their_ends():
    executor = ReplayExecutor(look_up, n_workers=3)
    for anchor in (30, 10, 20):
        executor.submit(Task("a", anchor, 0))

    assert [executor.wait()[0].task.anchor for _ in range(3)] == [10, 20, 30]
    assert executor.wait() == []


def test_a_cancelled_task_costs_the_time_until_then():
    executor = ReplayExecutor(look_up, n_workers=2)
    short, long = Task("a", 10, 0), Task("a", 30, 0)
    executor.submit(short)
    executor.submit(long)
    executor.wait()
    executor.cancel(long)
    executor.cancel(long)

    assert executor.wait() == []
    assert executor.busy_seconds == 20.0


def test_a_task_that_is_begun_again_ends_later():
    executor = ReplayExecutor(look_up, n_workers=2)
    executor.submit(Task("a", 10, 0))
    executor.submit(Task("b", 5, 0))
    executor.wait()
    executor.cancel(Task("a", 10, 0))
    executor.submit(Task("a", 10, 0))
    executor.wait()

    assert executor.clock == 15.0


def test_a_search_that_waits_for_nothing_is_our_bug():
    class Forgetful(ReplayExecutor):
        n_slots = 0

    search = Search(["a"], schedule=10, policy=KFoldCV())

    with pytest.raises(CurvewiseError, match="no task is under way"):
        run(search, Forgetful(look_up))


def test_workers_there_must_be():
    with pytest.raises(InvalidParameterError, match="n_workers must be at least 1"):
        ReplayExecutor(look_up, n_workers=0)
