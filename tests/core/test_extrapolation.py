import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares

from curvewise.core._extrapolation import (
    MMF,
    MODELS,
    CurveModel,
    Exponential,
    FittedCurve,
    InversePowerLaw,
    Pow4,
)
from curvewise.errors import InvalidParameterError

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
# Two shape parameters can trade off against each other at the same residual, so only where there is
# one do rounding errors in the input leave the prediction alone.
models_of_one_shape = pytest.mark.parametrize(
    "model", [InversePowerLaw(), Exponential()], ids=["ipl", "exponential"]
)
# A deadline per example would depend on how busy the machine is.
properties = settings(deadline=None, max_examples=40)

losses_01 = st.floats(0.0, 1.0).map(lambda loss: round(loss, 4))


@st.composite
def schedules(draw: st.DrawFn, *, min_size: int = 4) -> list[float]:
    smallest = draw(st.sampled_from([16, 64, 100, 500]))
    base = draw(st.sampled_from([1.5, 2.0, 4.0]))
    n_anchors = draw(st.integers(min_size, 10))
    return [float(round(smallest * base**step)) for step in range(n_anchors)]


@st.composite
def points(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    anchors = draw(schedules())
    return anchors, draw(st.lists(losses_01, min_size=len(anchors), max_size=len(anchors)))


def fitted(
    model: CurveModel,
    anchors: list[float],
    losses: list[float],
    weights: list[float] | None = None,
    *,
    lowest: float = 0.0,
) -> FittedCurve:
    curve = model.fit(anchors, losses, weights=weights, lowest=lowest)
    assert curve is not None
    return curve


def mean_square(
    curve: FittedCurve, anchors: list[float], losses: list[float], weights: list[float]
) -> float:
    errors = [curve.predict(s) - y for s, y in zip(anchors, losses, strict=True)]
    return float(np.average(np.square(errors), weights=weights))


@given(schedules(min_size=3), st.floats(0, 0.5), st.floats(0.05, 1), st.floats(0.05, 3))
@properties
def test_power_law_is_recovered_from_three_anchors_or_more(anchors, a, gain, c):
    b = gain * anchors[0] ** c

    curve = fitted(InversePowerLaw(), anchors, [a + b * s**-c for s in anchors])

    beyond = 4 * anchors[-1]
    assert curve.predict(beyond) == pytest.approx(a + b * beyond**-c, abs=1e-4 * gain)


@given(schedules(min_size=5), st.floats(0.2, 2), st.floats(0, 0.2))
@properties
def test_pow4_is_recovered(anchors, c, share):
    d = share * anchors[-1]
    gain = (anchors[0] + d) ** c
    curve = fitted(Pow4(), anchors, [0.1 + gain * (s + d) ** -c for s in anchors])

    beyond = 4 * anchors[-1]
    assert curve.predict(beyond) == pytest.approx(0.1 + gain * (beyond + d) ** -c, abs=1e-3)


@given(schedules(min_size=5), st.floats(0.3, 2), st.floats(0.1, 0.9))
@properties
def test_mmf_is_recovered(anchors, d, share):
    midpoint = anchors[0] * (anchors[-1] / anchors[0]) ** share
    parameters = (0.6, midpoint**d, 0.1, d)
    curve = fitted(MMF(), anchors, [MMF().evaluate(parameters, s) for s in anchors])

    beyond = 4 * anchors[-1]
    assert curve.predict(beyond) == pytest.approx(MMF().evaluate(parameters, beyond), abs=1e-3)


@given(schedules(min_size=3), st.floats(1.3, 3))
@properties
def test_exponential_is_recovered(anchors, rate):
    parameters = (0.1, 0.5, rate / anchors[1])
    curve = fitted(Exponential(), anchors, [Exponential().evaluate(parameters, s) for s in anchors])

    beyond = 4 * anchors[-1]
    assert curve.predict(beyond) == pytest.approx(
        Exponential().evaluate(parameters, beyond), abs=1e-4
    )


@every_model
@given(points=points(), factor=st.sampled_from([1e-9, 0.3, 7.0, 1e9]), shift=st.floats(-10, 10))
@properties
def test_quality_of_the_fit_does_not_depend_on_the_units_of_the_loss(model, points, factor, shift):
    anchors, losses = points
    curve = fitted(model, anchors, losses)
    moved = [factor * (loss + shift) for loss in losses]
    changed = fitted(model, anchors, moved, lowest=factor * shift)

    assert changed.residual / factor == pytest.approx(curve.residual, abs=1e-5)


@models_of_one_shape
@given(points=points(), factor=st.sampled_from([1e-9, 0.3, 7.0, 1e9]), shift=st.floats(-10, 10))
@properties
def test_prediction_has_the_units_of_the_loss(model, points, factor, shift):
    anchors, losses = points
    curve = fitted(model, anchors, losses)
    moved = [factor * (loss + shift) for loss in losses]
    changed = fitted(model, anchors, moved, lowest=factor * shift)

    for anchor in (anchors[0], anchors[-1], 4 * anchors[-1]):
        assert changed.predict(anchor) / factor == pytest.approx(
            curve.predict(anchor) + shift, abs=1e-3
        )


@every_model
@given(points=points(), factor=st.sampled_from([2.0**-40, 0.5, 8.0, 2.0**40]))
@properties
def test_prediction_scales_exactly_where_losses_do(model, points, factor):
    anchors, losses = points
    curve = fitted(model, anchors, losses)
    changed = fitted(model, anchors, [factor * loss for loss in losses])

    beyond = 4 * anchors[-1]
    assert changed.predict(beyond) / factor == pytest.approx(curve.predict(beyond), abs=1e-12)


@every_model
@given(points=points(), factor=st.sampled_from([0.25, 16.0, 1024.0]))
@properties
def test_units_of_the_anchors_do_not_matter(model, points, factor):
    anchors, losses = points
    curve = fitted(model, anchors, losses)
    changed = fitted(model, [factor * s for s in anchors], losses)

    beyond = 4 * anchors[-1]
    assert changed.predict(factor * beyond) == pytest.approx(curve.predict(beyond), abs=1e-9)


@every_model
@given(points=points(), data=st.data())
@properties
def test_order_of_points_does_not_matter(model, points, data):
    anchors, losses = points
    order = data.draw(st.permutations(range(len(anchors))))

    assert model.fit(anchors, losses) == model.fit(
        [anchors[i] for i in order], [losses[i] for i in order]
    )


@every_model
@given(points=points())
@example(points=([16.0, 32.0, 64.0, 128.0], [1.0, 0.0, 0.0, 1.0]))
@properties
def test_curve_never_rises_and_stays_above_its_asymptote(model, points):
    anchors, losses = points
    curve = fitted(model, anchors, losses)
    sizes = [*anchors, 2 * anchors[-1], 100 * anchors[-1], math.inf]
    predictions = [curve.predict(size) for size in sizes]

    assert all(math.isfinite(prediction) for prediction in predictions)
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(predictions))


@every_model
@given(points=points(), data=st.data())
@properties
def test_no_constant_fits_better(model, points, data):
    anchors, losses = points
    weights = data.draw(st.lists(st.floats(0.1, 10), min_size=len(anchors), max_size=len(anchors)))
    curve = fitted(model, anchors, losses, weights)
    constant = float(np.average(losses, weights=weights))
    best = float(np.average(np.square(np.array(losses) - constant), weights=weights))

    assert mean_square(curve, anchors, losses, weights) <= best + 1e-9


@every_model
@given(points=points())
@properties
def test_residual_is_the_root_mean_square_of_the_errors(model, points):
    anchors, losses = points
    curve = fitted(model, anchors, losses)

    assert curve.residual**2 == pytest.approx(
        mean_square(curve, anchors, losses, [1.0] * len(anchors)), abs=1e-9
    )


@given(points=points())
@example(
    points=(
        [16.0, 24.0, 36.0, 54.0, 81.0, 122.0, 182.0, 273.0],
        [0.0, 1.0, 1.0, 0.375, 0.0, 0.0, 0.25, 1.0],
    )
)
@example(
    points=(
        [16.0 * 4.0**step for step in range(10)],
        [0.0, 0.625, 0.9688, 0.9375, 0.0, 0.0, 0.0312, 0.0, 0.625, 0.7891],
    )
)
@properties
def test_no_power_law_with_another_decay_fits_better(points):
    anchors, losses = points
    curve = fitted(InversePowerLaw(), anchors, losses)
    deviations = np.array(losses) - np.mean(losses)

    for c in np.geomspace(0.01, 5.0, 300):
        decay = (np.array(anchors) / anchors[0]) ** -c
        column = decay - decay.mean()
        gain = max(0.0, column @ deviations / (column @ column))
        rival = np.mean((deviations - gain * column) ** 2)
        if np.mean(losses) < gain * decay.mean():
            gain = decay @ losses / (decay @ decay)
            rival = np.mean((losses - gain * decay) ** 2)
        assert curve.residual**2 <= rival + 1e-7


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e100, 1e154, 1e300])
def test_a_steep_curve_ends_at_the_lowest_loss_in_any_unit(unit):
    losses = [unit * loss for loss in (0.4, 0.3, 0.2, 0.1)]
    law = fitted(InversePowerLaw(), [64, 128, 256, 512], losses)

    assert law.parameters[0] == 0.0
    assert 0 < law.predict(10**9) < law.predict(1024) < losses[-1]


@every_model
@given(
    points=points(),
    shift=st.sampled_from([0.0, -0.5, -5.0]),
    unit=st.sampled_from([1.0, 1e-6, 1e9]),
    lowest=st.sampled_from([0.0, -0.25, -5.0, 0.1]),
)
@properties
def test_no_curve_falls_below_what_the_metric_allows(model, points, shift, unit, lowest):
    """Rates, unbounded losses, losses below 0: unless one is lower, no curve ever is."""
    anchors, losses = points[0], [unit * (loss + shift) for loss in points[1]]
    curve = model.fit(anchors, losses, lowest=unit * lowest)
    ahead = [curve.predict(rows) for rows in (max(anchors), 1e4 * max(anchors), math.inf)]

    assert ahead == sorted(ahead, reverse=True)
    if min(losses) >= unit * lowest:
        assert min(ahead) >= unit * lowest


@given(points=points())
@properties
def test_a_bound_that_is_not_met_changes_nothing(points):
    free = InversePowerLaw().fit(*points, lowest=-math.inf)
    bound = InversePowerLaw().fit(*points, lowest=min(free.parameters[0], *points[1]) - 1e-6)

    assert bound.residual == pytest.approx(free.residual, abs=1e-9)


@given(points=points())
@properties
def test_the_bounded_law_is_that_of_bounded_least_squares(points):
    anchors, losses = (np.array(values) for values in points)
    own = InversePowerLaw().fit(anchors, losses)

    def residuals(law):
        return law[0] + law[1] * (anchors / anchors[0]) ** -law[2] - losses

    for decay in (0.1, 1.0):
        limits = ([0.0, 0.0, 0.01], [np.inf, np.inf, 5.0])
        other = least_squares(residuals, [0.1, 0.5, decay], bounds=limits, max_nfev=50)
        assert own.residual**2 * len(losses) <= 2 * other.cost + 1e-6


def test_a_loss_below_the_bound_shows_that_there_is_none():
    law = fitted(InversePowerLaw(), [64, 128, 256, 512], [0.1, 0.0, -0.1, -0.2])

    assert law.parameters[0] < -0.2


@every_model
@given(anchors=schedules(), losses=st.lists(losses_01, min_size=10, max_size=10))
@properties
def test_a_curve_that_rises_gets_its_mean(model, anchors, losses):
    rising = sorted(losses)[: len(anchors)]
    curve = fitted(model, anchors, rising)

    assert curve.predict(4 * anchors[-1]) == pytest.approx(np.mean(rising), abs=1e-9)
    assert curve.predict(anchors[0]) == pytest.approx(np.mean(rising), abs=1e-9)


@every_model
@pytest.mark.parametrize("loss", [0.0, 0.27, -3.0, 1e9, 1e-9, 1e150])
def test_a_constant_curve_stays_constant(model, loss):
    curve = fitted(model, [64, 128, 256, 512, 1024], [loss] * 5)

    assert curve.predict(10_000) == pytest.approx(loss, rel=1e-12)
    assert curve.residual == 0.0


@every_model
@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1e9, 1e100])
def test_extreme_losses_give_finite_predictions(model, scale):
    curve = fitted(model, [64, 128, 256, 512], [loss * scale for loss in (0.4, 0.3, 0.25, 0.22)])

    assert 0.1 < curve.predict(2048) / scale < 0.25


@every_model
def test_fewer_anchors_than_parameters_give_no_curve(model):
    anchors = [64.0 * 2**step for step in range(model.n_parameters)]
    losses = [1.0 / (1 + step) for step in range(model.n_parameters)]

    assert model.fit(anchors, losses) is not None
    assert model.fit(anchors[1:], losses[1:]) is None
    assert model.fit([anchors[1], *anchors[1:]], losses) is None
    assert model.fit([], []) is None


@pytest.mark.parametrize("anchor", [0, -1, math.nan])
def test_a_prediction_needs_a_positive_anchor(anchor):
    curve = fitted(InversePowerLaw(), [64, 128, 256], [0.4, 0.3, 0.25])

    with pytest.raises(InvalidParameterError, match="anchor must be a positive number"):
        curve.predict(anchor)
