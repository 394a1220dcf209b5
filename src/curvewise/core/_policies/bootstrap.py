"""Dropping by the bootstrap, for comparison in benchmarks.

The rule of BBCD-CV (Tsamardinos, Greasidou and Borboudakis 2018, "Bootstrapping the out-of-sample
predictions for efficient and accurate cross-validation", Machine Learning 107): after each fold,
the out-of-fold predictions so far are resampled by row, 1,000 times, all candidates together.
Whoever is worse than the best so far in more than 99% of the samples is dropped.

Here only the losses of folds are known. So the rule deviates in two points:

1. *Which rows* two candidates get wrong is not known, only how many. Error rates are taken for rows
   on which both err independently of each other; the row by row difference is then 1, 0 or -1 with
   known shares. Candidates that err on the same rows differ with less noise than that, so that they
   are dropped later than by the paper's rule. Other losses have the noise of both (where it is
   known), else that of the differences between folds, from two folds on.
2. *No samples are drawn.* The mean of many resampled differences is nearly normal, and what 1,000
   samples estimate is the share of it above 0. For rows, half a row is taken off for ties, which
   count for the candidate. The core draws nothing at random.

The paper's correction of the winner's score for the bias of choosing is no part of it: the choice
is the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from curvewise.core._checks import share
from curvewise.core._decisions import Prune
from curvewise.core._outcome import Observation
from curvewise.core._policies.rounds import Round, RoundEntry, RoundsOfFolds
from curvewise.core._portfolio import Portfolio


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapDropping(RoundsOfFolds):
    """Drop a candidate that is worse than the best in nearly all bootstrap samples.

    Parameters
    ----------
    certainty
        In more than this share of the samples.
    partial_results
        As of `KFoldCV`.

    Examples
    --------
    >>> BootstrapDropping().schedule(900).anchors
    (900,)
    """

    certainty: float = 0.99

    name = "bbcd"

    def __post_init__(self) -> None:
        share("certainty", self.certainty)

    def _judge(
        self, portfolio: Portfolio, own: RoundEntry, best: RoundEntry, all_of: Round
    ) -> Prune | None:
        """Drop a contender that is worse than the best in nearly all samples."""
        worse = share_worse(own.cells, best.cells, rates=portfolio.scale.unit is not None)
        if worse is None or worse <= self.certainty:
            return None
        n, target = len(own.cells), portfolio.target
        return Prune(target, own.mean, best.mean, target, "bootstrap", n, chance=1 - worse)


def share_worse(
    own: Sequence[Observation], others: Sequence[Observation], *, rates: bool
) -> float | None:
    """Give the share of bootstrap samples in which the first is worse; None if nothing is known."""
    n = len(own)
    pairs = list(zip(own, others, strict=True))
    differences = [one.loss - other.loss for one, other in pairs]
    mean = math.fsum(differences) / n
    variance, tie = None, 0.0
    sizes = [one.n_test for one in own if one.n_test is not None]
    if rates and len(sizes) == n and all(0 <= cell.loss <= 1 for cell in (*own, *others)):
        n_rows = sum(sizes)
        variance, tie = _variance_of_rows(pairs, mean) / n_rows, 0.5 / n_rows
    else:
        noise = [cell.noise for cell in (*own, *others) if cell.noise is not None]
        if len(noise) == 2 * n:
            variance = math.fsum(noise) / n**2
        elif n > 1:
            variance = math.fsum((each - mean) ** 2 for each in differences) / n**2
    if variance is None:
        return None
    if variance <= 0:
        return float(mean > 0)
    from scipy.special import ndtr  # Heavy, and often not needed.

    return float(ndtr((mean - tie) / math.sqrt(variance)))


def _variance_of_rows(pairs: list[tuple[Observation, Observation]], mean: float) -> float:
    """Give the variance of a row's difference if both err independently on it."""
    disagree = math.fsum(
        one.loss * (1 - other.loss) + other.loss * (1 - one.loss) for one, other in pairs
    )
    return disagree / len(pairs) - mean**2
