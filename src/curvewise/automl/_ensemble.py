"""An ensemble of the best pipelines of a search, made while its workers are still there.

1. Members are chosen among the pipelines that have all folds of the best, by their out-of-fold
   predictions (`curvewise.automl._ensemble_selection`). Rows count as in the scores of the search.
2. It takes the place of the best pipeline only if it is better on rows that its weights were not
   chosen on.
3. Each member is fitted on all rows, under the limits of the search. If one cannot be, members are
   chosen again among those that could.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from curvewise._evaluation.prediction_scores import prediction_score
from curvewise._evaluation.rows import one_column
from curvewise._selection.honest_choice import judge_ensemble
from curvewise._selection.kept_predictions import OutOfFold
from curvewise._selection.refit import Refit
from curvewise.automl._components.weighted_models import WeightedClassifier, WeightedRegressor
from curvewise.automl._ensemble_selection import EnsembleChoice, choose_ensemble
from curvewise.core._outcome import Candidate
from curvewise.core._policies.race import Race
from curvewise.core._policy import Policy
from curvewise.core._result import ValidationResult

Array = np.ndarray[Any, Any]

# Where a run's store says who predicts together.
ENSEMBLE = "ensemble"


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Several pipelines that predict together.

    Parameters
    ----------
    estimator
        The fitted ensemble.
    weights
        What each member counts, by its name; they sum to 1.
    score
        Its score on rows that its weights were not chosen on: the mean over the folds.
    single_score
        That of the best single pipeline, in the same way.
    prediction_cost
        How many times as long as the best single pipeline it takes to predict.
    """

    estimator: WeightedClassifier | WeightedRegressor
    weights: dict[Candidate, float]
    score: float
    single_score: float
    prediction_cost: float

    def facts(self) -> dict[str, Any]:
        """Give all of it but the estimator as plain values."""
        return {
            "weights": {str(name): weight for name, weight in self.weights.items()},
            "score": self.score,
            "single_score": self.single_score,
            "prediction_cost": self.prediction_cost,
        }


def with_winners(policy: Policy | None, n: int) -> Policy:
    """Let a race end with several winners; other policies stay as they are."""
    policy = Race() if policy is None else policy
    return replace(policy, winners=max(n, policy.winners)) if isinstance(policy, Race) else policy


def take_ensemble(automl: Any, refit: Refit) -> None:
    """Let an ensemble take the place of an estimator's best pipeline, if it is better."""
    try:
        ensemble = make_ensemble(refit)
    except KeyboardInterrupt:
        warnings.warn("Interrupted: the best pipeline was taken alone.", stacklevel=2)
        return
    refit.note(ENSEMBLE, None if ensemble is None else ensemble.facts())
    if ensemble is not None:
        automl.ensemble_ = ensemble


def judge_taken(automl: Any, refit: Refit) -> None:
    """Give an estimator the honest score of what it took: the best pipeline, or an ensemble.

    That of an ensemble is noted in the place of the best pipeline's.
    """
    honest = getattr(refit.given, "honest_score_", None)
    ensemble = getattr(automl, "ensemble_", None)
    if ensemble is not None:
        honest = judge_ensemble(refit, ensemble.score, n_members=len(ensemble.weights))
    if honest is not None:
        automl.honest_score_ = honest


def make_ensemble(refit: Refit) -> Ensemble | None:
    """Make an ensemble of a search whose best pipeline is fitted; None if that is better alone."""
    search, experiment = refit.given, refit.experiment
    best = search.results_[search.best_index_].candidate
    usable = _usable(search.oof_predictions_, best)
    names = [best, *(name for name in usable if name != best)]
    if best not in usable or len(names) < 2:
        return None
    score = prediction_score(experiment.scoring, usable[best].classes)
    if score is None:
        warnings.warn("An ensemble needs a metric of scikit-learn.", stacklevel=2)
        return None
    rows = np.flatnonzero(usable[best].known)
    tested = (
        np.flatnonzero(np.isin(rows, experiment.folds.test(fold)))
        for fold in range(len(experiment.folds))
    )
    weights = refit.row_weights()
    choose = partial(
        choose_ensemble,
        y=one_column(experiment.y)[rows],
        parts=[part for part in tested if len(part)],
        score=score,
        weights=None if weights is None else weights[rows],
    )
    models: dict[Candidate, Any] = {}
    while len(names) > 1:
        try:
            choice = choose([usable[name].values[rows] for name in names])
        except Exception as error:
            # The metric may be the user's own, and the search has cost hours.
            why = f"{type(error).__name__}: {error}"
            warnings.warn(f"No ensemble was made: the metric raised {why}", stacklevel=2)
            return None
        if not choice.score > choice.single_score or np.count_nonzero(choice.counts) < 2:
            return None
        wanted = {name: n for name, n in zip(names, choice.weights, strict=True) if n > 0}
        models = models or _fitted(refit, wanted)
        if wanted.keys() <= models.keys():
            return _together(refit, wanted, models, choice)
        # Others than those that were measured: chosen again, among those that are there.
        names = [name for name in names if name in models]
    return None


def _usable(kept: Mapping[Candidate, OutOfFold], best: Candidate) -> dict[Candidate, OutOfFold]:
    """Give whose predictions can be averaged: those who have one where the best has one."""
    own = kept.get(best)
    return {
        name: one
        for name, one in kept.items()
        if (one.classes is None or one.method == "predict_proba")
        and own is not None
        and one.known[own.known].all()
    }


def _fitted(refit: Refit, wanted: Iterable[Candidate]) -> dict[Candidate, Any]:
    """Fit members on all rows (rule 3); the best is there."""
    results, best = refit.given.results_, refit.given.best_index_
    places = {result.candidate: index for index, result in enumerate(results)}
    others = refit.fit_several([places[name] for name in wanted if places[name] != best])
    models = {**others, best: refit.given.best_estimator_}
    return {results[index].candidate: model for index, model in models.items()}


def _together(
    refit: Refit,
    weights: Mapping[Candidate, float],
    models: Mapping[Candidate, Any],
    choice: EnsembleChoice,
) -> Ensemble:
    """Let fitted members predict together."""
    search = refit.given
    seconds = {result.candidate: _prediction_seconds(refit, result) for result in search.results_}
    alone = seconds[search.results_[search.best_index_].candidate]
    members = [models[name] for name in weights]
    kind = WeightedClassifier if hasattr(members[0], "classes_") else WeightedRegressor
    return Ensemble(
        kind.of(members, list(weights.values())),
        {name: float(weight) for name, weight in weights.items()},
        choice.score,
        choice.single_score,
        sum(seconds[name] for name in weights) / max(alone, 1e-9),
    )


def _prediction_seconds(refit: Refit, result: ValidationResult) -> float:
    """Give what a candidate's predictions took, on average over the folds at the target."""
    cells = result.curve.cells(refit.experiment.folds.target)
    return float(np.mean([cell.score_seconds or 0.0 for cell in cells])) if cells else 0.0
