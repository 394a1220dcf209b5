"""Search spaces as data, and how pipelines are drawn from them."""

from curvewise.automl._space.component import Component, When
from curvewise.automl._space.default_spaces import default_space
from curvewise.automl._space.description import describe
from curvewise.automl._space.parameters import Categorical, Constant, Integer, Parameter, Real
from curvewise.automl._space.search_space import SearchSpace, Slot
from curvewise.automl._space.space_file import load_space

__all__ = [
    "Categorical",
    "Component",
    "Constant",
    "Integer",
    "Parameter",
    "Real",
    "SearchSpace",
    "Slot",
    "When",
    "default_space",
    "describe",
    "load_space",
]
