"""What a model gains when it is fitted on all rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.core._growth import EXPONENT, LowerAnchor, growth

losses = st.floats(0.001, 10)
factors = st.floats(1.01, 5)


@given(losses, factors)
def test_without_a_curve_a_quarter_more_rows_bring_what_is_usual(loss, more_rows):
    found = growth(loss, [], luck=0.0, variance=0.01, more_rows=more_rows)
    of_a_quarter = growth(loss, [], luck=0.0, variance=0.01, more_rows=1.25)

    assert of_a_quarter.gain == pytest.approx(0.034 * loss, rel=0.02)
    assert (found.gain > of_a_quarter.gain) == (more_rows > 1.25)
    assert 0 < found.gain < loss


@given(losses, st.floats(0, 0.5), st.lists(st.sampled_from([0.5, 0.25, 0.125]), unique=True))
def test_a_curve_that_is_exactly_known_is_followed(loss, steepness, shares):
    points = [
        LowerAnchor(share, steepness * loss * (share**-EXPONENT - 1), 1.0) for share in shares
    ]
    found = growth(loss, points, luck=0.0, variance=1e-12 * loss**2, more_rows=1.25)

    if points:
        assert found.gain == pytest.approx(
            steepness * loss * (1 - 1.25**-EXPONENT), rel=1e-3, abs=1e-6 * loss
        )


@given(losses, st.floats(0.001, 1))
def test_a_noisy_curve_changes_little(loss, noise):
    steep = [LowerAnchor(0.5, loss, 0.2)]
    gains = [
        growth(loss, steep, luck=0.0, variance=spread * loss**2, more_rows=1.25).gain
        for spread in (noise, 10 * noise)
    ]
    usual = growth(loss, [], luck=0.0, variance=1.0, more_rows=1.25).gain

    assert usual <= gains[1] <= gains[0]


def test_luck_at_the_target_is_no_growth():
    points = [LowerAnchor(0.5, 0.02, 1.0)]
    lucky, fair = (
        growth(0.2, points, luck=luck, variance=1e-5, more_rows=1.25).gain for luck in (0.01, 0.0)
    )

    assert lucky < fair


@pytest.mark.parametrize(("loss", "more_rows"), [(0.0, 1.25), (-0.5, 1.25), (0.2, 1.0)])
def test_where_nothing_can_be_gained_there_is_no_growth(loss, more_rows):
    assert growth(loss, [], luck=0.0, variance=0.01, more_rows=more_rows) == (0.0, 0.0)


@given(losses, st.floats(-10, 10), st.floats(0.05, 1.0))
def test_a_gain_is_never_negative_and_at_most_the_loss(loss, difference, share):
    points = [LowerAnchor(share, difference, 1.0)]
    found = growth(loss, points, luck=0.0, variance=1e-6, more_rows=2.0)

    assert 0 <= found.gain <= loss
    assert found.variance >= 0
