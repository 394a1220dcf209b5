"""The paper's search space for classification (Mohr & van Rijn 2023, Appendix B).

An optional data pre-processor of seven, an optional feature pre-processor of nine, and one of
fourteen classifiers. Each algorithm stands in the file of its slot.
"""

from __future__ import annotations

from curvewise.automl._space.classifiers import CLASSIFIERS
from curvewise.automl._space.data_preprocessors import DATA_PREPROCESSORS
from curvewise.automl._space.feature_preprocessors import FOR_CLASSES
from curvewise.automl._space.search_space import SearchSpace, Slot

DATA = Slot("data", DATA_PREPROCESSORS, optional=True)


def paper_space(*, weights: str = "sum", only_possible: bool = False) -> SearchSpace:
    """Give the paper's search space.

    Examples
    --------
    >>> space = paper_space()
    >>> [len(slot.components) for slot in space.slots]
    [7, 9, 17]
    >>> round(space.probabilities("classifier")["SGDClassifier"], 3)
    0.14
    >>> round(paper_space(weights="product").probabilities("classifier")["SGDClassifier"], 3)
    0.966
    """
    slots = [
        DATA,
        Slot("feature", FOR_CLASSES, optional=True),
        Slot("classifier", CLASSIFIERS),
    ]
    return SearchSpace(slots, weights=weights, only_possible=only_possible)
