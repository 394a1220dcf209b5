"""Which candidates are made of known packages alone."""

import pickle
import re
import sys
from functools import partial

import cloudpickle
import numpy as np
import pandas as pd
import pytest
import scipy
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestClassifier
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
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


class Calls:
    """Is made by calling something of a package that is known."""

    def __init__(self, made_by, *arguments):
        self.made_by, self.arguments = made_by, arguments

    def __reduce__(self):
        return self.made_by, self.arguments


@pytest.mark.parametrize(
    "candidate",
    [
        SVC(),
        KNeighborsClassifier().fit([[0.0], [1.0]], [0, 1]),
        RandomForestClassifier(n_estimators=2).fit([[0.0], [1.0]], [0, 1]),
        HistGradientBoostingRegressor(max_iter=2).fit([[0.0], [1.0]], [0, 1]),
        SelectKBest(f_classif),
        SVC(random_state=np.random.RandomState(0)),
        {"rng": np.random.default_rng(0)},
        GridSearchCV(SVC(), {"C": [1]}, scoring=make_scorer(f1_score)),
        scipy.sparse.csr_matrix(np.eye(2)),
        make_pipeline(StandardScaler(), RandomForestClassifier(random_state=np.int64(3))),
        ColumnTransformer([("scaled", StandardScaler(), [0, 1])]),
        FunctionTransformer(np.log1p),
        {"weights": np.ones(3), "names": ("a", None, 2.5)},
    ],
    ids=lambda candidate: type(candidate).__name__,
)
def test_estimators_of_known_packages_are_known(candidate):
    read, known = unpickle(cloudpickle.dumps(candidate))

    assert known
    assert re.sub(" at 0x.*", "", repr(read)) == re.sub(" at 0x.*", "", repr(candidate))


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
        Calls(np.seterr),
        Calls(np.testing.assert_equal, 1, 1),
        Calls(sklearn.set_config),
        Calls(pd.eval, "1"),
        FunctionTransformer(np.seterr),
    ],
    ids=lambda candidate: type(candidate).__name__,
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
