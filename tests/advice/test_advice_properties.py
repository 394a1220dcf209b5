"""What always holds of an advice, whatever the curves."""

import json
import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import curvewise as cw
from tests.advice.curves import (
    of_losses,
    portfolios,
    wavering,
)
from tests.advice.test_advise import RATES, UNBOUNDED


def named(losses):
    return {f"learner{i}": of_losses(each, n_test=100) for i, each in enumerate(losses)}


@settings(max_examples=60, deadline=None)
@given(portfolios(), st.sampled_from([RATES, UNBOUNDED]), st.sampled_from(["curve", "ipl"]))
def test_any_curves_get_an_answer(losses, scale, method):
    advice = cw.advise(named(losses), scale=scale, method=method)

    assert advice.answer in ("yes", "no", "cannot tell")
    assert advice.explain()
    json.dumps(advice.facts(), allow_nan=False)
    if math.isfinite(advice.gain):
        assert advice.interval.low <= advice.gain <= advice.interval.high
    if scale is RATES and method == "curve":
        assert 0 <= advice.gain <= max(0.0, 1 - advice.score_now) + 1e-12


@settings(max_examples=40, deadline=None)
@given(portfolios(), st.floats(0, 0.2), st.floats(0, 0.2))
def test_a_larger_wish_is_never_more_probable(losses, one, other):
    curves = named(losses)
    small, large = sorted((one, other))

    assert (
        cw.advise(curves, min_gain=large).probability
        <= cw.advise(curves, min_gain=small).probability + 1e-12
    )


@settings(max_examples=40, deadline=None)
@given(portfolios(), st.floats(1.1, 8), st.floats(1.1, 8))
def test_more_rows_never_promise_less(losses, one, other):
    curves = named(losses)
    few, many = sorted((one, other))

    assert cw.advise(curves, factor=few).gain <= cw.advise(curves, factor=many).gain + 1e-12


@settings(max_examples=40, deadline=None)
@given(portfolios(), st.floats(0.5, 0.9), st.floats(0.9, 0.99))
def test_wider_intervals_contain_narrower_ones(losses, narrow, wide):
    curves = named(losses)
    inner, outer = (cw.advise(curves, level=level).interval for level in (narrow, wide))

    assert outer.low <= inner.low
    assert inner.high <= outer.high


@settings(max_examples=40, deadline=None)
@given(st.floats(1e-9, 1e9))
def test_the_unit_of_an_unbounded_loss_does_not_matter(unit):
    plain = cw.advise(wavering(1.0), scale=UNBOUNDED, min_gain=0.05)
    moved = cw.advise(wavering(unit), scale=UNBOUNDED, min_gain=0.05 * unit)

    assert moved.gain == pytest.approx(unit * plain.gain, rel=1e-6)
    assert moved.probability == pytest.approx(plain.probability, abs=1e-6)
    assert moved.answer == plain.answer


@settings(max_examples=40, deadline=None)
@given(st.floats(5, 1e3))
def test_negative_losses_have_no_end_and_may_be_shifted(shift):
    plain, moved = (
        cw.advise(wavering(1.0, shift=-each), scale=UNBOUNDED, min_gain=0.05)
        for each in (5.0, shift)
    )

    assert moved.gain == pytest.approx(plain.gain, rel=1e-6)
    assert moved.probability == pytest.approx(plain.probability, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(portfolios(), st.randoms())
def test_the_order_of_the_candidates_changes_nothing(losses, random):
    curves = list(named(losses).items())
    bests = [min(curve.mean(anchor) for _, curve in curves if anchor in curve.anchors)
             for anchor in {a for _, curve in curves for a in curve.anchors}]  # fmt: skip
    assume(len(bests) == len(set(bests)))
    shuffled = random.sample(curves, len(curves))

    one, other = cw.advise(dict(curves)), cw.advise(dict(shuffled))
    assert other.gain == pytest.approx(one.gain, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(portfolios(), st.floats(0, 1))
def test_the_rows_for_a_score_are_where_it_is_expected(losses, wish):
    advice = cw.advise(named(losses))
    need = advice.rows_for(wish)

    if need.rows is not None and wish > advice.score_now:
        then = cw.advise(named(losses), rows_now=advice.rows_now, n_rows=need.rows + 1)
        assert then.score_then >= wish - 1e-6
        assert need.rows <= need.farthest
