import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from curvewise.core._intervals import mean_interval, variance_of_rate
from curvewise.errors import InvalidParameterError

losses = st.lists(st.floats(0, 1), min_size=2, max_size=20)


@given(losses, st.sampled_from(["normal", "t"]))
def test_interval_is_centred_at_the_mean(values, kind):
    low, high = mean_interval(values, kind=kind)

    assert (low + high) / 2 == pytest.approx(np.mean(values), abs=1e-12)


@given(losses)
def test_normal_interval_is_the_one_of_the_paper(values):
    low, high = mean_interval(values)

    half = stats.norm.ppf(0.975) * np.std(values) / math.sqrt(len(values))
    assert high - low == pytest.approx(2 * half, abs=1e-12)


@given(losses)
def test_t_interval_is_students(values):
    low, high = mean_interval(values, kind="t")

    half = stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values))
    assert high - low == pytest.approx(2 * half, abs=1e-12)


def test_one_observation_is_no_interval_of_width_zero():
    assert mean_interval([0.3]).width == math.inf


@given(losses, st.randoms())
def test_order_of_observations_does_not_matter(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)

    assert mean_interval(shuffled) == mean_interval(values)


@pytest.mark.parametrize("knobs", [{"kind": "bootstrap"}, {"level": 1.0}])
def test_unknown_kinds_and_levels_are_refused(knobs):
    with pytest.raises(InvalidParameterError):
        mean_interval([0.1, 0.2], **knobs)


def test_no_errors_on_a_few_rows_do_not_make_a_rate_certain():
    assert variance_of_rate(0.2, 100) == pytest.approx(0.0016)
    assert variance_of_rate(0.0, 100) == pytest.approx(5e-05, rel=0.01)
