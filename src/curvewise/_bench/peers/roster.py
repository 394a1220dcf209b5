"""The candidates of a comparison, as every tool can take them, with a count of their fits.

Tools differ in what they search over: parameters of one estimator, a list, trials. A `Numbered`
estimator is all candidates at once; its parameter ``number`` says which. Its fits are counted where
they happen, whoever asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags


class Roster:
    """Candidates in their order, and how much they have been fitted."""

    def __init__(self, candidates: Sequence[Any]) -> None:
        self.candidates = list(candidates)
        self.n_fits = 0
        self.n_rows = 0

    def __len__(self) -> int:
        return len(self.candidates)

    def __getitem__(self, number: int) -> Numbered:
        return Numbered(self, number)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # scikit-learn copies parameters when it clones; the count must stay one.
        return self


class Numbered(BaseEstimator):
    """One of the candidates of a roster, by its number."""

    def __init__(self, roster: Roster, number: int = 0) -> None:
        self.roster = roster
        self.number = number

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the candidate."""
        self.roster.n_fits += 1
        self.roster.n_rows += len(y)
        self.model_ = clone(self.roster.candidates[self.number]).fit(X, y)
        if hasattr(self.model_, "classes_"):
            self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Predict with the candidate."""
        return self.model_.predict(X)

    def score(self, X: Any, y: Any) -> float:
        """Score the candidate with its own metric."""
        return float(self.model_.score(X, y))

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.roster.candidates[self.number])
