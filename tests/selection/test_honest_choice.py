"""The honest score of a search."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import average_precision_score, make_scorer
from sklearn.model_selection import GroupKFold, RepeatedKFold, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV, KFoldCV, LearningCurve, Observation, Race, Status, Task
from curvewise._selection.honest_choice import evidence_of
from curvewise._selection.score_effects import CALLED_FOR, N_BLOCKS
from curvewise.executors import RunStore

X, Y = make_classification(300, 8, n_informative=4, flip_y=0.1, random_state=0)
TREES = {
    f"tree {depth}": DecisionTreeClassifier(max_depth=depth, random_state=0)
    for depth in (1, 2, 3, 4, 6, 8)
}


class Guess(ClassifierMixin, BaseEstimator):
    """Guesses, and has learnt nothing."""

    def __init__(self, seed=0):
        self.seed = seed

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        # The same guess for the same row, whoever asks.
        mixed = np.sin(1e4 * np.asarray(X)[:, 0] * (1.5 + self.seed)) * 1e5
        return self.classes_[np.floor(mixed).astype(int) % len(self.classes_)]


def searched(candidates=None, *, data=(X, Y), **settings):
    settings = {"keep_predictions": "best", "random_state": 0, **settings}
    params = settings.pop("params", {})
    return CurveSearchCV(candidates or TREES, **settings).fit(*data, **params)


def test_one_candidate_has_no_optimism():
    honest = searched({"bayes": GaussianNB()}).honest_score_

    assert (honest.optimism, honest.n_candidates) == (0, 1)
    assert honest.score == pytest.approx(honest.raw + honest.growth)


@pytest.mark.parametrize("policy", [KFoldCV(), Race()])
def test_candidates_that_are_the_same_have_no_optimism(policy):
    twins = {f"twin {i}": GaussianNB() for i in range(6)}

    assert searched(twins, policy=policy).honest_score_.optimism == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("policy", [KFoldCV(), Race()])
def test_of_many_that_guess_the_honest_score_is_near_the_truth_and_the_raw_one_is_not(policy):
    rng = np.random.default_rng(0)
    raw, told = [], []
    for split in range(12):
        rows = rng.uniform(size=(200, 1))
        guessing = {f"guess {i}": Guess(seed=100 * split + i) for i in range(25)}
        labels = rng.permutation(np.repeat([0, 1], 100))
        search = searched(guessing, data=(rows, labels), policy=policy)
        raw.append(search.best_score_ - 0.5)
        # That guessing gains from more rows is not to be expected, but usual.
        told.append(search.honest_score_.score - search.honest_score_.growth - 0.5)

    assert np.mean(raw) > 0.05
    assert abs(np.mean(told)) < 0.025


def test_the_raw_score_is_the_score_of_the_search():
    search = searched()

    assert search.honest_score_.raw == pytest.approx(search.best_score_, abs=1e-12)


@pytest.mark.parametrize("policy", [KFoldCV(), Race(price=0)])
def test_the_order_of_candidates_changes_nothing(policy):
    turned = dict(reversed(TREES.items()))
    first, second = (searched(each, policy=policy).honest_score_ for each in (TREES, turned))

    assert second.score == pytest.approx(first.score, abs=1e-9)
    assert second.interval == pytest.approx(first.interval, abs=1e-9)


def test_without_predictions_it_follows_from_the_folds():
    with_rows, without = searched().honest_score_, searched(keep_predictions="none").honest_score_

    assert (with_rows.how, without.how) == ("rows", "folds")
    assert without.score == pytest.approx(with_rows.score, abs=0.01)
    assert without.interval == pytest.approx(with_rows.interval, abs=0.02)


@pytest.mark.parametrize(
    "scoring",
    ["accuracy", "roc_auc", "neg_log_loss", "f1", "balanced_accuracy", "matthews_corrcoef"],
)
def test_every_metric_has_one(scoring):
    search = searched(scoring=scoring)
    honest = search.honest_score_

    assert honest.how == "rows"
    assert honest.interval.low < honest.score < honest.interval.high
    assert honest.optimism >= 0


def test_a_metric_of_ones_own_has_one_from_the_folds():
    def scoring(estimator, X, y):
        return np.mean(estimator.predict(X) == y)

    honest = searched(scoring=scoring).honest_score_

    assert honest.how == "folds"
    assert honest.interval.width > 0


@pytest.mark.parametrize("scoring", [None, "neg_mean_absolute_error", "neg_max_error"])
def test_numbers_have_one(scoring):
    data = make_regression(200, 5, noise=30, random_state=0)
    ridges = {f"ridge {alpha}": Ridge(alpha=alpha) for alpha in (0.1, 1, 10, 100)}
    honest = searched(ridges, data=data, scoring=scoring).honest_score_

    assert honest.interval.low < honest.score < honest.interval.high


@pytest.mark.parametrize(
    "cv",
    [
        StratifiedKFold(3),
        RepeatedKFold(n_splits=3, n_repeats=3, random_state=0),
        ShuffleSplit(4, test_size=0.3, random_state=0),
        ShuffleSplit(1, test_size=0.3, random_state=0),
    ],
)
def test_all_kinds_of_folds_have_one(cv):
    honest = searched(cv=cv).honest_score_

    assert 0 < honest.interval.width < 0.4
    assert honest.n_rows <= len(Y)


def test_repeating_folds_adds_no_rows():
    once, often = (
        searched(
            {"bayes": GaussianNB()},
            cv=RepeatedKFold(n_splits=5, n_repeats=n, random_state=0),
            keep_predictions=keep,
        ).honest_score_.interval.width
        for n, keep in ((1, "none"), (6, "none"))
    )

    assert often == pytest.approx(once, rel=0.2)


def test_groups_make_an_interval_wider():
    groups = np.repeat(np.arange(30), 10)
    rng = np.random.default_rng(0)
    labels = np.where(rng.uniform(size=300) < 0.9, rng.integers(2, size=30)[groups], Y)
    grouped, single = (
        searched(
            {"bayes": GaussianNB()},
            data=(X, labels),
            cv=GroupKFold(5),
            params={"groups": given},
        ).honest_score_.interval.width
        for given in (groups, np.arange(300))
    )

    assert grouped > 1.2 * single


def test_weights_count_as_they_do_in_scores():
    weights = np.linspace(0.1, 3, len(Y))
    search = searched({"linear": LogisticRegression()}, params={"sample_weight": weights})

    assert search.honest_score_.how == "rows"
    assert search.honest_score_.raw == pytest.approx(search.best_score_)


def test_the_simplest_is_less_lucky_than_the_best():
    best, simplest = (
        searched(policy=KFoldCV(), refit=refit).honest_score_ for refit in (True, "simplest")
    )

    assert simplest.optimism <= best.optimism


def test_a_choice_by_a_callable_has_none():
    assert not hasattr(searched(refit=lambda table: 0, policy=KFoldCV()), "honest_score_")


def test_one_fold_of_which_nothing_is_known_has_none():
    def scoring(estimator, X, y):
        return np.mean(estimator.predict(X) == y)

    search = searched(cv=ShuffleSplit(1, random_state=0), scoring=scoring, keep_predictions="none")

    assert not hasattr(search, "honest_score_")


def test_who_was_never_fitted_on_all_rows_of_a_fold_has_none():
    curve = LearningCurve([Observation(Task("svc", 100, 0), 0.2, seconds=1.0)])
    result = SimpleNamespace(candidate="svc", curve=curve, status=Status.STOPPED)
    refit = SimpleNamespace(
        given=SimpleNamespace(results_=[result], best_index_=0, refit=True),
        experiment=SimpleNamespace(folds=SimpleNamespace(target=800)),
    )

    assert evidence_of(refit, 0.8) is None


def test_a_search_without_refit_has_one():
    assert searched(refit=False).honest_score_.n_candidates == len(TREES)


def test_a_second_fit_forgets_the_first():
    search = searched()
    search.set_params(refit=lambda table: 0, policy=KFoldCV()).fit(X, Y)

    assert not hasattr(search, "honest_score_")


def test_a_learning_curve_says_what_more_rows_bring():
    search = searched(learning_curve=True, policy=KFoldCV())

    assert search.honest_score_.growth != pytest.approx(searched().honest_score_.growth)


def test_the_store_has_it_and_a_run_that_goes_on_finds_it_again(tmp_path):
    path = tmp_path / "run.db"
    first = searched(store=path)
    second = searched(store=path)
    with RunStore.read(path) as store:
        noted = store.run().notes()["honest score"]

    assert noted == second.honest_score_.facts()
    assert second.honest_score_.score == pytest.approx(first.honest_score_.score, abs=0.01)


def test_a_metric_is_called_a_bounded_number_of_times():
    data = load_iris(return_X_y=True)
    calls = []

    def counting(y, predicted):
        calls.append(len(y))
        return np.mean(y == predicted)

    searched(data=data, scoring=make_scorer(counting), policy=KFoldCV())
    n_fits = 5 * len(TREES)

    assert len(calls) - n_fits <= N_BLOCKS * CALLED_FOR


def test_of_a_callable_that_measures_several_things_noise_is_that_of_the_folds():
    def measured(estimator, X, y):
        hits = float(np.mean(estimator.predict(X) == y))
        return {"hits": hits, "misses": hits - 1}

    honest = searched(scoring=measured, refit="hits").honest_score_

    assert honest.how == "folds"
    assert honest.n_candidates == len(TREES)


def test_the_positive_class_of_a_metric_is_heeded_where_its_noise_is_measured():
    scorer = make_scorer(average_precision_score, response_method="predict_proba", pos_label=0)
    search = searched({"bayes": GaussianNB()}, scoring=scorer)
    same = searched({"bayes": GaussianNB()}, scoring="average_precision", data=(X, 1 - Y))

    assert search.honest_score_.interval == pytest.approx(same.honest_score_.interval, abs=0.01)


@pytest.mark.parametrize("refit", [True, "simplest"])
def test_a_finished_run_that_is_read_again_expects_the_same(tmp_path, refit):
    given = {"store": tmp_path / "run.db", "run": "trees", "policy": Race(), "refit": refit}
    first, again = searched(**given), searched(**given)

    assert any(result.status is Status.PRUNED for result in first.results_)
    assert again.honest_score_ == first.honest_score_
