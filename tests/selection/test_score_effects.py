"""What rows do to scores: how noisy these are, and who errs on the same rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import get_scorer, make_scorer

from curvewise import resolve_scoring
from curvewise._selection.kept_predictions import OutOfFold
from curvewise._selection.score_effects import MOST_ROWS, JudgedRows, likeness

N = 600
random_states = st.integers(0, 10**6).map(np.random.RandomState)


def numbers_of(values, known=None):
    n_folds = np.ones(len(values), dtype=int) if known is None else known.astype(int)
    return OutOfFold("predict", np.where(n_folds > 0, values, np.nan), n_folds)


def classes_of(probabilities):
    n = len(probabilities)
    values = np.column_stack([1 - probabilities, probabilities])
    places = values.argmax(axis=1)
    return OutOfFold("predict_proba", values, np.ones(n, dtype=int), np.arange(2), places)


def told(kept, y, metric, *, weights=None, groups=None):
    tested = JudgedRows.of(kept[0], y, weights, groups)
    return likeness(kept, tested, resolve_scoring(metric))


def classified(rng, n=N):
    y = rng.randint(2, size=n)
    luck = rng.normal(size=n)
    return y, [
        classes_of(1 / (1 + np.exp(-(y - 0.5) - 0.5 * luck - 0.5 * rng.normal(size=n))))
        for _ in range(3)
    ]


@given(random_states)
def test_the_variance_of_accuracy_is_that_of_a_share(rng):
    y, kept = classified(rng)
    share = np.mean(kept[0].places == y)

    assert told(kept, y, "accuracy").variances[0] == pytest.approx(share * (1 - share) / (N - 1))


@pytest.mark.parametrize(
    "metric",
    [
        *("accuracy", "neg_log_loss", "neg_brier_score", "roc_auc", "f1", "balanced_accuracy"),
        *("average_precision",),
    ],
)
def test_variances_and_correlations_are_those_of_a_bootstrap(metric):
    rng = np.random.RandomState(3)
    y, kept = classified(rng)
    scorer = get_scorer(metric)
    found = told(kept, y, metric)
    drawn = []
    # Few, as metrics take milliseconds; the tolerances below are far wider than their noise.
    for _ in range(50):
        rows = rng.randint(N, size=N)
        answers = [_answer(one, scorer)[rows] for one in kept]
        drawn.append([scorer._score_func(y[rows], one, **scorer._kwargs) for one in answers])
    resampled = np.cov(np.array(drawn).T)

    assert np.sqrt(found.variances) == pytest.approx(np.sqrt(np.diag(resampled)), rel=0.5)
    errors = np.sqrt(np.diag(resampled))
    assert found.correlations == pytest.approx(resampled / np.outer(errors, errors), abs=0.4)


def _answer(one, scorer):
    return one.places if scorer._response_method == "predict" else one.values[:, 1]


@pytest.mark.parametrize(
    "metric",
    ["r2", "neg_mean_squared_error", "neg_mean_absolute_error", "neg_root_mean_squared_error"],
)
def test_of_numbers_they_are_too(metric):
    rng = np.random.RandomState(5)
    y = rng.normal(size=N)
    common = rng.normal(size=N)
    kept = [numbers_of(y + 0.5 * common + 0.5 * rng.normal(size=N)) for _ in range(2)]
    found = told(kept, y, metric)
    scorer, drawn = get_scorer(metric), []
    for _ in range(120):
        rows = rng.randint(N, size=N)
        drawn.append([scorer._score_func(y[rows], one.values[rows]) for one in kept])
    resampled = np.cov(np.array(drawn).T)

    assert np.sqrt(found.variances) == pytest.approx(np.sqrt(np.diag(resampled)), rel=0.2)
    expected = resampled[0, 1] / np.sqrt(resampled[0, 0] * resampled[1, 1])
    assert found.correlations[0, 1] == pytest.approx(expected, abs=0.15)


@given(random_states)
def test_twins_are_one_and_the_same(rng):
    y, kept = classified(rng)

    assert told([kept[0], kept[0]], y, "accuracy").correlations == pytest.approx(np.ones((2, 2)))


@given(random_states)
def test_of_who_was_dropped_the_likeness_is_seen_on_its_own_rows(rng):
    y = rng.normal(size=N)
    whole = numbers_of(y + rng.normal(size=N))
    known = np.arange(N) < N // 5
    dropped = numbers_of(whole.values, known)
    found = told([whole, dropped], y, "neg_mean_squared_error")

    assert found.correlations[0, 1] > 0.8
    assert np.isnan(found.variances[1])


def test_rows_of_a_group_are_no_independent_cases():
    rng = np.random.RandomState(0)
    groups = np.repeat(np.arange(N // 6), 6)
    y = rng.normal(size=N)
    one = numbers_of(y + rng.normal(size=N // 6)[groups])
    alone, together = (
        told([one], y, "neg_mean_squared_error", groups=given).variances[0]
        for given in (None, groups)
    )

    assert together == pytest.approx(6 * alone, rel=0.4)


def test_equal_weights_are_as_good_as_none():
    y, kept = classified(np.random.RandomState(0))
    unweighted, weighted = (
        told(kept, y, "neg_log_loss", weights=given) for given in (None, np.full(N, 3.0))
    )

    assert weighted.variances == pytest.approx(unweighted.variances)


def test_a_row_that_counts_more_is_noisier():
    y, kept = classified(np.random.RandomState(0))
    weights = np.where(np.arange(N) < 20, 100.0, 1.0)

    assert (
        told(kept, y, "accuracy", weights=weights).variances[0]
        > 5 * told(kept, y, "accuracy").variances[0]
    )


def test_a_sample_of_many_rows_says_how_noisy_all_are():
    n = MOST_ROWS + 10_000
    y, kept = classified(np.random.RandomState(0), n)
    share = np.mean(kept[0].places == y)

    assert told(kept, y, "accuracy").variances[0] == pytest.approx(
        share * (1 - share) / n, rel=0.02
    )


def test_a_candidate_that_gave_something_else_is_not_compared():
    y, (one, *_) = classified(np.random.RandomState(0))
    other = OutOfFold("decision_function", one.values[:, 1], one.n_folds, one.classes, one.places)
    found = told([one, other], y, "neg_log_loss")

    assert np.isfinite(found.variances[0])
    assert np.isnan(found.correlations[0, 1])


def _fails(y_true, y_pred):
    raise RuntimeError("a metric of the user's own")


@pytest.mark.parametrize("metric", [make_scorer(_fails), lambda estimator, X, y: 1.0])
def test_a_metric_that_cannot_be_asked_says_nothing(metric):
    y, kept = classified(np.random.RandomState(0))

    assert told(kept, y, metric) is None


@settings(max_examples=20)
@given(random_states, st.sampled_from(["accuracy", "roc_auc", "neg_log_loss", "f1_macro"]))
def test_whatever_was_predicted_there_is_a_finite_answer_or_none(rng, metric):
    y = rng.randint(2, size=20)
    kept = [classes_of(rng.choice([0.0, 0.5, 1.0], size=20)) for _ in range(2)]
    found = told(kept, y, metric)

    if found is not None:
        assert np.isfinite(found.variances).all()
        assert np.nanmax(np.abs(found.correlations), initial=0.0) <= 1 + 1e-9
