"""Which points a curve is fitted through, and how much each of them counts."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from curvewise.core._extrapolation import (
    InversePowerLaw,
)
from curvewise.errors import InvalidParameterError
from tests.core.test_extrapolation import every_model, fitted, losses_01, points, properties


@every_model
@given(points=points(), anchor=st.sampled_from([7.0, 48.0, 1e5]), loss=losses_01)
@properties
def test_points_of_no_weight_have_no_influence(model, points, anchor, loss):
    anchors, losses = points

    assert model.fit(
        [*anchors, anchor], [*losses, loss], weights=[1.0] * len(anchors) + [0.0]
    ) == model.fit(anchors, losses)


@every_model
@given(points=points(), factor=st.sampled_from([1e-12, 3.0, 1e12]), data=st.data())
@properties
def test_only_ratios_of_weights_matter(model, points, factor, data):
    anchors, losses = points
    weights = data.draw(st.lists(st.floats(0.1, 10), min_size=len(anchors), max_size=len(anchors)))
    curve = fitted(model, anchors, losses, weights)
    changed = fitted(model, anchors, losses, [factor * weight for weight in weights])

    assert changed.residual == pytest.approx(curve.residual, abs=1e-5)


@every_model
@given(points=points())
@properties
def test_a_double_weight_is_a_point_twice(model, points):
    anchors, losses = points
    weighted = fitted(model, anchors, losses, [2.0] + [1.0] * (len(anchors) - 1))
    repeated = fitted(model, [anchors[0], *anchors], [losses[0], *losses])

    assert weighted.residual == pytest.approx(repeated.residual, abs=1e-5)


@every_model
@given(points=points(), bad=st.sampled_from([math.nan, math.inf, -math.inf]))
@properties
def test_points_that_are_not_finite_are_ignored(model, points, bad):
    anchors, losses = points

    assert model.fit([*anchors, 32.0], [*losses, bad]) == model.fit(anchors, losses)


@every_model
@given(anchors=st.sets(st.integers(1, 10**7), min_size=4, max_size=8), data=st.data())
@properties
def test_any_anchors_are_possible(model, anchors, data):
    losses = data.draw(st.lists(losses_01, min_size=len(anchors), max_size=len(anchors)))
    assume(len(set(losses)) > 1)
    curve = fitted(model, [float(s) for s in sorted(anchors)], losses)

    assert math.isfinite(curve.predict(2 * max(anchors)))
    assert curve.residual <= np.std(losses) + 1e-9


@pytest.mark.parametrize(
    ("anchors", "losses", "weights", "message"),
    [
        ([0, 1, 2], [3, 2, 1], None, "anchors must be positive"),
        ([1, 2, 3], [3, 2], None, "same length"),
        ([1, 2, 3], [3, 2, 1], [1, 1], "same length"),
        ([1, 2, 3], [3, 2, 1], [1, -1, 1], "weights must be finite and at least 0"),
        ([1, 2, 3], [3, 2, 1], [1, math.inf, 1], "weights must be finite and at least 0"),
        ([1, 2, 3], [3, 2, 1], [1, math.nan, 1], "weights must be finite and at least 0"),
    ],
)
def test_points_that_make_no_sense_are_refused(anchors, losses, weights, message):
    with pytest.raises(InvalidParameterError, match=message):
        InversePowerLaw().fit(anchors, losses, weights=weights)
