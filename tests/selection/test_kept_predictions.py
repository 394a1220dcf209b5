"""Out-of-fold predictions are those of scikit-learn's ``cross_val_predict``."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.multioutput import MultiOutputRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import curvewise as cw
from curvewise._selection.kept_predictions import PredictionKeeper
from curvewise.core import Predictions, Prune, Task
from curvewise.errors import InvalidParameterError
from curvewise.executors import RunStore
from tests.executors.forgers import forge_answer
from tests.executors.troublemakers import sleep_long

X, y = load_iris(return_X_y=True)
names = np.array(["setosa", "versicolor", "virginica"])[y]
CV = StratifiedKFold(5, shuffle=True, random_state=0)
CLASSIFIERS = {
    "bayes": (GaussianNB(), "predict_proba"),
    "pipeline": (make_pipeline(StandardScaler(), LogisticRegression()), "predict_proba"),
    "svc": (SVC(), "decision_function"),
    "linear": (LinearSVC(), "decision_function"),
    "one against one": (SVC(decision_function_shape="ovo"), "decision_function"),
}


class OnlyClasses(ClassifierMixin, BaseEstimator):
    """A tree that has no probabilities; or some that are none."""

    def fit(self, X, y):
        self.tree_ = DecisionTreeClassifier(random_state=0).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


class Broken(OnlyClasses):
    def __init__(self, how="shape"):
        self.how = how

    def predict_proba(self, X):
        given = self.tree_.predict_proba(X)
        if self.how == "shape":
            return given[:, :2]
        if self.how == "rows":
            return given[:-1]
        if self.how == "sum":
            return given / 2
        if self.how == "raises":
            raise RuntimeError("no probabilities today")
        given[0, 0] = {"nan": np.nan, "negative": -1.0}[self.how]
        given[0, 1] = 2.0 if self.how == "negative" else given[0, 1]
        return given


def kept(estimator, X, y, **settings):
    settings = {"keep_predictions": "best", "cv": CV, **settings}
    return cw.CurveSearchCV({"it": estimator}, **settings).fit(X, y).oof_predictions_["it"]


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss", ["accuracy", "f1_macro"]])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_predict_what_cross_val_predict_says(name, scoring):
    estimator, method = CLASSIFIERS[name]
    if scoring == "neg_log_loss" and method != "predict_proba":
        pytest.skip("has no probabilities")
    refit = "accuracy" if isinstance(scoring, list) else True
    own = kept(estimator, X, names, scoring=scoring, refit=refit)

    assert own.method == method
    assert own.known.all()
    expected = cross_val_predict(estimator, X, names, cv=CV, method=method)
    np.testing.assert_array_equal(own.values, expected)
    if scoring != "neg_log_loss":
        expected = cross_val_predict(estimator, X, names, cv=CV)
        np.testing.assert_array_equal(own.labels(), expected)


def test_two_classes_have_one_decision_value():
    two = y != 2
    own = kept(SVC(), X[two], y[two])
    expected = cross_val_predict(SVC(), X[two], y[two], cv=CV, method="decision_function")

    np.testing.assert_array_equal(own.values, expected)
    np.testing.assert_array_equal(
        own.labels(), cross_val_predict(SVC(), X[two], y[two], cv=CV, method="predict")
    )


def test_a_classifier_without_values_has_its_classes():
    own = kept(OnlyClasses(), X, names)

    assert own.method == "predict"
    np.testing.assert_array_equal(own.labels(), cross_val_predict(OnlyClasses(), X, names, cv=CV))


@pytest.mark.parametrize("estimator", [Ridge(), DecisionTreeRegressor(random_state=0)])
def test_regressors_predict_what_cross_val_predict_says(estimator):
    data = load_diabetes(return_X_y=True)
    own = kept(estimator, *data, cv=KFold(4))

    assert own.classes is None
    np.testing.assert_array_equal(own.values, cross_val_predict(estimator, *data, cv=KFold(4)))


def test_several_outputs_have_a_column_each():
    X, first = load_diabetes(return_X_y=True)
    y = np.column_stack([first, first**2])
    model = MultiOutputRegressor(Ridge())
    own = kept(model, X, y, cv=KFold(3))

    np.testing.assert_array_equal(own.values, cross_val_predict(model, X, y, cv=KFold(3)))


def test_sparse_rows_and_groups():
    groups = np.arange(len(y)) % 7
    rows = sparse.csr_matrix(X)
    search = cw.CurveSearchCV(
        {"it": LinearSVC()}, cv=GroupKFold(3), keep_predictions="best", random_state=0
    ).fit(rows, y, groups=groups)
    expected = cross_val_predict(
        LinearSVC(), rows, y, groups=groups, cv=GroupKFold(3), method="decision_function"
    )

    np.testing.assert_array_equal(search.oof_predictions_["it"].values, expected)


def test_a_row_of_several_folds_has_the_mean():
    cv = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    own = kept(Ridge(), *load_diabetes(return_X_y=True), cv=cv)
    data = load_diabetes(return_X_y=True)
    expected = np.zeros(len(data[1]))
    for train, test in cv.split(*data):
        expected[test] += Ridge().fit(data[0][train], data[1][train]).predict(data[0][test]) / 2

    assert set(own.n_folds) == {2}
    np.testing.assert_allclose(own.values, expected, rtol=1e-12)


def test_rows_that_no_fold_tests_have_none():
    cv = ShuffleSplit(2, test_size=0.1, random_state=0)
    own = kept(GaussianNB(), X, y, cv=cv)
    tested = np.zeros(len(y), dtype=bool)
    for _, test in cv.split(X, y):
        tested[test] = True

    np.testing.assert_array_equal(own.known, tested)
    assert np.isnan(own.values[~tested]).all()
    assert len(own.labels()) == tested.sum()


def test_a_class_that_a_fold_lacks_has_the_probability_0():
    order = np.argsort(y, kind="stable")
    own = kept(GaussianNB(), X[order], y[order], cv=KFold(3))

    assert own.values.shape == (150, 3)
    assert (own.values[:50, 0] == 0).all()


@pytest.mark.parametrize("how", ["shape", "rows", "sum", "nan", "negative", "raises"])
def test_broken_probabilities_cost_their_candidate_and_nothing_else(how):
    candidates = {"broken": Broken(how), "bayes": GaussianNB()}
    search = cw.CurveSearchCV(candidates, keep_predictions="all", cv=CV)
    with pytest.warns(FitFailedWarning, match="1 of 2 candidates failed"):
        search.fit(X, y)

    assert search.results_[0].status is cw.Status.FAILED
    assert list(search.oof_predictions_) == ["bayes"]


def many():
    trees = {f"depth {n}": DecisionTreeClassifier(max_depth=n, random_state=0) for n in (1, 2, 3)}
    return {**trees, "bayes": GaussianNB(), "svc": SVC()}


@pytest.mark.parametrize("settings", [{}, {"n_jobs": 2}, {"timeout_per_fit": 60}])
def test_best_keeps_those_with_all_their_folds(settings):
    search = cw.CurveSearchCV(many(), keep_predictions="best", cv=CV, random_state=0, **settings)
    search.fit(X, y)
    complete = {one.candidate for one in search.results_ if one.status is cw.Status.COMPLETED}

    assert set(search.oof_predictions_) == complete
    for name in complete:
        expected = cross_val_predict(many()[name], X, y, cv=CV)
        np.testing.assert_array_equal(search.oof_predictions_[name].labels(), expected)


def test_all_keeps_everybody():
    search = cw.CurveSearchCV(many(), keep_predictions="all", cv=CV, random_state=0).fit(X, y)
    pruned = [one.candidate for one in search.results_ if one.status is cw.Status.PRUNED]

    assert set(search.oof_predictions_) == set(many())
    assert all(not search.oof_predictions_[name].known.all() for name in pruned)


def test_none_keeps_nothing():
    search = cw.CurveSearchCV(many(), cv=CV).fit(X, y)

    assert not hasattr(search, "oof_predictions_")


def test_an_unknown_word_is_refused():
    with pytest.raises(InvalidParameterError, match="'none', 'best', 'all', got 'some'"):
        cw.CurveSearchCV(many(), keep_predictions="some").fit(X, y)


# A run without a name that has ended is left alone, and one with a name is read again.
@pytest.mark.parametrize("run", [None, "named"])
@pytest.mark.parametrize("keep", ["best", "all"])
def test_a_run_that_is_read_again_has_the_same_predictions(tmp_path, run, keep):
    settings = {"keep_predictions": keep, "cv": CV, "random_state": 0}
    store = tmp_path / "run.db"
    whole = cw.CurveSearchCV(many(), **settings).fit(X, y)
    cw.CurveSearchCV(many(), store=store, run=run, **settings).fit(X, y)
    noted = notes_of(store)["model pictures"]
    again = cw.CurveSearchCV(
        {name: clone(one) for name, one in many().items()}, store=store, run=run, **settings
    ).fit(X, y)

    assert again.honest_score_.how == "rows"
    assert notes_of(store)["model pictures"] == noted
    assert set(again.oof_predictions_) == set(whole.oof_predictions_)
    for name, own in again.oof_predictions_.items():
        np.testing.assert_array_equal(own.values, whole.oof_predictions_[name].values)
    with RunStore.open(store) as opened:
        run = opened.run()
        best = whole.results_[whole.best_index_].candidate
        target = run.terms.schedule.target
        pruned = [one.candidate for one in whole.results_ if one.status is cw.Status.PRUNED]

        assert run.predictions(Task(best, target, 0)).method == "predict_proba"
        forgotten = [run.predictions(Task(name, target, 0)) is None for name in pruned]
        assert all(forgotten) if keep == "best" else not any(forgotten)


def notes_of(store):
    with RunStore.read(store) as opened:
        return opened.run().notes()


def test_there_is_a_bound_on_the_memory():
    folds = cw.Folds(X, y, cv=CV, classifier=True)
    keeper = PredictionKeeper("all", folds, classes=np.unique(y), most_bytes=1000)
    for fold in range(3):
        values = np.full((len(folds.test(fold)), 3), 1 / 3)
        predictions = Predictions("predict_proba", values)
        task = Task("a", folds.target, fold)
        keeper.received(cw.Observation(task, 0.1, predictions=predictions))
    with pytest.warns(UserWarning, match="2 folds were not kept"):
        own = keeper.of("a")["a"]

    assert own.known.sum() == len(folds.test(0))


def test_who_is_pruned_makes_room():
    folds = cw.Folds(X, y, cv=CV, classifier=True)
    keeper = PredictionKeeper("best", folds, classes=np.unique(y), most_bytes=1000)
    values = np.full((30, 3), 1 / 3)
    for name in "ab":
        task = Task(name, folds.target, 0)
        predictions = Predictions("predict_proba", values)
        keeper.received(cw.Observation(task, 0.1, predictions=predictions))
        if name == "a":
            keeper.decided("a", Prune(120, 0.5, 0.1, 120, "chance", 1))

    assert list(keeper.of("b")) == ["b"]


def test_several_metrics_without_a_refit_keep_predictions_too():
    search = cw.CurveSearchCV(
        {"bayes": GaussianNB()},
        scoring=["accuracy", "f1_macro"],
        refit=False,
        keep_predictions="best",
        random_state=0,
    ).fit(X, y)

    assert search.oof_predictions_["bayes"].known.all()


class ForgesPredictions(OnlyClasses):
    """Answers in the place of its worker, with predictions for other rows than there are."""

    def fit(self, X, y):
        super().fit(X, y)
        if len(X) < 150:
            predicted = Predictions("predict_proba", np.full((7, 3), 0.5))
            forge_answer(loss=0.0, seconds=0.01, n_test=30, noise=0.01, predictions=predicted)
            sleep_long()
        return self


@pytest.mark.parametrize("keep", ["best", "all"])
def test_predictions_of_other_rows_are_left_out(keep):
    search = cw.CurveSearchCV(
        {"forger": ForgesPredictions(), "bayes": GaussianNB()},
        cv=CV,
        n_jobs=2,
        timeout_per_fit=60,
        keep_predictions=keep,
        scoring="accuracy",
    )
    with pytest.warns(UserWarning, match="are not those of its test rows, and are left out"):
        search.fit(X, y)

    assert search.best_estimator_.predict(X[:1]) == [0]
    assert "forger" not in map(str, search.oof_predictions_)
