"""Bad input at the command line: one sentence, the right exit code, nothing half-written."""

import errno
import os
import sys

import pandas as pd
import pytest
from sklearn.datasets import load_iris

from curvewise._cli.app import main

QUICK = ("--candidates", 2, "--timeout", 20, "--quiet", "--leave-out", "MLPClassifier")


@pytest.fixture
def folder(tmp_path):
    frame = load_iris(as_frame=True).frame
    frame.columns = ["a", "b", "c", "d", "kind"]
    frame["kind"] = frame["kind"].map({0: "x", 1: "y", 2: "z"})
    frame.to_csv(tmp_path / "good.csv", index=False)
    (tmp_path / "sub").mkdir()
    return tmp_path


TABLES = {
    "empty": (b"", "is empty"),
    "header only": (b"a,kind\n", "has a header but no rows"),
    "binary": (bytes(range(256)) * 8, "is a binary file"),
    "ragged": (b"a,b,kind\n1,2,x\n3,4,5,6,y\n7,8,x\n", "5 fields in line 3 where 3"),
    "one row": (b"a,kind\n1,x\n", "has a single row"),
    "one class": (b"a,kind\n" + 9 * b"1,x\n", "has only one class"),
    "no value": (b"a,b,kind\n" + 9 * b",,x\n,,y\n", "has no value in any column but the target"),
    "no target": (b"a,kind\n" + 9 * b"1,\n", "is missing in every row"),
    "two targets": (b"a,kind,kind\n" + 9 * b"1,x,y\n2,y,x\n", "several columns called 'kind'"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_cannot_be_used_is_one_sentence(run, folder, name):
    content, sentence = TABLES[name]
    (folder / "table.csv").write_bytes(content)
    code, said = run("select", folder / "table.csv", "--target", "kind")

    assert code == 2
    assert said.startswith("Error: ")
    assert sentence in said


def test_a_directory_and_a_misspelt_target_are_one_sentence(run, folder):
    assert run("select", folder / "sub")[0] == 2
    assert "the nearest is 'kind'" in run("select", folder / "good.csv", "--target", "knd")[1]
    assert "at position 99" in run("select", folder / "good.csv", "--target", 99)[1]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--policy", "raze"), "There is no policy 'raze'"),
        (("--scoring", "roc_auc"), "try roc_auc_ovo"),
        (("--scoring", "f1"), "try f1_macro"),
        (("--scoring", "r2"), "cannot judge 'kind'"),
        (("--dask", "nonsense"), "--dask needs an address"),
        (("--space", "none.toml"), "none.toml cannot be read"),
        (("--run", "x"), "give the file of one with --store"),
        (("--task", "clustering"), "--task must be one of"),
        (("--leave-out", "Nothing"), "There is no component 'Nothing'; there are "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_option_that_makes_no_sense_is_one_sentence(run, folder, options, sentence):
    code, said = run("select", folder / "good.csv", *options)

    assert code == 2
    assert sentence in said


@pytest.mark.parametrize(
    "options", [("--folds", 1), ("--candidates", 0), ("--seed", 2**32)], ids=lambda pair: pair[0]
)
def test_a_number_out_of_range_is_refused(run, folder, options):
    assert run("select", folder / "good.csv", *options)[0] == 2


OUTPUTS = ("--report", "--save", "--store")


@pytest.mark.parametrize("option", OUTPUTS)
def test_what_cannot_be_written_is_said_before_the_search(run, folder, option, monkeypatch):
    def unexpected(*_, **__):
        raise AssertionError("the search has begun")

    monkeypatch.setattr("curvewise.automl._estimators.CurveAutoML.fit", unexpected)
    good = folder / "good.csv"
    (folder / "link").symlink_to(good)
    before = good.read_bytes()

    assert "is a folder" in run("select", good, option, folder / "sub")[1]
    assert "There is no folder" in run("select", good, option, folder / "none" / "file")[1]
    assert "no regular file" in run("select", good, option, os.devnull)[1]
    assert "would write over the table" in run("select", good, option, good)[1]
    assert "would write over the table" in run("select", good, option, folder / "link")[1]
    assert good.read_bytes() == before


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_place_without_rights_is_said_before_the_search(run, folder, option, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("pathlib.Path.touch", denied)
    code, said = run("select", folder / "good.csv", option, folder / "file")

    assert (code, said) == (2, f"Error: {folder / 'file'} cannot be written: Permission denied.")


def test_two_outputs_cannot_be_one_file(run, folder):
    path = folder / "file"
    code, said = run("select", folder / "good.csv", "--report", path, "--save", path)

    assert code == 2
    assert "--report and --save are the same file" in said


def test_what_is_missing_for_a_report_is_said_before_the_search(run, folder, monkeypatch):
    for module in ("plotly", "skops"):
        monkeypatch.setitem(sys.modules, module, None)

    assert "curvewise[report]" in run("select", folder / "good.csv", "--report", "r.html")[1]
    assert "curvewise[select]" in run("select", folder / "good.csv", "--save", "m.skops")[1]


def test_a_disk_that_is_full_at_the_end_leaves_the_answer_and_what_fits(
    folder, monkeypatch, capsys
):
    import curvewise._files as writing

    original = writing.Path.replace

    def full(self, target):
        if str(target).endswith(".skops"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return original(self, target)

    monkeypatch.setattr("pathlib.Path.replace", full)
    files = ["--save", folder / "m.skops", "--report", folder / "r.html"]
    arguments = ["curvewise", "select", folder / "good.csv", *QUICK, *files]
    monkeypatch.setattr(sys, "argv", list(map(str, arguments)))
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()

    assert ended.value.code == 2
    assert printed.out.startswith("Best of 2: ")
    assert printed.err.endswith("m.skops cannot be written: No space left on device.\n")
    assert sorted(path.name for path in folder.iterdir()) == ["good.csv", "r.html", "sub"]


SPACE = """
slot = [{name = "classifier", component = [{class = "own_learners.First"}]}]
"""
LEARNERS = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class First(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[0], X.shape[0])
"""


def test_own_classes_are_used_if_their_package_is_named_and_loaded_if_they_are(
    run, folder, monkeypatch, capsys
):
    (folder / "own_learners.py").write_text(LEARNERS)
    (folder / "space.toml").write_text(SPACE)
    monkeypatch.syspath_prepend(folder)
    named = ("--package", "own_learners")
    trust = ("--trust", "own_learners.First")
    model, good = folder / "m.skops", folder / "good.csv"
    options = ("--candidates", 1, "--timeout", 20, "--quiet", "--save", model, "--json")

    assert "is not allowed" in run("select", good, "--space", folder / "space.toml")[1]
    code, said = run("select", good, "--space", folder / "space.toml", *named, *options)
    assert code == 0
    assert said.endswith(f"predict with: curvewise predict {model} TABLE {' '.join(trust)}")
    refusal = run("predict", model, good)[1]
    assert "own_learners.First, which is not trusted. If you know who made it" in refusal
    assert f"{' '.join(trust)} allows it" in refusal
    assert run("predict", model, good, *trust, "-o", folder / "out.csv")[0] == 0
    assert pd.read_csv(folder / "out.csv")["kind"].tolist() == 150 * ["x"]


def test_a_prediction_never_writes_over_its_table(run, folder):
    before = (folder / "good.csv").read_bytes()
    code, said = run("predict", "none.skops", folder / "good.csv", "-o", folder / "good.csv")

    assert code == 2
    assert "--output would write over the table" in said
    assert (folder / "good.csv").read_bytes() == before
