"""What the models of our search spaces are made of, found out by fitting and saving them all."""

import io
import json
import warnings
import zipfile
from datetime import timedelta

import numpy as np
import pandas as pd
import skops.io
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from threadpoolctl import threadpool_limits

from curvewise.automl import SearchSpace, Slot, default_space
from curvewise.automl._table_preparation import TablePreparation
from tests.automl.space.test_saved import COMPONENTS, LEARNERS, N_ROWS, table

# Draws of each component that are fitted in any case, and further ones if they bring a new value.
N_DRAWS = 4
N_CHANCES = 60


def census():
    """Give all pairs of loader and name in models, and the names that skops does not trust."""
    pairs, strange = set(), set()
    for model in fitted_models():
        data = skops.io.dumps(model)
        strange |= set(skops.io.get_untrusted_types(data=data))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            pairs |= set(named(json.loads(archive.read("schema.json"))))
    return pairs, strange


def named(schema):
    """Give loader and name of each node of a file."""
    parts = [schema]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            if isinstance(part.get("__loader__"), str):
                yield part["__loader__"], f"{part['__module__']}.{part['__class__']}"
            parts.extend(part.values())
        elif isinstance(part, list):
            parts.extend(part)


def fitted_models():
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
    last = default_space(task, kernels="all").slots[-1]
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
