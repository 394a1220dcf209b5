"""``curvewise select --tune-threshold``, as a user runs it: the answer, the model, the report."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

from curvewise.errors import InvalidParameterError
from tests.cli.runner import invoke

SPACE = """
[[slot]]
name = "classifier"

[[slot.component]]
class = "sklearn.linear_model.LogisticRegression"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table with a rare class, and a space with one learner."""
    folder = tmp_path_factory.mktemp("churn")
    X, y = make_classification(
        400, 6, n_informative=4, weights=[0.9], class_sep=0.7, flip_y=0, random_state=0
    )
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(6)])
    frame["churn"] = np.where(y == 1, "yes", "no")
    frame.to_csv(folder / "churn.csv", index=False)
    (folder / "space.toml").write_text(SPACE, encoding="utf-8")
    return folder


def command(folder, *options):
    table, space = folder / "churn.csv", folder / "space.toml"
    return (
        "select",
        table,
        "--space",
        space,
        "--candidates",
        1,
        "--tune-threshold",
        "f1",
        "--no-curve",
        "--no-importance",
        *options,
    )


@pytest.fixture(scope="module")
def answer(folder):
    written = ("--save", folder / "model.skops", "--report", folder / "report.html")
    return invoke(*command(folder, "--pos-label", "yes", *written))


def test_the_answer_has_a_line_for_the_threshold_and_one_for_the_probabilities(answer, folder):
    assert answer.exit_code == 0, answer.output
    lines = answer.stdout.splitlines()
    assert sum(line.startswith("Threshold for f1: ") for line in lines) == 1
    assert sum("robabilities" in line for line in lines) == 1
    assert "Threshold for f1: " in (folder / "report.html").read_text(encoding="utf-8")


def test_predict_uses_the_threshold_and_gives_the_same_probabilities(answer, folder):
    assert answer.exit_code == 0, answer.output
    predicted, told = folder / "predicted.csv", folder / "told.csv"
    rows = folder / "churn.csv"
    invoke("predict", folder / "model.skops", rows, "--output", predicted)
    invoke("predict", folder / "model.skops", rows, "--proba", "--output", told)
    (line,) = (line for line in answer.stdout.splitlines() if line.startswith("Threshold"))
    threshold = float(line.split()[3])
    positive = pd.read_csv(predicted)["churn"] == "yes"
    probability = pd.read_csv(told)["churn=yes"]

    # The line has four digits.
    clear = (probability - threshold).abs() > 1e-4
    assert (positive == (probability >= threshold))[clear].all()
    assert positive.sum() > (probability > 0.5).sum()


def test_json_has_both(folder):
    answer = invoke(*command(folder, "--pos-label", "no", "--json", "--quiet"))
    facts = json.loads(answer.stdout)

    assert facts["threshold"]["pos_label"] == "no"
    assert facts["threshold"]["metric"] == "f1"
    assert facts["threshold"]["default_threshold"] == 0.5
    assert facts["calibration"]["n_rows"] == 400
    assert len(facts["calibration"]["bins"]) == 10


def test_a_class_that_has_to_be_named_is_asked_for_in_one_sentence(folder):
    answer = invoke(*command(folder, "--quiet"))

    assert isinstance(answer.exception, InvalidParameterError)
    assert "pos_label='no' or pos_label='yes'" in str(answer.exception)
