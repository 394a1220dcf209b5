"""How much chance there is in a difference, as the rows say that tested both candidates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from curvewise.core import LearningCurve, Observation, Task
from curvewise.core._difference import likeness_at
from curvewise.core._row_pairs import RowPair, likeness, row_pair

N_ROWS = st.integers(2, 60)
truths = N_ROWS.flatmap(lambda n: st.tuples(*[hnp.arrays(bool, n)] * 2))
numbers = N_ROWS.flatmap(
    lambda n: st.tuples(*[hnp.arrays(np.float32, n, elements=st.floats(-100, 100, width=32))] * 2)
)


@given(truths | numbers)
def test_variances_are_those_of_the_rows(losses):
    own, other = losses

    pair = row_pair(own, other)

    expected = np.cov(own.astype(float), other.astype(float))
    assert pair.n_rows == len(own)
    assert pair[1:4] == pytest.approx(
        (expected[0, 0], expected[1, 1], expected[0, 1]), rel=1e-6, abs=1e-9
    )


@given(numbers, st.data())
def test_rows_that_one_of_both_lacks_are_left_out(losses, data):
    own, other = losses
    missing = data.draw(hnp.arrays(bool, len(own)))
    own, gaps = np.where(missing, np.nan, own), data.draw(hnp.arrays(bool, len(own)))
    other = np.where(gaps, np.inf, other)
    both = ~missing & ~gaps

    assert row_pair(own, other) == row_pair(own[both], other[both])


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (np.zeros(3, bool), np.zeros(4, bool)),
        (np.zeros(1, bool), np.zeros(1, bool)),
        (np.zeros(0, bool), np.zeros(0, bool)),
        (np.full(3, np.nan), np.zeros(3)),
    ],
)
def test_nothing_is_said_of_rows_that_are_unknown_or_others(own, other):
    assert row_pair(own, other) is None


@given(truths)
def test_error_rates_are_compared_by_the_rows_on_which_candidates_disagree(losses):
    own, other = losses
    n = len(own)

    alike = likeness([(row_pair(own, other), n)])

    difference = own.astype(float) - other
    one_more = 1 / (n - 1)
    assert alike.plain == pytest.approx((difference.var(ddof=1) + one_more) / n, abs=1e-12)


@given(truths | numbers)
def test_the_slope_leaves_no_more_chance_than_either_end(losses):
    own, other = losses
    pair = row_pair(own, other)

    alike = likeness([(pair, len(own))])

    alone = (pair.own + pair.largest / (len(own) - 1)) / len(own)
    assert 0 <= alike.slope <= 1
    assert alike.noise <= min(alike.plain, alone) * (1 + 1e-6) + 1e-9


@pytest.mark.parametrize("n_errors", [0, 20, 100])
def test_candidates_that_agree_so_far_are_not_the_same(n_errors):
    losses = np.arange(100) < n_errors

    alike = likeness([(row_pair(losses, losses), 100)])

    assert np.sqrt(alike.noise) == pytest.approx(1 / 100, rel=0.01)


@given(st.lists(truths, min_size=1, max_size=5), st.randoms())
def test_the_order_of_folds_changes_nothing(folds, rng):
    pairs = [(row_pair(*losses), len(losses[0])) for losses in folds]
    shuffled = rng.sample(pairs, len(pairs))

    assert likeness(pairs) == pytest.approx(likeness(shuffled))


def test_a_sample_of_rows_speaks_for_all():
    pair = RowPair(n_rows=1000, own=0.2, other=0.2, common=0.1)

    sample, all_rows = likeness([(pair, 50_000)]), likeness([(pair, 1000)])

    assert sample.noise == pytest.approx(all_rows.noise / 50)


def curve(name, rows_by_fold):
    return LearningCurve(
        Observation(
            Task(name, 900, fold),
            0.2 if rows is None else float(rows.mean()),
            n_test=100,
            row_losses=rows,
        )
        for fold, rows in rows_by_fold.items()
    )


def test_curves_are_compared_on_folds_whose_rows_both_have():
    rng = np.random.default_rng(0)
    rows = [rng.random(100) < 0.3 for _ in range(6)]
    own = curve("own", {0: rows[0], 1: rows[1], 2: None})
    other = curve("other", {0: rows[2], 1: rows[3], 2: rows[4], 3: rows[5]})

    found = likeness_at(own, other, 900, (0, 1, 2))

    expected = likeness([(row_pair(rows[0], rows[2]), 100), (row_pair(rows[1], rows[3]), 100)])
    assert found == expected
    assert likeness_at(own, other, 900, (2,)) is None
    assert likeness_at(own, other, 100, (0,)) is None


def test_a_curve_remembers_only_whom_it_was_compared_with_last():
    rng = np.random.default_rng(0)
    own, first, second = (curve(name, {0: rng.random(100) < 0.3}) for name in "abc")

    pairs = [own.beside(other, 900, 0) for other in (first, second, first)]

    assert pairs[0] == pairs[2] != pairs[1]
    own.add(Observation(Task("a", 900, 0), 0.0, n_test=100, row_losses=np.zeros(100, bool)))
    assert own.beside(first, 900, 0).own == 0


def test_rows_can_be_forgotten():
    own, other = (curve(name, {0: np.ones(100, bool)}) for name in "ab")
    before = curve("a", {0: np.ones(100, bool)})

    own.forget_rows()

    assert own.beside(other, 900, 0) is None
    assert own.at(900, 0).row_losses is None
    assert own == before
