"""How sure the choice is: who came close to the winner, and by how much.

1. Fold i has the same rows for every candidate, so two candidates are compared by their differences
   on the folds that both have at the target. The interval of the mean difference is Student's, 95%.
2. A candidate that a race dropped has a better measure: its chance to win against the leader of
   that moment, which the decision carries. It is close if that was at least 5%.
3. Any other is close if the interval of three differences or more includes 0.
4. What a race gave up by dropping candidates is at most the sum of what each of them was expected
   to gain: the leader of that moment was no better than the winner.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Decision, Prune
from curvewise.core._intervals import UNKNOWN, Interval, mean_interval
from curvewise.core._outcome import Candidate

LIKELY = 0.05
FEWEST_FOLDS = 3


@dataclass(frozen=True, slots=True)
class Rival:
    """One candidate against the winner."""

    candidate: Candidate
    difference: float
    interval: Interval
    n_folds: int
    chance: float | None
    close: bool


def rival_of(
    winner: LearningCurve,
    candidate: Candidate,
    curve: LearningCurve,
    last: Decision | None,
    *,
    target: int,
) -> Rival:
    """Compare a candidate with the winner."""
    pairs = ((winner.at(target, fold), curve.at(target, fold)) for fold in curve.folds(target))
    differences = [its.loss - best.loss for best, its in pairs if best and its]
    n = len(differences)
    difference = math.fsum(differences) / n if n else math.nan
    interval = mean_interval(differences, kind="t") if n >= 2 else UNKNOWN
    chance = last.chance if isinstance(last, Prune) else None
    overlaps = n >= FEWEST_FOLDS and interval.low <= 0
    close = overlaps if chance is None else chance >= LIKELY
    return Rival(candidate, difference, interval, n, chance, close)


def closest(rivals: Iterable[Rival], *, n: int) -> list[Rival]:
    """Choose the rivals to show: those that are close, then those with the smallest difference."""
    known = [rival for rival in rivals if not math.isnan(rival.difference)]
    # Among the close ones, those that were compared on more folds are the better founded.
    known.sort(key=lambda each: (not each.close, -each.n_folds * each.close, each.difference))
    return known[:n]


def given_up(decisions: Iterable[Decision | None]) -> float | None:
    """Bound what dropping candidates has cost in expected loss; None if no race dropped any."""
    gains = [each.gain for each in decisions if isinstance(each, Prune) and each.gain is not None]
    return math.fsum(gains) if gains else None
