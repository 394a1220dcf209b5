"""Who ranks before whom: the one order in which candidates are listed, the best first.

1. How a candidate ended comes first: completed, stopped, still running, pruned, failed. Only the
   first two have a loss that can be compared.
2. Of those with a loss, the smaller loss comes first.
   Where partial results compete (`LCCV(partial_results=True)`), who was stopped with one stands
   among the completed.
3. Of those without, who came further comes first: at the larger anchor, with more folds there, and
   then with the smaller mean loss there. Where curves are not at hand, all of them are equal.
4. Among equals the order in which the candidates came decides. Sorting keeps it, so that no number
   has to be carried along.

The *best* is the first that has a loss. Advice (`curvewise.advice`) compares curves that were cut
off at different folds, and has rules of its own for that.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from curvewise.core._curve import LearningCurve
from curvewise.core._portfolio import Status

ORDER = (Status.COMPLETED, Status.STOPPED, Status.RUNNING, Status.PRUNED, Status.FAILED)

Rank = tuple[int, bool, int, int, float]


class HasLoss(Protocol):
    """Whatever has ended somehow, with a loss or without."""

    @property
    def status(self) -> Status:
        """How it ended."""

    @property
    def loss(self) -> float:
        """Its loss; NaN if there is none."""


Result = TypeVar("Result", bound=HasLoss)


def rank(
    result: HasLoss, curve: LearningCurve | None = None, *, partial_results: bool = False
) -> Rank:
    """Give what candidates are sorted by (rules 1 to 3)."""
    status = ORDER.index(result.status)
    if math.isfinite(result.loss):
        if partial_results and result.status is Status.STOPPED:
            status = ORDER.index(Status.COMPLETED)
        return status, False, 0, 0, result.loss
    if curve is None or not curve.anchors:
        return status, True, 0, 0, math.inf
    reached = curve.anchors[-1]
    return status, True, -reached, -curve.n(reached), curve.mean(reached)


def best_of(results: Iterable[Result], *, partial_results: bool = False) -> Result | None:
    """Find the best complete result; if there is none, the best partial one; else None.

    Where partial results compete, the best of all.
    """
    known = [result for result in results if math.isfinite(result.loss)]
    return min(known, key=lambda one: rank(one, partial_results=partial_results), default=None)


def places(
    results: Sequence[tuple[HasLoss, LearningCurve]], *, partial_results: bool = False
) -> list[int]:
    """Number candidates from 1 on, also those without a loss; equal ones share a number."""
    keys = [rank(one, curve, partial_results=partial_results) for one, curve in results]
    ordered = sorted(keys)
    return [1 + bisect_left(ordered, key) for key in keys]


def is_estimated(result: HasLoss) -> bool:
    """Whether a candidate's place is a guess: it had not all that others were compared on."""
    return result.status is not Status.COMPLETED


def shared_ranks(losses: Sequence[float]) -> list[int]:
    """Number losses from 1 on; equal ones share a number, and those that are NaN the last."""
    known = sorted(loss for loss in losses if not math.isnan(loss))
    return [1 + (len(known) if math.isnan(loss) else bisect_left(known, loss)) for loss in losses]
