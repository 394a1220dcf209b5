"""Where a portfolio stands: its best loss now, and how far that fell on the last step.

The *envelope* of a portfolio is the best mean loss at each anchor, whoever has it. What more rows
bring is the fall of the envelope, not of one curve: a runner-up may take the lead (Mohr & van Rijn
2023, Sec. V-B). Rules:

1. The best loss now is the leader's mean (`curvewise.advice._leaders`).
2. The last step goes from an earlier anchor to the largest. Both ends are compared on the same
   folds, and among the candidates that have all of them at both ends: a candidate that was pruned
   before or skipped the anchor would make the step look smaller or larger than it was.
3. The earlier anchor is the largest that is at least a third smaller. Anchors that are closer tell
   nothing: chance would be multiplied.
4. A step that was seen on fewer folds than the leader has carries the noise of the missing ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from curvewise.advice._evidence import Entry
from curvewise.advice._leaders import find_leader
from curvewise.advice._loss_noise import Noise, error_of_fall, fold_noise
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Candidate
from curvewise.core._scale import Scale

NEAREST = 1.5


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
        The standard error that it adds for being seen on fewer folds than the leader has.
    error
        The standard error of the fall; infinity if it is unknown.

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
    error: float = math.inf

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
        The last step; None if no candidate was seen at two anchors that are far enough apart.

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

    Examples
    --------
    >>> from curvewise.core._curve import LearningCurve
    >>> from curvewise.core._outcome import Observation, Task
    >>> losses = {(450, 0): 0.14, (450, 1): 0.16, (900, 0): 0.10, (900, 1): 0.12}
    >>> curve = LearningCurve(
    ...     Observation(Task("svc", *place), loss, n_test=100) for place, loss in losses.items()
    ... )
    >>> standing = stand([Entry("svc", curve)], Scale())
    >>> standing.leader, round(standing.loss, 3), round(standing.step.fall, 3)
    ('svc', 0.11, 0.04)
    """
    rows = max(entry.curve.anchors[-1] for entry in entries)
    leader = find_leader(entries, rows)
    n_folds = leader.curve.n(rows)
    noise = fold_noise(leader.curve.cells(rows), scale)
    return Standing(
        leader.candidate,
        rows,
        leader.curve.mean(rows),
        noise.error_of_mean(n_folds),
        n_folds,
        _last_step(entries, leader, noise, n_folds),
    )


def _last_step(entries: Sequence[Entry], leader: Entry, noise: Noise, n_folds: int) -> Step | None:
    """The fall from the nearest earlier anchor (rules 2 to 4)."""
    rows = leader.curve.anchors[-1]
    earlier = {anchor for entry in entries for anchor in entry.curve.anchors if anchor < rows}
    far = [anchor for anchor in earlier if anchor * NEAREST <= rows]
    for anchor in sorted(far, reverse=True):
        seen = _seen_at_both(entries, leader, anchor, rows)
        if seen is not None:
            curves, folds = seen
            before, after = (_best(curves, folds, place) for place in (anchor, rows))
            missing = 1 / len(folds) - 1 / n_folds
            return Step(
                anchor,
                rows,
                math.fsum(before) / len(folds) - math.fsum(after) / len(folds),
                n_folds=len(folds),
                n_candidates=len(curves),
                n_others=len(entries) - len(curves),
                extra=noise.unit * math.sqrt(missing * noise.variance) if missing > 0 else 0.0,
                error=error_of_fall(before, after, noise),
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


def _best(curves: Sequence[LearningCurve], folds: set[int], anchor: int) -> list[float]:
    """The losses of the best curve at an anchor, in the order of the folds."""
    return min((_losses(curve, folds, anchor) for curve in curves), key=math.fsum)


def _losses(curve: LearningCurve, folds: set[int], anchor: int) -> list[float]:
    return [cell.loss for cell in curve.cells(anchor) if cell.task.fold in folds]
