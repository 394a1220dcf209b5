"""What a choice is expected to score on new rows, as plain values."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise._selection.honest_score import honest_score
from curvewise.core import Scale
from curvewise.core._growth import Growth

rates = st.floats(0, 1)
variances = st.floats(1e-8, 0.1)


def judged(loss, *, luck=0.0, gain=0.0, variance=1e-4, scale=None, n_candidates=5):
    return honest_score(
        loss,
        luck=luck,
        growth=Growth(gain, gain**2),
        variance=variance,
        scale=scale or Scale(),
        n_candidates=n_candidates,
        n_rows=500,
        how="rows",
    )


@given(rates, variances, st.floats(0, 0.1))
def test_an_interval_holds_its_score_and_no_rate_that_cannot_be(loss, variance, luck):
    luck = min(luck, 1 - loss)
    found = judged(loss, variance=variance, luck=luck)

    assert found.interval.low <= found.score <= found.interval.high
    assert found.interval.low >= 0
    assert found.interval.high <= 1


@given(st.floats(-1e6, 1e6), st.floats(0, 1e4))
def test_of_errors_of_any_size_as_well(loss, variance):
    found = judged(loss, variance=variance, scale=Scale.unbounded())

    assert found.interval.low <= found.score <= found.interval.high
    assert math.isfinite(found.interval.width)


@given(rates, variances)
def test_more_noise_makes_an_interval_wider(loss, variance):
    assert (
        judged(loss, variance=variance).interval.width
        <= judged(loss, variance=4 * variance).interval.width + 1e-12
    )


def test_the_score_is_the_raw_one_less_luck_plus_growth():
    found = judged(0.1, luck=0.02, gain=0.005)

    assert found.raw == pytest.approx(0.9)
    assert found.score == pytest.approx(0.9 - 0.02 + 0.005)


def test_luck_and_growth_make_an_interval_wider():
    assert judged(0.1, luck=0.02).interval.width > judged(0.1).interval.width
    assert judged(0.1, gain=0.02).interval.width > judged(0.1).interval.width


def test_a_perfect_score_is_not_certain():
    found = judged(0.0, variance=1e-6)

    assert found.interval.low < 1 == found.interval.high


def test_the_sentence_says_what_was_set_right():
    assert str(judged(0.1, luck=0.02, gain=0.005, n_candidates=1200)) == (
        "Expected on new rows: 0.8850 (90% interval 0.8486 to 0.9136): 0.9000 on the folds, less "
        "0.0200 for being the best of 1,200, plus 0.0050 for a final fit on more rows"
    )


def test_the_sentence_of_a_single_candidate_has_no_luck():
    assert str(judged(0.1, n_candidates=1)).endswith(": 0.9000 on the folds")


def test_large_numbers_have_no_digits_that_do_not_count():
    assert "-2921.66 (" in judged(2921.6612, scale=Scale.unbounded()).sentence()


def test_facts_are_json():
    facts = judged(0.1).facts()

    assert json.loads(json.dumps(facts)) == facts
    assert {"score", "low", "high", "raw", "optimism", "n_candidates", "how"} <= facts.keys()
