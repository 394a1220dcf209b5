"""A race by analysis of variance, for comparison in benchmarks.

The rule of ``tune_race_anova`` of the R package finetune (Kuhn 2014, "Futility Analysis in the
Cross-Validation of Machine Learning Models"): after a burn-in, and then after each fold, a linear
mixed model is fitted to the losses of all who are left, with an effect for each candidate and a
random one for each fold. A candidate is dropped if the interval of its difference to the best lies
above 0.

Everyone has the same folds (`curvewise.core._policies.rounds`), so that restricted maximum
likelihood has a closed form. Let there be c candidates and n folds:

1. The residual variance is the mean square of what candidates and folds do not explain, with
   (c - 1)(n - 1) degrees of freedom.
2. If the folds' mean square is smaller, their random effect has no variance, and both are pooled,
   with c (n - 1) degrees of freedom.
3. The difference of two candidates has twice that variance over n. The interval is Wald's, with
   normal quantiles, as in the package.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from curvewise.core._checks import share, whole_number
from curvewise.core._decisions import Prune
from curvewise.core._intervals import quantile
from curvewise.core._policies.rounds import Round, RoundEntry, RoundsOfFolds
from curvewise.core._portfolio import Portfolio


@dataclass(frozen=True, slots=True, kw_only=True)
class AnovaRace(RoundsOfFolds):
    """Drop a candidate that differs from the best by more than the noise of the folds.

    Parameters
    ----------
    alpha
        The interval of a difference has the level 1 - alpha.
    burn_in
        Folds before the first comparison.
    n_ties
        When two have been left for so many folds, the better one stays.
    partial_results
        As of `KFoldCV`.

    Examples
    --------
    >>> AnovaRace().schedule(900).anchors
    (900,)
    """

    alpha: float = 0.05
    burn_in: int = 3
    n_ties: int = 10

    name = "anova"

    def __post_init__(self) -> None:
        share("alpha", self.alpha)
        whole_number("burn_in", self.burn_in, at_least=2)
        whole_number("n_ties", self.n_ties, at_least=1)

    @property
    def first_round(self) -> int:
        """Give everyone the folds of the burn-in."""
        return self.burn_in

    def _judge(
        self, portfolio: Portfolio, own: RoundEntry, best: RoundEntry, all_of: Round
    ) -> Prune | None:
        """Drop a contender whose difference to the best has an interval above 0."""
        n, target = len(own.cells), portfolio.target
        variance = residual_variance([[cell.loss for cell in entry.cells] for entry in all_of])
        half = quantile("normal", n, 1 - self.alpha) * math.sqrt(2 * variance / n)
        if own.mean - best.mean > half:
            return Prune(target, own.mean, best.mean, target, "analysis of variance", n)
        if len(all_of) == 2 and n - self._two_since(portfolio, all_of) >= self.n_ties:
            return Prune(target, own.mean, best.mean, target, "tie", n)
        return None

    def _two_since(self, portfolio: Portfolio, all_of: Round) -> int:
        """Say after how many folds only two were left."""
        left = {entry.contender.candidate for entry in all_of}
        others = (
            each.curve.n(portfolio.target)
            for each in portfolio.contenders.values()
            if each.trace and each.candidate not in left
        )
        return max(self.burn_in, *others, 0)


def residual_variance(losses: Sequence[Sequence[float]]) -> float:
    """Estimate the variance that neither candidates (rows) nor folds (columns) explain."""
    table = np.asarray(losses, dtype=float)
    n_candidates, n_folds = len(losses), len(losses[0])
    about_means = table - table.mean(axis=1, keepdims=True)
    of_folds = about_means.mean(axis=0)
    unexplained = float(np.square(about_means - of_folds).sum())
    explained = n_candidates * float(np.square(of_folds).sum())
    freedom = (n_candidates - 1) * (n_folds - 1)
    if explained / (n_folds - 1) >= unexplained / freedom:
        return unexplained / freedom
    return (unexplained + explained) / (n_candidates * (n_folds - 1))
