"""Every component is built and fitted, and keeps nothing from one fit to the next."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from curvewise.automl import paper_space
from curvewise.automl._space.search_space import SearchSpace, Slot


def tables():
    iris, flowers = load_iris(return_X_y=True)
    people, progress = load_diabetes(return_X_y=True)
    rows = np.random.RandomState(0).permutation(len(iris))
    # Shifted, because some algorithms take no negative numbers.
    return {
        "classification": (iris[rows], flowers[rows]),
        "regression": (people[:150] + 1.0, progress[:150]),
    }


TABLES = tables()
COMPONENTS = [
    pytest.param(task, slot.name, component, id=f"{task}-{component.name}")
    for task in TABLES
    for slot in paper_space(task, kernels="all").slots
    for component in slot.components
]


@pytest.fixture(autouse=True)
def _one_thread_and_no_talk_of_convergence():
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def answers(estimator, X):
    result = estimator.predict(X) if hasattr(estimator, "predict") else estimator.transform(X)
    return result.toarray() if sparse.issparse(result) else result


@pytest.mark.parametrize(("task", "slot", "component"), COMPONENTS)
def test_a_component_fits_and_keeps_no_state(task, slot, component):
    X, y = TABLES[task]
    used = component.sample(np.random.RandomState(1))
    settings = repr(used.get_params())
    fresh = clone(used)
    used.fit(X[100:, :3], y[100:])
    used.fit(X[:100], y[:100])
    fresh.fit(X[:100], y[:100])

    assert np.array_equal(answers(used, X), answers(fresh, X))
    assert repr(used.get_params()) == settings
    assert is_classifier(used) == (slot == "classifier")
    assert is_regressor(used) == (slot == "regressor")


@pytest.mark.parametrize(("task", "slot", "component"), COMPONENTS)
def test_a_component_takes_sparse_input_by_itself_or_with_the_dense_step(task, slot, component):
    X, y = TABLES[task]
    learner = {"classification": "MultinomialNB", "regression": "Ridge"}[task]
    last = paper_space(task, kernels="all").slots[-1]
    simple = Slot(last.name, [one for one in last.components if one.name == learner])
    space = SearchSpace([Slot(slot, [component])] + [simple] * (slot != last.name))
    pipeline = space.sample(np.random.RandomState(3))
    steps = pipeline if slot == last.name else pipeline[:-1]

    steps.fit(sparse.csr_array(X[:60]), y[:60])

    assert len(answers(steps, sparse.csr_array(X[60:]))) == len(X) - 60


@pytest.mark.slow
@pytest.mark.parametrize("task", TABLES)
def test_whole_pipelines_fit_or_fail_with_a_reason(task):
    X, y = TABLES[task]
    rng = np.random.RandomState(5)
    space = paper_space(task, kernels="all")
    n_failed = 0
    for _ in range(60):
        pipeline = space.sample(rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", FutureWarning)
            try:
                assert len(pipeline.fit(X[:100], y[:100]).predict(X[100:])) == len(X) - 100
            except ValueError:
                n_failed += 1

    assert n_failed <= 12
