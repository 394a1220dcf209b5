"""What the settings of an AutoML estimator mean for the search that it makes.

An estimator says what is wanted: a space, a budget, an ensemble. A `CurveSearchCV` is told how: who
proposes pipelines, on which folds, how long each may take, how many have to be complete in the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curvewise._selection.search_contract import SIMPLEST
from curvewise._selection.search_cv import CurveSearchCV
from curvewise.automl._budget import has_time_for_means, longest_candidate, with_rounds_for
from curvewise.automl._ensemble import with_winners
from curvewise.automl._ensemble_selection import MOST_MEMBERS
from curvewise.automl._learner_abilities import space_for_params
from curvewise.automl._pipeline_search import proposer_for, shuffled_folds, space_for
from curvewise.automl._space.search_space import SearchSpace
from curvewise.automl._table_preparation import TablePreparation
from curvewise.errors import InvalidParameterError
from curvewise.executors._execution import resolve_n_jobs

if TYPE_CHECKING:
    from curvewise.automl._curve_automl import CurveAutoML

# So many pipelines get all their folds where the simplest of them is wanted.
N_SIMPLEST = 3


def make_search(automl: CurveAutoML, y: Any, **params: Any) -> CurveSearchCV:
    """Give the search, which has not begun, that an estimator's settings ask for."""
    settings: dict[str, Any] = automl.get_params(deep=False)  # type: ignore[attr-defined]
    space = space_for(automl.task, settings.pop("space"), leave_out=settings.pop("leave_out"))
    space = space_for_params(space, params)
    means = True
    if automl.time_budget is not None:
        n_jobs = resolve_n_jobs(automl.n_jobs)
        most = longest_candidate(automl.time_budget, n_jobs=n_jobs)
        limits = (automl.timeout_per_candidate, most)
        settings["timeout_per_candidate"] = min(filter(None, limits))
        seconds = automl.time_budget * n_jobs
        space = with_rounds_for(space, y, task=automl.task, seconds=seconds)
        means = has_time_for_means(y, task=automl.task, seconds=seconds)
    if automl.cv is None:
        grouped = params.get("groups") is not None
        settings["cv"] = shuffled_folds(
            automl.task, random_state=automl.random_state, grouped=grouped
        )
    views = isinstance(space, SearchSpace) and space.has_views
    proposer = settings.pop("proposer")
    for name in ("calibrate", "default_model", "tune_threshold", "pos_label"):
        del settings[name]
    settings["refit"] = _whom_to_fit(automl)
    if settings["refit"] == SIMPLEST:
        settings["policy"] = with_winners(automl.policy, N_SIMPLEST)
    if settings.pop("ensemble"):
        if automl.keep_predictions == "none":
            raise InvalidParameterError("ensemble needs keep_predictions 'best' or 'all'.")
        settings["policy"] = with_winners(automl.policy, MOST_MEMBERS)
    return CurveSearchCV(
        proposer_for(automl.task, space, proposer, random_state=automl.random_state, means=means),
        preprocess="first step" if views else TablePreparation(),
        **settings,
    )


def _whom_to_fit(automl: CurveAutoML) -> bool | str:
    """Say whom the search is to fit on all rows."""
    if automl.refit not in ("best", SIMPLEST):
        raise InvalidParameterError(f"refit must be 'best' or 'simplest', got {automl.refit!r}.")
    if automl.refit == SIMPLEST and automl.ensemble:
        raise InvalidParameterError("An ensemble is not simple: give ensemble or refit.")
    return SIMPLEST if automl.refit == SIMPLEST else True
