"""An extrapolation in a picture, with its band."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise._selection.pictures.curve_display import CurveDisplay
from curvewise._selection.pictures.extrapolation_band import project
from tests.selection.pictures.test_curve_display import completed, labels, save


def observed(cells):
    """A result with just these anchors, folds and losses."""
    curve = cw.LearningCurve(cw.Observation(cw.Task("a", s, f), loss) for s, f, loss in cells)
    ends = cw.Interval(-math.inf, math.inf)
    return cw.ValidationResult("a", cw.Status.RUNNING, math.nan, ends, curve, (), (), cw.Scale())


def test_an_extrapolation_is_drawn_with_its_band(ax):
    display = CurveDisplay.from_result(completed(), extrapolate=True, until=50_000, ax=ax)
    line, _ = display.bands_
    save(display)

    assert line.get_xdata()[-1] == pytest.approx(50_000)
    assert "extrapolation (ipl)" in labels(ax)


@pytest.mark.parametrize("model", cw.MODELS)
def test_every_model_gives_the_same_band_each_time(model):
    projection = project(completed(), model=model)

    assert projection == project(completed(), model=model)
    assert all(
        low <= score <= high
        for low, score, high in zip(projection.low, projection.scores, projection.high, strict=True)
    )
    assert max(projection.high) <= 1


def test_the_band_of_a_constant_is_the_interval_of_its_mean():
    losses = (0.1, 0.3, 0.2, 0.5, 0.4)
    result = observed((s, f, losses[f]) for s in (64, 128, 256, 512) for f in range(5))
    low, high = result.curve.interval(512, kind="t")
    projection = project(result)

    assert (projection.low[-1], projection.high[-1]) == pytest.approx((1 - high, 1 - low))


def test_the_band_covers_the_truth_about_as_often_as_it_says():
    random = np.random.default_rng(0)
    anchors = (64, 128, 256, 512, 1024, 4000)
    n_covered = 0
    for _ in range(100):
        floor, height = random.uniform(0.05, 0.3), random.uniform(0.5, 2)
        exponent = random.uniform(0.4, 0.9)
        common, own = random.normal(0, 0.01, 5), random.normal(0, 0.006, (5, len(anchors)))
        result = observed(
            (s, f, floor + height * s**-exponent + common[f] + own[f, i])
            for i, s in enumerate(anchors)
            for f in range(5)
        )
        projection = project(result, until=16_000)
        truth = 1 - floor - height * 16_000**-exponent
        n_covered += projection.low[-1] <= truth <= projection.high[-1]

    assert 88 <= n_covered <= 100


def test_there_is_no_band_without_a_second_fold(ax):
    result = completed(n_folds=1)
    display = CurveDisplay.from_result(result, extrapolate="ipl", ax=ax)

    assert project(result).low is None
    assert len(display.bands_) == 1


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"extrapolate": "ipl", "until": 900}, "beyond the last anchor 9000, got 900"),
        ({"extrapolate": "ipl", "until": 1e5}, "until must be a whole number"),
        ({"extrapolate": "cubic"}, "one of ipl, pow4, mmf, exponential, got 'cubic'"),
    ],
)
def test_an_extrapolation_that_cannot_work_is_refused(knobs, message, ax):
    with pytest.raises(cw.InvalidParameterError, match=message):
        CurveDisplay.from_result(completed(), ax=ax, **knobs)


def test_too_few_anchors_to_extrapolate_are_named(ax):
    result = completed(policy=cw.KFoldCV())

    with pytest.raises(cw.InvalidParameterError, match="needs at least 3 anchors, forest has 1"):
        CurveDisplay.from_result(result, extrapolate=True, ax=ax)
