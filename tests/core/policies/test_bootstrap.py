import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise import BootstrapDropping, Observation, Search, Task
from curvewise.core._policies.bootstrap import share_worse
from curvewise.errors import InvalidParameterError
from tests.play import play

clear_rates = st.integers(5, 95).map(lambda i: i / 100)
rates = st.integers(1, 99).map(lambda i: i / 100)


def cells(losses, **known):
    return [Observation(Task("a", 900, fold), loss, **known) for fold, loss in enumerate(losses)]


def share_of_samples(own, other, n_rows):
    """Give the exact share of samples of rows in which the first makes more errors."""
    row = np.array([other * (1 - own), own * other + (1 - own) * (1 - other), own * (1 - other)])
    total = np.ones(1)
    for _ in range(n_rows):
        total = np.convolve(total, row)
    return total[n_rows + 1 :].sum()


@given(clear_rates, clear_rates, st.integers(60, 200))
def test_the_share_is_that_of_resampled_rows_that_err_independently(own, other, n_rows):
    expected = share_of_samples(own, other, n_rows)

    known = share_worse(cells([own], n_test=n_rows), cells([other], n_test=n_rows), rates=True)
    assert known == pytest.approx(expected, abs=0.03)


@given(st.lists(rates, min_size=1, max_size=5), st.data())
def test_who_is_better_against_whom_is_two_sides_of_the_same(own, data):
    other = data.draw(st.lists(rates, min_size=len(own), max_size=len(own)))
    one, two = cells(own, n_test=100), cells(other, n_test=100)

    assert share_worse(one, two, rates=True) + share_worse(two, one, rates=True) <= 1 + 1e-9


def test_more_test_rows_make_it_surer():
    shares = [
        share_worse(cells([0.25], n_test=n), cells([0.2], n_test=n), rates=True)
        for n in (50, 500, 5000)
    ]

    assert shares == sorted(shares)
    assert shares[0] < 0.9
    assert shares[-1] > 0.999


def test_known_noise_stands_in_for_rows_of_other_losses():
    own, other = cells([7.0, 8.0], noise=0.5), cells([6.0, 7.0], noise=0.5)

    # A difference of 1 with the variance (4 * 0.5) / 4 = 0.5: 1.41 standard errors.
    assert share_worse(own, other, rates=False) == pytest.approx(0.921, abs=1e-3)


def test_without_rows_and_noise_the_folds_tell_from_two_on():
    assert share_worse(cells([0.5]), cells([0.1]), rates=False) is None
    assert share_worse(cells([0.5, 0.6]), cells([0.1, 0.2]), rates=False) == 1.0


def test_a_hopeless_candidate_is_dropped_after_its_first_fold():
    learners = {"good": lambda anchor, fold: 0.1, "bad": lambda anchor, fold: 0.3}
    search = Search(list(learners), schedule=900, policy=BootstrapDropping(), n_folds=5)
    play(search, learners)

    assert search.results["bad"].curve.n(900) == 1
    assert "worse in nearly all bootstrap samples" in search.results["bad"].explain()
    assert "of the samples" in search.results["bad"].explain()


def test_impossible_shares_are_refused():
    with pytest.raises(InvalidParameterError, match="certainty"):
        BootstrapDropping(certainty=1)
