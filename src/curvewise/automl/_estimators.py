"""The faces of the search over pipelines: `CurveAutoMLClassifier` and `CurveAutoMLRegressor`."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if

from curvewise.automl._curve_automl import CurveAutoML


class CurveAutoMLClassifier(CurveAutoML, ClassifierMixin, BaseEstimator):
    """Find the best pipeline that predicts classes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> automl = CurveAutoMLClassifier(n_iter=5, timeout_per_candidate=None, random_state=9)
    >>> len(automl.fit(X, y).leaderboard_), automl.predict(X.head(1)).tolist()
    (5, [0])
    """

    task = "classification"

    @available_if(lambda self: hasattr(self.best_estimator_, "predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """Predict class probabilities with the best pipeline, if it can.

        Parameters
        ----------
        X
            Rows with the columns that were fitted.
        """
        return self.best_estimator_.predict_proba(X)

    @available_if(lambda self: hasattr(self.best_estimator_, "decision_function"))
    def decision_function(self, X: Any) -> Any:
        """Compute the decision function of the best pipeline, if it has one.

        Parameters
        ----------
        X
            Rows with the columns that were fitted.
        """
        return self.best_estimator_.decision_function(X)


class CurveAutoMLRegressor(CurveAutoML, RegressorMixin, BaseEstimator):
    """Find the best pipeline that predicts numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> automl = CurveAutoMLRegressor(n_iter=5, timeout_per_candidate=None, random_state=11)
    >>> automl.fit(X, y).predict(X).shape
    (442,)
    """

    task = "regression"
