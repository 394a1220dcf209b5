"""Types of what users hand over, in the many ways in which scikit-learn's users write it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from numpy.random import RandomState
from numpy.typing import ArrayLike


class Estimator(Protocol):
    """Anything that can be fitted, as scikit-learn's estimators can."""

    @property
    def fit(self) -> Callable[..., Any]:
        """Learn from data."""


class ScoredEstimator(Estimator, Protocol):
    """An estimator that can score itself."""

    @property
    def score(self) -> Callable[..., float]:
        """Say how good it is; greater is better."""


class Splitter(Protocol):
    """What gives folds, as scikit-learn's splitters do."""

    @property
    def split(self) -> Callable[..., Iterator[tuple[Any, Any]]]:
        """Give pairs of training and test rows."""


# A number of folds, a splitter, or pairs of training and test rows; None for five folds.
FoldsGiven = int | Splitter | Iterable[tuple[ArrayLike, ArrayLike]] | None

Metric = str | Callable[..., Any]
# A metric or several; None for the estimator's own score.
ScoringGiven = Metric | Iterable[str] | Mapping[str, Metric] | None

Seed = int | RandomState | None

Sampler = Callable[[RandomState], Estimator] | Iterable[Estimator]
# One estimator, to which a space belongs; several, perhaps by name; or a sampler.
CandidatesGiven = Estimator | Mapping[str, Estimator] | Sampler

# Lists or distributions by parameter, or a list of such.
SpaceGiven = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
