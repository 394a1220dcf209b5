"""What the models of our search spaces are made of, found out by fitting and saving them all."""

import io
import json
import warnings
import zipfile
from collections import defaultdict
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

import numpy as np
import pandas as pd
import skops.io
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from threadpoolctl import threadpool_limits

from curvewise.automl import SearchSpace, Slot, default_space, paper_space
from curvewise.automl._components.calibrated_model import CalibratedModel
from curvewise.automl._components.weighted_models import WeightedClassifier, WeightedRegressor
from curvewise.automl._table_preparation import TablePreparation
from tests.automl.space.test_saved import COMPONENTS, LEARNERS, N_ROWS, TASKS, table

# Draws of each component that are fitted in any case, and further ones if they bring a new value.
N_DRAWS = 4
N_CHANCES = 60
# Whose attributes are on a list, too.
LIGHTGBM = "lightgbm."
DICTIONARIES = ("params", "_other_params")


class Census(NamedTuple):
    """Pairs of loader and name, names that skops does not trust, attributes and parameters."""

    pairs: set[tuple[str, str]]
    strange: set[str]
    attributes: dict[str, set[str]]
    parameters: set[str]


def census(models, *, beside=None):
    """Look at all that models hold when they are saved, beside what was found before."""
    found = Census(set(), set(), defaultdict(set), set())
    if beside is not None:
        found.pairs.update(beside.pairs)
        found.strange.update(beside.strange)
        found.parameters.update(beside.parameters)
        for name, attributes in beside.attributes.items():
            found.attributes[name].update(attributes)
    for model in models:
        data = skops.io.dumps(model)
        n_known = len(found.pairs)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            count(json.loads(archive.read("schema.json")), found)
        if len(found.pairs) > n_known:
            # What skops thinks of the others is known.
            found.strange.update(skops.io.get_untrusted_types(data=data))
    return found


def count(schema, found):
    """Note each node of a file."""
    parts = [schema]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            if isinstance(part.get("__loader__"), str):
                name = f"{part['__module__']}.{part['__class__']}"
                found.pairs.add((part["__loader__"], name))
                if name.startswith(LIGHTGBM):
                    count_attributes(name, part["content"]["content"], found)
            parts.extend(part.values())
        elif isinstance(part, list):
            parts.extend(part)


def count_attributes(name, attributes, found):
    """Note the attributes of an object, and the parameters among them."""
    found.attributes[name].update(attributes)
    for each in DICTIONARIES:
        found.parameters.update(attributes.get(each, {"content": {}})["content"])
    if "n_estimators" in attributes:
        public = {each for each in attributes if not each.startswith("_")}
        found.parameters.update(public - {"fitted_"})


def models_of_today():
    """Fit every component of today's spaces that any file may hold, on tables of all kinds."""
    yield from ensembles()
    tables = [table()[0], odd_table(), table_with_text()]
    targets = targets_of(table()[1].to_numpy())
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for task in TASKS:
            for slot in default_space(task).slots:
                for component in slot.components:
                    if component.target.startswith("curvewise."):
                        # Boosters that every user has to trust by name.
                        continue
                    mean = replace(component, fixed={**component.fixed, "n_seeds": 2})
                    for seed in range(2 * len(tables)):
                        which = mean if component.averaged and seed % 2 else component
                        space = SearchSpace([Slot(slot.name, [which])])
                        pipeline = space.sample(np.random.RandomState(seed))
                        pipeline[0].sparse_output = "auto" if seed % 2 else seed > 3
                        target = targets[task][seed % len(targets[task])]
                        try:
                            yield pipeline.fit(tables[seed % len(tables)], target)
                        except np.linalg.LinAlgError:
                            # There are fewer rows than columns.
                            continue


def ensembles():
    """Fit an ensemble of each kind, and calibrated models, one of them with a threshold."""
    X, y = np.random.RandomState(0).rand(40, 3), np.arange(40) % 2
    yield WeightedClassifier([GaussianNB(), LogisticRegression()], [1.0, 2.0]).fit(X, y)
    yield WeightedRegressor([Ridge(), Ridge(alpha=2.0)], [1.0, 2.0]).fit(X, y)
    for method in ("sigmoid", "isotonic", "temperature"):
        yield CalibratedModel(GaussianNB(), method=method).fit(X, y)
    calibrated = CalibratedModel(GaussianNB()).fit(X, y)
    yield FixedThresholdClassifier(calibrated, threshold=0.3, pos_label=1).fit(X, y)


def models_of_the_paper():
    """Fit every component of both spaces: on tables and targets of all kinds, dense and sparse."""
    tables = [table()[0], odd_table()]
    targets = targets_of(table()[1].to_numpy())
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for task, slot, component in COMPONENTS:
            space = space_of(task, slot, component)
            known = set()
            for seed in range(N_CHANCES):
                pipeline = space.sample(np.random.RandomState(seed))
                choices = set(choices_of(pipeline))
                if seed >= N_DRAWS and choices <= known:
                    continue
                which, sparse = (seed % 2, seed >= 2) if seed < N_DRAWS else (0, False)
                known |= choices if seed >= N_DRAWS else set()
                preparation = TablePreparation(sparse_output=sparse)
                model = make_pipeline(preparation, MaxAbsScaler(), pipeline)
                try:
                    yield model.fit(tables[which], targets[task][seed % len(targets[task])])
                except (TypeError, ValueError):
                    # Some draws cannot work on every table, or with every version, as in a search.
                    continue


def space_of(task, slot, component):
    """Give a space with a single component, and something that predicts."""
    last = paper_space(task, kernels="all").slots[-1]
    slots = [Slot(slot, [component])]
    if slot != last.name:
        slots.append(Slot(last.name, [c for c in last.components if c.name == LEARNERS[task]]))
    return SearchSpace(slots)


def choices_of(pipeline):
    """Give the parameters of a pipeline whose values are words, functions or small numbers."""
    for name, value in pipeline.get_params().items():
        small = isinstance(value, int) and abs(value) < 4
        if small or value is None or isinstance(value, str) or callable(value):
            yield name, str(value)


def targets_of(y):
    words = np.where(y > 0.8, "high", "low")
    return {
        "classification": [
            words,
            np.digitize(y, [0.4, 1.0]),
            y > 0.8,
            pd.Series(words, dtype="category"),
            pd.Series(np.where(y > 0.4, words, "none")),
        ],
        "regression": [y, (10 * y).round().astype(int), pd.Series(y, dtype="float32")],
    }


def odd_table():
    """Values of several types in a column, durations, truth values with gaps, many columns."""
    rng = np.random.RandomState(1)
    columns = {f"n{i}": rng.rand(N_ROWS).astype("float32") for i in range(20)}
    gaps = pd.array(rng.rand(N_ROWS) < 0.5, dtype="boolean")
    gaps[5] = pd.NA
    return pd.DataFrame(
        {
            **columns,
            "mixed": [i if i % 3 else f"v{i % 4}" for i in range(N_ROWS)],
            "length": [timedelta(minutes=int(i)) for i in rng.randint(0, 99, N_ROWS)],
            "gaps": gaps,
            "level": pd.Categorical(rng.choice([1, 2, 3], N_ROWS)),
            "text": [f"only {i}" for i in range(N_ROWS)],
        }
    )


def table_with_text():
    """A column of sentences, and one number."""
    rng = np.random.RandomState(2)
    words = np.array(
        ["the", "a", "red", "blue", "small", "large", "house", "tree", "river", "with", "without"]
    )
    return pd.DataFrame(
        {
            "price": rng.rand(N_ROWS),
            "text": [" ".join(rng.choice(words, 6)) for _ in range(N_ROWS)],
        }
    )
