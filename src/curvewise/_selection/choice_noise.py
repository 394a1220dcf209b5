"""How noisy the losses of a search's candidates are, and how alike.

Rules:

1. It is seen from the rows that candidates have predicted (`curvewise._selection.score_effects`),
   of `MOST_KEPT` of them, the best. Of the others the noise is known that their test rows imply;
   else that of the chosen one stands for theirs.
2. If nothing is known of rows, the spread of the folds stands for it.
3. A row that is tested in several folds is one row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise._selection.refit import Refit
from curvewise._selection.score_effects import JudgedRows, Likeness, likeness
from curvewise.core._intervals import variance_of_rate
from curvewise.core._luck import covariance_of, luck, projected, usual_correlation
from curvewise.core._result import ValidationResult
from curvewise.core._scale import Scale

Array = np.ndarray[Any, Any]

# Who is further behind cannot have been chosen by luck.
MOST = 100
MOST_KEPT = 40
N_DRAWS = 500
FEWEST_FOLDS = 2


@dataclass(frozen=True, slots=True)
class ChoiceNoise:
    """How noisy the candidates' losses are, the chosen one's first, and how alike.

    Parameters
    ----------
    variances
        Of the mean losses over all folds.
    kept
        The places of those whose rows were seen, the chosen one's first; may be empty.
    correlations
        Between these; NaN where they are not known. Of thousands of candidates a table of all
        pairs would take gigabytes.
    how
        Whether it was seen from ``"rows"`` or from ``"folds"``.
    """

    variances: Array
    kept: Array
    correlations: Array
    how: str

    def luck(self, table: Array, *, n_best: int = 1) -> float:
        """Give the luck of the best, from losses by candidate and fold."""
        usual = usual_correlation(self.correlations)
        losses = projected(table, 0, self._slopes(usual))
        closest = np.argsort(losses, kind="stable")[:MOST]
        draws = np.random.default_rng(0).standard_normal((len(closest), N_DRAWS))
        among = covariance_of(self.variances[closest], self._among(closest), usual=usual)
        return luck(losses[closest], among, draws, n_best=min(n_best, len(closest)))

    def _slopes(self, usual: float) -> Array:
        """Say how much of what moves the chosen one's loss moves the others', too."""
        own = self.variances[0]
        if own <= 0:
            return np.ones(len(self.variances))
        shared = np.full(len(self.variances), usual)
        if len(self.kept):
            with_chosen = self.correlations[0]
            shared[self.kept] = np.where(np.isnan(with_chosen), usual, with_chosen)
        shared[0] = 1.0
        slopes: Array = np.clip(shared * np.sqrt(self.variances / own), 0.0, 1.0)
        return slopes

    def _among(self, places: Array) -> Array:
        """Give the correlations between some candidates."""
        where = np.full(len(self.variances), -1)
        where[self.kept] = np.arange(len(self.kept))
        found = where[places]
        known = np.flatnonzero(found >= 0)
        among = np.full((len(places), len(places)), np.nan)
        seen = found[known]
        among[np.ix_(known, known)] = self.correlations[np.ix_(seen, seen)]
        return among

    def of_best(self, loss: float, n_rows: int, scale: Scale) -> float:
        """Give the variance of the chosen one's loss; a rate of 0 is not without noise."""
        least = 0.0
        if scale.unit is not None and n_rows and 0 <= loss <= 1:
            least = variance_of_rate(loss, n_rows)
        return max(float(self.variances[0]), least)


def noise_of(refit: Refit, entrants: Sequence[ValidationResult]) -> ChoiceNoise | None:
    """Find out how noisy losses are, the chosen candidate's first; None if nothing is known."""
    variances = np.array([_own_variance(refit, each) for each in entrants])
    kept, seen = _seen_in_rows(refit, entrants)
    correlations = np.empty((0, 0))
    if seen is None:
        kept = []
    else:
        correlations = seen.correlations
        better = (seen.variances > 0) & (seen.exact | np.isnan(variances[kept]))
        variances[kept] = np.where(better, seen.variances, variances[kept])
    if np.isnan(variances).all():
        variances[:] = _spread_of_folds(refit, entrants)
    if np.isnan(variances).all():
        return None
    stand_in = variances[0] if np.isfinite(variances[0]) else np.nanmean(variances)
    variances = np.where(np.isnan(variances), stand_in, variances)
    places = np.array(kept, dtype=np.intp)
    return ChoiceNoise(variances, places, correlations, "folds" if seen is None else "rows")


def tested_rows(refit: Refit) -> Array:
    """Give the rows that some fold tests."""
    folds = refit.experiment.folds
    return np.unique(np.concatenate([folds.test(fold) for fold in range(len(folds))]))


def _own_variance(refit: Refit, result: ValidationResult) -> float:
    """Give the variance of a mean over all folds by what test rows imply; NaN if unknown."""
    folds = refit.experiment.folds
    cells = result.curve.cells(folds.target)
    known = [cell.noise for cell in cells if cell.noise is not None]
    if not known and result.scale.unit is not None:
        sizes = [cell.n_test for cell in cells if cell.n_test]
        known = [variance_of_rate(result.curve.mean(folds.target), size) for size in sizes]
    if not known:
        return math.nan
    return math.fsum(known) / len(known) / len(folds) * _overlap(refit)


def _spread_of_folds(refit: Refit, entrants: Sequence[ValidationResult]) -> float:
    """Give the mean variance of a mean over all folds by how they differ; NaN if there is one."""
    target = refit.experiment.folds.target
    several = [
        float(np.var(each.curve.losses(target), ddof=1))
        for each in entrants
        if each.curve.n(target) >= FEWEST_FOLDS
    ]
    if not several:
        return math.nan
    return float(np.mean(several)) / len(refit.experiment.folds) * _overlap(refit)


def _overlap(refit: Refit) -> float:
    """Say how often a row is tested (rule 3)."""
    folds = refit.experiment.folds
    total = sum(len(folds.test(fold)) for fold in range(len(folds)))
    return total / max(1, len(tested_rows(refit)))


def _seen_in_rows(
    refit: Refit, entrants: Sequence[ValidationResult]
) -> tuple[list[int], Likeness | None]:
    """Look at the rows that were predicted: of whom, and what they say."""
    search, experiment = refit.given, refit.experiment
    predictions = getattr(search, "oof_predictions_", {})
    if refit.keeper is not None:
        predictions = {**refit.keeper.dropped(), **predictions}
    kept = [index for index, each in enumerate(entrants) if each.candidate in predictions]
    if 0 not in kept or experiment.y is None:
        return [], None
    target = experiment.folds.target
    kept.sort(key=lambda index: (index > 0, entrants[index].curve.mean(target)))
    kept = kept[:MOST_KEPT]
    groups = experiment.folds.whole_groups
    chosen = predictions[entrants[0].candidate]
    rows = JudgedRows.of(chosen, experiment.y, refit.row_weights(), groups)
    several = [predictions[entrants[index].candidate] for index in kept]
    return kept, likeness(several, rows, experiment.scoring)
