import pytest

from curvewise.core._time_limit import TimeLimit
from curvewise.errors import InvalidParameterError
from curvewise.executors._limits import Limits, parse_memory


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
        Limits(memory_limit=nonsense)


@pytest.mark.parametrize("name", ["time_budget", "timeout_per_candidate", "timeout_per_fit"])
@pytest.mark.parametrize("nonsense", [0, -1, "soon", float("nan"), True])
def test_seconds_that_make_no_sense_are_refused_by_name(name, nonsense):
    with pytest.raises(InvalidParameterError, match=name):
        Limits(**{name: nonsense})


def test_a_search_knows_of_the_limits_of_its_candidates_alone():
    limits = Limits(time_budget=9, timeout_per_candidate=5, timeout_per_fit=2, foresee=False)

    assert limits.per_candidate == TimeLimit(5, 2, foresee=False)
    assert limits.timed
    assert not Limits(memory_limit="1GB").timed
