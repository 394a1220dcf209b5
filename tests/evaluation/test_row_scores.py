"""What is said to be chance is compared with what chance does: the metric on many test sets."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer, r2_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from curvewise._evaluation.evaluator import Evaluator
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.row_scores import (
    MEASURES,
    RowScores,
    own_metric,
    ratio_scores,
    row_scorer,
)
from curvewise._evaluation.scorers import resolve_scoring
from curvewise.core._outcome import Task

N_ROWS = 400
N_TEST_SETS = 150
# The noise of accuracy follows from the rate.
NOISY = [name for name in MEASURES if name != "accuracy"]


class Oracle(RegressorMixin, BaseEstimator):
    """Predicts the first column."""

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return X[:, 0]


class Believer(ClassifierMixin, BaseEstimator):
    """Takes the columns for the probabilities of the classes."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return X

    def predict(self, X):
        return self.classes_[X.argmax(axis=1)]


class Stubborn(Ridge):
    def score(self, X, y, sample_weight=None):
        return 0.5


class Hesitant(Pipeline):
    """Predicts something else than its last step, which its own score asks."""

    def predict(self, X):
        return np.zeros(len(X))


def numbers(rng, n=N_ROWS):
    y = rng.gamma(3, 2, n) + 0.1
    return np.maximum(0.05, y + rng.normal(size=n))[:, None], y


def classes(rng, sizes, *, stratified=True):
    """Stratified test sets have the same number of rows of each class."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    y = y if stratified else rng.choice(y, len(y))
    logits = rng.normal(size=(len(y), len(sizes))) + np.log(sizes)
    logits[np.arange(len(y)), y] += 1.5
    odds = np.exp(logits)
    return odds / odds.sum(axis=1, keepdims=True), y


def noise_of(by_row, *given):
    return RowScores(*by_row(*given)).noise


def is_about_classes(name):
    return get_scorer(name)._score_func.__module__.endswith(("_classification", "_ranking"))


def test_sets(name, n_classes):
    rng = np.random.default_rng(0)
    sizes = {2: [340, 60], 3: [220, 120, 60]}[n_classes]
    if not is_about_classes(name):
        return [numbers(rng) for _ in range(N_TEST_SETS)]
    # What is averaged over rows does not know of classes.
    stratified = not name.startswith("neg")
    return [classes(rng, sizes, stratified=stratified) for _ in range(N_TEST_SETS)]


test_sets.__test__ = False


@pytest.mark.parametrize(
    ("name", "n_classes"),
    [
        (name, n_classes)
        for name in NOISY
        for n_classes in (2, 3)
        if n_classes == 2
        or name.endswith(("macro", "weighted", "ovr"))
        or name in ("neg_log_loss", "neg_brier_score", "balanced_accuracy")
    ],
)
def test_noise_is_the_variance_of_the_metric_over_test_sets(name, n_classes):
    sets = test_sets(name, n_classes)
    model = (Believer() if is_about_classes(name) else Oracle()).fit(*sets[0])
    scorer, by_row = get_scorer(name), row_scorer(name)

    scores = [scorer(model, *one) for one in sets]
    said = np.mean([noise_of(by_row, model, *one) for one in sets])

    assert 0.6 < said / np.var(scores) < 1.6


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", MEASURES)
def test_the_mean_of_the_rows_is_the_score(name, n_classes):
    X, y = test_sets(name, n_classes)[0]
    model = (Believer() if is_about_classes(name) else Oracle()).fit(X, y)
    resolved = resolve_scoring(name)
    if n_classes == 3 and name in ("roc_auc", "precision", "recall", "f1", "jaccard"):
        pytest.skip("a metric of two classes")

    rows = resolved.score(model, X, y, {}, by_row=True).rows

    assert rows.shape == (len(y),)
    assert rows.mean() == pytest.approx(get_scorer(name)(model, X, y))


@pytest.mark.parametrize("name", ["f1_macro", "roc_auc", "r2", "balanced_accuracy"])
def test_leaving_out_a_row_moves_the_score_as_the_row_says(name):
    X, y = test_sets(name, 2)[0]
    model = (Believer() if is_about_classes(name) else Oracle()).fit(X, y)
    scorer, n = get_scorer(name), len(y)
    rows = RowScores(*row_scorer(name)(model, X, y)).rows
    left_out = np.arange(0, n, 40)

    moved = [
        scorer(model, X, y) - scorer(model, np.delete(X, i, axis=0), np.delete(y, i))
        for i in left_out
    ]

    expected = (rows[left_out] - rows.mean()) / (n - 1)
    assert moved == pytest.approx(expected, abs=0.15 * np.abs(rows - rows.mean()).max() / n)


def test_probabilities_of_32_bits_are_clipped_as_scikit_learn_does():
    y = np.array([0, 1] * 10)
    X = np.column_stack([1 - y, y]).astype(np.float32)
    X[0] = X[0, ::-1]
    model = Believer().fit(X, y)

    scores = resolve_scoring("neg_log_loss").score(model, X, y, {}, by_row=True)

    assert scores.rows.mean() == pytest.approx(scores.values["neg_log_loss"])


def test_every_name_is_one_of_scikit_learn():
    assert set(MEASURES) <= set(get_scorer_names())


@pytest.mark.parametrize("name", NOISY)
def test_scorers_can_be_pickled(name):
    X, y = test_sets(name, 2)[0]
    model = (Believer() if is_about_classes(name) else Oracle()).fit(X, y)

    again = pickle.loads(pickle.dumps(row_scorer(name)))

    assert noise_of(again, model, X, y) == noise_of(row_scorer(name), model, X, y)


@given(hits=st.lists(st.booleans(), min_size=1, max_size=50))
def test_the_noise_of_a_rate_is_that_of_its_rows(hits):
    n, rate = len(hits), sum(hits) / len(hits)
    away = min(max(rate, 0.5 / n), 1 - 0.5 / n)
    parts = np.array(hits, dtype=float)[:, None]

    noise = ratio_scores(parts, np.ones_like(parts), rate=True).noise

    assert noise == pytest.approx(away * (1 - away) / n)
    assert noise > 0


@given(
    losses=st.lists(st.floats(-1e3, 1e3), min_size=10, max_size=30),
    factor=st.floats(0.1, 10.0),
    shift=st.floats(-100.0, 100.0),
)
def test_the_noise_of_a_mean_grows_with_the_square_of_the_unit_and_not_with_a_constant(
    losses, factor, shift
):
    parts = np.array(losses)[:, None]
    ones = np.ones_like(parts)

    noise = ratio_scores(parts, ones, rate=False).noise
    other = ratio_scores(factor * parts + shift, ones, rate=False).noise

    assert noise == pytest.approx(np.var(losses, ddof=1) / len(losses), abs=1e-6)
    assert other == pytest.approx(factor**2 * noise, abs=1e-6)


def test_a_few_rows_do_not_tell_how_noisy_a_loss_is():
    parts = np.arange(9.0)[:, None]

    assert math.isnan(ratio_scores(parts, np.ones_like(parts), rate=False).noise)


@pytest.mark.parametrize("n_positive", [1, 2, 5])
def test_an_area_over_a_few_positive_rows_is_never_sure(n_positive):
    y = np.array([0] * 200 + [1] * n_positive)
    scores = np.concatenate([np.linspace(0, 1, 200), np.full(n_positive, 0.9)])
    measure = MEASURES["roc_auc"]

    good, perfect = measure(y, scores).noise, measure(y, scores + y).noise

    assert good > 0.005
    assert perfect > 1e-6


@pytest.mark.parametrize("name", [name for name in NOISY if is_about_classes(name)])
def test_a_rare_class_makes_more_noise_than_the_rows_tell(name):
    rare, balanced = ([390, 10], [200, 200])
    noises = []
    for sizes in (rare, balanced):
        X, y = classes(np.random.default_rng(1), sizes)
        noises.append(noise_of(row_scorer(name), Believer().fit(X, y), X, y))

    if name in ("roc_auc", "roc_auc_ovr", "balanced_accuracy", "recall", "f1", "f1_macro"):
        assert noises[0] > 3 * noises[1]
    assert all(noise > 0 for noise in noises)


@pytest.mark.parametrize("name", NOISY)
@pytest.mark.parametrize("labels", [["a", "b"], [0, 1], [1, 1]])
def test_what_cannot_be_measured_is_nan_and_no_error(name, labels):
    y = np.array(labels * 5)
    X = np.full((10, 2), 0.5)
    model = Believer().fit(X, np.array(labels * 5))
    model.classes_ = np.unique(labels) if len(set(labels)) > 1 else np.array([0, 1])

    noise = row_scorer(name)._score_func(y, model.predict(X)).noise

    assert math.isnan(noise) or noise >= 0


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (Ridge(), "r2"),
        (make_pipeline(StandardScaler(), make_pipeline(Ridge())), "r2"),
        (TransformedTargetRegressor(Ridge()), "r2"),
        (Stubborn(), None),
        (make_pipeline(StandardScaler(), Stubborn()), None),
        (make_pipeline(StandardScaler(), "passthrough"), None),
        (Believer(), "accuracy"),
        (Hesitant([("model", Believer())]), None),
        (object(), None),
    ],
)
def test_own_scores_are_known_where_they_are_inherited(estimator, expected):
    assert own_metric(estimator) == expected


class Counting(Ridge):
    """Counts how often it is asked to predict."""

    n_calls = 0

    def predict(self, X):
        type(self).n_calls += 1
        return super().predict(X)


@pytest.mark.parametrize(
    "scoring",
    [
        None,
        "r2",
        make_scorer(r2_score),
        ["r2", "explained_variance"],
        {"error": "neg_mean_squared_error", "explained": "r2"},
    ],
)
def test_a_score_and_its_noise_come_from_one_prediction(scoring):
    X, y = numbers(np.random.default_rng(0))
    model = Counting().fit(X, y)
    resolved = resolve_scoring(scoring, estimator=model)
    plain = resolved.score(model, X, y, {})
    Counting.n_calls = 0

    scores = resolved.score(model, X, y, {}, by_row=True)

    assert Counting.n_calls == 1
    assert scores.noise > 0
    assert plain == scores._replace(noise=None, rows=None)


@pytest.mark.parametrize("scoring", ["accuracy", "explained_variance", lambda model, X, y: 0.5])
def test_no_noise_is_said_where_none_is_known(scoring):
    X, y = np.zeros((4, 1)), np.array([0, 1, 1, 0])
    model = Oracle().fit(X, y)

    assert resolve_scoring(scoring).score(model, X, y, {}, by_row=True).noise is None


def test_no_noise_is_said_of_weighted_scores():
    X, y = numbers(np.random.default_rng(0))
    model, weights = Oracle().fit(X, y), {"sample_weight": np.ones(len(y))}

    scores = resolve_scoring("r2").score(model, X, y, weights, by_row=True)

    assert scores.noise is None
    assert scores.values["r2"] == r2_score(y, X[:, 0])


def test_a_metric_that_fails_still_says_why():
    X, y = numbers(np.random.default_rng(0))
    model = Oracle().fit(X, y)

    with pytest.raises(ValueError, match="cannot be used"):
        resolve_scoring("neg_mean_squared_log_error").score(model, X, -y, {}, by_row=True)
    several = resolve_scoring(["neg_mean_squared_log_error", "r2"])
    assert (
        "cannot be used" in several.score(model, X, -y, {}, by_row=True).errors[several.decide_by]
    )


def test_an_observation_of_an_unbounded_metric_says_how_noisy_it_is():
    X, y = numbers(np.random.default_rng(0))
    folds = Folds(X, y, cv=5, classifier=False, random_state=0)
    evaluate = Evaluator(X, y, folds=folds, scoring=resolve_scoring(None, estimator=Ridge()))

    outcome = evaluate(Task("ridge", folds.target, 0), Ridge())

    test = folds.test(0)
    model = Ridge().fit(*(part[folds.train(0, folds.target)] for part in (X, y)))
    assert outcome.noise == noise_of(row_scorer("r2"), model, X[test], y[test])
