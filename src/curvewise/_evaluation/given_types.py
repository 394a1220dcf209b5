"""Types of what users hand over, in the many ways in which scikit-learn's users write it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.random import RandomState


class Estimator(Protocol):
    """Anything that can be fitted, as scikit-learn's estimators can.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> import curvewise as cw
    >>> model: cw.Estimator = SVC()
    >>> model.fit([[0.0], [1.0]], ["no", "yes"]).predict([[2.0]]).tolist()
    ['yes']
    """

    @property
    def fit(self) -> Callable[..., Any]:
        """Learn from data."""


class Splitter(Protocol):
    """What gives folds, as scikit-learn's splitters do.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> import curvewise as cw
    >>> splitter: cw.Splitter = KFold(2)
    >>> [test.tolist() for train, test in splitter.split([[0.0], [1.0], [2.0], [3.0]])]
    [[0, 1], [2, 3]]
    """

    @property
    def split(self) -> Callable[..., Iterator[tuple[Any, Any]]]:
        """Give pairs of training and test rows."""


RowNumbers = Sequence[int] | np.ndarray
# A number of folds, a splitter, or pairs of training and test rows; None for five folds.
FoldsGiven = int | Splitter | Iterable[tuple[RowNumbers, RowNumbers]] | None

Metric = str | Callable[..., Any]
# A metric or several; None for the estimator's own score.
ScoringGiven = Metric | Iterable[str] | Mapping[str, Metric] | None

Seed = int | RandomState | None

Sampler = Callable[[RandomState], Estimator] | Iterable[Estimator]
# One estimator, to which a space belongs; several, perhaps by name; or a sampler.
CandidatesGiven = Estimator | Mapping[str, Estimator] | Sampler

# Lists or distributions by parameter, or a list of such.
SpaceGiven = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
