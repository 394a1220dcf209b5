"""`compare`: a handful of estimators side by side."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from curvewise import Comparison, InvalidParameterError, Race, Status, compare
from tests.executors.sleepy import Sleepy

X, y = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(random_state=0)
CANDIDATES = {
    "broken": KNeighborsClassifier(1000),
    "guess": DummyClassifier(),
    "tree <b>&</b>": TREE,
    "another guess": DummyClassifier(),
    "bayes": GaussianNB(),
}
RANKED = ["tree <b>&</b>", "bayes", "guess", "another guess", "broken"]


@pytest.fixture(scope="module")
def comparison():
    with pytest.warns(FitFailedWarning, match="1 of 5 estimators failed"):
        return compare(CANDIDATES, X, y, random_state=0)


def test_results_are_in_the_order_of_the_candidates(comparison):
    assert [result.candidate for result in comparison.results] == list(CANDIDATES)


def test_scores_are_those_of_cross_validation(comparison):
    for name in ("tree <b>&</b>", "bayes", "guess"):
        (result,) = (each for each in comparison.results if each.candidate == name)
        expected = cross_val_score(CANDIDATES[name], X, y).mean()

        assert result.score == pytest.approx(expected, abs=1e-12)


def test_the_table_has_the_best_first_and_the_failed_last(comparison):
    assert [row["candidate"] for row in comparison.table] == RANKED
    assert comparison.best.candidate == RANKED[0]


def test_equal_scores_share_a_rank_and_that_of_who_has_none_is_estimated(comparison):
    assert [row["rank"] for row in comparison.table] == [1, 2, 3, 3, 5]
    assert [row["rank_estimated"] for row in comparison.table] == [False] * 4 + [True]


def test_a_failure_has_its_reason_in_the_table(comparison):
    last = comparison.table[-1]

    assert last["status"] == "failed"
    assert np.isnan(last["score"])
    assert "Expected n_neighbors <= n_samples_fit" in last["reason"]


def test_intervals_contain_the_scores(comparison):
    for row in comparison.table[:-1]:
        assert row["low"] <= row["score"] <= row["high"]


def test_as_text_it_is_a_line_per_candidate(comparison):
    heading, *lines, legend = str(comparison).splitlines()

    assert heading.split()[:3] == ["rank", "candidate", "score"]
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "3", "~5"]
    assert "0.9600" in lines[0]
    assert legend.startswith("difference: to the best")


def test_in_a_notebook_names_are_escaped(comparison):
    html = comparison._repr_html_()

    assert "tree &lt;b&gt;&amp;&lt;/b&gt;" in html
    assert "<b>" not in html
    assert html.count("<tr>") == 1 + len(CANDIDATES)


def test_as_a_data_frame_it_has_a_row_per_candidate(comparison):
    frame = comparison.to_frame()

    assert isinstance(frame, pd.DataFrame)
    assert frame["candidate"].tolist() == RANKED
    assert {"rank", "score", "low", "high", "status", "reason"} <= set(frame.columns)


def test_everybody_gets_a_whole_curve():
    tumours = load_breast_cancer(return_X_y=True)

    comparison = compare([TREE, DummyClassifier()], *tumours, random_state=0)

    for result in comparison.results:
        assert result.status is Status.COMPLETED
        assert len(result.curve.anchors) > 1
        assert result.curve.n(455) == 5


def test_a_list_is_named_by_kind():
    comparison = compare([GaussianNB(), GaussianNB(var_smoothing=0.1)], X, y)

    assert [result.candidate for result in comparison.results] == ["GaussianNB", "GaussianNB (2)"]


def test_another_policy_may_prune():
    comparison = compare({"bayes": GaussianNB(), "guess": DummyClassifier()}, X, y, policy=Race())

    assert [result.status for result in comparison.results] == [Status.COMPLETED, Status.PRUNED]
    assert [row["rank"] for row in comparison.table] == [1, 2]
    assert [row["rank_estimated"] for row in comparison.table] == [False, True]


def test_if_all_fail_there_is_no_best():
    with pytest.warns(FitFailedWarning, match="1 of 1 estimators failed"):
        comparison = compare([KNeighborsClassifier(1000)], X, y)

    assert comparison.best is None
    assert [row["rank_estimated"] for row in comparison.table] == [True]


def test_the_metric_of_the_user_ranks():
    comparison = compare({"bayes": GaussianNB(), "tree": TREE}, X, y, scoring="neg_log_loss", cv=3)

    assert comparison.best.candidate == "bayes"
    assert comparison.best.score < 0


@pytest.mark.slow
def test_who_takes_too_long_comes_last():
    comparison = compare({"slow": Sleepy(100), "bayes": GaussianNB()}, X, y, timeout_per_fit=0.5)

    assert [row["candidate"] for row in comparison.table] == ["bayes", "slow"]
    assert comparison.results[0].status is Status.STOPPED


@pytest.mark.parametrize("nothing", [[], {}], ids=["list", "dictionary"])
def test_nothing_cannot_be_compared(nothing):
    with pytest.raises(InvalidParameterError, match="There are no candidates"):
        compare(nothing, X, y)


def test_a_class_is_refused():
    with pytest.raises(InvalidParameterError, match="'bayes' must be an estimator, got the class"):
        compare({"bayes": GaussianNB}, X, y)


def test_a_comparison_of_results_needs_no_data(comparison):
    first_two = Comparison(comparison.results[1:3])

    assert first_two.best.candidate == "tree <b>&</b>"
