"""Which candidates are made of known packages alone."""

import pickle
import sys
from functools import partial

import cloudpickle
import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

from curvewise.automl import default_space
from curvewise.executors._workers.known_code import installed, unpickle
from curvewise.executors._workers.module_imports import imports_change_nothing
from tests.executors.contaminators import RegressorThat


class Touchy:
    """Says when it is made."""

    def __reduce__(self):
        return sys.setrecursionlimit, (sys.getrecursionlimit(),)


@pytest.mark.parametrize(
    "candidate",
    [
        SVC(),
        make_pipeline(StandardScaler(), RandomForestClassifier(random_state=np.int64(3))),
        ColumnTransformer([("scaled", StandardScaler(), [0, 1])]),
        FunctionTransformer(np.log1p),
        {"weights": np.ones(3), "names": ("a", None, 2.5)},
    ],
    ids=str,
)
def test_estimators_of_known_packages_are_known(candidate):
    read, known = unpickle(cloudpickle.dumps(candidate))

    assert known
    assert repr(read) == repr(candidate)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_all_pipelines_of_the_default_space_are_known(task):
    space = default_space(task)
    drawn = [space.sample(seed) for seed in range(40)]

    assert all(unpickle(cloudpickle.dumps(candidate))[1] for candidate in drawn)


@pytest.mark.parametrize(
    "candidate",
    [
        RegressorThat(),
        FunctionTransformer(lambda X: X),
        make_pipeline(StandardScaler(), RegressorThat()),
        partial(eval, "1"),
        Touchy(),
    ],
    ids=["own class", "own function", "own step", "eval", "reduce"],
)
def test_what_holds_other_code_is_not(candidate):
    prepared = []
    _, known = unpickle(cloudpickle.dumps(candidate), prepare=lambda: prepared.append(1))

    assert not known
    assert prepared == [1]


def test_only_installed_modules_are_named():
    assert installed(["json", "sklearn.svm", "tests.executors.contaminators", "nowhere"]) == [
        "json",
        "sklearn.svm",
    ]


def test_an_import_that_replaces_what_others_use_is_noticed(tmp_path, monkeypatch):
    (tmp_path / "quiet_package.py").write_text("import json\nvalue = 1\n")
    (tmp_path / "patching_package.py").write_text(
        "import pickle\nbefore = pickle.dumps\npickle.dumps = lambda *_: b''\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(pickle, "dumps", pickle.dumps)

    assert imports_change_nothing(["quiet_package"])
    assert not imports_change_nothing(["patching_package"])
