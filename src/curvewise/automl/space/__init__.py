"""Search spaces as data, and how pipelines are drawn from them."""

from curvewise.automl.space.component import Component, When
from curvewise.automl.space.defaults import default_space
from curvewise.automl.space.description import describe
from curvewise.automl.space.files import load_space
from curvewise.automl.space.parameters import Categorical, Constant, Integer, Real
from curvewise.automl.space.space import SearchSpace, Slot

__all__ = [
    "Categorical",
    "Component",
    "Constant",
    "Integer",
    "Real",
    "SearchSpace",
    "Slot",
    "When",
    "default_space",
    "describe",
    "load_space",
]
