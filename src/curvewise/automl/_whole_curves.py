"""Whole learning curves of the candidates that can matter.

A search that prunes leaves partial curves: the winner was hardly looked at below the target. From
whole ones it is seen whether more data would help. They cost as many training rows as two k-fold
validations of a candidate, so only the best few get them, on the folds of the search.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from curvewise._selection.search_cv import CurveSearchCV
from curvewise.automl._pipeline_search import equipped
from curvewise.core._checks import whole_number
from curvewise.core._policies import WholeCurve
from curvewise.core._ranks import rank
from curvewise.core._result import ValidationResult

# Half of the rows, a quarter, and so on: together as many as there are.
COSTS = 2.0


def whole_curves(
    search: CurveSearchCV, X: Any, y: Any, *, n_best: int = 3, **params: Any
) -> list[ValidationResult]:
    """Evaluate the best candidates of a search at all anchors, with training scores."""
    whole_number("n_best", n_best, at_least=1)
    settings = search.get_params(deep=False) | {
        "estimator": {name: clone(search.candidates_[name]) for name in leading(search, n_best)},
        "space": None,
        "n_iter": None,
        "policy": WholeCurve(),
        "time_budget": None,
        "return_train_score": True,
        "refit": False,
    }
    if settings["timeout_per_candidate"] is not None:
        settings["timeout_per_candidate"] *= COSTS
    if search.store is not None:
        settings["run"] = ", ".join(filter(None, (search.run, "whole curves")))
    return equipped(CurveSearchCV(**settings)).fit(X, y, **params).results_


def leading(search: CurveSearchCV, n_best: int) -> list[Any]:
    """Name the best candidates: the complete ones first, then those that had most of it."""
    target = max(result.curve.anchors[-1] for result in search.results_ if result.curve.anchors)
    known = [result for result in search.results_ if target in result.curve.anchors]
    known.sort(key=lambda result: rank(result, result.curve))
    return [result.candidate for result in known[:n_best]]
