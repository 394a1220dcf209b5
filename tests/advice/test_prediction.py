"""The paper's laws, and single candidates."""

from curvewise.advice import _numbers as numbers
from curvewise.advice._evidence import CandidateCurve
from curvewise.advice._prediction import look_ahead
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
