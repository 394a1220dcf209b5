"""Reliability: what was predicted against what was observed, and whether to calibrate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import KFold, RepeatedKFold
from sklearn.naive_bayes import GaussianNB

from curvewise._selection.calibration_maps import fitted_map, methods_for
from curvewise._selection.reliability import (
    FEWEST_ROWS,
    N_BINS,
    cross_fitted,
    reliability,
)
from curvewise.errors import InvalidParameterError

TWO = np.array(["no", "yes"])


def drawn(n, *, power=1.0, seed=0):
    """Probabilities, of which the true ones are a power; what came of them."""
    rng = np.random.default_rng(seed)
    told = rng.uniform(size=n)
    return np.column_stack([1 - told, told]), TWO[(rng.uniform(size=n) < told**power).astype(int)]


def of_several(n, n_classes, *, sharpened=1.0, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.dirichlet(np.ones(n_classes), size=n)
    y = np.array([rng.choice(n_classes, p=each) for each in true])
    told = true**sharpened
    return told / told.sum(axis=1, keepdims=True), y


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 200), st.integers(2, 4), st.integers(0, 10**6), st.integers(1, 5))
def test_bins_hold_every_row_once_and_scores_are_scikit_learns(n, n_classes, seed, digits):
    probabilities, y = of_several(n, n_classes, seed=seed)
    probabilities = probabilities.round(digits) + 1e-9
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    told = reliability(probabilities, y, np.arange(n_classes))

    assert sum(one.n_rows for one in told.bins) == told.n_rows == n
    assert 1 <= len(told.bins) <= N_BINS
    assert all(one.low <= one.predicted + 1e-12 <= one.high + 2e-12 for one in told.bins)
    assert all(a.high < b.low for a, b in zip(told.bins, told.bins[1:], strict=False))
    assert 0 <= told.calibration_error <= 1
    assert told.log_loss == pytest.approx(log_loss(y, probabilities, labels=range(n_classes)))
    expected = brier_score_loss(y, probabilities, labels=range(n_classes))
    assert told.brier == pytest.approx(expected)


def test_what_is_reliable_needs_no_calibration():
    told = reliability(*drawn(3000), TWO)

    assert told.recommended is None
    assert told.calibration_error < 0.04
    assert told.subject == "yes"
    assert told.sentence().startswith("Probabilities are reliable as they are")


def test_what_is_not_gets_a_method_and_its_gain():
    probabilities, y = drawn(3000, power=4)
    told = reliability(probabilities, y, TWO)
    gain = next(one for one in told.gains if one.method == told.recommended)

    assert told.calibration_error > 0.2
    assert gain.log_loss == pytest.approx(told.log_loss - gain.gain)
    assert gain.gain > 10 * gain.error
    assert f"from {told.log_loss:.4f} to {gain.log_loss:.4f}" in told.sentence()


def test_a_step_that_no_sigmoid_follows_asks_for_isotonic():
    rng = np.random.default_rng(0)
    told = rng.uniform(size=4000)
    true = np.where(told < 0.3, 0.5, np.where(told < 0.8, 0.55, 0.99))
    y = rng.uniform(size=4000) < true

    found = reliability(np.column_stack([1 - told, told]), y, np.array([False, True]))
    assert found.recommended == "isotonic"


def test_several_classes_are_judged_by_the_predicted_one():
    probabilities, y = of_several(2000, 3, sharpened=4)
    told = reliability(probabilities, y, np.arange(3))

    assert told.subject == "the predicted class"
    assert told.recommended == "temperature"
    assert reliability(*of_several(2000, 3), np.arange(3)).recommended is None


@pytest.mark.parametrize(
    ("method", "n_classes"),
    [("sigmoid", 2), ("isotonic", 2), ("isotonic", 4), ("temperature", 2), ("temperature", 4)],
)
def test_maps_give_probabilities(method, n_classes):
    probabilities, y = of_several(200, n_classes, sharpened=3)
    mapped = fitted_map(method, probabilities, y)(probabilities)

    np.testing.assert_allclose(mapped.sum(axis=1), 1)
    assert mapped.min() >= 0
    assert log_loss(y, mapped) <= log_loss(y, probabilities) + 1e-9


def test_an_isotonic_map_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = (X.sum(axis=1) + rng.normal(size=400) > 0).astype(int)
    model = GaussianNB().fit(X[:100], y[:100])
    theirs = CalibratedClassifierCV(FrozenEstimator(model), method="isotonic", cv=2)
    theirs = theirs.fit(X[100:], y[100:]).calibrated_classifiers_
    probabilities = model.predict_proba(X[100:])

    ours = fitted_map("isotonic", probabilities, y[100:])(probabilities)
    assert len(theirs) == 1
    np.testing.assert_allclose(ours, theirs[0].predict_proba(X[100:]), atol=1e-9)


def test_each_row_is_mapped_by_other_parts():
    probabilities, y = drawn(300, power=3)
    places = (y == "yes").astype(int)
    parts = [test for _, test in KFold(3).split(y)]
    mapped = cross_fitted("isotonic", probabilities, places, parts)

    for rest, part in KFold(3).split(y):
        expected = fitted_map("isotonic", probabilities[rest], places[rest])(probabilities[part])
        np.testing.assert_array_equal(mapped[part], expected)


def test_rows_in_several_parts_count_once():
    probabilities, y = drawn(400)
    parts = [test for _, test in RepeatedKFold(n_splits=4, n_repeats=2, random_state=0).split(y)]
    told = reliability(probabilities, y, TWO, parts=parts)

    assert told.n_rows == 400
    assert told.recommended is None


@pytest.mark.parametrize("classes", [2, 3])
def test_equal_probabilities_are_one_bin(classes):
    y = np.arange(90) % classes
    told = reliability(np.full((90, classes), 1 / classes), y, np.arange(classes))

    assert len(told.bins) == 1
    assert told.recommended is None


def test_few_rows_or_one_class_say_nothing_about_calibration():
    probabilities, y = drawn(FEWEST_ROWS - 1, power=9)
    assert reliability(probabilities, y, TWO).gains == ()
    alone = reliability(np.full((60, 2), 0.5), np.repeat("no", 60), TWO)
    assert alone.recommended is None
    assert alone.bins[0].observed == 0


@pytest.mark.parametrize(
    ("probabilities", "y", "why"),
    [
        (np.ones((3, 2)), ["no"] * 2, "for each of the 2 true"),
        (np.full((2, 2), np.nan), ["no"] * 2, "finite"),
        (np.full((2, 2), 0.5), ["no", "maybe"], "not among the classes"),
        (np.ones((0, 2)), [], "at least one"),
    ],
)
def test_what_does_not_belong_together_is_refused(probabilities, y, why):
    with pytest.raises(InvalidParameterError, match=why):
        reliability(probabilities, np.array(y, dtype=str), TWO)


def test_methods_are_those_of_scikit_learn():
    known = CalibratedClassifierCV._parameter_constraints["method"][0].options

    assert {*methods_for(2), *methods_for(3)} <= known
