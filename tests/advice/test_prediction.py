"""The paper's laws, and single candidates."""

import pytest

from curvewise.advice import _numbers as numbers
from curvewise.advice._evidence import CandidateCurve
from curvewise.advice._prediction import fit_law, look_ahead
from curvewise.core._scale import Scale
from tests.advice.curves import curve, portfolio


def test_single_candidates_have_numbers_of_their_own():
    scale = Scale()
    _, one = look_ahead([CandidateCurve("svc", curve())], scale, "curve")
    _, many = look_ahead(
        [CandidateCurve(i, each) for i, each in enumerate(portfolio())], scale, "curve"
    )

    assert one.calibration is numbers.CANDIDATE
    assert many.calibration is numbers.PORTFOLIO


def test_a_law_with_a_negative_asymptote_is_fitted_again_without_one():
    law = fit_law([64, 128, 256, 512], [0.4, 0.3, 0.2, 0.1])

    assert law.parameters[0] == 0.0
    assert 0 < law.predict(10**9) < law.predict(1024) < 0.1


@pytest.mark.parametrize("unit", [1e100, 1e154, 1e300])
def test_the_law_without_an_asymptote_does_not_depend_on_the_unit(unit):
    plain, large = (
        fit_law([64, 128, 256, 512], [each * loss for loss in (0.4, 0.3, 0.2, 0.1)])
        for each in (1.0, unit)
    )

    assert large.predict(1024) == pytest.approx(unit * plain.predict(1024))


def test_negative_losses_may_have_a_negative_asymptote():
    assert fit_law([64, 128, 256, 512], [0.1, 0.0, -0.1, -0.2]).parameters[0] < 0
