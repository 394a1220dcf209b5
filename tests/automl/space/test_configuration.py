"""What fills the slots of a space survives JSON, whatever the values are."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

from curvewise import Schedule
from curvewise.automl import Categorical, Component, Integer
from curvewise.automl._space.configuration import kept_values, recalled_values

plain = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
choices = plain | st.tuples(plain, plain) | st.lists(plain, max_size=3)


def survived(component, values):
    """Write values as a store does, and read them again."""
    return recalled_values(component, json.loads(json.dumps(kept_values(component, values))))


@given(st.lists(choices, min_size=1, max_size=5), st.data())
def test_a_choice_comes_back_as_what_it_was(values, data):
    component = Component(target=SVC, parameters={"C": Categorical(values)})
    value = data.draw(st.sampled_from(values))
    again = survived(component, {"C": value})["C"]

    # JSON does not tell 1 from 1.0, or a tuple from a list; the first choice like it is taken.
    assert again == value or list(again) == list(value)


@pytest.mark.parametrize(
    "value",
    [np.max, SVC, Schedule((10, 20)), (1, (2, 3)), {"a": 1}],
    ids=["a function", "a class", "an object", "tuples", "a mapping"],
)
def test_what_json_cannot_express_comes_back(value):
    component = Component(target=SVC, parameters={"C": Categorical([1, value, 2])})

    assert survived(component, {"C": value})["C"] is value


def test_numbers_of_numpy_become_plain():
    component = Component(target=SVC, parameters={"degree": Integer(1, 5)})
    kept = kept_values(component, {"degree": np.int64(3), "other": np.float32(0.5)})

    assert kept == {"degree": 3, "other": 0.5}
    assert [type(value) for value in kept.values()] == [int, float]


def test_a_choice_that_is_not_among_the_known_stays_as_it_is():
    component = Component(target=SVC, parameters={"kernel": Categorical(["rbf", "poly"])})

    assert recalled_values(component, {"kernel": "linear"}) == {"kernel": "linear"}
