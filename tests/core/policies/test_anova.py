import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from curvewise import AnovaRace, Search, Status
from curvewise.core._policies.anova import residual_variance
from curvewise.errors import InvalidParameterError
from tests.play import noise, play


def restricted_likelihood(table, of_residuals, of_folds):
    """-2 log REML of a mixed model with an effect per row and a random one per column."""
    n_candidates, n_folds = table.shape
    block = of_residuals * np.eye(n_candidates) + of_folds * np.ones((n_candidates, n_candidates))
    inverse = np.linalg.inv(block)
    about_means = table - table.mean(axis=1, keepdims=True)
    quadratic = np.einsum("if,ij,jf->", about_means, inverse, about_means)
    _, logarithm = np.linalg.slogdet(block)
    _, of_design = np.linalg.slogdet(n_folds * inverse)
    return n_folds * logarithm + of_design + quadratic


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("spread_of_folds", [0.0, 0.01, 1.0])
def test_the_variance_is_that_of_restricted_maximum_likelihood(seed, spread_of_folds):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(5, 1)) + rng.normal(size=(5, 4)) * 0.5
    table += spread_of_folds * rng.normal(size=4)
    fitted = optimize.minimize(
        lambda x: restricted_likelihood(table, math.exp(x[0]), x[1] ** 2),
        (-1.0, 0.3),
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000},
    )

    assert residual_variance(table.tolist()) == pytest.approx(math.exp(fitted.x[0]), rel=1e-3)


tables = st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=2, max_size=6)


@given(tables, st.lists(st.floats(-5, 5), min_size=4, max_size=4))
def test_what_is_common_to_all_candidates_can_only_lower_the_variance_to_its_own(losses, shifts):
    table = np.array(losses)
    about = table - table.mean(axis=1, keepdims=True)
    unexplained = np.square(about - about.mean(axis=0)).sum() / ((len(table) - 1) * 3)

    shifted = residual_variance((table + 1000 * np.array([0, 1, 2, 3]) + shifts).tolist())
    assert shifted == pytest.approx(unexplained, abs=1e-9)


def test_hopeless_candidates_are_dropped_after_the_burn_in():
    learners = {
        i: (lambda anchor, fold, i=i: 0.1 + 0.2 * i + 0.01 * noise(i, fold)) for i in range(5)
    }
    search = Search(list(learners), schedule=900, policy=AnovaRace(), n_folds=10)
    play(search, learners)

    assert [search.results[i].curve.n(900) for i in range(5)] == [10, 3, 3, 3, 3]
    assert "(behind by more than the noise of the folds)" in search.results[1].explain()


def test_of_two_that_stay_equal_the_better_one_is_kept_after_so_many_folds():
    learners = {
        "a": lambda anchor, fold: 0.3 + 0.1 * (fold % 2),
        "b": lambda anchor, fold: 0.4 - 0.1 * (fold % 2),
        "c": lambda anchor, fold: 0.9,
    }
    search = Search(list(learners), schedule=900, policy=AnovaRace(n_ties=2), n_folds=20)
    play(search, learners)

    assert search.results["c"].curve.n(900) == 3
    assert search.results["b"].curve.n(900) == 5
    assert "(behind the other one that is left)" in search.results["b"].explain()


def test_equal_candidates_are_not_dropped():
    learners = dict.fromkeys(range(3), lambda anchor, fold: 0.3 + fold / 10)
    search = Search(list(learners), schedule=900, policy=AnovaRace(), n_folds=5)
    play(search, learners)

    assert {result.status for result in search.results.values()} == {Status.COMPLETED}


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"alpha": 0}, "alpha"),
        ({"burn_in": 1}, "burn_in must be at least 2"),
        ({"n_ties": 0}, "n_ties must be at least 1"),
    ],
)
def test_impossible_knobs_are_refused(knobs, message):
    with pytest.raises(InvalidParameterError, match=message):
        AnovaRace(**knobs)
