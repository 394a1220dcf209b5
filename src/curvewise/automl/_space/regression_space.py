"""A search space for regression, in the spirit of the paper's for classification.

The same pre-processors, with scores of columns that suit numbers, and one of fourteen regressors.
"""

from __future__ import annotations

from curvewise.automl._space.feature_preprocessors import FOR_NUMBERS
from curvewise.automl._space.paper_space import DATA
from curvewise.automl._space.regressors import REGRESSORS
from curvewise.automl._space.search_space import SearchSpace, Slot


def regression_space(*, weights: str = "sum", only_possible: bool = False) -> SearchSpace:
    """Give the search space for regression.

    Examples
    --------
    >>> [len(slot.components) for slot in regression_space().slots]
    [7, 9, 17]
    """
    slots = [
        DATA,
        Slot("feature", FOR_NUMBERS, optional=True),
        Slot("regressor", REGRESSORS),
    ]
    return SearchSpace(slots, weights=weights, only_possible=only_possible)
