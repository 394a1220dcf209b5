import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from curvewise import Search, Status, WilcoxonRace
from curvewise.core._policies.wilcoxon import signed_rank_p_value
from curvewise.errors import InvalidParameterError
from tests.play import play

distinct = st.lists(st.integers(-1000, 1000).filter(bool), min_size=1, max_size=10, unique_by=abs)


@given(distinct)
def test_p_value_is_scipys_exact_one_without_ties(differences):
    expected = stats.wilcoxon(differences, alternative="greater", method="exact").pvalue

    assert signed_rank_p_value(differences) == pytest.approx(expected)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_p_value_with_ties_is_the_share_of_sign_flips_that_are_as_high(differences):
    sizes = np.abs(differences)
    ranks = stats.rankdata(sizes)
    observed = ranks[np.array(differences) > 0].sum()
    free = ranks[sizes > 0]
    flips = (np.arange(2 ** len(free))[:, None] >> np.arange(len(free))) & 1

    share = np.mean(flips @ free >= observed - 1e-9)
    assert signed_rank_p_value(differences) == pytest.approx(share)


def test_a_candidate_that_is_worse_on_every_fold_is_dropped_after_four():
    learners = {
        "good": lambda anchor, fold: 0.1 + fold / 100,
        "bad": lambda anchor, fold: 0.2 + fold / 50,
    }
    search = Search(list(learners), schedule=900, policy=WilcoxonRace(), n_folds=10)
    play(search, learners)

    assert search.results["bad"].status is Status.PRUNED
    assert search.results["bad"].curve.n(900) == 4


def test_impossible_p_values_are_refused():
    with pytest.raises(InvalidParameterError):
        WilcoxonRace(p_value=1)
