"""What --quiet hides, and what it must not."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.cli.runner import invoke

N_ROWS = 60
SEARCH = ("--candidates", "1", "--folds", "2", "--leave-out", "MLPClassifier", "--quiet")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A table with a column that gives the target away, unclear dates, and a row to drop."""
    rng = np.random.RandomState(0)
    days = [f"{1 + i % 12:02d}/{1 + i % 11:02d}/2023" for i in range(N_ROWS)]
    frame = pd.DataFrame({"day": days, "size": rng.rand(N_ROWS)})
    frame["label"] = np.where(frame["size"] > 0.5, "yes", "no")
    frame["code"] = np.where(frame["label"] == "yes", "Y", "N")
    frame.loc[3, "label"] = None
    path = tmp_path_factory.mktemp("quiet") / "data.csv"
    frame.to_csv(path, index=False, sep=";")
    return path


def warned(said):
    """Say which of three warnings were given."""
    texts = ("nearly gives away the target", "'day' is ambiguous", "1 row without a target was")
    return [text for text in texts if text in said]


def test_a_quiet_search_warns_of_the_table_and_of_nothing_else(source):
    answer = invoke("select", source, "--target", "label", *SEARCH, "--no-curve", "--json")

    assert answer.exit_code == 0, answer.output
    assert len(warned(answer.stderr)) == 3
    assert "delimiter" not in answer.stderr
    assert "rows, 3 columns" not in answer.stderr
    assert json.loads(answer.stdout)["rows"] == N_ROWS - 1


def test_quiet_advice_warns_of_the_table(source):
    answer = invoke("advise", source, "--target", "label", "--best", "1", "--json", *SEARCH[:4])
    quiet = invoke(
        "advise", source, "--target", "label", "--best", "1", "--json", *SEARCH[:4], "--quiet"
    )

    assert len(warned(quiet.stderr)) == 3
    assert "delimiter" in answer.stderr
    assert "delimiter" not in quiet.stderr


def test_a_validation_warns_of_the_table(source):
    model = ("--model", "sklearn.naive_bayes:GaussianNB", "--folds", "2", "--json")
    answer = invoke("validate", source, "--target", "label", *model)

    assert answer.exit_code == 0, answer.output
    assert len(warned(answer.stderr)) == 3
    assert json.loads(answer.stdout)["status"] == "completed"
