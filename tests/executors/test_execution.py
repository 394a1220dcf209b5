import os

import pytest

from curvewise.errors import InvalidParameterError
from curvewise.executors._execution import Execution, make_executor, resolve_n_jobs
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._joblib_context import n_cores
from curvewise.executors._limits import Limits
from curvewise.executors._process_executor import ProcessExecutor
from tests.executors import troublemakers as trouble


def test_jobs_are_counted_as_scikit_learn_does():
    assert resolve_n_jobs(-1) == n_cores() == len(os.sched_getaffinity(0))
    assert resolve_n_jobs(-2) == max(1, n_cores() - 1)
    assert resolve_n_jobs(-1000) == 1


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True])
def test_jobs_that_make_no_sense_are_refused(n_jobs):
    with pytest.raises(InvalidParameterError, match="n_jobs must be a whole number other than 0"):
        Execution(n_jobs=n_jobs)


def test_only_a_deterministic_search_tells_outcomes_in_order():
    assert Execution().window is None
    assert Execution(deterministic=True).window == Execution(n_jobs=7, deterministic=True).window


def test_one_job_without_limits_stays_in_this_process():
    assert isinstance(make_executor(trouble.evaluate), InProcessExecutor)
    execution = Execution(fresh_workers="never")
    assert isinstance(make_executor(trouble.evaluate, execution=execution), InProcessExecutor)


@pytest.mark.parametrize(
    "settings",
    [
        {"execution": Execution(n_jobs=2)},
        {"execution": Execution(n_jobs=-1)},
        {"limits": Limits(timeout_per_candidate=9)},
        {"limits": Limits(timeout_per_fit=9)},
        {"limits": Limits(time_budget=9)},
        {"limits": Limits(memory_limit="1GB")},
        {"execution": Execution(fresh_workers="always")},
        {"execution": Execution(fresh_workers="unknown")},
    ],
)
def test_several_jobs_a_limit_or_fresh_workers_take_worker_processes(settings):
    with make_executor(trouble.evaluate, **settings) as executor:
        assert isinstance(executor, ProcessExecutor) or n_cores() == 1
        assert executor.n_slots == settings.get("execution", Execution()).n_workers


def test_dask_takes_a_cluster():
    pytest.importorskip(
        "distributed", reason="Dask is not installed: pip install 'curvewise[dask]'"
    )
    from curvewise.executors._dask_executor import DaskExecutor

    with make_executor(trouble.evaluate, execution=Execution(n_jobs=3, dask="local")) as executor:
        assert isinstance(executor, DaskExecutor)
        assert executor.n_slots == 3


def test_a_time_limit_is_refused_where_it_cannot_be_kept():
    from curvewise.core._outcome import Task

    with pytest.raises(InvalidParameterError, match="cannot be held to seconds=5"):
        InProcessExecutor(trouble.evaluate).submit(Task("a", 64, 0), None, seconds=5)
