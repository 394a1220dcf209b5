"""Every component of our spaces survives saving: the same predictions in another process."""

import json
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from threadpoolctl import threadpool_limits

from curvewise.automl import SearchSpace, Slot, default_space, paper_space
from curvewise.automl._saved_model import SavedModel, save_model
from curvewise.automl._table_preparation import TablePreparation

N_ROWS = 60
LEARNERS = {"classification": "DecisionTreeClassifier", "regression": "Ridge"}
TASKS = tuple(LEARNERS)
COMPONENTS = [
    (task, slot.name, component)
    for task in LEARNERS
    for slot in paper_space(task, kernels="all").slots
    for component in slot.components
]
SCRIPT = """
import json, pickle, sys
from pathlib import Path
import pandas as pd
from curvewise.automl._saved_model import load_model
folder = Path(sys.argv[1])
X = pd.read_pickle(folder / "rows.pickle")
trusted = json.loads(sys.argv[2])
answers = {}
for path in folder.glob("*.skops"):
    model = load_model(path, trusted=trusted).pipeline
    chances = model.predict_proba(X) if hasattr(model, "predict_proba") else None
    answers[path.stem] = (model.predict(X), chances)
(folder / "loaded.pickle").write_bytes(pickle.dumps(answers))
"""


def table():
    """Numbers, categories, dates and truth values, with gaps."""
    rng = np.random.RandomState(0)
    X = pd.DataFrame(
        {
            "size": rng.rand(N_ROWS),
            "weight": 5 * rng.rand(N_ROWS),
            "kind": rng.choice(list("xyz"), N_ROWS),
            "day": pd.date_range("2020-01-01", periods=N_ROWS, freq="9D"),
            "flag": rng.rand(N_ROWS) < 0.5,
        }
    )
    X.loc[3, "size"] = np.nan
    X.loc[4, "kind"] = None
    return X, X["size"].fillna(0) + X["flag"]


def fitted(task, slot, component, X, y, *, sparse):
    space = paper_space(task, kernels="all")
    slots = [Slot(slot, [component])]
    if slot != space.slots[-1].name:
        last = space.slots[-1]
        slots.append(Slot(last.name, [c for c in last.components if c.name == LEARNERS[task]]))
    pipeline = SearchSpace(slots).sample(np.random.RandomState(4))
    model = make_pipeline(TablePreparation(sparse_output=sparse), MaxAbsScaler(), pipeline)
    return model.fit(X, np.where(y > 0.8, "high", "low") if task == "classification" else y)


def fitted_today(task, X, y):
    """Fit each learner of today's space; by name."""
    y = np.where(y > 0.8, "high", "low") if task == "classification" else y
    space = default_space(task)
    for component in space.components():
        only = SearchSpace([Slot(space.slots[-1].name, [component])])
        yield component.name, only.sample(np.random.RandomState(4)).fit(X, y)


def answers_of(model, X):
    chances = model.predict_proba(X) if hasattr(model, "predict_proba") else None
    return model.predict(X), chances


def check_same_in_a_new_process(folder, X, answers, trusted=()):
    """Let another process load the models of a folder and predict."""
    X.to_pickle(folder / "rows.pickle")
    arguments = [str(folder), json.dumps(sorted(trusted))]
    subprocess.run([sys.executable, "-c", SCRIPT, *arguments], check=True)
    loaded = pickle.loads((folder / "loaded.pickle").read_bytes())

    assert loaded.keys() == answers.keys()
    for name, (predicted, chances) in answers.items():
        assert np.array_equal(loaded[name][0], predicted), name
        assert (chances is None) == (loaded[name][1] is None), name
        assert chances is None or np.array_equal(loaded[name][1], chances), name


@pytest.mark.slow
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_every_component_predicts_the_same_in_a_new_process(tmp_path, sparse):
    X, y = table()
    answers = {}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, (task, slot, component) in enumerate(COMPONENTS):
            model = fitted(task, slot, component, X, y, sparse=sparse)
            name = f"{number} {component.name}"
            save_model(SavedModel(model, {}, "", task), tmp_path / f"{name}.skops")
            answers[name] = answers_of(model, X)

    check_same_in_a_new_process(tmp_path, X, answers)


def test_every_learner_of_today_predicts_the_same_in_a_new_process(tmp_path):
    X, y = table()
    rng = np.random.RandomState(1)
    words = np.array(["a", "the", "red", "blue", "small", "large", "house", "tree"])
    X["text"] = [" ".join(rng.choice(words, 6)) for _ in range(N_ROWS)]
    answers = {}
    trusted = set()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for task in TASKS:
            for name, model in fitted_today(task, X, y):
                path = tmp_path / f"{task} {name}.skops"
                trusted.update(save_model(SavedModel(model, {}, "", task), path))
                answers[f"{task} {name}"] = answers_of(model, X)

    # Boosters with an extra of their own, and nothing else.
    assert all(name.rpartition(".")[0].endswith("boost_learners") for name in trusted)
    check_same_in_a_new_process(tmp_path, X, answers, trusted)
