"""Who leads: the best candidate at the largest anchor, among those that are known well enough.

A search stops early where folds agree, drops candidates in the middle of their folds, and folds
fail. So candidates have different numbers of folds, and these are not equally hard. Rules:

1. Among the candidates with the most folds at the largest anchor, the mean decides.
2. One with fewer folds leads if it is better than the best of these on the folds that both have; on
   the means, if there are none.
3. It has to be known well enough: its search completed it, or it was not pruned and has three folds
   or half of the most. A single fold may be luck, and is never enough where others have more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from curvewise.advice._evidence import Entry
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Candidate
from curvewise.core._portfolio import Status

ENOUGH_FOLDS = 3


def contenders(entries: Sequence[Entry]) -> set[Candidate]:
    """The candidates that are known well enough to lead, now or with more rows (rule 3).

    Those that were not seen at the largest anchor need two folds where they were seen last.

    Examples
    --------
    >>> from curvewise.core._curve import LearningCurve
    >>> from curvewise.core._outcome import Observation, Task
    >>> cells = [Observation(Task("svc", 900, fold), 0.1) for fold in range(5)]
    >>> contenders([Entry("svc", LearningCurve(cells)), Entry("lucky", LearningCurve(cells[:1]))])
    {'svc'}
    """
    rows = max(entry.curve.anchors[-1] for entry in entries)
    most = max(entry.curve.n(rows) for entry in entries)
    return {entry.candidate for entry in entries if _able(entry, rows, most)}


def find_leader(entries: Sequence[Entry], rows: int) -> Entry:
    """Find the best candidate at the largest anchor.

    Examples
    --------
    >>> from curvewise.core._outcome import Observation, Task
    >>> curves = [
    ...     LearningCurve(Observation(Task(name, 900, fold), loss) for fold in range(n))
    ...     for name, loss, n in (("good", 0.05, 3), ("bad", 0.40, 10))
    ... ]
    >>> find_leader([Entry("good", curves[0]), Entry("bad", curves[1])], 900).candidate
    'good'
    """
    most = max(entry.curve.n(rows) for entry in entries)
    best = min(
        (entry for entry in entries if entry.curve.n(rows) == most),
        key=lambda entry: entry.curve.mean(rows),
    )
    rivals = [
        entry for entry in entries if 0 < entry.curve.n(rows) < most and _able(entry, rows, most)
    ]
    # Among equals, the one with the most folds.
    return min([best, *rivals], key=lambda entry: _behind(entry.curve, best.curve, rows))


def _able(entry: Entry, rows: int, most: int) -> bool:
    """Whether a candidate is known well enough (rule 3)."""
    last = entry.curve.anchors[-1]
    n = entry.curve.n(last)
    if n == 1 or last < rows:
        return n > 1 or most == 1
    if n == most or entry.status is Status.COMPLETED:
        return True
    return entry.status is not Status.PRUNED and n >= min(ENOUGH_FOLDS, most / 2)


def _behind(curve: LearningCurve, best: LearningCurve, rows: int) -> float:
    """By how much a curve is behind another, on the folds that both have (rule 2)."""
    common = set(curve.folds(rows)) & set(best.folds(rows))
    if not common:
        return curve.mean(rows) - best.mean(rows)
    own, other = (
        math.fsum(cell.loss for cell in each.cells(rows) if cell.task.fold in common)
        for each in (curve, best)
    )
    return (own - other) / len(common)
