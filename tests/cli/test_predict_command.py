"""What ``curvewise predict`` writes."""

import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from curvewise._cli.predict_command import FORMULAS, without_formulas
from curvewise.automl import SavedModel, save_model
from tests.cli.runner import invoke


@pytest.fixture
def formulas(tmp_path):
    """A table whose classes are formulas, and a model of it."""
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": ["=1+1", "@SUM(A1)", "plain"]})
    table.to_csv(tmp_path / "data.csv", index=False)
    model = DecisionTreeClassifier(random_state=0).fit(table[["x"]], table["y"])
    path = tmp_path / "model.skops"
    save_model(SavedModel(model, {"x": "number"}, "y", "classification"), path)
    return path, tmp_path / "data.csv"


def test_values_stay_as_they_are_unless_it_is_asked_for(formulas):
    as_they_are = invoke("predict", *formulas)
    safe = invoke("predict", *formulas, "--safe-csv")

    assert as_they_are.stdout.split() == ["y", "=1+1", "@SUM(A1)", "plain"]
    assert safe.stdout.split() == ["y", "'=1+1", "'@SUM(A1)", "plain"]


@pytest.mark.parametrize("begins", FORMULAS)
def test_no_text_begins_as_a_formula_does(begins):
    table = pd.DataFrame({f"{begins}a": [f"{begins}1", "b"], "n": [-1.0, 2.0]})
    safe = without_formulas(table)
    texts = [*safe.columns, *safe.iloc[:, 0]]

    assert not any(text.startswith(FORMULAS) for text in texts)
    assert safe["n"].tolist() == [-1.0, 2.0]
