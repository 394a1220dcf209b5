"""What ``curvewise predict`` writes."""

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from curvewise._cli.app import main
from curvewise._cli.predict_command import FORMULAS, without_formulas
from curvewise._text import visible
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


@pytest.mark.parametrize("obeyed", ["\x1b[2J", "\x9b2J", "\u202e"])
def test_a_terminal_is_shown_what_it_would_obey(tmp_path, monkeypatch, capsys, obeyed):
    table = pd.DataFrame({"x": [1.0, 2.0], "y": [f"a{obeyed}", "b"]})
    table.to_csv(tmp_path / "data.csv", index=False)
    model = DecisionTreeClassifier(random_state=0).fit(table[["x"]], table["y"])
    path = tmp_path / "model.skops"
    save_model(SavedModel(model, {"x": "number"}, f"y{obeyed}", "classification"), path)
    monkeypatch.setattr(
        sys, "argv", ["curvewise", "predict", str(path), str(tmp_path / "data.csv")]
    )
    said = []
    for is_terminal in (True, False):
        monkeypatch.setattr(sys.stdout, "isatty", lambda value=is_terminal: value)
        with pytest.raises(SystemExit):
            main()
        said.append(capsys.readouterr().out)

    assert said[0].split() == [visible(f"y{obeyed}"), visible(f"a{obeyed}"), "b"]
    assert said[1].split("\n")[:2] == [f"y{obeyed}", f"a{obeyed}"]


@pytest.mark.parametrize("between", [";", "\t", "\n", "\r\n", ';"', ";;"])
def test_no_text_has_a_formula_where_a_spreadsheet_may_begin_a_cell(between):
    table = pd.DataFrame({"kind": ["plain", f"a{between}=1+1{between}b", "a - b; c"]})
    lines = without_formulas(table).to_csv(index=False)
    cells = [cell.lstrip('"') for cell in re.split("[;\t\r\n]", lines)]

    assert "1+1" in lines
    assert "a - b; c" in lines
    assert not [cell for cell in cells if cell.startswith(FORMULAS)]


@pytest.mark.parametrize("begins", FORMULAS)
def test_no_text_begins_as_a_formula_does(begins):
    table = pd.DataFrame({f"{begins}a": [f"{begins}1", "b"], "n": [-1.0, 2.0]})
    safe = without_formulas(table)
    texts = [*safe.columns, *safe.iloc[:, 0]]

    assert not any(text.startswith(FORMULAS) for text in texts)
    assert safe["n"].tolist() == [-1.0, 2.0]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("arguments", [(), ("--version",)])
def test_an_answer_for_which_there_is_no_room_is_one_sentence(formulas, arguments):
    command = [sys.executable, "-m", "curvewise", *(arguments or ("predict", *map(str, formulas)))]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert ended.returncode == 2
    assert ended.stderr == "Error: The answer cannot be written: No space left on device.\n"


def test_a_model_that_cannot_predict_is_told_in_a_sentence(tmp_path, run):
    model = DecisionTreeClassifier().fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
    model.feature_names_in_ = np.array(["a", "b\x1b[2J"], dtype=object)
    save_model(SavedModel(model, {"a": "number"}, "y", "classification"), tmp_path / "model.skops")
    (tmp_path / "new.csv").write_text("a\n1\n2\n")
    code, said = run("predict", tmp_path / "model.skops", tmp_path / "new.csv")

    assert code == 1
    assert "cannot predict these rows: ValueError: The feature names should match" in said
    assert "\x1b" not in said


def test_predictions_that_standard_output_cannot_hold_are_refused(tmp_path, run, monkeypatch):
    table = pd.DataFrame({"x": [1.0, 2.0], "y": ["\u2192", "b"]})
    table.to_csv(tmp_path / "data.csv", index=False)
    model = DecisionTreeClassifier(random_state=0).fit(table[["x"]], table["y"])
    save_model(SavedModel(model, {"x": "number"}, "y", "classification"), tmp_path / "model.skops")
    written = io.BytesIO()
    output = io.TextIOWrapper(written, encoding="latin-1", errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", output)
    code, said = run("predict", tmp_path / "model.skops", tmp_path / "data.csv")

    assert code == 2
    assert "latin-1 lacks the character '\\u2192'" in said
    assert written.getvalue() == b""
