"""Thresholds: the best of all cuts, honestly measured."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import fbeta_score
from sklearn.model_selection import KFold

from curvewise._selection.label_metrics import COUNTED, label_metric
from curvewise._selection.threshold_choice import (
    MOST_CUTS,
    ROUNDING,
    WIDTH,
    ScoredRows,
    best_threshold,
    choose_threshold,
)

NUMBERS = np.array([0, 1])
ENDS = (0.0, float(np.nextafter(1.0, 2.0)))
names = st.sampled_from(sorted(COUNTED))


@st.composite
def scored(draw, most=40):
    """Rows with scores that often agree, and a default of .5."""
    n = draw(st.integers(4, most))
    levels = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    scores = rng.integers(0, levels + 1, n) / levels
    positive = rng.uniform(size=n) < 0.8 * scores
    return ScoredRows(scores, positive, scores > 0.5, ENDS)


def metric_called(name):
    return label_metric(name, NUMBERS, positive=1)


def brute_force(rows, metric):
    """Each threshold, and the mean score of those whose number of rows below is about the same."""
    n = len(rows.scores)
    levels = np.unique(rows.scores)
    every = [ENDS[0], *((levels[1:] + levels[:-1]) / 2), ENDS[1]]
    below = [int(np.sum(rows.scores < cut)) for cut in every]
    raw = [metric.score(rows.positive, rows.scores >= cut) for cut in every]
    smooth = []
    for k in below:
        reach = WIDTH * np.sqrt(k * (n - k) / n)
        near = [value for other, value in zip(below, raw, strict=True) if abs(other - k) <= reach]
        smooth.append(np.mean(near))
    return every, raw, smooth


@settings(max_examples=150, deadline=None)
@given(scored(), names)
def test_what_is_found_is_the_best_of_all_cuts(rows, name):
    metric = metric_called(name)
    found = best_threshold(rows, metric)
    every, raw, smooth = brute_force(rows, metric)
    default = metric.score(rows.positive, rows.default)
    best = [place for place, value in enumerate(smooth) if value >= max(smooth) - ROUNDING]
    usually = np.sum(rows.default)
    place = min(best, key=lambda one: abs(np.sum(rows.scores >= every[one]) - usually))

    assert found == (pytest.approx(every[place]) if raw[place] > default + ROUNDING else None)


@settings(max_examples=60, deadline=None)
@given(scored(most=15), st.sampled_from(["accuracy", "f1"]))
def test_scores_without_neighbours_have_the_best_of_all_cuts_as_it_is(rows, name):
    # Each row ten thousand times: the next cut is far beyond the noise.
    often = rows[np.repeat(np.arange(len(rows.scores)), 10_000)]
    metric = metric_called(name)
    _, raw, _ = brute_force(rows, metric)
    reached = metric.score(often.positive, often.predicted(best_threshold(often, metric)))

    assert reached == pytest.approx(max(*raw, metric.score(rows.positive, rows.default)))


@settings(max_examples=60, deadline=None)
@given(scored(), names)
def test_a_metric_without_a_formula_finds_the_same(rows, name):
    metric = metric_called(name)
    called = label_metric(lambda y, said: metric.called(y == 1, said == 1), NUMBERS, positive=1)

    assert called.counted is None
    assert best_threshold(rows, called) == best_threshold(rows, metric)


@settings(max_examples=100, deadline=None)
@given(scored(), names, st.sampled_from([np.exp, np.cbrt, lambda s: 5 * s**3 - 40, np.arctan]))
def test_scores_in_another_unit_change_no_prediction(rows, name, monotone):
    metric = metric_called(name)
    # 0 and 1 are beyond what these maps give only if the ends go with them.
    other = ScoredRows(monotone(rows.scores), rows.positive, rows.default, (-1e9, 1e9))
    before = rows.predicted(best_threshold(rows, metric))

    after = other.predicted(best_threshold(other, metric))
    np.testing.assert_array_equal(before, after)


@settings(max_examples=60, deadline=None)
@given(scored(), names, st.integers(2, 4))
def test_the_score_that_is_told_is_that_of_thresholds_from_other_folds(rows, name, n_folds):
    metric = metric_called(name)
    parts = [test for _, test in KFold(n_folds).split(rows.scores)]
    choice = choose_threshold(rows, parts, metric)
    said = np.zeros(len(rows.scores), dtype=bool)
    for (rest, part), threshold in zip(
        KFold(n_folds).split(rows.scores), choice.of_folds, strict=True
    ):
        assert threshold == best_threshold(rows[rest], metric)
        said[part] = rows.default[part] if threshold is None else rows.scores[part] >= threshold

    assert choice.score == pytest.approx(metric.score(rows.positive, said))
    assert choice.default_score == pytest.approx(metric.score(rows.positive, rows.default))


@settings(max_examples=40, deadline=None)
@given(st.integers(6, 40), names, st.integers(0, 10**6))
def test_a_perfect_classifier_keeps_its_threshold(n, name, seed):
    rng = np.random.default_rng(seed)
    positive = rng.permutation(np.arange(n) % 3 == 0)
    scores = np.where(positive, rng.uniform(0.6, 1, n), rng.uniform(0, 0.4, n))
    rows = ScoredRows(scores, positive, scores > 0.5, ENDS)
    choice = choose_threshold(rows, [np.arange(3), np.arange(3, n)], metric_called(name))

    assert choice.threshold is None
    assert not choice.better
    assert choice.score == choice.default_score


def test_equal_scores_leave_the_default_unless_all_or_nobody_is_better():
    positive = np.array([True] * 3 + [False] * 9)
    rows = ScoredRows(np.full(12, 0.2), positive, np.zeros(12, dtype=bool), ENDS)

    assert best_threshold(rows, metric_called("accuracy")) is None
    assert best_threshold(rows, metric_called("balanced_accuracy")) is None
    assert best_threshold(rows, metric_called("f1")) == 0.0


def test_a_gain_by_chance_on_the_rows_chosen_on_is_not_told():
    rng = np.random.default_rng(5)
    scores, positive = rng.uniform(size=300), rng.uniform(size=300) < 0.5
    rows = ScoredRows(scores, positive, scores > 0.5, ENDS)
    metric = metric_called("matthews_corrcoef")
    parts = [test for _, test in KFold(5).split(scores)]
    choice = choose_threshold(rows, parts, metric)

    assert choice.threshold is not None
    assert metric.score(positive, scores >= choice.threshold) > choice.score


def test_adjacent_numbers_are_cut_apart():
    low = 0.3
    scores = np.repeat([low, np.nextafter(low, 1)], 50)
    rows = ScoredRows(scores, scores > low, np.zeros(100, dtype=bool), ENDS)
    threshold = best_threshold(rows, metric_called("f1"))

    np.testing.assert_array_equal(scores >= threshold, rows.positive)


def test_a_function_is_called_a_bounded_number_of_times():
    calls = []

    def f2(y_true, y_pred):
        calls.append(len(y_true))
        return fbeta_score(y_true, y_pred, beta=2)

    rng = np.random.default_rng(0)
    scores = rng.uniform(size=30_000)
    positive = rng.uniform(size=30_000) < scores / 2
    rows = ScoredRows(scores, positive, scores > 0.5, ENDS)
    threshold = best_threshold(rows, label_metric(f2, NUMBERS, positive=1))

    assert len(calls) <= MOST_CUTS + 1
    assert max(calls) <= 20_000
    assert 0.1 < threshold < 0.4


def test_a_metric_that_is_not_a_number_leaves_the_default():
    rows = ScoredRows(np.arange(5) / 5, np.arange(5) > 1, np.arange(5) > 2, ENDS)
    metric = label_metric(lambda *_: float("nan"), NUMBERS, positive=1)
    choice = choose_threshold(rows, [np.arange(2), np.arange(2, 5)], metric)

    assert not choice.better
