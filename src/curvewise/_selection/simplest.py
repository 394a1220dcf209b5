"""The simplest candidate that is as good as the best, as far as the folds can tell.

Of the candidates that have all their folds, those are as good as the best whose losses exceed its
own by no more than a standard error, fold by fold. The cheapest of them to predict with is taken;
among equals, the cheapest to fit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple, Protocol

from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Candidate
from curvewise.core._portfolio import Status

# Where folds agree to the last digit, so much is still noise.
SMALLEST_ERROR = 1e-12


class Validated(Protocol):
    """Whatever has ended somehow, with a curve: a result, or what a store has of it."""

    @property
    def candidate(self) -> Candidate:
        """Which one."""

    @property
    def status(self) -> Status:
        """How it ended."""

    @property
    def curve(self) -> LearningCurve:
        """What it was seen to do."""


class Simplest(NamedTuple):
    """Where the simplest stands among the results, and why it was taken."""

    place: int
    reason: str


def simplest(results: Sequence[Validated], best: int) -> Simplest:
    """Find the simplest candidate that is as good as the best."""
    equals = {best: 0.0}
    for index, result in enumerate(results):
        if index != best and result.status is Status.COMPLETED:
            difference, error = behind(result, results[best])
            if difference <= max(error, SMALLEST_ERROR):
                equals[index] = difference
    taken = min(equals, key=lambda index: (*costs(results[index]), index != best))
    return Simplest(taken, _reason(results, best, taken, equals[taken]))


def behind(result: Validated, best: Validated) -> tuple[float, float]:
    """Give the mean difference of losses over the folds, and its standard error."""
    target = best.curve.anchors[-1]
    other = dict(zip(best.curve.folds(target), best.curve.losses(target), strict=True))
    pairs = zip(result.curve.folds(target), result.curve.losses(target), strict=True)
    differences = [loss - other[fold] for fold, loss in pairs if fold in other]
    if not differences:
        return math.inf, 0.0
    spread = stdev(differences) if len(differences) > 1 else 0.0
    return fmean(differences), spread / math.sqrt(len(differences))


def costs(result: Validated) -> tuple[float, float]:
    """Give the seconds of a candidate's predictions, and of its fits, per fold."""
    cells = result.curve.cells(result.curve.anchors[-1])
    return (
        fmean(cell.score_seconds or 0.0 for cell in cells),
        fmean(cell.fit_seconds or cell.seconds for cell in cells),
    )


def _reason(results: Sequence[Validated], best: int, taken: int, difference: float) -> str:
    name = results[best].candidate
    if taken == best:
        return f"{name} is the best, and nobody who is as good predicts in less time."
    own, other = costs(results[taken])[0], costs(results[best])[0]
    share = own / other if other > 0 else 1.0
    lost = f"{abs(difference):.4f}"
    if float(lost) == 0:
        scores = "the same"
    else:
        scores = f"{lost} {'less' if difference > 0 else 'more'}, within the noise of their folds"
    return (
        f"{results[taken].candidate} predicts in {share:.0%} of the time of {name}, the best, and "
        f"scores {scores}."
    )
