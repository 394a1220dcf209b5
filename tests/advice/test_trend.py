"""The trend, distributions and the numbers behind them."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise.advice import _numbers as numbers
from curvewise.advice._envelope import Standing, Step
from curvewise.advice._outlook import LEVELS, Outlook
from curvewise.advice._trend import Trend, base_rate, expect, grow
from curvewise.core._scale import Scale

CALIBRATIONS = {
    name: getattr(numbers, name)
    for name in ("PORTFOLIO", "CANDIDATE", "PORTFOLIO_UNBOUNDED", "CANDIDATE_UNBOUNDED")
}
TABLES = [each.table for each in CALIBRATIONS.values()]


def trend(fall=0.04, *, loss=0.2, error=0.002, before=512, after=1024, scale=None):
    step = Step(before, after, fall, n_folds=10, n_candidates=5)
    standing = Standing("svc", after, loss, error, 10, step)
    return Trend(standing, scale or Scale(), numbers.PORTFOLIO)


@pytest.mark.parametrize("name", list(CALIBRATIONS))
def test_the_numbers_are_such_that_everything_holds(name):
    calibration = CALIBRATIONS[name]

    assert len(calibration.table) == len(LEVELS)
    assert all(low < high for low, high in pairwise(calibration.table))
    assert calibration.table[0] < 0 < calibration.table[-1]
    assert calibration.carry > 0
    assert calibration.carry + 0.5 * calibration.room <= 1
    assert min(calibration.noise, calibration.share, calibration.level) >= 0
    assert calibration.room == 0 or not name.endswith("UNBOUNDED")


def test_experience_is_in_classes_that_end_with_everything():
    assert [each.below for each in numbers.EXPERIENCE][-1] == math.inf
    assert all(low < high for each in numbers.EXPERIENCE for low, high in pairwise(each.shares))


@given(st.floats(0.05, 1.0), st.floats(0.1, 6), st.floats(0.1, 6), st.floats(0.5, 4))
def test_falls_over_any_steps_are_those_of_one_power_law(ratio, ahead, behind, further):
    # What a step brings does not depend on where the way to it is cut.
    whole = grow(ratio, ahead + further, behind)
    first = grow(ratio, ahead, behind)
    rest = first * grow(ratio, further, ahead)

    assert whole == pytest.approx(first + rest, rel=1e-6)


@given(st.sampled_from(TABLES), st.floats(0.001, 0.999), st.floats(1e-6, 10), st.floats(-1, 1))
def test_quantiles_and_probabilities_agree(table, level, spread, gain):
    outlook = Outlook(gain, spread, table)

    assert outlook.probability(outlook.quantile(level)) == pytest.approx(1 - level, abs=1e-6)


def test_a_doubling_brings_a_share_of_the_last():
    rule = numbers.PORTFOLIO

    assert trend(loss=0.2).look(2).gain == pytest.approx(0.04 * (rule.carry + rule.room * 0.2))


def test_an_error_rate_does_not_fall_below_0():
    outlook = trend(fall=0.3, loss=0.05).look(8)

    assert outlook.gain <= 0.05
    assert outlook.interval(0.99).high <= 0.05
    assert outlook.probability(0.051) == 0.0


def test_farther_ahead_is_less_sure():
    widths = [trend().look(factor).interval(0.9).width for factor in (1.5, 2, 4, 8)]

    assert widths == sorted(widths)


@pytest.mark.parametrize("before", [500, 800, 900, 1000])
def test_a_shorter_step_carries_more_of_its_noise(before):
    # The same fall by chance: it is multiplied, and so must be what chance may have made of it.
    long, short = (trend(fall=0.0, before=start, after=1024) for start in (512, before))

    ratio = short.look(2).spread / long.look(2).spread
    assert ratio == 1 if before < 512 else ratio > 1.5
    assert short.look(1).spread == long.look(1).spread


def test_a_fall_by_chance_between_close_anchors_is_no_yes():
    # One error of its own, over a twelfth more rows, would be a large fall if it went on.
    far, close = (trend(fall=0.02, error=0.02, before=start) for start in (512, 940))

    assert close.look(2).gain > 4 * far.look(2).gain
    assert close.look(2).probability(0.005) < 0.8


def test_fewer_folds_are_less_sure():
    sure, unsure = (trend(error=error).look(2) for error in (0.001, 0.01))

    assert sure.interval(0.9).width < unsure.interval(0.9).width


def test_experience_with_more_rows_is_mirrored_for_fewer():
    more, fewer = (expect(0.2, rows=1000, ahead=ahead) for ahead in (1.0, -1.0))
    scale = fewer.spread / more.spread

    assert fewer.gain == pytest.approx(-scale * more.gain)
    for level in (0.05, 0.3, 0.8):
        assert fewer.quantile(level) == pytest.approx(-scale * more.quantile(1 - level))


def test_the_base_rate_falls_with_the_wish_and_the_rows():
    rates = [base_rate(gain, loss=0.2, rows=1000, factor=2) for gain in (0.005, 0.01, 0.05)]

    assert rates == sorted(rates, reverse=True)
    assert base_rate(0.01, loss=0.2, rows=10**6, factor=2) < rates[1]
