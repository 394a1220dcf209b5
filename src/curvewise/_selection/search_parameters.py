"""The parameters of a `CurveSearchCV`: whether they go together, and what its metrics are called.

A single metric is called "score" in ``cv_results_``, whatever its name is. Several have their own
names. What a callable measures is known only once it has been called.
"""

from __future__ import annotations

import numbers
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from curvewise._evaluation.scorers import Scoring
from curvewise.core._curve import LearningCurve
from curvewise.errors import InvalidParameterError


def check_parameters(search: Any) -> None:
    """Refuse what cannot work."""
    error_score, refit = search.error_score, search.refit
    if error_score != "raise" and not isinstance(error_score, numbers.Real):
        raise InvalidParameterError(
            f"error_score must be a number or 'raise', got {error_score!r}."
        )
    if not (isinstance(refit, bool | str) or callable(refit)):
        raise InvalidParameterError(
            f"refit must be True, False, the name of a metric or a callable, got {refit!r}."
        )
    if isinstance(search.scoring, list | tuple | set | Mapping):
        check_refit_metric(refit, search.scoring)
    if search.run is not None and search.store is None:
        raise InvalidParameterError("run names a run in a store: give a file as store.")
    if search.store is not None and not isinstance(search.random_state, numbers.Integral):
        raise InvalidParameterError(
            "A search that can go on from a store needs a number as random_state, "
            f"got {search.random_state!r}."
        )


def check_refit_metric(refit: Any, metrics: Collection[str]) -> None:
    """Refuse several metrics of which none is to choose the best candidate."""
    if refit is False or callable(refit) or refit in metrics:
        return
    raise InvalidParameterError(
        "For multi-metric scoring, the parameter refit must be set to a scorer key or a "
        "callable to refit an estimator with the best parameter setting on the whole data, or "
        f"to False; {refit!r} was passed, and the metrics are {list(metrics)}."
    )


def may_be_several(scoring: Any) -> bool:
    """Whether there may be several metrics; a callable tells only when it is called."""
    return scoring is not None and not isinstance(scoring, str)


def forget_fit(search: Any) -> None:
    """Forget an earlier fit, so that nothing of it is taken for the next one's."""
    for name in [name for name in vars(search) if name.endswith("_") and name[0] != "_"]:
        delattr(search, name)


def metric_names(
    curves: Iterable[LearningCurve], scoring: Scoring, given: Any
) -> tuple[dict[str, str], str, Any, bool]:
    """Name the metrics, from what was measured and what the user gave as ``scoring``.

    Columns by metric, which column decides, ``scorer_``, and whether there are several.
    """
    measured = next((cell.scores for curve in curves for cell in curve if cell.scores), {})
    several = may_be_several(given) and (not callable(given) or list(measured) != ["score"])
    columns = {name: name if several else "score" for name in measured}
    deciding = columns[scoring.deciding(measured)] if columns else "score"
    scorer: Any = scoring.scorers
    if not may_be_several(given) or callable(given):
        (scorer,) = scoring.scorers.values()
    return columns, deciding, scorer, several
