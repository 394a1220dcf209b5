"""The score on new rows, as ``curvewise select`` and ``curvewise advise`` tell it."""

import json

import pytest

from curvewise._selection.honest_score import NOTE
from tests.cli.runner import invoke
from tests.cli.test_advise_command import stored
from tests.report.test_honest_facts import FOUND

SPACE = """
[[slot]]
name = "classifier"

[[slot.component]]
class = "sklearn.naive_bayes.GaussianNB"

[[slot.component]]
class = "sklearn.linear_model.LogisticRegression"
"""


@pytest.fixture
def space(tmp_path):
    path = tmp_path / "space.toml"
    path.write_text(SPACE, encoding="utf-8")
    return path


def select(space, *options):
    alone = ("--candidates", 2, "--no-curve", "--no-importance")
    return invoke("select", "sklearn:iris", "--space", space, *alone, *options)


@pytest.mark.slow
def test_select_says_in_a_line_what_is_expected_on_new_rows(space):
    answer = select(space)
    (line,) = [each for each in answer.output.splitlines() if each.startswith("Expected on new")]

    assert answer.exit_code == 0, answer.output
    assert "90% interval" in line
    assert "on the folds" in line


@pytest.mark.slow
def test_its_json_has_all_of_it(space):
    facts = json.loads(select(space, "--json", "--quiet").stdout)
    honest = facts["honest_score"]

    assert honest["raw"] == pytest.approx(facts["score"])
    assert honest["low"] < honest["score"] <= honest["high"]
    assert honest["how"] == "rows"


def test_advise_says_it_if_the_store_has_it(tmp_path):
    path = stored(tmp_path / "noted.db", notes={NOTE: FOUND.facts()})
    answer, as_json = invoke("advise", path), invoke("advise", path, "--json")
    before = invoke("advise", stored(tmp_path / "run.db"))

    assert "Expected on new rows" not in before.output
    assert "Expected on new rows: 0.8800" in " ".join(answer.output.split())
    assert json.loads(as_json.stdout)["honest_score"] == FOUND.facts()
