"""k-fold and Monte-Carlo cross-validation: every fold at the target, nothing else.

The ground truth for all other policies. On a timeout the result is the mean of the folds that
finished, NaN if none did (Mohr & van Rijn 2023, Sec. V-A).
"""

from __future__ import annotations

from dataclasses import dataclass

from curvewise.core._decisions import Complete, Decision, Sample
from curvewise.core._policy import Estimate, Policy, next_folds, target_so_far
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._schedule import Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class KFoldCV(Policy):
    """Every candidate is evaluated on every fold.

    Parameters
    ----------
    partial_results
        Whether a candidate that was stopped competes with the mean of the folds that finished, as
        in the paper's experiments: it can be the best, and the one to beat. By default it is the
        best only if nobody has all folds.

    Examples
    --------
    >>> from curvewise.core._search import Search
    >>> search = Search(["svc"], schedule=900, policy=KFoldCV(), n_folds=3)
    >>> [(task.anchor, task.fold) for task in search.ask(5)]
    [(900, 0), (900, 1), (900, 2)]
    """

    partial_results: bool = False

    name = "kfold"

    def schedule(self, target: int) -> Schedule:
        """Look at the target only."""
        return Schedule((target,))

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Ask for the folds that are missing."""
        target = portfolio.target
        folds = next_folds(portfolio, contender, target, portfolio.n_folds)
        if not folds:
            curve = contender.curve
            return Complete(target, curve.mean(target), curve.n(target))
        return Sample(target, tuple((target, fold) for fold in folds), (contender.order,))

    def estimate(self, portfolio: Portfolio, contender: Contender) -> Estimate:
        """Average the folds that have finished."""
        return target_so_far(portfolio, contender)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloCV(KFoldCV):
    """The same on random splits: what the folds are is up to the splitter, not to the core.

    Parameters
    ----------
    partial_results
        As of `KFoldCV`.

    Examples
    --------
    >>> MonteCarloCV().schedule(900).anchors
    (900,)
    """

    name = "montecarlo"
