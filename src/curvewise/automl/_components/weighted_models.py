"""Several models as one: `WeightedClassifier` and `WeightedRegressor`.

They are an ensemble of models that a search has found, or one learner with several seeds: networks
begin with random weights, and the mean of a few is better, and varies less, than any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone, is_classifier
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

Array = np.ndarray[Any, Any]
# What a seed is called, also that of an estimator within another one.
SEED = "random_state"


class WeightedModels(BaseEstimator):
    """What both kinds have in common.

    Parameters
    ----------
    estimators
        The models.
    weights
        How much each of them counts.

    Attributes
    ----------
    estimators_
        The fitted models.
    """

    def __init__(self, estimators: Sequence[BaseEstimator], weights: Sequence[float]) -> None:
        self.estimators = estimators
        self.weights = weights

    @classmethod
    def of(cls, fitted: Sequence[Any], weights: Sequence[float]) -> Self:
        """Make one of models that are fitted."""
        made = cls([clone(one) for one in fitted], [float(weight) for weight in weights])
        return made._keep(list(fitted))

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Fit all models.

        Parameters
        ----------
        X, y
            The data.
        **params
            What the models' ``fit`` takes besides, such as ``sample_weight``.
        """
        return self._keep([clone(one).fit(X, y, **params) for one in self.estimators])

    def _keep(self, fitted: list[Any]) -> Self:
        self.estimators_ = fitted
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted[0], name):
                setattr(self, name, getattr(fitted[0], name))
        return self

    def _mean(self, method: str, X: Any) -> Array:
        check_is_fitted(self)
        weights = np.asarray(self.weights) / np.sum(self.weights)
        given = [np.asarray(getattr(one, method)(X)) for one in self.estimators_]
        return np.tensordot(weights, np.stack(given), axes=1)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class WeightedClassifier(ClassifierMixin, WeightedModels):
    """Classifiers whose probabilities are averaged.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> models = [GaussianNB(), LogisticRegression(max_iter=500)]
    >>> WeightedClassifier(models, [2, 1]).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    @property
    def classes_(self) -> Array:
        """The classes, in the order of the probabilities' columns."""
        return self.estimators_[0].classes_

    def predict_proba(self, X: Any) -> Array:
        """Average the probabilities.

        Parameters
        ----------
        X
            The rows.
        """
        return self._mean("predict_proba", X)

    def predict(self, X: Any) -> Array:
        """Give the classes with the largest probability.

        Parameters
        ----------
        X
            The rows.
        """
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class WeightedRegressor(RegressorMixin, WeightedModels):
    """Regressors whose predictions are averaged.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.dummy import DummyRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> WeightedRegressor([DummyRegressor(), DummyRegressor()], [1, 1]).fit(X, y).predict(X[:1])
    array([152.13...])
    """

    def predict(self, X: Any) -> Array:
        """Average the predictions.

        Parameters
        ----------
        X
            The rows.
        """
        return self._mean("predict", X)


def averaged(estimator: Any, n_seeds: int) -> WeightedModels:
    """Let several of a learner predict together, each with a seed of its own."""
    seeds = {
        name: value
        for name, value in estimator.get_params().items()
        if name == SEED or name.endswith(f"__{SEED}")
    }
    members = [
        clone(estimator).set_params(**{name: (seed or 0) + i for name, seed in seeds.items()})
        for i in range(n_seeds)
    ]
    return _kind_for(estimator)(members, [1.0] * n_seeds)


def mean_of(fitted: Sequence[Any]) -> WeightedModels:
    """Let fitted models of one kind predict together, each counting the same."""
    return _kind_for(fitted[0]).of(fitted, [1.0] * len(fitted))


def _kind_for(estimator: Any) -> type[WeightedModels]:
    return WeightedClassifier if is_classifier(estimator) else WeightedRegressor
