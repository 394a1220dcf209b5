"""Metrics of predicted classes: formulas, names, callables, and which class is positive."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, get_scorer, make_scorer

from curvewise._selection.label_metrics import COUNTED, label_metric, positive_class
from curvewise.errors import InvalidParameterError

NUMBERS = np.array([0, 1])
truths = st.lists(st.booleans(), min_size=1, max_size=30)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(COUNTED)), st.data())
def test_formulas_give_what_scikit_learn_gives(name, data):
    positive = np.array(data.draw(truths))
    n = len(positive)
    predicted = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    metric = label_metric(name, NUMBERS, positive=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = get_scorer(name)._score_func(
            positive.astype(int), predicted.astype(int), **get_scorer(name)._kwargs
        )

    assert metric.score(positive, predicted) == pytest.approx(expected)
    assert metric.called(positive, predicted) == pytest.approx(expected)


def test_other_names_are_called_with_their_sign():
    positive, predicted = np.array([True, False, True]), np.array([True, True, True])

    metric = label_metric("f1_weighted", NUMBERS, positive=1)
    assert metric.counted is None
    assert metric.score(positive, predicted) == pytest.approx(
        f1_score(positive, predicted, average="weighted")
    )


@pytest.mark.parametrize("positive", ["no", "yes"])
def test_a_function_is_called_with_the_classes_themselves(positive):
    seen = []

    def cost(y_true, y_pred):
        seen.append((y_true.tolist(), y_pred.tolist()))
        return 1

    metric = label_metric(cost, np.array(["no", "yes"]), positive=positive)
    value = metric.score(np.array([True, False]), np.array([False, False]))
    other = {"no": "yes", "yes": "no"}[positive]

    assert (metric.name, value) == ("cost", 1.0)
    assert seen == [([positive, other], [other, other])]


def test_a_scorer_of_scikit_learn_has_its_own_positive_class():
    scorer = make_scorer(f1_score, pos_label="no")
    metric = label_metric(scorer, np.array(["no", "yes"]), positive="yes")
    positive, predicted = np.array([True, False, False]), np.array([False, False, True])

    assert metric.name == "f1_score"
    assert metric.score(positive, predicted) == pytest.approx(f1_score(~positive, ~predicted))


def test_what_is_positive_by_default_and_by_name():
    assert positive_class(np.array([0, 1]), None, "f1") == 1
    assert positive_class(np.array([-1, 1]), None, "f1") == 1
    assert positive_class(np.array([False, True]), None, "f1") is True
    assert positive_class(np.array(["a", "b"]), None, "balanced_accuracy") == "b"
    assert positive_class(np.array(["a", "b"]), "a", "f1") == "a"
    assert positive_class(np.array([1, 2]), "1", "f1") == 1


@pytest.mark.parametrize("classes", [["bad", "good"], [1, 2]])
def test_a_metric_of_one_class_asks_which(classes):
    with pytest.raises(InvalidParameterError, match=f"pos_label={classes[0]!r} or"):
        positive_class(np.array(classes), None, "f1")


def test_a_class_that_is_not_there_is_refused():
    with pytest.raises(InvalidParameterError, match="'a' and 'b', got 'c'"):
        positive_class(np.array(["a", "b"]), "c", "f1")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("roc_auc", "judges probabilities"),
        ("neg_log_loss", "judges probabilities"),
        ("ballanced_accuracy", "did you mean 'balanced_accuracy'"),
        ("zzz", "try balanced_accuracy"),
        (3, "a metric or a callable, got 3"),
        (make_scorer(f1_score, response_method="predict_proba"), "judges probabilities"),
    ],
)
def test_what_is_no_metric_of_classes_is_refused(wrong, why):
    with pytest.raises(InvalidParameterError, match=why):
        label_metric(wrong, NUMBERS, positive=1)
