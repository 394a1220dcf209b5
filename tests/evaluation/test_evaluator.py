import math
import pickle
import sys
import warnings

import numpy as np
import pytest
from sklearn import config_context, get_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from curvewise import LCCV, KFoldCV, Search
from curvewise._evaluation.evaluator import Evaluator
from curvewise._evaluation.folds import Folds
from curvewise._evaluation.scorers import resolve_scoring
from curvewise.core._outcome import Failure, Observation, Reason, Task
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError

X, Y = load_iris(return_X_y=True)
FOLDS = Folds(X, Y, cv=5, classifier=True, random_state=0)
TARGET = Task("candidate", FOLDS.target, 0)
INNER = Task("candidate", 30, 0)


def evaluator(*, scoring="accuracy", decide_by=None, data=X, **options):
    resolved = resolve_scoring(scoring, decide_by=decide_by, estimator=GaussianNB())
    return Evaluator(data, Y, folds=FOLDS, scoring=resolved, **options)


class Learner(ClassifierMixin, BaseEstimator):
    """Does something when it is fitted, then always answers the same."""

    def __init__(self, action=None, seen=None):
        self.action = action
        self.seen = seen

    def __sklearn_clone__(self):
        return Learner(self.action, self.seen)

    def fit(self, X, y):
        if self.seen is not None:
            self.seen.append((X.copy(), np.array(y)))
        if self.action is not None:
            self.action(X)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def raising(error):
    def action(X):
        raise error

    return Learner(action)


class UnprintableError(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


def test_an_observation_has_the_loss_the_scores_and_the_seconds():
    outcome = evaluator()(TARGET, GaussianNB())

    assert isinstance(outcome, Observation)
    assert outcome.task == TARGET
    assert outcome.loss == Scale().loss(outcome.scores["accuracy"])
    assert outcome.n_test == 30
    assert outcome.fit_seconds > 0
    assert outcome.score_seconds > 0
    assert outcome.fit_seconds + outcome.score_seconds <= outcome.seconds
    assert outcome.train_scores is None


def test_the_deciding_metric_makes_the_loss():
    scoring = ["accuracy", "neg_log_loss"]
    outcome = evaluator(scoring=scoring, decide_by="neg_log_loss")(TARGET, GaussianNB())

    assert set(outcome.scores) == set(scoring)
    assert outcome.loss == -outcome.scores["neg_log_loss"]


def test_a_candidate_stays_unfitted():
    candidate = GaussianNB()
    evaluator()(TARGET, candidate)

    assert not hasattr(candidate, "classes_")


def test_an_anchor_trains_on_its_rows():
    seen = []
    evaluator()(INNER, Learner(seen=seen))
    rows = FOLDS.train(0, 30)

    assert seen[0][0].tolist() == X[rows].tolist()
    assert seen[0][1].tolist() == Y[rows].tolist()


def test_who_works_in_place_does_not_reach_the_data():
    data = X.copy()
    evaluator(data=data)(TARGET, Learner(lambda rows: rows.fill(0.0)))

    assert data.tolist() == X.tolist()


@pytest.mark.parametrize(
    ("error", "first_line"),
    [
        (ValueError("bad input"), "ValueError: bad input"),
        (ZeroDivisionError(), "ZeroDivisionError"),
        (SystemExit(3), "SystemExit: 3"),
        (RecursionError("too deep"), "RecursionError: too deep"),
    ],
)
def test_whatever_a_learner_raises_is_a_failure(error, first_line):
    outcome = evaluator()(TARGET, raising(error))

    assert isinstance(outcome, Failure)
    assert outcome.reason is Reason.ERROR
    assert outcome.message.splitlines()[0] == first_line
    assert "Traceback" in outcome.message
    assert "in action" in outcome.message
    assert outcome.seconds > 0


def test_an_error_that_cannot_be_shown_is_a_failure_too():
    assert "UnprintableError" in evaluator()(TARGET, raising(UnprintableError())).message


def test_leaving_the_process_politely_is_a_failure():
    outcome = evaluator()(TARGET, Learner(lambda X: sys.exit("enough")))

    assert outcome.message.startswith("SystemExit: enough\n")


def test_a_shortage_of_memory_has_its_own_reason():
    outcome = evaluator()(TARGET, Learner(lambda X: np.empty(2**57)))

    assert outcome.reason is Reason.MEMORY


def test_an_interrupt_goes_through():
    with pytest.raises(KeyboardInterrupt):
        evaluator()(TARGET, raising(KeyboardInterrupt()))


def test_what_cannot_be_cloned_is_a_failure():
    assert evaluator()(TARGET, "no estimator").message.startswith("TypeError: Cannot clone")


def test_a_warning_is_no_failure():
    with pytest.warns(UserWarning, match="careful"):
        outcome = evaluator()(TARGET, Learner(lambda X: warnings.warn("careful", stacklevel=1)))

    assert isinstance(outcome, Observation)


def test_a_task_for_a_fold_that_does_not_exist_is_our_own_mistake():
    with pytest.raises(IndexError):
        evaluator()(Task("candidate", 30, 7), GaussianNB())


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_deciding_score_has_to_be_finite(score):
    outcome = evaluator(scoring=lambda model, X, y: score)(TARGET, GaussianNB())

    assert outcome == Failure(
        TARGET, Reason.ERROR, f"the score 'score' is {score}", outcome.seconds
    )


def test_other_scores_may_be_missing():
    scoring = {"accuracy": "accuracy", "odd": lambda model, X, y: math.nan}
    outcome = evaluator(scoring=scoring)(TARGET, GaussianNB())

    assert math.isnan(outcome.scores["odd"])
    assert outcome.loss == 1 - outcome.scores["accuracy"]


def failing(model, X, y):
    raise ValueError("not for this model")


def too_large(model, X, y):
    return np.empty(2**57)


def test_a_metric_that_fails_counts_as_nan_and_says_so():
    evaluate = evaluator(scoring={"accuracy": "accuracy", "broken": failing})
    with pytest.warns(RuntimeWarning, match="failed count as NaN: 'broken'"):
        outcome = evaluate(TARGET, GaussianNB())

    assert math.isnan(outcome.scores["broken"])


@pytest.mark.parametrize(
    ("metric", "reason"), [(failing, Reason.ERROR), (too_large, Reason.MEMORY)]
)
@pytest.mark.parametrize("others", [{}, {"accuracy": "accuracy"}])
def test_a_deciding_metric_that_fails_is_a_failure(metric, reason, others):
    evaluate = evaluator(scoring={"broken": metric, **others}, decide_by="broken")
    outcome = evaluate(TARGET, GaussianNB())

    assert outcome.reason is reason
    assert "Error: " in outcome.message.splitlines()[0]
    assert "Traceback" in outcome.message


def test_the_test_part_is_capped_at_inner_anchors_only():
    evaluate = evaluator(test_cap=9)

    assert evaluate(INNER, GaussianNB()).n_test == 9
    assert evaluate(TARGET, GaussianNB()).n_test == 30


def test_a_policy_may_ask_for_the_rest_as_test_part():
    evaluate = evaluator()
    evaluate.follow(LCCV(test_part="rest"))

    assert evaluate(INNER, GaussianNB()).n_test == 120
    assert evaluate(TARGET, GaussianNB()).n_test == 30
    evaluate.follow(KFoldCV())
    assert evaluate(INNER, GaussianNB()).n_test == 30


def test_a_policy_may_ask_for_training_scores():
    evaluate = evaluator(preprocess=StandardScaler())
    without = evaluate(INNER, GaussianNB())
    evaluate.follow(LCCV(prune_by_training=True))

    tree = evaluate(INNER, DecisionTreeClassifier())
    assert without.train_scores is None
    assert tree.train_loss(Scale()) == 0
    assert tree.loss > 0


def test_all_candidates_are_scored_on_the_same_sample():
    sizes = []

    def scorer(model, X, y):
        sizes.append(X.tolist())
        return 0.5

    evaluate = evaluator(test_cap=9, scoring=scorer)
    evaluate(INNER, GaussianNB())
    evaluate(INNER, DummyClassifier())

    assert sizes[0] == sizes[1]


def test_an_evaluator_can_be_pickled():
    evaluate = evaluator(
        params={"sample_weight": np.arange(1.0, 151.0)}, preprocess=StandardScaler(), test_cap=9
    )
    expected = evaluate(INNER, GaussianNB())
    again = pickle.loads(pickle.dumps(evaluate))

    assert again(INNER, GaussianNB()).scores == expected.scores


def test_no_outcome_holds_the_model():
    outcome = evaluator(train_scores=True)(TARGET, GaussianNB())

    assert b"GaussianNB" not in pickle.dumps(outcome)


def test_settings_of_scikit_learn_are_those_of_where_the_evaluator_was_made():
    seen = []
    weights = {"sample_weight": np.ones(150)}

    def note(X):
        seen.append(get_config()["enable_metadata_routing"])

    with config_context(enable_metadata_routing=True):
        scorer = get_scorer("accuracy").set_score_request(sample_weight=False)
        evaluate = evaluator(params=weights, scoring=scorer)
        candidate = GaussianNB().set_fit_request(sample_weight=True)
        learner = Learner(note)
    outcome = evaluate(TARGET, candidate)
    refused = evaluate(TARGET, learner)
    evaluator()(TARGET, learner)

    assert isinstance(outcome, Observation)
    assert "sample_weight" in refused.message.splitlines()[0]
    assert seen == [False]


def test_metadata_that_nobody_asked_for_is_a_failure_with_routing():
    with config_context(enable_metadata_routing=True):
        outcome = evaluator(params={"sample_weight": np.ones(150)})(TARGET, LogisticRegression())

    assert "not explicitly set as requested or not requested" in outcome.message


def test_a_search_over_real_data_gives_the_score_of_cross_validation():
    candidates = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
    evaluate = evaluator()
    search = Search(
        candidates,
        schedule=FOLDS.target,
        policy=KFoldCV(),
        n_folds=len(FOLDS),
        scale=evaluate.scoring.scale,
    )
    while not search.done:
        for task in search.ask(4):
            search.tell(evaluate(task, candidates[task.candidate]))

    assert search.best.candidate == "bayes"
    for name, candidate in candidates.items():
        expected = cross_val_score(candidate, X, Y).mean()
        assert search.results[name].score == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"data": X[:-1]}, "X must have as many rows as the folds were made for, got 149 for 150"),
        ({"test_cap": 0}, "test_cap must be at least 1, got 0"),
        ({"preprocess": StandardScaler(), "n_prepared": 0}, "n_kept must be at least 1"),
    ],
)
def test_what_cannot_work_is_refused(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        evaluator(**options)


def test_rows_count_in_scores_as_whoever_scores_has_asked():
    X, y = load_iris(return_X_y=True)
    folds = Folds(X, y, cv=3, classifier=True, random_state=0)
    weights = np.linspace(1, 2, len(y))

    def weights_for(scorer, *, tree=None, **settings):
        given = {"params": {"sample_weight": weights}, "weigh_scores": True, **settings}
        evaluate = Evaluator(X, y, folds=folds, scoring=resolve_scoring(scorer), **given)
        return evaluate.score_weights(tree or DecisionTreeClassifier())

    with config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier().set_fit_request(sample_weight=True)
        asks, does_not = (
            get_scorer("accuracy").set_score_request(sample_weight=asked) for asked in (True, False)
        )
        assert np.array_equal(weights_for(asks, tree=tree), weights)
        assert weights_for(does_not, tree=tree) is None
    assert np.array_equal(weights_for("accuracy", preprocess=StandardScaler()), weights)
    assert weights_for(lambda model, X, y: model.score(X, y)) is None
    assert weights_for("accuracy", params=None) is None
