"""Every component of our spaces as code: pasted and fitted, it predicts the same."""

import warnings

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from curvewise._selection.estimator_code import code_of
from tests.automl.space.test_saved import (
    COMPONENTS,
    TASKS,
    answers_of,
    fitted,
    fitted_today,
    table,
)

X, Y = table()


@pytest.fixture(autouse=True)
def _one_thread():
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def check_code(model, task):
    """Run the code of a fitted model by itself, fit what it makes, and compare."""
    code = code_of(model)
    assert code is not None
    names = {}
    exec(compile(code, "pasted", "exec"), names)
    y = np.where(Y > 0.8, "high", "low") if task == "classification" else Y
    predicted, chances = answers_of(model, X)
    again, chances_again = answers_of(names["model"].fit(X, y), X)

    assert np.array_equal(predicted, again), code
    assert chances is None or np.array_equal(chances, chances_again), code


@pytest.mark.parametrize("task", TASKS)
def test_every_learner_of_today_as_code_predicts_the_same(task):
    for _, model in fitted_today(task, X, Y):
        check_code(model, task)


def test_every_component_of_the_paper_as_code_predicts_the_same():
    for task, slot, component in COMPONENTS:
        check_code(fitted(task, slot, component, X, Y, sparse=False), task)
