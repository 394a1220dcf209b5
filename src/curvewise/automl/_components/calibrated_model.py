"""A classifier whose probabilities are calibrated: `CalibratedModel`."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from curvewise._selection.calibration_maps import CalibrationMap, fitted_map

Array = np.ndarray[Any, Any]


class CalibratedModel(ClassifierMixin, BaseEstimator):
    """A classifier, and a map that makes its probabilities more reliable.

    The map is fitted on probabilities for rows that the classifier has not seen, and the classifier
    on all rows: as scikit-learn's ``CalibratedClassifierCV(ensemble=False)``, whose map can only be
    fitted by fitting the classifier anew on each fold.

    Parameters
    ----------
    estimator
        The classifier.
    method
        ``"sigmoid"``, ``"isotonic"`` or ``"temperature"``.

    Attributes
    ----------
    estimator_
        The fitted classifier.
    fitted_method_
        The method; ``"none"`` if a class was missing.
    numbers_
        What was fitted, as arrays.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> CalibratedModel(GaussianNB(), method="sigmoid").fit(X, y).predict_proba(X[:1]).shape
    (1, 2)
    """

    def __init__(self, estimator: BaseEstimator, *, method: str = "sigmoid") -> None:
        self.estimator = estimator
        self.method = method

    @classmethod
    def of(cls, fitted: Any, calibration: CalibrationMap) -> Self:
        """Make one of a classifier that is fitted, and a map."""
        made = cls(clone(fitted), method=calibration.method)
        return made._keep(fitted, calibration)

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the map on out-of-fold probabilities of five folds, and the classifier on all rows.

        Parameters
        ----------
        X, y
            The data.
        """
        told = cross_val_predict(clone(self.estimator), X, y, method="predict_proba")
        fitted = clone(self.estimator).fit(X, y)
        places = np.searchsorted(fitted.classes_, np.asarray(y))
        return self._keep(fitted, fitted_map(self.method, told, places))

    def _keep(self, fitted: Any, calibration: CalibrationMap) -> Self:
        self.estimator_ = fitted
        self.fitted_method_ = calibration.method
        self.numbers_ = list(calibration.numbers)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        return self

    @property
    def classes_(self) -> Array:
        """The classes, in the order of the probabilities' columns."""
        return self.estimator_.classes_

    def predict_proba(self, X: Any) -> Array:
        """Give calibrated probabilities.

        Parameters
        ----------
        X
            The rows.
        """
        check_is_fitted(self)
        calibration = CalibrationMap(self.fitted_method_, tuple(self.numbers_))
        return calibration(np.asarray(self.estimator_.predict_proba(X)))

    def predict(self, X: Any) -> Array:
        """Give the classes with the largest probability.

        Parameters
        ----------
        X
            The rows.
        """
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags
