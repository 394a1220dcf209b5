"""Which space is taken if the user names none.

For classification it is the paper's (Mohr & van Rijn 2023, Appendix B): an optional data
pre-processor of seven, an optional feature pre-processor of nine, and one of fourteen classifiers.
That for regression is made in its spirit: the same pre-processors, with scores of columns that suit
numbers, and one of fourteen regressors.
"""

from __future__ import annotations

from typing import Literal

from curvewise.automl._space.classifiers import CLASSIFIERS
from curvewise.automl._space.preprocessors import DATA_PREPROCESSORS, FOR_CLASSES, FOR_NUMBERS
from curvewise.automl._space.regressors import REGRESSORS
from curvewise.automl._space.search_space import SearchSpace, Slot
from curvewise.errors import InvalidParameterError

DATA = Slot("data", DATA_PREPROCESSORS, optional=True)
SLOTS = {
    "classification": (
        DATA,
        Slot("feature", FOR_CLASSES, optional=True),
        Slot("classifier", CLASSIFIERS),
    ),
    "regression": (
        DATA,
        Slot("feature", FOR_NUMBERS, optional=True),
        Slot("regressor", REGRESSORS),
    ),
}


def default_space(
    task: str, *, weights: Literal["sum", "product"] = "sum", only_possible: bool = False
) -> SearchSpace:
    """Give the search space for a kind of task: the paper's, or one in its spirit for numbers.

    Parameters
    ----------
    task
        ``"classification"`` or ``"regression"``.
    weights
        How components are weighed: by the ``"sum"`` or the ``"product"`` of their parameters'
        weights. The paper prints the product; its published sequences fit the sum.
    only_possible
        Whether pipelines that cannot work, whatever the data, are drawn again.

    Returns
    -------
    SearchSpace
        With an optional data pre-processor, an optional feature pre-processor, and a learner.

    Raises
    ------
    InvalidParameterError
        If it is neither of the two tasks, or neither of the two kinds of weights.

    Examples
    --------
    >>> space = default_space("classification")
    >>> {slot.name: len(slot.components) for slot in space.slots}
    {'data': 7, 'feature': 9, 'classifier': 17}
    >>> round(space.probabilities("classifier")["SGDClassifier"], 3)
    0.14
    >>> product = default_space("classification", weights="product")
    >>> round(product.probabilities("classifier")["SGDClassifier"], 3)
    0.966
    """
    if task not in SLOTS:
        raise InvalidParameterError(f"task must be 'classification' or 'regression', got {task!r}.")
    return SearchSpace(SLOTS[task], weights=weights, only_possible=only_possible)
