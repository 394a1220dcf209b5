"""Early stopping of cross-validation, for comparison in benchmarks.

The rules of Bergman, Purucker and Hutter (2024, "Don't Waste Your Time: Early Stopping
Cross-Validation", AutoML Conference): candidates are cross-validated one after the other, fold by
fold, and one is stopped as soon as its folds so far are no better than a bar.

1. *Aggressive*: their mean is no better than that of the best complete candidate.
2. *Forgiving*, which the paper recommends: their mean is no better than the worst fold of the best
   complete candidate.
3. *Robust*, from the code that was published with the paper: of the ``top`` best complete
   candidates the mean of all folds plus ``sigma`` standard deviations is a bound. A candidate is
   stopped if the bound would not fall with its folds in the place of those of any of them.

Nothing is paired: the mean of a candidate's first folds is compared with other folds as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from curvewise.core._checks import one_of, real_number, whole_number
from curvewise.core._decisions import Complete, Decision, Prune, Sample
from curvewise.core._policies.kfold import KFoldCV
from curvewise.core._policy import next_folds
from curvewise.core._portfolio import Contender, Portfolio, Status

Rule = Literal["aggressive", "forgiving", "robust"]
Folds = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyStoppedCV(KFoldCV):
    """Stop a cross-validation whose folds so far are no better than a bar.

    Parameters
    ----------
    rule
        The bar: ``"forgiving"`` for the worst fold of the best complete candidate, ``"aggressive"``
        for its mean, ``"robust"`` for the mean and spread of several of the best.
    top
        Of how many of the best, for ``"robust"``.
    sigma
        By how many standard deviations above their mean, for ``"robust"``.
    partial_results
        As of `KFoldCV`.

    Examples
    --------
    >>> EarlyStoppedCV(rule="aggressive").schedule(900).anchors
    (900,)
    """

    rule: Rule = "forgiving"
    top: int = 3
    sigma: float = 1.0

    name = "earlystop"

    def __post_init__(self) -> None:
        one_of("rule", self.rule, ("aggressive", "forgiving", "robust"))
        whole_number("top", self.top, at_least=1)
        real_number("sigma", self.sigma, at_least=0)

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Ask for the next fold, or stop the candidate."""
        target, curve = portfolio.target, contender.curve
        folds = next_folds(portfolio, contender, target, portfolio.n_folds)
        losses = curve.losses(target)
        if not folds:
            return Complete(target, curve.mean(target), len(losses))
        if losses:
            bar = self._bar(portfolio, losses)
            if bar is not None:
                mean = curve.mean(target)
                return Prune(target, mean, bar, target, self.rule, len(losses))
        elif portfolio.leader is None:
            return Sample(target, tuple((target, fold) for fold in folds), (contender.order,))
        return Sample(target, ((target, folds[0]),), (contender.order,))

    def _bar(self, portfolio: Portfolio, losses: Folds) -> float | None:
        """Give the bar that a candidate does not clear; None if it does, or if there is none."""
        if self.rule == "robust":
            return self._robust_bar(portfolio, losses)
        leader = portfolio.leader
        if leader is None:
            return None
        bar = leader.loss
        if self.rule == "forgiving" and leader.losses:
            bar = max(leader.losses.values())
        return bar if math.fsum(losses) / len(losses) >= bar else None

    def _robust_bar(self, portfolio: Portfolio, losses: Folds) -> float | None:
        complete = tuple(
            contender.curve.losses(portfolio.target)
            for contender in portfolio.contenders.values()
            if contender.status is Status.COMPLETED
        )
        best = _lowest_group(complete, self.top, self.sigma)
        if len(best) < self.top:
            return None
        bar = _bound(best, self.sigma)
        lowered = any(_bound(group, self.sigma) < bar for group in _replaced(best, losses))
        return None if lowered else bar


@lru_cache(maxsize=1024)
def _lowest_group(complete: tuple[Folds, ...], top: int, sigma: float) -> tuple[Folds, ...]:
    """Let each complete candidate after the first few take the place where it lowers the bound."""
    # The published code keeps one candidate more than it names.
    best = complete[:top]
    for folds in complete[top:]:
        best = min((best, *_replaced(best, folds)), key=lambda group: _bound(group, sigma))
    return best


def _replaced(group: Sequence[Folds], folds: Folds) -> Iterator[tuple[Folds, ...]]:
    """Give the group with each of its members replaced by another."""
    for i in range(len(group)):
        yield (*group[:i], folds, *group[i + 1 :])


def _bound(group: Sequence[Folds], sigma: float) -> float:
    """Give the mean of all folds plus some standard deviations."""
    losses = [loss for folds in group for loss in folds]
    mean = math.fsum(losses) / len(losses)
    squares = math.fsum((loss - mean) ** 2 for loss in losses)
    return mean + sigma * math.sqrt(squares / len(losses))
