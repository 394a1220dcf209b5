"""Which space is taken if the user names none."""

from __future__ import annotations

from curvewise.automl._space.paper_space import paper_space
from curvewise.automl._space.regression_space import regression_space
from curvewise.automl._space.search_space import SearchSpace
from curvewise.errors import InvalidParameterError

SPACES = {"classification": paper_space, "regression": regression_space}


def default_space(task: str, *, weights: str = "sum", only_possible: bool = False) -> SearchSpace:
    """Give the search space for a kind of task.

    Parameters
    ----------
    task
        ``"classification"`` or ``"regression"``.
    weights
        How components are weighed: by the ``"sum"`` or the ``"product"`` of their parameters'
        weights.
    only_possible
        Whether pipelines that cannot work are drawn again.

    Examples
    --------
    >>> space = default_space("regression")
    >>> [slot.name for slot in space.slots]
    ['data', 'feature', 'regressor']
    >>> space.sample(0) is space.sample(0)
    False
    """
    if task not in SPACES:
        raise InvalidParameterError(f"task must be 'classification' or 'regression', got {task!r}.")
    return SPACES[task](weights=weights, only_possible=only_possible)
