import math
import multiprocessing
import pickle
import time

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import get_scorer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from curvewise import CurveEvaluation, InvalidParameterError, KFoldCV, NoResultError, Race, Status
from curvewise._selection.naive_evaluation import timeout_error
from tests.selection.learners import Diary, Hungry

X, y = make_classification(300, 8, n_informative=4, flip_y=0.1, random_state=0)
BAD = DummyClassifier(strategy="constant", constant=0)


def scorings(*names):
    """Metrics as naiveautoml gives them."""
    return [{"name": name, "fun": get_scorer(name)} for name in names]


ACCURACY = scorings("accuracy")


class Raises(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise RuntimeError("no convergence")


class Sleeps(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        time.sleep(60)


def evaluate(evaluation, pipeline, *, X=X, y=y, scorings=ACCURACY):
    """Evaluate as naiveautoml's pool does without a time limit."""
    scores, report = evaluation(pipeline, X, y, scorings)
    evaluation.update(pipeline, scores)
    return scores, report


def evaluate_in_a_fork(evaluation, pipeline):
    """Evaluate as naiveautoml's pool does with a time limit: a copy of the process answers."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)

    def answer():
        sender.send(evaluation(pipeline, X, y, ACCURACY))

    process = fork.Process(target=answer)
    process.start()
    scores, report = receiver.recv()
    process.join()
    evaluation.update(pipeline, scores)
    return scores, report


def test_a_complete_pipeline_has_the_scores_of_cross_validation():
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    metrics = ("roc_auc", "accuracy")
    evaluation = CurveEvaluation(cv=folds, random_state=0)
    scores, report = evaluate(evaluation, GaussianNB(), scorings=scorings(*metrics))

    assert report.status is Status.COMPLETED
    assert list(scores) == list(metrics)
    for name in metrics:
        expected = cross_val_score(GaussianNB(), X, y, cv=folds, scoring=name).mean()
        assert scores[name] == pytest.approx(expected)


def test_a_hopeless_pipeline_is_pruned_without_scores():
    evaluation = CurveEvaluation(random_state=0)
    evaluate(evaluation, GaussianNB(), scorings=scorings("accuracy", "f1"))
    bad = make_pipeline(StandardScaler(), BAD)
    scores, report = evaluate(evaluation, bad, scorings=scorings("accuracy", "f1"))

    assert [math.isnan(scores[name]) for name in ("accuracy", "f1")] == [True, True]
    assert report.status is Status.PRUNED
    assert report.explain().startswith("StandardScaler → DummyClassifier pruned at 240 rows")


def test_pipelines_of_the_same_kind_may_follow_each_other():
    evaluation = CurveEvaluation(random_state=0, policy=KFoldCV())
    reports = [evaluate(evaluation, KNeighborsClassifier(k))[1] for k in (1, 3, 5)]

    assert [report.status for report in reports] == [Status.COMPLETED] * 3
    assert {report.candidate for report in reports} == {"KNeighborsClassifier"}


def test_the_best_pipeline_stays_the_one_to_beat():
    evaluation = CurveEvaluation(random_state=0)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    for pipeline in (GaussianNB(), BAD, stump):
        scores, report = evaluate(evaluation, pipeline)
    best = cross_val_score(GaussianNB(), X, y).mean()

    assert cross_val_score(stump, X, y).mean() < best - 0.02
    assert report.status is Status.PRUNED
    assert math.isnan(scores["accuracy"])


def test_at_price_0_the_choice_is_that_of_cross_validation():
    evaluation = CurveEvaluation(policy=Race(price=0), random_state=0)
    pipelines = [KNeighborsClassifier(k) for k in (1, 3, 9, 27, 81)]
    scores = [evaluate(evaluation, pipeline)[0]["accuracy"] for pipeline in pipelines]
    expected = [cross_val_score(pipeline, X, y).mean() for pipeline in pipelines]

    assert np.nanmax(scores) == pytest.approx(max(expected))
    assert np.nanargmax(scores) == np.argmax(expected)


def test_what_a_fork_found_out_is_to_be_beaten():
    evaluation = CurveEvaluation(random_state=0)
    good, _ = evaluate_in_a_fork(evaluation, GaussianNB())
    bad, report = evaluate(evaluation, BAD)

    assert good["accuracy"] == pytest.approx(cross_val_score(GaussianNB(), X, y).mean())
    assert math.isnan(bad["accuracy"])
    assert report.status is Status.PRUNED


def test_a_fork_knows_what_is_to_be_beaten():
    evaluation = CurveEvaluation(random_state=0)
    evaluate(evaluation, GaussianNB())
    scores, report = evaluate_in_a_fork(evaluation, BAD)

    assert math.isnan(scores["accuracy"])
    assert report.status is Status.PRUNED


@pytest.mark.slow
def test_a_fork_leaves_the_worker_of_its_parent_alone():
    with CurveEvaluation(memory_limit="4GB", random_state=0) as evaluation:
        evaluate(evaluation, GaussianNB())
        forked, _ = evaluate_in_a_fork(evaluation, KNeighborsClassifier())
        again, _ = evaluate(evaluation, KNeighborsClassifier(7))

    assert not math.isnan(forked["accuracy"]) or not math.isnan(again["accuracy"])


def test_a_pickled_evaluation_has_the_same_folds_and_memory():
    evaluation = CurveEvaluation(cv=StratifiedKFold(5, shuffle=True, random_state=3))
    evaluate(evaluation, GaussianNB())
    copy = pickle.loads(pickle.dumps(evaluation))
    _, report = evaluate(copy, BAD)

    assert report.status is Status.PRUNED


def test_a_pipeline_counts_once():
    evaluation = CurveEvaluation(random_state=0)
    scores, _ = evaluate(evaluation, GaussianNB())
    evaluation.update(GaussianNB(), scores)
    evaluation.update(BAD, {"accuracy": math.nan})

    assert len(evaluation._memory._records) == 1


def test_other_data_begin_anew():
    evaluation = CurveEvaluation(random_state=0)
    evaluate(evaluation, GaussianNB())
    elsewhere, report = evaluate(evaluation, BAD, X=X[:200], y=y[:200])
    _, again = evaluate(evaluation, BAD)

    assert report.status is Status.COMPLETED
    assert elsewhere["accuracy"] == pytest.approx(cross_val_score(BAD, X[:200], y[:200]).mean())
    assert again.status is Status.PRUNED


def test_other_metrics_begin_anew():
    evaluation = CurveEvaluation(random_state=0)
    evaluate(evaluation, GaussianNB())
    _, report = evaluate(evaluation, BAD, scorings=scorings("f1"))

    assert report.status is Status.COMPLETED


def test_regression():
    X, y = make_regression(200, 5, noise=10.0, random_state=0)
    evaluation = CurveEvaluation(random_state=0)
    metric = scorings("neg_mean_squared_error")
    good, _ = evaluate(evaluation, Ridge(), X=X, y=y, scorings=metric)
    bad, _ = evaluate(evaluation, Ridge(alpha=1e6), X=X, y=y, scorings=metric)
    expected = cross_val_score(Ridge(), X, y, scoring="neg_mean_squared_error").mean()

    assert good["neg_mean_squared_error"] == pytest.approx(expected)
    assert math.isnan(bad["neg_mean_squared_error"])


def test_several_labels_come_with_names_alone():
    labels = np.column_stack([y, 1 - y])
    names = [{"name": "f1_macro", "fun": None}, {"name": "neg_hamming_loss", "fun": None}]
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    scores, _ = evaluate(CurveEvaluation(random_state=0), tree, y=labels, scorings=names)
    expected = cross_val_score(tree, X, labels, scoring="f1_macro").mean()

    assert scores["f1_macro"] == pytest.approx(expected)
    assert -0.5 < scores["neg_hamming_loss"] < 0


def test_a_pipeline_that_fails_raises_with_its_traceback():
    evaluation = CurveEvaluation(random_state=0)

    with pytest.raises(NoResultError, match=r"(?s)Raises failed at 240 rows.*Traceback"):
        evaluation(Raises(), X, y, ACCURACY)
    evaluation.update(Raises(), {"accuracy": math.nan})
    scores, _ = evaluate(evaluation, GaussianNB())
    assert scores["accuracy"] > 0.7


def test_a_pipeline_that_takes_too_long_is_a_time_out():
    with CurveEvaluation(timeout_per_candidate=0.5, random_state=0) as evaluation:
        with pytest.raises(timeout_error(), match="Sleeps stopped"):
            evaluation(Sleeps(), X, y, ACCURACY)
        scores, _ = evaluate(evaluation, GaussianNB())

    assert scores["accuracy"] > 0.7


def test_a_pipeline_that_wants_too_much_memory_raises_a_memory_error():
    with (
        CurveEvaluation(memory_limit="2GB", random_state=0) as evaluation,
        pytest.raises(MemoryError, match="Hungry stopped"),
    ):
        evaluation(Hungry(n_bytes=2**33), X, y, ACCURACY)


def test_seconds_are_foreseen_from_two_small_fits():
    Diary.fits.clear()
    seconds = CurveEvaluation(random_state=0).estimate_runtime(Diary(), X, y)
    sizes = [len(rows) // X[0].nbytes for _, rows in Diary.fits]

    assert 0 <= seconds < math.inf
    assert sizes == [7, 30]


def test_no_more_seconds_are_foreseen_than_there_may_be():
    class Slow(GaussianNB):
        def fit(self, X, y):
            end = time.perf_counter() + 0.05
            while time.perf_counter() < end:
                pass
            return super().fit(X, y)

    foreseen = CurveEvaluation(random_state=0).estimate_runtime(Slow(), X, y)
    limited = CurveEvaluation(random_state=0, timeout_per_candidate=0.2)

    # Five folds, none of them quicker than a small one.
    assert foreseen >= 5 * 0.05
    assert limited.estimate_runtime(Slow(), X, y) == 0.2


def test_who_fails_while_seconds_are_foreseen_will_say_so_later():
    assert CurveEvaluation(random_state=0).estimate_runtime(Raises(), X, y) == 0


@pytest.mark.parametrize("given", [None, [], "accuracy", ["accuracy"], [{"fun": None}]])
def test_metrics_that_are_not_naiveautomls_are_refused(given):
    with pytest.raises(InvalidParameterError, match="scorings must be metrics such as"):
        CurveEvaluation()(GaussianNB(), X, y, given)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": Race}, "policy must be a policy such as Race"),
        ({"timeout_per_candidate": 0}, "timeout_per_candidate must be above 0"),
        ({"memory_limit": "much"}, "memory_limit must be"),
    ],
)
def test_bad_options_are_refused_at_once(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        CurveEvaluation(**options)


def test_what_is_no_estimator_is_refused():
    with pytest.raises(InvalidParameterError, match=r"pipeline must be an estimator.*GaussianNB\("):
        CurveEvaluation()(GaussianNB, X, y, ACCURACY)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("timeout_candidate", [None, 60])
def test_naiveautoml_chooses_with_it(timeout_candidate):
    naiveautoml = pytest.importorskip("naiveautoml")
    learners = ("Forest", "Trees", "HistGradient", "MLP", "Logistic")
    automl = naiveautoml.NaiveAutoML(
        scoring="accuracy",
        evaluation_fun=CurveEvaluation(random_state=0),
        timeout_candidate=timeout_candidate,
        max_hpo_iterations=2,
        kwargs_as={
            "excluded_components": {"learner": learners},
            "excluded_steps": ["data-pre-processor", "feature-pre-processor"],
        },
    )
    automl.fit(X, y)
    reports = automl.history.evaluation_report.dropna()
    statuses = [report.status for report in reports]
    best = max(report.score for report in reports if report.status is Status.COMPLETED)

    assert Status.COMPLETED in statuses
    assert Status.PRUNED in statuses
    assert automl.leaderboard.accuracy.max() == pytest.approx(best)
    assert automl.chosen_model.score(X, y) > 0.7
