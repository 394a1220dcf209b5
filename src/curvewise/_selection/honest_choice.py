"""The honest score of a search: from its folds and its out-of-fold predictions, without a fit.

Rules:

1. All who were fitted on the whole training part of a fold took part in the choice. Who failed, or
   could not be fitted on all rows, cannot be chosen and did not.
2. Who was chosen because it is simple, among several that are as good, has the luck that these have
   on average; and so has an ensemble that of as many as it has members. An ensemble's score on rows
   that its weights were not chosen on has no luck of its own, but its members were found among the
   best on all rows.
3. There is none if a callable has chosen, whose rule nobody knows, if who was chosen was never
   fitted on all rows of a fold, or if there is but one fold and nothing is known of its rows.
4. Of a run that is only read, what was noted of the same choice stands: what the dropped had
   predicted is not in the store.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise._evaluation.prediction_scores import deciding_scorer
from curvewise._evaluation.scales import name_of
from curvewise._selection.choice_noise import ChoiceNoise, noise_of, tested_rows
from curvewise._selection.honest_score import NOTE, HonestScore, honest_of, honest_score
from curvewise._selection.refit import TAKEN, Refit
from curvewise._selection.search_contract import SIMPLEST
from curvewise.core._curve import LearningCurve
from curvewise.core._growth import USUAL, LowerAnchor, growth
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.core._scale import Scale

Array = np.ndarray[Any, Any]

# Errors that are not squared fall half as fast, in proportion.
ROOTS = ("neg_root_", "neg_mean_absolute", "neg_median_absolute")
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceEvidence:
    """All that an honest score follows from.

    Parameters
    ----------
    loss
        Of what was chosen, on the folds.
    table
        Losses of all candidates by fold, the chosen one's first; NaN where there is none.
    noise
        How noisy and how alike they are.
    points
        The learning curve of the chosen one below the target.
    more_rows
        How many times as many rows the final model has.
    usual
        How much that usually brings; see `curvewise.core._growth`.
    n_rows
        How many rows were tested.
    n_best
        How many of the best have this luck on average.
    scale
        How losses read as scores.
    """

    loss: float
    table: Array
    noise: ChoiceNoise
    points: Sequence[LowerAnchor]
    more_rows: float
    usual: float
    n_rows: int
    n_best: int
    scale: Scale

    def judged(self) -> HonestScore:
        """Set the score right."""
        luck = self.noise.luck(self.table, n_best=self.n_best)
        variance = self.noise.of_best(self.loss, self.n_rows, self.scale)
        more = growth(
            self.loss + luck,
            self.points,
            luck=luck,
            variance=variance,
            more_rows=self.more_rows,
            usual=self.usual,
        )
        return honest_score(
            self.loss,
            luck=luck,
            growth=more,
            variance=variance,
            scale=self.scale,
            n_candidates=len(self.table),
            n_rows=self.n_rows,
            how=self.noise.how,
        )


def add_honest_score(refit: Refit) -> None:
    """Give a search the honest score of its choice; note it for the readers of the run."""
    score = getattr(refit.given, "best_score_", None)
    evidence = None
    if score is not None and hasattr(refit.given, "best_index_"):
        evidence = evidence_of(refit, float(score))
    honest = _noted(refit, evidence)
    if honest is not None:
        refit.given.honest_score_ = honest


def judge_ensemble(refit: Refit, score: float, *, n_members: int) -> HonestScore | None:
    """Give that of an ensemble, whose score is one on rows that its weights were not chosen on."""
    return _noted(refit, evidence_of(refit, score, n_best=n_members))


def _noted(refit: Refit, evidence: ChoiceEvidence | None) -> HonestScore | None:
    honest = None if evidence is None else evidence.judged()
    if honest is not None:
        honest = _noted_before(refit, honest) or honest
    refit.note(NOTE, None if honest is None else honest.facts())
    return honest


def _noted_before(refit: Refit, honest: HonestScore) -> HonestScore | None:
    """Give what was noted of the same choice, if the run is only read (rule 4)."""
    earlier, now = refit.notes.earlier, refit.notes.kept
    noted = honest_of(earlier)
    if refit.record is None or not refit.record.over or noted is None:
        return None
    known = ("raw", "n_candidates", "n_rows")
    same = all(getattr(noted, name) == getattr(honest, name) for name in known)
    return noted if same and earlier.get(TAKEN) == now.get(TAKEN) else None


def evidence_of(refit: Refit, score: float, *, n_best: int | None = None) -> ChoiceEvidence | None:
    """Gather what there is to judge a score; None if that is too little (rule 3)."""
    search, folds = refit.given, refit.experiment.folds
    if not search.results_[search.best_index_].curve.n(folds.target) or not math.isfinite(score):
        return None
    simple = search.refit == SIMPLEST
    entrants = _entrants(search.results_, search.best_index_, folds.target, simple=simple)
    noise = noise_of(refit, entrants)
    if noise is None:
        return None
    scale = entrants[0].scale
    metric = name_of(deciding_scorer(refit.experiment.scoring))
    if n_best is None:
        complete = (each.status is Status.COMPLETED for each in entrants)
        n_best = max(1, sum(complete)) if simple else 1
    return ChoiceEvidence(
        loss=scale.loss(score),
        table=_table(entrants, folds.target, len(folds)),
        noise=noise,
        points=_points(entrants[0].curve, folds.target, len(folds)),
        more_rows=folds.n_rows / folds.target,
        usual=USUAL / 2 if metric.startswith(ROOTS) else USUAL,
        n_rows=len(tested_rows(refit)),
        n_best=n_best,
        scale=scale,
    )


def _entrants(
    results: Sequence[ValidationResult], best: int, target: int, *, simple: bool
) -> list[ValidationResult]:
    """Give who took part in the choice, the chosen one first (rule 1)."""
    chosen = results[best]
    others = [
        each
        for each in results
        if each is not chosen
        and each.curve.n(target)
        and each.status is not Status.FAILED
        and (simple or not _passed_over(each, chosen))
    ]
    # By name, so that the order in which they came changes nothing.
    return [chosen, *sorted(others, key=lambda each: str(each.candidate))]


def _passed_over(result: ValidationResult, chosen: ValidationResult) -> bool:
    """Whether it would have been chosen, had it been possible."""
    both = result.status is chosen.status is Status.COMPLETED
    return both and result.loss < chosen.loss - ROUNDING


def _table(entrants: Sequence[ValidationResult], target: int, n_folds: int) -> Array:
    """Give losses by candidate and fold, NaN where there is none."""
    table = np.full((len(entrants), n_folds), np.nan)
    for row, each in zip(table, entrants, strict=True):
        row[list(each.curve.folds(target))] = each.curve.losses(target)
    return table


def _points(curve: LearningCurve, target: int, n_folds: int) -> list[LowerAnchor]:
    """Give the learning curve below the target, on the folds that both have."""
    points = []
    for anchor in curve.anchors:
        pairs = ((curve.at(anchor, fold), curve.at(target, fold)) for fold in curve.folds(anchor))
        both = [low.loss - full.loss for low, full in pairs if low and full]
        if anchor < target and both:
            mean = math.fsum(both) / len(both)
            points.append(LowerAnchor(anchor / target, mean, len(both) / n_folds))
    return points
