import os

import pytest

from curvewise.errors import InvalidParameterError
from curvewise.executors._execution import Execution, n_cores, resolve_n_jobs


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
