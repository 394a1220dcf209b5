"""What k-fold would have cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import Failure, Observation, Reason
from curvewise.core._curve import LearningCurve
from curvewise.core._kfold_cost import estimate_kfold
from curvewise.core._outcome import Task


def fits(*seconds, anchor=1000):
    return LearningCurve(
        Observation(Task("c", anchor, fold), 0.1, seconds=each) for fold, each in enumerate(seconds)
    )


def failed(reason, seconds, anchor=1000):
    return Failure(Task("c", anchor, 0), reason, seconds=seconds)


def estimate(*histories, limit=None):
    return estimate_kfold(histories, target=1000, n_folds=5, limit=limit)


def test_a_measured_candidate_costs_its_mean_times_the_folds():
    assert estimate((fits(1.0, 3.0), [])).seconds == 10.0


@given(st.lists(st.floats(0.01, 100), min_size=5, max_size=5))
def test_a_complete_candidate_costs_exactly_what_it_took(seconds):
    assert estimate((fits(*seconds), [])).seconds == pytest.approx(sum(seconds))


def test_a_failing_candidate_would_have_failed_on_every_fold():
    assert estimate((fits(), [failed(Reason.ERROR, 0.5)])).seconds == 2.5


def test_a_candidate_that_ran_out_of_time_counts_once():
    assert estimate((fits(), [failed(Reason.TIMEOUT, 30.0)])).seconds == 30.0


def test_a_candidate_that_ran_out_of_its_share_would_have_used_up_its_limit():
    assert estimate((fits(), [failed(Reason.TIMEOUT, 5.0)]), limit=20).seconds == 20.0


def test_no_candidate_costs_more_than_its_limit():
    projected, measured = (fits(50.0, anchor=500), []), (fits(9.0), [])

    assert estimate(projected, measured, limit=20).seconds == 40.0


def test_seconds_are_projected_along_the_candidates_own_curve():
    curve = LearningCurve(
        Observation(Task("c", anchor, 0), 0.1, seconds=(anchor / 1000) ** 1.5)
        for anchor in (100, 500)
    )

    assert estimate((curve, [])).seconds == pytest.approx(5.0)
    assert estimate((curve, [])).n_projected == 1


def test_no_projection_is_longer_than_a_fit_that_ran_out_of_time():
    slow = fits(100.0, anchor=500), []
    out_of_time = fits(), [failed(Reason.TIMEOUT, 30.0)]

    assert estimate(slow, out_of_time).seconds == 5 * 30.0 + 30.0


def test_an_unknown_candidate_is_taken_as_average():
    both = estimate((fits(1.0), []), (fits(3.0), []), (fits(), [failed(Reason.LOST, 9.0)]))

    assert both.seconds == 30.0
    assert both.n_assumed == 1


def test_nothing_known_gives_no_estimate():
    assert estimate() is None
    assert estimate((fits(), [])) is None
    assert estimate((fits(0.0), [])) is None
