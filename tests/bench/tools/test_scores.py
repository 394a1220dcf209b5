import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss, roc_auc_score

from curvewise._bench.tools.scores import UnusableAnswerError, constant_score, score

TRAIN = np.array(["a", "a", "b", "c"])
TEST = np.array(["a", "b", "a", "c"])
PROBABILITIES = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.4, 0.5, 0.1], [0.2, 0.2, 0.6]]


def of(predictions, **parts):
    return {"predictions": predictions, **parts}


def test_classes_are_measured_as_scikit_learn_measures_them():
    answer = of(["a", "b", "b", "c"], probabilities=PROBABILITIES, classes=["a", "b", "c"])
    found = score(answer, TRAIN, TEST, task="classification")

    assert found["accuracy"] == found["score"] == 0.75
    assert found["score_error"] == pytest.approx(np.sqrt(0.75 * 0.25 / 4))
    assert found["log_loss"] == pytest.approx(log_loss(TEST, np.array(PROBABILITIES)))
    expected = roc_auc_score(TEST, np.array(PROBABILITIES), multi_class="ovr")
    assert found["auc"] == pytest.approx(expected)


@given(st.permutations([0, 1, 2]))
def test_the_order_of_the_classes_changes_nothing(order):
    names = ["a", "b", "c"]
    answers = [
        of(
            ["a"] * 4,
            probabilities=[[row[i] for i in chosen] for row in PROBABILITIES],
            classes=[names[i] for i in chosen],
        )
        for chosen in ([0, 1, 2], order)
    ]
    one, other = (score(answer, TRAIN, TEST, task="classification") for answer in answers)

    assert one == pytest.approx(other)


def test_a_class_that_a_tool_does_not_know_has_no_probability():
    answer = of(["a"] * 4, probabilities=[[0.5, 0.5]] * 4, classes=["a", "b"])
    found = score(answer, TRAIN, TEST, task="classification")

    assert found["log_loss"] > 5
    assert found["auc"] == 0.5


def test_of_two_classes_the_area_is_the_usual_one():
    y, p = np.array(["n", "p", "n", "p"]), np.array([0.1, 0.4, 0.35, 0.8])
    answer = of(["n", "n", "n", "p"], probabilities=np.c_[1 - p, p].tolist(), classes=["n", "p"])

    assert score(answer, y, y, task="classification")["auc"] == roc_auc_score(y == "p", p)


def test_without_probabilities_only_predictions_are_measured():
    found = score(of(list("abac")), TRAIN, TEST, task="classification")

    assert (found["accuracy"], found["log_loss"], found["auc"]) == (1.0, None, None)


def test_numbers_are_measured_and_their_error_is_that_of_the_test_rows():
    rng = np.random.default_rng(0)
    y = rng.normal(size=2_000)
    predicted = y + rng.normal(scale=0.5, size=2_000)
    found = score(of(predicted.tolist()), y, y, task="regression")
    redrawn = [
        1 - np.mean((y[rows] - predicted[rows]) ** 2) / np.var(y)
        for rows in rng.integers(2_000, size=(400, 2_000))
    ]

    assert found["r2"] == pytest.approx(0.75, abs=0.05)
    assert found["rmse"] == pytest.approx(0.5, abs=0.02)
    assert found["score_error"] == pytest.approx(np.std(redrawn), rel=0.15)


def test_the_constant_prediction_is_learnt_from_the_training_rows():
    assert constant_score(TRAIN, TEST, task="classification") == 0.5
    numbers = np.array([1.0, 2.0, 3.0])
    assert constant_score(numbers, numbers, task="regression") == pytest.approx(0.0)


NONSENSE = {
    "no object": (["a"], "no list of predictions"),
    "no predictions": ({}, "no list of predictions"),
    "too few": (of(["a"]), "1 predictions for 4 rows"),
    "a class of its own": (of(list("abaz")), "'z', which is no class"),
    "text as probabilities": (
        of(list("abac"), probabilities=[["x"] * 3] * 4, classes=list("abc")),
        "no numbers",
    ),
    "gaps": (
        of(list("abac"), probabilities=[[float("nan")] * 3] * 4, classes=list("abc")),
        "not all finite",
    ),
    "another shape": (
        of(list("abac"), probabilities=[[0.5, 0.5]] * 4, classes=list("abc")),
        "the shape (4, 2)",
    ),
    "no distribution": (
        of(list("abac"), probabilities=[[0.5, 0.5, 0.5]] * 4, classes=list("abc")),
        "do not sum to 1",
    ),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_no_answer(name):
    answer, sentence = NONSENSE[name]

    with pytest.raises(UnusableAnswerError) as caught:
        score(answer, TRAIN, TEST, task="classification")

    assert sentence in str(caught.value)


@pytest.mark.parametrize("given", [["x", "y"], [1.0, float("inf")], [[1.0, 2.0], [3.0, 4.0]]])
def test_nonsense_is_no_number(given):
    with pytest.raises(UnusableAnswerError):
        score(of(given), np.zeros(2), np.arange(2.0), task="regression")
