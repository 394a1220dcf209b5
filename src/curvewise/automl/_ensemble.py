"""An ensemble of the best pipelines of a search, made while its workers are still there.

1. Members are chosen among the pipelines that have all their folds, by their out-of-fold
   predictions (`curvewise.automl._ensemble_selection`).
2. It takes the place of the best pipeline only if it is better on rows that its weights were not
   chosen on.
3. Each member is fitted on all rows, under the limits of the search. One that cannot be is left
   out; the others share its weight.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from curvewise._evaluation.prediction_scores import prediction_score
from curvewise._selection.honest_choice import judge_ensemble
from curvewise._selection.kept_predictions import OutOfFold
from curvewise._selection.refit import Refit
from curvewise.automl._components.weighted_models import WeightedClassifier, WeightedRegressor
from curvewise.automl._ensemble_selection import EnsembleChoice, choose_ensemble
from curvewise.core._outcome import Candidate
from curvewise.core._policies.race import Race
from curvewise.core._policy import Policy

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
    usable = {name: one for name, one in search.oof_predictions_.items() if _usable(one)}
    names = [best, *(name for name in usable if name != best)]
    if best not in usable or len(names) < 2:
        return None
    score = prediction_score(experiment.scoring, usable[best].classes)
    if score is None:
        warnings.warn("An ensemble needs a metric of scikit-learn.", stacklevel=2)
        return None
    known = np.logical_and.reduce([usable[name].known for name in names])
    rows = np.flatnonzero(known)
    parts = [
        np.flatnonzero(np.isin(rows, experiment.folds.test(fold)))
        for fold in range(len(experiment.folds))
    ]
    y = np.asarray(experiment.y)[rows]
    predictions = [usable[name].values[rows] for name in names]
    choice = choose_ensemble(predictions, y, [part for part in parts if len(part)], score)
    if choice.score <= choice.single_score or np.count_nonzero(choice.counts) < 2:
        return None
    return _fitted(refit, names, choice, usable[best].classes)


def _usable(predictions: OutOfFold) -> bool:
    """Whether predictions can be averaged."""
    return predictions.classes is None or predictions.method == "predict_proba"


def _fitted(
    refit: Refit, names: list[Candidate], choice: EnsembleChoice, classes: Array | None
) -> Ensemble | None:
    """Fit the members on all rows (rule 3)."""
    search = refit.given
    places = {result.candidate: index for index, result in enumerate(search.results_)}
    weighed = zip(names, choice.weights, strict=True)
    wanted = {places[name]: weight for name, weight in weighed if weight > 0}
    models = refit.fit_several([index for index in wanted if index != search.best_index_])
    models[search.best_index_] = search.best_estimator_
    members = [index for index in wanted if index in models]
    if len(members) < 2:
        return None
    total = sum(wanted[index] for index in members)
    weights = [wanted[index] / total for index in members]
    kind = WeightedRegressor if classes is None else WeightedClassifier
    seconds = {index: _prediction_seconds(refit, index) for index in (*members, search.best_index_)}
    return Ensemble(
        kind.of([models[index] for index in members], weights),
        {search.results_[index].candidate: float(wanted[index] / total) for index in members},
        choice.score,
        choice.single_score,
        sum(seconds[index] for index in members) / max(seconds[search.best_index_], 1e-9),
    )


def _prediction_seconds(refit: Refit, index: int) -> float:
    """Give what a candidate's predictions took, on average over the folds at the target."""
    curve = refit.given.results_[index].curve
    cells = curve.cells(refit.experiment.folds.target)
    return float(np.mean([cell.score_seconds or 0.0 for cell in cells])) if cells else 0.0
