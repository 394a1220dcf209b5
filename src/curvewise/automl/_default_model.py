"""A default model beside the answer: what the search has brought.

After a search, scikit-learn's histogram gradient boosting with its default parameters is evaluated
on the folds of the best pipeline, in our preparation of the table. Rules:

1. It takes part in no decision, and is no candidate: nothing that the search has found changes.
2. With a budget it may take a twentieth of it, or three seconds if that is more, which are set
   aside; without one a twentieth of the seconds that the fits of the search took, and ten seconds
   at least. Folds come one after the other, on all workers; those that are not done by then do not
   count. The first may take three times as long, if there is time: without it nothing is known.
3. The difference to the best is that on the folds that both have, with its interval
   (`curvewise.core._difference`). If there was no time for a single fold, that is said.
4. After a search that was interrupted there is none.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.pipeline import make_pipeline

from curvewise._selection.refit import Refit
from curvewise.automl._table_preparation import TablePreparation
from curvewise.core._curve import LearningCurve
from curvewise.core._difference import difference_of
from curvewise.core._outcome import Observation, Task, as_outcome
from curvewise.executors._listener import Ending
from curvewise.executors._protocol import cancelled_after

# Where a run's store says what the default model came to.
NOTE = "default model"
NAME = "HistGradientBoosting with its defaults"
SHARE_OF_BUDGET = 1 / 20
SHARE_OF_FITS = 1 / 20
# Without a budget.
LEAST_SECONDS = 10.0
# With one, unless that is too large a share of it.
LEAST_OF_BUDGET = 3.0
LARGEST_SHARE = 1 / 10
FOR_THE_FIRST = 3.0
LEARNERS = {
    "classification": HistGradientBoostingClassifier,
    "regression": HistGradientBoostingRegressor,
}


@dataclass(frozen=True, slots=True)
class DefaultModel:
    """What a default model scores, and what the search has brought in comparison.

    ``gain`` is the best pipeline's score minus its own, on the ``n_folds`` that both have; ``low``
    and ``high`` are its 95% interval. All are NaN if there was no time, or it failed; ``reason``
    says which.
    """

    score: float = math.nan
    n_folds: int = 0
    gain: float = math.nan
    low: float = math.nan
    high: float = math.nan
    chance: float = math.nan
    reason: str = ""

    def facts(self) -> dict[str, Any]:
        """Give all of it as plain values; what is not known is None."""
        names = ("score", "gain", "low", "high", "chance")
        numbers = {name: _known(getattr(self, name)) for name in names}
        return {"model": NAME, **numbers, "n_folds": self.n_folds, "reason": self.reason or None}


def sentence(facts: Mapping[str, Any]) -> str:
    """Say what a default model scores, and what the search has brought."""
    if facts["score"] is None:
        return f"{NAME}: not evaluated, {facts['reason']}"
    folds = "1 fold" if facts["n_folds"] == 1 else f"{facts['n_folds']} folds"
    text = f"{NAME} scores {facts['score']:.4f}; the search brought {facts['gain']:+.4f}"
    if facts["low"] is None:
        return f"{text} on {folds}"
    return f"{text} (95% interval {facts['low']:+.4f} to {facts['high']:+.4f}, on {folds})"


def seconds_for_default(time_budget: float) -> float:
    """Say how many seconds of a budget are set aside for the default model."""
    seconds = max(LEAST_OF_BUDGET, SHARE_OF_BUDGET * time_budget)
    return min(seconds, LARGEST_SHARE * time_budget)


def allowed_seconds(
    spent: float, *, budget: float | None, left: float | None
) -> tuple[float, float]:
    """Say how many seconds there are until the first fold is done, and for all (rule 2).

    ``spent`` are the seconds that the fits of the search took, ``left`` those until a deadline.
    """
    least = LEAST_SECONDS if budget is None else seconds_for_default(budget)
    seconds = max(least, SHARE_OF_FITS * spent)
    most = math.inf if left is None else max(0.0, left)
    return min(FOR_THE_FIRST * seconds, most), min(seconds, most)


def evaluate_default(automl: Any, refit: Refit) -> None:
    """Let an AutoML estimator know what a default model would have come to."""
    views = refit.given.preprocess == "first step"
    try:
        automl.default_model_ = compared_default(refit, task=automl.task, views=views)
    except KeyboardInterrupt:
        warnings.warn("Interrupted: the default model is not evaluated.", stacklevel=2)
        return
    refit.note(NOTE, automl.default_model_.facts())


def compared_default(refit: Refit, *, task: str, views: bool) -> DefaultModel:
    """Evaluate the default model on the folds of the best candidate."""
    search, target = refit.given, refit.experiment.folds.target
    best = search.results_[search.best_index_].curve
    if search.ending_ is Ending.INTERRUPTED:
        return DefaultModel(reason="because the search was interrupted")
    if not best.n(target):
        return DefaultModel(reason="because the best was never fitted on all rows of a fold")
    learner = LEARNERS[task](random_state=0)
    estimator = make_pipeline(TablePreparation(view="categories"), learner) if views else learner
    first, every = _allowed(refit)
    now = monotonic()
    curve, failed = _evaluated(
        refit, estimator, best.folds(target), first=now + first, until=now + every
    )
    if not len(curve):
        slow = f"because no fold of it was done in its share of the time ({first:.2g} s)"
        return DefaultModel(reason=failed or slow)
    scale = refit.experiment.scoring.scale
    difference = difference_of(curve, best, target=target, scale=scale)
    score, n = scale.score(curve.mean(target)), curve.n(target)
    if difference is None:
        return DefaultModel(score, n)
    low, high = difference.interval()
    chance = math.nan if difference.chance is None else difference.chance
    return DefaultModel(score, n, difference.mean, low, high, chance)


def _allowed(refit: Refit) -> tuple[float, float]:
    deadline = refit.extras.deadline
    spent = math.fsum(result.seconds for result in refit.given.results_)
    left = None if deadline is None else deadline - monotonic()
    return allowed_seconds(spent, budget=refit.given.time_budget, left=left)


def _evaluated(
    refit: Refit, estimator: Any, folds: tuple[int, ...], *, first: float, until: float
) -> tuple[LearningCurve, str]:
    """Evaluate fold by fold while there is time; give what came, and why nothing did.

    ``first`` is the end of the time while no fold is done, ``until`` that of the others.
    """
    executor, target = refit.executor, refit.experiment.folds.target
    limited = executor.promises.time_limit
    waiting = [Task(NOTE, target, fold) for fold in folds]
    curve, failed, under_way = LearningCurve(), "", set[Task]()
    with warnings.catch_warnings(), cancelled_after(executor, under_way):
        # Whatever it complains of is of no use to those who did not choose it.
        warnings.simplefilter("ignore")
        while waiting or under_way:
            end = until if len(curve) else first
            while waiting and len(under_way) < executor.n_slots and monotonic() < end:
                task = waiting.pop(0)
                under_way.add(task)
                executor.submit(task, estimator, seconds=end - monotonic() if limited else None)
            if not under_way:
                break
            for outcome in map(as_outcome, executor.wait()):
                under_way.discard(outcome.task)
                if isinstance(outcome, Observation):
                    curve.add(outcome)
                elif monotonic() < end:
                    waiting, failed = [], f"because it failed: {outcome.headline}"
    return curve, failed


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
