"""How a `CurveSearchCV` is carried out: stores, limits, workers, callbacks, progress."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import loguniform
from sklearn.callback import ProgressBar
from sklearn.datasets import load_digits, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveSearchCV, KFoldCV, NoResultError, Race
from curvewise.errors import StoreError
from curvewise.executors import Listener
from tests.executors.sleepy import Sleepy
from tests.selection.learners import Diary, Hungry


class Satisfied(Listener):
    """Asks to stop after so many outcomes."""

    def __init__(self, after):
        self.left = after

    def started(self, search):
        self.search = search

    def told(self, outcome):
        self.left -= 1
        if self.left == 0:
            self.search.stop("satisfied")


X, y = load_iris(return_X_y=True)
MANY, FIGURES = (part[::4] for part in load_digits(return_X_y=True))
DEPTHS = {"max_depth": [1, 2, 5]}
TREE = DecisionTreeClassifier(random_state=0)


@pytest.fixture
def diary(monkeypatch):
    """An empty diary."""
    monkeypatch.setattr(Diary, "fits", [])
    monkeypatch.setattr(Diary, "interrupt_after", None)
    return Diary


@pytest.fixture
def interrupted(diary, tmp_path):
    """The settings of a search that was interrupted in its eighth fit."""
    settings = {"policy": KFoldCV(), "store": tmp_path / "runs.sqlite", "random_state": 0}
    diary.interrupt_after = 7
    with pytest.raises(KeyboardInterrupt):
        CurveSearchCV(Diary(), DEPTHS, **settings).fit(X, y)
    diary.interrupt_after = None
    return settings


class TestStore:
    def test_an_interrupted_search_goes_on_without_repeating_a_fit(self, diary, interrupted):
        search = CurveSearchCV(Diary(), DEPTHS, **interrupted).fit(X, y)

        # 3 candidates on 5 folds, and the refit.
        assert len(diary.fits) == len(set(diary.fits)) == 3 * 5 + 1
        assert search.cv_results_["status"].tolist() == ["completed"] * 3

    def test_an_interrupted_search_comes_out_like_one_that_was_not(self, interrupted):
        search = CurveSearchCV(Diary(), DEPTHS, **interrupted).fit(X, y)
        other = CurveSearchCV(Diary(), DEPTHS, policy=KFoldCV(), random_state=0).fit(X, y)

        assert_array_equal(
            search.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"]
        )
        assert search.best_params_ == other.best_params_

    def test_an_interrupted_race_comes_out_like_one_that_was_not(self, diary, tmp_path):
        settings = {"deterministic": True, "random_state": 0}
        space = {"max_depth": [1, 2, 5, 8], "criterion": ["gini", "entropy"]}
        whole = CurveSearchCV(Diary(), space, **settings).fit(MANY, FIGURES)
        wanted = set(diary.fits)
        diary.fits.clear()
        diary.interrupt_after = 5
        parts = CurveSearchCV(Diary(), space, store=tmp_path / "runs.sqlite", **settings)
        with pytest.raises(KeyboardInterrupt):
            parts.fit(MANY, FIGURES)
        diary.interrupt_after = None

        parts.fit(MANY, FIGURES)

        assert set(diary.fits) == wanted
        assert parts.cv_results_["reason"].tolist() == whole.cv_results_["reason"].tolist()

    def test_what_is_known_is_kept_when_a_search_is_interrupted(self, diary):
        diary.interrupt_after = 7
        search = CurveSearchCV(Diary(), DEPTHS, policy=KFoldCV())

        with pytest.raises(KeyboardInterrupt):
            search.fit(X, y)

        assert search.cv_results_["status"].tolist() == ["completed", "stopped", "stopped"]
        assert search.cv_results_["n_folds"].tolist() == [5, 2, 0]

    def test_candidates_may_be_added(self, diary, interrupted):
        search = CurveSearchCV(Diary(), {"max_depth": [1, 2, 5, 7]}, **interrupted).fit(X, y)

        assert len(diary.fits) == len(set(diary.fits)) == 4 * 5 + 1
        assert len(search.results_) == 4

    @pytest.mark.parametrize(
        ("other", "named"),
        [
            ({"cv": 3}, "folds"),
            ({"scoring": "f1_macro"}, "metrics"),
            ({"policy": Race()}, "policy"),
            ({"random_state": 1}, "seed"),
            ({"test_cap": 3}, "test_cap"),
        ],
        ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
    )
    def test_a_search_with_other_settings_is_refused(self, interrupted, other, named):
        search = CurveSearchCV(Diary(), DEPTHS, **{**interrupted, **other})

        with pytest.raises(StoreError, match=f"cannot be resumed, because .*{named}"):
            search.fit(X, y)

    @pytest.mark.parametrize("data", [(X + 1, y), (X, y[::-1])], ids=["X", "y"])
    def test_a_search_on_other_data_is_refused(self, interrupted, data):
        search = CurveSearchCV(Diary(), DEPTHS, **interrupted)

        with pytest.raises(StoreError, match="the fingerprint of the data was"):
            search.fit(*data)

    def test_another_candidate_of_the_same_name_is_refused(self, interrupted):
        search = CurveSearchCV(Diary(criterion="entropy"), DEPTHS, **interrupted)

        with pytest.raises(StoreError, match=r"The candidate 'max_depth=1' .* is another one now"):
            search.fit(X, y)

    def test_a_search_with_other_weights_is_refused(self, interrupted):
        search = CurveSearchCV(Diary(), DEPTHS, **interrupted)

        with pytest.raises(StoreError, match="cannot be resumed"):
            search.fit(X, y, sample_weight=np.arange(150.0))

    def test_a_search_with_another_metric_of_the_same_name_is_refused(self, diary, tmp_path):
        settings = {"refit": "metric", "store": tmp_path / "runs.sqlite", "random_state": 0}
        diary.interrupt_after = 2
        with pytest.raises(KeyboardInterrupt):
            CurveSearchCV(Diary(), DEPTHS, scoring={"metric": "accuracy"}, **settings).fit(X, y)
        diary.interrupt_after = None
        search = CurveSearchCV(Diary(), DEPTHS, scoring={"metric": "f1_macro"}, **settings)

        with pytest.raises(StoreError, match="cannot be resumed"):
            search.fit(X, y)

    def test_a_search_that_wants_training_scores_as_well_is_refused(self, interrupted):
        search = CurveSearchCV(Diary(), DEPTHS, return_train_score=True, **interrupted)

        with pytest.raises(StoreError, match="cannot be resumed"):
            search.fit(X, y)

    def test_runs_of_other_names_do_not_know_each_other(self, diary, interrupted):
        diary.fits.clear()

        CurveSearchCV(Diary(), DEPTHS, run="another", **interrupted).fit(X, y)

        assert len(diary.fits) == 3 * 5 + 1


@pytest.mark.slow
class TestWorkers:
    def test_two_workers_give_what_one_gives(self):
        one = CurveSearchCV(TREE, DEPTHS, policy=KFoldCV()).fit(X, y)

        two = CurveSearchCV(TREE, DEPTHS, policy=KFoldCV(), n_jobs=2).fit(X, y)

        for column in ("split0_test_score", "split4_test_score", "mean_test_score"):
            assert_array_equal(two.cv_results_[column], one.cv_results_[column])
        assert two.best_params_ == one.best_params_

    def test_a_deterministic_race_decides_the_same_with_two_workers(self):
        space = {"max_depth": [1, 2, 5, 8], "criterion": ["gini", "entropy"]}
        settings = {"deterministic": True, "random_state": 0}
        one = CurveSearchCV(TREE, space, **settings).fit(MANY, FIGURES)

        two = CurveSearchCV(TREE, space, n_jobs=2, **settings).fit(MANY, FIGURES)

        for column in ("status", "n_folds", "anchor", "training_rows", "reason"):
            assert two.cv_results_[column].tolist() == one.cv_results_[column].tolist(), column
        assert two.best_index_ == one.best_index_

    def test_who_exceeds_the_time_of_a_fit_is_stopped(self):
        candidates = {"quick": Sleepy(0), "slow": Sleepy(100)}

        search = CurveSearchCV(candidates, policy=KFoldCV(), timeout_per_fit=1).fit(X, y)

        assert search.cv_results_["status"].tolist() == ["completed", "stopped"]
        assert np.isnan(search.cv_results_["mean_test_score"][1])
        assert search.best_params_ == {"candidate": "quick"}

    def test_who_exceeds_the_time_of_a_candidate_is_stopped(self):
        candidates = {"quick": Sleepy(0), "slow": Sleepy(100)}

        search = CurveSearchCV(candidates, policy=KFoldCV(), timeout_per_candidate=1).fit(X, y)

        assert search.cv_results_["status"].tolist() == ["completed", "stopped"]
        assert search.cv_results_["reason"][1].startswith("stopped")

    def test_who_claims_too_much_memory_is_stopped(self):
        candidates = {"modest": GaussianNB(), "hungry": Hungry(8 * 10**9)}

        search = CurveSearchCV(candidates, policy=KFoldCV(), memory_limit="1GB").fit(X, y)

        assert search.cv_results_["status"].tolist() == ["completed", "stopped"]
        assert search.cv_results_["reason"][1] == "stopped (memory) before any result"

    @pytest.mark.slow
    def test_the_budget_ends_a_search_that_would_go_on_for_ever(self):
        def draw(rng):
            return GaussianNB(var_smoothing=10 ** rng.uniform(-9, 0))

        search = CurveSearchCV(draw, time_budget=3, random_state=0).fit(X, y)

        assert len(search.results_) > 1
        assert search.best_score_ > 0.9
        assert set(search.cv_results_["params"][0]) == {"candidate"}

    def test_within_a_budget_distributions_are_drawn_without_an_end(self):
        space = {"var_smoothing": loguniform(1e-9, 1)}

        search = CurveSearchCV(GaussianNB(), space, time_budget=600, random_state=0)
        search.add_listener(Satisfied(after=80)).fit(X, y)

        assert len(search.results_) > 10

    def test_a_partial_result_is_chosen_if_there_is_no_other(self):
        search = CurveSearchCV({"slow": Sleepy(0.004)}, policy=KFoldCV(), timeout_per_candidate=1.5)

        with pytest.warns(UserWarning, match="the best partial result was chosen"):
            search.fit(X, y)

        assert search.cv_results_["status"].tolist() == ["stopped"]
        assert search.best_score_ == search.cv_results_["estimate"][0]
        assert np.isnan(search.cv_results_["mean_test_score"][0])

    def test_a_partial_result_competes_where_the_policy_lets_it(self):
        # Of two thirds of the rows the one says what they are not, and the other what they are.
        wrong = DummyClassifier(strategy="constant", constant=False)
        candidates = {"quick": wrong, "slow": Sleepy(0.004)}
        policy = KFoldCV(partial_results=True)

        search = CurveSearchCV(candidates, policy=policy, timeout_per_candidate=1.5).fit(X, y > 0)

        assert search.cv_results_["status"].tolist() == ["completed", "stopped"]
        assert search.best_params_ == {"candidate": "slow"}
        assert search.best_score_ == search.cv_results_["estimate"][1]


class TestCallbacks:
    """Told by scikit-learn's callbacks."""

    def test_a_progress_bar_shows_the_candidates(self, capsys):
        search = CurveSearchCV(TREE, DEPTHS).set_callbacks(ProgressBar())

        with pytest.warns(UserWarning, match="does not support callbacks"):
            search.fit(X, y)

        assert "CurveSearchCV" in capsys.readouterr().out

    def test_a_callback_hears_of_each_candidate_once(self):
        listener = Listener()

        CurveSearchCV(TREE, DEPTHS, refit=False).set_callbacks(listener).fit(X, y)

        assert listener.ended == ["candidate"] * 3 + ["search", "fit"]

    def test_a_callback_hears_of_the_refit(self):
        listener = Listener()

        CurveSearchCV(Diary(), DEPTHS).set_callbacks(listener).fit(X, y)

        assert listener.ended[-2:] == ["refit-with-best-params", "fit"]

    def test_a_callback_is_told_the_sample_weights(self):
        listener = Listener()
        weights = np.ones(150)

        search = CurveSearchCV(TREE, DEPTHS, refit=False).set_callbacks(listener)
        search.fit(X, y, sample_weight=weights)

        assert all(told["sample_weight"] is weights for told in listener.metadata)

    def test_a_callback_hears_of_candidates_that_fail(self):
        listener = Listener()
        candidates = [GaussianNB(), GaussianNB(priors=[2, 3])]

        with pytest.warns(FitFailedWarning):
            CurveSearchCV(candidates, refit=False).set_callbacks(listener).fit(X, y)

        assert listener.ended == ["candidate"] * 2 + ["search", "fit"]

    def test_a_callback_that_asks_to_stop_ends_the_search(self):
        listener = Listener(stop_after=1)
        search = CurveSearchCV(TREE, DEPTHS, policy=KFoldCV()).set_callbacks(listener)

        search.fit(X, y)

        assert search.cv_results_["status"].tolist() == ["completed", "stopped", "stopped"]
        assert search.best_index_ == 0


class Listener:
    """Notes which tasks have ended, and asks to stop after so many candidates."""

    def __init__(self, stop_after=None):
        self.stop_after = stop_after
        self.ended = []
        self.metadata = []

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context, *, metadata=None):
        self.ended.append(context.task_name)
        self.metadata.append(metadata)
        return context.task_name == "candidate" and len(self.ended) == self.stop_after


class TestProgress:
    def test_without_a_terminal_lines_tell_the_progress_at_level_1(self, capsys):
        CurveSearchCV(TREE, DEPTHS, verbose=1).fit(X, y)

        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err == "3 of 3 candidates\n"

    def test_each_end_is_shown_on_the_standard_error_at_level_2(self, capsys):
        search = CurveSearchCV(TREE, DEPTHS, verbose=2).fit(X, y)

        shown = capsys.readouterr()
        assert shown.out == ""
        for result in search.results_:
            assert result.candidate in shown.err
        assert "completed: " in shown.err

    def test_nothing_is_shown_otherwise(self, capsys):
        CurveSearchCV(TREE, DEPTHS).fit(X, y)

        assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_a_failure_that_is_to_be_raised_ends_a_search_with_workers_too():
    search = CurveSearchCV(GaussianNB(), {"priors": [[2, 3]]}, error_score="raise", n_jobs=2)

    with pytest.raises(NoResultError, match="Number of priors must match number of classes"):
        search.fit(X, y)
