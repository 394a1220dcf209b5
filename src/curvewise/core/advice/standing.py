"""Where a portfolio stands: its best loss now, and how far that fell on the last step.

The *envelope* of a portfolio is the best mean loss at each anchor, whoever has it. What more rows
bring is the fall of the envelope, not of one curve: a runner-up may take the lead (Mohr & van Rijn
2023, Sec. V-B). Rules:

1. The leader is the candidate with the best mean at the largest anchor, among those with the most
   folds there.
2. The last step goes from an earlier anchor to the largest. Both ends are compared on the same
   folds, and among the candidates that have all of them at both ends: a candidate that was pruned
   before or skipped the anchor would make the step look smaller or larger than it was.
3. The earlier anchor is the largest that is at least a third smaller. From anchors that are closer,
   chance would be multiplied.
4. Noise: the variance of a loss over folds, with the variance of its test rows as four further
   observations where that is known (p(1 - p)/m for rates). The fewer there are, the less is known
   about the variance itself: the standard error grows as Student's quantiles do.
5. A step that was seen on fewer folds than the leader has carries the noise of the missing ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scipy.special import ndtri, stdtrit

from curvewise.core.advice.evidence import Entry
from curvewise.core.curve import LearningCurve
from curvewise.core.outcome import Candidate, Observation
from curvewise.core.scale import Scale

NEAREST = 1.5
PRIOR_WEIGHT = 4
# Intervals of 90% are what errors are made for.
TAIL = 0.95


@dataclass(frozen=True, slots=True)
class Step:
    """The fall of the envelope from one anchor to another.

    Parameters
    ----------
    before, after
        The anchors, in rows.
    fall
        By how much the best loss fell; negative if it rose.
    n_folds, n_candidates
        What it was seen on.
    n_others
        How many further candidates were not seen on it.
    extra
        The variance that it has for being seen on fewer folds than the leader has.

    Examples
    --------
    >>> Step(before=1024, after=4096, fall=0.02, n_folds=5, n_candidates=3).doublings
    2.0
    """

    before: int
    after: int
    fall: float
    n_folds: int
    n_candidates: int
    n_others: int = 0
    extra: float = 0.0

    @property
    def doublings(self) -> float:
        """How many doublings of the rows it is long."""
        return math.log2(self.after / self.before)


@dataclass(frozen=True, slots=True)
class Standing:
    """The leader at the largest anchor, and the last step.

    Parameters
    ----------
    leader
        Who leads.
    rows
        The largest anchor.
    loss
        The leader's mean loss there.
    error
        The standard error of that mean, larger if it is not well known; infinity if it is unknown.
    n_folds
        The leader's folds there.
    step
        The last step; None if no candidate was seen at two anchors.

    Examples
    --------
    >>> Standing("svc", rows=900, loss=0.1, error=0.01, n_folds=5, step=None).leader
    'svc'
    """

    leader: Candidate
    rows: int
    loss: float
    error: float
    n_folds: int
    step: Step | None


def stand(entries: Sequence[Entry], scale: Scale) -> Standing:
    """See where a portfolio stands.

    Parameters
    ----------
    entries
        Candidates with at least one observation each.
    scale
        Whether the losses are rates.

    Examples
    --------
    >>> from curvewise.core.curve import LearningCurve
    >>> from curvewise.core.outcome import Task
    >>> losses = {(450, 0): 0.14, (450, 1): 0.16, (900, 0): 0.10, (900, 1): 0.12}
    >>> curve = LearningCurve(
    ...     Observation(Task("svc", *place), loss, n_test=100) for place, loss in losses.items()
    ... )
    >>> standing = stand([Entry("svc", curve)], Scale())
    >>> standing.leader, round(standing.loss, 3), round(standing.step.fall, 3)
    ('svc', 0.11, 0.04)
    """
    rows = max(entry.curve.anchors[-1] for entry in entries)
    there = [entry for entry in entries if entry.curve.n(rows)]
    most = max(entry.curve.n(rows) for entry in there)
    leader = min(
        (entry for entry in there if entry.curve.n(rows) == most),
        key=lambda entry: entry.curve.mean(rows),
    )
    cells = leader.curve.cells(rows)
    noise = fold_noise(cells, scale)
    return Standing(
        leader.candidate,
        rows,
        leader.curve.mean(rows),
        noise.error_of_mean(most),
        most,
        _last_step(entries, leader, noise.variance, most),
    )


class Noise(NamedTuple):
    """How a loss varies from fold to fold.

    ``variance`` is infinite if nothing is known about it; ``freedom`` is how many observations
    stand behind it.
    """

    variance: float
    freedom: int

    def error_of_mean(self, n: int) -> float:
        """The standard error of a mean over n folds, as if its variance were known (rule 4)."""
        if not self.freedom:
            return math.inf
        student = float(stdtrit(self.freedom, TAIL) / ndtri(TAIL))
        return student * math.sqrt(self.variance / n)


def fold_noise(cells: Sequence[Observation], scale: Scale) -> Noise:
    """How a loss varies from fold to fold (rule 4).

    Examples
    --------
    >>> from curvewise.core.outcome import Task
    >>> fold_noise([Observation(Task("svc", 900, 0), 0.25, n_test=100)], Scale())
    Noise(variance=0.001875, freedom=4)
    >>> fold_noise([Observation(Task("svc", 900, 0), 0.25)], Scale())
    Noise(variance=inf, freedom=0)
    """
    losses = [cell.loss for cell in cells]
    mean = math.fsum(losses) / len(losses)
    # A product that is too large is infinite, where a power would raise.
    squares = math.fsum((loss - mean) * (loss - mean) for loss in losses)
    known = [noise for cell in cells if (noise := _noise(cell, mean, scale)) is not None]
    freedom = len(losses) - 1
    if known:
        prior = math.fsum(known) / len(known)
        freedom += PRIOR_WEIGHT
        return Noise((PRIOR_WEIGHT * prior + squares) / freedom, freedom)
    return Noise(squares / freedom if freedom else math.inf, freedom)


def _noise(cell: Observation, mean: float, scale: Scale) -> float | None:
    """The variance of a loss that comes from its test rows alone; None if it is unknown."""
    if cell.noise is not None:
        return cell.noise
    if cell.n_test is None or scale.unit is None:
        return None
    rate = min(max(mean, 0.5 / cell.n_test), 0.5)
    return rate * (1 - rate) / cell.n_test


def _last_step(
    entries: Sequence[Entry], leader: Entry, variance: float, n_folds: int
) -> Step | None:
    """The fall from the nearest earlier anchor (rules 2 and 3)."""
    rows = leader.curve.anchors[-1]
    earlier = {anchor for entry in entries for anchor in entry.curve.anchors if anchor < rows}
    far = [anchor for anchor in earlier if anchor * NEAREST <= rows]
    for anchor in sorted(far or earlier, reverse=bool(far)):
        seen = _seen_at_both(entries, leader, anchor, rows)
        if seen is not None:
            curves, folds = seen
            before, after = (_best_mean(curves, folds, place) for place in (anchor, rows))
            missing = 1 / len(folds) - 1 / n_folds
            extra = missing * variance if missing > 0 else 0.0
            return Step(
                anchor,
                rows,
                before - after,
                n_folds=len(folds),
                n_candidates=len(curves),
                n_others=len(entries) - len(curves),
                extra=extra,
            )
    return None


def _seen_at_both(
    entries: Sequence[Entry], leader: Entry, before: int, after: int
) -> tuple[list[LearningCurve], set[int]] | None:
    """The curves that have the same folds at both anchors, and these folds; None if none has."""
    common = {
        entry.candidate: set(entry.curve.folds(before)) & set(entry.curve.folds(after))
        for entry in entries
    }
    # The leader's folds, else those of the best that has the most.
    folds = common[leader.candidate]
    if not folds:
        most = max(len(own) for own in common.values())
        best = min(
            (entry for entry in entries if len(common[entry.candidate]) == most),
            key=lambda entry: entry.curve.mean(after),
        )
        folds = common[best.candidate]
    if not folds:
        return None
    return [entry.curve for entry in entries if common[entry.candidate] >= folds], folds


def _best_mean(curves: Sequence[LearningCurve], folds: set[int], anchor: int) -> float:
    return min(
        math.fsum(cell.loss for cell in curve.cells(anchor) if cell.task.fold in folds)
        for curve in curves
    ) / len(folds)
