"""Boosters of other libraries behind one face: any labels go in, and what is saved is plain.

The state of such an estimator is its parameters, its classes and the model in the library's own
format, as bytes. No code of the library runs when an estimator is loaded; the bytes are read when
it first predicts. Nobody looks at these bytes before the library's compiled code does, so these
classes stand on no list of what any file may hold: who loads a model of theirs has to trust it.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from curvewise._packages import require
from curvewise.errors import UnsafeModelError

# The live model, which is never saved, and what is saved in its place.
LIVE = "_model"
BYTES = "model_bytes_"


class Rows(NamedTuple):
    """A matrix of numbers and codes, the positions of the codes, a target of numbers, weights."""

    matrix: Any
    categories: list[int]
    target: np.ndarray
    weights: np.ndarray | None = None


class PlainBooster(BaseEstimator):
    """A booster whose state is parameters and bytes.

    A subclass says how its library trains, predicts, writes and reads.
    """

    # The module of the library, and how each of its models begins.
    LIBRARY: ClassVar[str]
    BEGINNING: ClassVar[bytes]
    n_estimators: int

    @classmethod
    def load_library(cls) -> Any:
        """Import the library, or say what installs it."""
        return require(cls.LIBRARY, f"{cls.__name__} of {cls.LIBRARY}", extra="boosters")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit as many rounds as there are to be."""
        self._learn_target(y)
        self._fit(self._rows(X, y, sample_weight))
        return self

    def fit_watched(
        self,
        X: Any,
        y: Any,
        X_held_out: Any,
        y_held_out: Any,
        *,
        patience: int,
        weights: tuple[Any, Any] = (None, None),
    ) -> int:
        """Fit until the loss on held-out rows falls no more; give the best number of rounds."""
        self._learn_target(y)
        held_out = self._rows(X_held_out, y_held_out, weights[1])
        return self._fit(self._rows(X, y, weights[0]), held_out, patience)

    def _rows(self, X: Any, y: Any, weights: Any) -> Rows:
        known = None if weights is None else np.asarray(weights, dtype=float)
        return Rows(*as_matrix(X), self._as_numbers(y), known)

    def _fit(self, rows: Rows, held_out: Rows | None = None, patience: int = 0) -> int:
        self.n_features_in_ = int(rows.matrix.shape[1])
        for name in {LIVE, BYTES} & vars(self).keys():
            delattr(self, name)
        # Some libraries refuse a target that is always the same.
        constant = bool((rows.target == rows.target[0]).all())
        self.constant_ = float(rows.target[0]) if constant else None
        if constant:
            return 1
        self._model, n_rounds = self._train(rows, held_out, patience)
        return n_rounds

    def _answers(self, X: Any) -> np.ndarray:
        """Give probabilities or numbers, from a model that is read first if it was loaded."""
        check_is_fitted(self, "n_features_in_")
        if LIVE not in vars(self):
            self._model = self._read(self._checked_bytes())
        return self._predict(self._model, Rows(*as_matrix(X), np.empty(0)))

    def _checked_bytes(self) -> bytes:
        """Give the model's bytes, if they are at least of the format that is written."""
        content = getattr(self, BYTES, None)
        # XGBoost ends the process when it is given nothing, and would read older formats.
        if not isinstance(content, bytes) or not content.startswith(self.BEGINNING):
            raise UnsafeModelError(f"What is saved is no model of {self.LIBRARY}.")
        return content

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        model = state.pop(LIVE, None)
        if model is not None and BYTES not in state:
            state[BYTES] = self._write(model)
        return state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _learn_target(self, y: Any) -> None:
        """Learn what there is to know of a target before it can be numbers."""

    def _as_numbers(self, y: Any) -> np.ndarray:
        return np.asarray(y, dtype=float)

    @property
    def _n_classes(self) -> int:
        """The number of classes, 0 for regression."""
        return 0

    def _train(self, rows: Rows, held_out: Rows | None, patience: int) -> tuple[Any, int]:
        raise NotImplementedError

    def _predict(self, model: Any, rows: Rows) -> np.ndarray:
        raise NotImplementedError

    def _write(self, model: Any) -> bytes:
        raise NotImplementedError

    def _read(self, content: bytes) -> Any:
        raise NotImplementedError


class PlainClassifier(ClassifierMixin, PlainBooster):
    """A booster of classes, which may be numbers, words or anything else that can be sorted."""

    def predict_proba(self, X: Any) -> np.ndarray:
        """Give the probability of each class."""
        check_is_fitted(self, "n_features_in_")
        if self.constant_ is not None:
            return np.ones((X.shape[0], 1))
        answers = np.asarray(self._answers(X), dtype=float)
        if answers.ndim == 1:
            return np.column_stack([1 - answers, answers])
        # Some libraries compute with fewer digits than metrics look at.
        return answers / answers.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> np.ndarray:
        """Give the class that is most likely."""
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def _learn_target(self, y: Any) -> None:
        self.classes_ = np.unique(np.asarray(y))

    def _as_numbers(self, y: Any) -> np.ndarray:
        return np.searchsorted(self.classes_, np.asarray(y)).astype(float)

    @property
    def _n_classes(self) -> int:
        return len(self.classes_)


class PlainRegressor(RegressorMixin, PlainBooster):
    """A booster of numbers."""

    def predict(self, X: Any) -> np.ndarray:
        """Give the number that is expected."""
        check_is_fitted(self, "n_features_in_")
        if self.constant_ is not None:
            return np.full(X.shape[0], self.constant_)
        return np.asarray(self._answers(X), dtype=float)


def as_matrix(X: Any) -> tuple[Any, list[int]]:
    """Give a table as a matrix with codes of its categories, and the positions of these.

    A gap is NaN, also among codes. What is sparse stays sparse.
    """
    if sparse.issparse(X):
        return X, []
    if not hasattr(X, "dtypes"):
        return np.asarray(X, dtype=float), []
    matrix = np.empty(X.shape)
    categories = []
    for place in range(X.shape[1]):
        column = X.iloc[:, place]
        if hasattr(column, "cat"):
            categories.append(place)
            column = column.cat.codes.astype(float).replace(-1.0, np.nan)
        matrix[:, place] = column.to_numpy(dtype=float, na_value=np.nan)
    return matrix, categories
