"""ROC and precision-recall curves with their bands."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from curvewise._selection.diagnosis import ranking_curves
from curvewise._selection.diagnosis.predicted_rows import rows_of_predictions
from curvewise._selection.diagnosis.ranking_curves import PLACES, class_rankings, rank_class
from tests.selection.diagnosis.rows import of_classes


def drawn(n, seed=0, digits=3):
    rng = np.random.default_rng(seed)
    positive = rng.uniform(size=n) < 0.4
    positive[:2] = [True, False]
    return (rng.normal(size=n) + positive).round(digits), positive


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 150), st.integers(0, 10**6), st.integers(0, 3))
def test_areas_are_scikit_learns_ties_included(n, seed, digits):
    scores, positive = drawn(n, seed, digits)
    found = rank_class("yes", scores, positive)

    assert found.roc.area == pytest.approx(roc_auc_score(positive, scores))
    expected = average_precision_score(positive, scores)
    assert found.precision_recall.area == pytest.approx(expected)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 150), st.integers(0, 10**6), st.integers(0, 3))
def test_curves_stay_between_0_and_1_and_roc_curves_rise(n, seed, digits):
    found = rank_class("yes", *drawn(n, seed, digits))

    for curve in (found.roc, found.precision_recall):
        drawn_ones = [curve.y] if curve.low is None else [curve.y, curve.low, curve.high]
        for values in drawn_ones:
            assert values.shape == PLACES.shape
            assert values.min() >= 0
            assert values.max() <= 1 + 1e-12
    assert np.all(np.diff(found.roc.y) >= -1e-12)
    assert found.precision_recall.y[-1] <= 1


def test_the_roc_curve_is_scikit_learns_at_its_places():
    scores, positive = drawn(400)
    false, true, _ = roc_curve(positive, scores, drop_intermediate=False)
    found = rank_class("yes", scores, positive)

    assert np.allclose(found.roc.y, np.interp(PLACES, false, true))


def test_a_band_covers_what_another_sample_would_give():
    """Of 95% intervals of the area, about that many hold the area of the population."""
    truth = roc_auc_score(*reversed(drawn(200_000, seed=99)))
    held = 0
    for seed in range(100):
        curve = rank_class("yes", *drawn(200, seed)).roc
        held += curve.area_low <= truth <= curve.area_high

    assert held >= 88


def test_many_scores_are_put_together_with_nearly_the_same_band(monkeypatch):
    scores, positive = drawn(4_000, digits=9)
    grouped = rank_class("yes", scores, positive).roc
    monkeypatch.setattr(ranking_curves, "MOST_GROUPS", 10**6)
    exact = rank_class("yes", scores, positive).roc

    assert grouped.area == exact.area
    assert np.abs(grouped.low - exact.low).max() < 0.02
    assert np.abs(grouped.high - exact.high).max() < 0.02


def test_a_handful_of_rows_has_no_band():
    found = rank_class("yes", np.arange(9.0), np.arange(9) > 5)

    assert found.roc.low is None
    assert np.isnan(found.roc.area_low)
    assert found.roc.area == 1.0


def test_two_classes_have_one_curve_and_several_one_each():
    assert [one.label for one in class_rankings(of_classes(60, 2))] == ["1"]
    assert [one.label for one in class_rankings(of_classes(60, 3))] == ["0", "1", "2"]
    assert len(class_rankings(of_classes(300, 15))) == 10


def test_classes_alone_have_no_curves():
    assert class_rankings(rows_of_predictions([0, 1], [0, 1], [0, 1])) == []


def test_the_same_rows_have_the_same_band():
    one, other = (rank_class("yes", *drawn(100)).roc for _ in range(2))

    assert np.array_equal(one.low, other.low)
