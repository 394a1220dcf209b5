"""A race by the signed-rank test, for comparison in benchmarks.

Candidates run fold by fold, one after the other. After each fold, a candidate whose mean is worse
than the complete leader's on the same folds is dropped if a one-sided Wilcoxon signed-rank test
says so: the rule of Optuna's ``WilcoxonPruner``. The test here is exact, also with ties; zero
differences count half for either side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from curvewise.core._checks import real_number, whole_number
from curvewise.core._decisions import Complete, Decision, Prune, Sample
from curvewise.core._policies.kfold import KFoldCV
from curvewise.core._policy import next_folds
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.errors import InvalidParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class WilcoxonRace(KFoldCV):
    """Drop a candidate that is significantly worse than the leader.

    Parameters
    ----------
    p_value
        A candidate is dropped if the test's p-value is below this.
    min_folds
        Folds before the first test.
    partial_results
        As of `KFoldCV`.

    Examples
    --------
    >>> WilcoxonRace().schedule(900).anchors
    (900,)
    """

    p_value: float = 0.1
    min_folds: int = 2

    name = "wilcoxon"

    def __post_init__(self) -> None:
        real_number("p_value", self.p_value, above=0)
        if self.p_value >= 1:
            raise InvalidParameterError(f"p_value must be below 1, got {self.p_value}.")
        whole_number("min_folds", self.min_folds, at_least=1)

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Ask for the next fold, or drop the candidate."""
        target, curve = portfolio.target, contender.curve
        folds = next_folds(portfolio, contender, target, portfolio.n_folds)
        n = curve.n(target)
        if not folds:
            return Complete(target, curve.mean(target), n)
        leader = portfolio.leader
        if leader is None:
            return Sample(target, tuple((target, fold) for fold in folds), (contender.order,))
        pairs = list(zip(curve.folds(target), curve.losses(target), strict=True))
        differences = [loss - leader.losses.get(fold, leader.loss) for fold, loss in pairs]
        worse = math.fsum(differences) > 0
        if n >= self.min_folds and worse:
            p_value = signed_rank_p_value(differences)
            if p_value < self.p_value:
                mean = curve.mean(target)
                to_beat = mean - math.fsum(differences) / n
                return Prune(target, mean, to_beat, target, "signed rank", n, chance=p_value)
        return Sample(target, ((target, folds[0]),), (contender.order,))


def signed_rank_p_value(differences: Sequence[float]) -> float:
    """Give the exact probability of ranks at least as high, if differences were symmetric at 0."""
    sizes = np.abs(np.asarray(differences, dtype=float))
    ordered = np.sort(sizes)
    first, last = np.searchsorted(ordered, sizes), np.searchsorted(ordered, sizes, side="right")
    doubled_ranks = first + last + 1
    signs = np.sign(differences)
    observed = int(doubled_ranks[signs > 0].sum())
    ranks = tuple(sorted(int(rank) for rank in doubled_ranks[signs != 0]))
    return float(_tail_sums(ranks)[observed])


@lru_cache(maxsize=4096)
def _tail_sums(ranks: tuple[int, ...]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """P(sum of the ranks with a positive sign >= s), for each s."""
    distribution = np.ones(1)
    for rank in ranks:
        shifted = np.zeros(len(distribution) + rank)
        shifted[: len(distribution)] += distribution / 2
        shifted[rank:] += distribution / 2
        distribution = shifted
    return np.cumsum(distribution[::-1])[::-1]
