import os

import pytest

from curvewise.errors import InvalidParameterError
from curvewise.executors._factory import make_executor, n_cores, parse_memory, resolve_n_jobs
from curvewise.executors._in_process_executor import InProcessExecutor
from curvewise.executors._process_executor import ProcessExecutor
from tests.executors import troublemakers as trouble


def test_one_job_without_limits_stays_in_this_process():
    assert isinstance(make_executor(trouble.evaluate), InProcessExecutor)


@pytest.mark.parametrize(
    "settings", [{"n_jobs": 2}, {"time_limit": True}, {"memory_limit": "1GB"}, {"n_jobs": -1}]
)
def test_several_jobs_or_a_limit_take_worker_processes(settings):
    with make_executor(trouble.evaluate, **settings) as executor:
        assert isinstance(executor, ProcessExecutor) or n_cores() == 1
        assert executor.n_slots == resolve_n_jobs(settings.get("n_jobs", 1))


def test_dask_takes_a_cluster():
    pytest.importorskip(
        "distributed", reason="Dask is not installed: pip install 'curvewise[dask]'"
    )
    from curvewise.executors._dask_executor import DaskExecutor

    with make_executor(trouble.evaluate, n_jobs=3, dask="local") as executor:
        assert isinstance(executor, DaskExecutor)
        assert executor.n_slots == 3


def test_jobs_are_counted_as_scikit_learn_does():
    assert resolve_n_jobs(-1) == n_cores() == len(os.sched_getaffinity(0))
    assert resolve_n_jobs(-2) == max(1, n_cores() - 1)
    assert resolve_n_jobs(-1000) == 1


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True])
def test_jobs_that_make_no_sense_are_refused(n_jobs):
    with pytest.raises(InvalidParameterError, match="n_jobs must be a whole number other than 0"):
        resolve_n_jobs(n_jobs)


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [
        ("4GB", 4 * 10**9),
        ("4gb", 4 * 10**9),
        ("4 GiB", 4 * 2**30),
        ("1.5T", 1_500_000_000_000),
        ("500M", 500_000_000),
        (" 64 KiB ", 65_536),
        ("100", 100),
        ("100 B", 100),
        (12_345, 12_345),
    ],
)
def test_amounts_of_memory_are_read(text, n_bytes):
    assert parse_memory(text) == n_bytes


@pytest.mark.parametrize("nonsense", ["", "GB", "4 XB", "-1GB", "4GBs", "0", 0, -5, True, 1.5, [1]])
def test_nonsense_is_no_amount_of_memory(nonsense):
    with pytest.raises(
        InvalidParameterError, match="memory_limit must be a positive number of bytes"
    ):
        parse_memory(nonsense)


def test_a_time_limit_is_refused_where_it_cannot_be_kept():
    from curvewise.core._outcome import Task

    with pytest.raises(InvalidParameterError, match="cannot be held to seconds=5"):
        InProcessExecutor(trouble.evaluate).submit(Task("a", 64, 0), None, seconds=5)
