"""The state of a search as `Search` changes it: recorded outcomes, who leads, the shared figures.

A policy reads the same object as a `Portfolio`. What has to be beaten follows from two rules:

1. A contender that completes takes the lead if its mean is smaller than the leader's (among equals,
   if it came first). While the leader lacks folds, both are compared on those that it has. Where
   partial results compete, one counts like the mean of who completed.
2. A leader that will not get its score is forgotten; the best complete one takes its place.
"""

from __future__ import annotations

import math

from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Complete, End
from curvewise.core._outcome import Observation, Task
from curvewise.core._portfolio import EXACT_BITS, Contender, Leader, Portfolio, Status
from curvewise.core._scale import spread


class SearchState(Portfolio):
    """A portfolio that can be changed."""

    def lead(self, contender: Contender, *, complete: bool, loss: float | None = None) -> None:
        """Make a contender the one to beat: with its mean at the target, or with a given loss."""
        curve, target = contender.curve, self.target
        losses = dict(zip(curve.folds(target), curve.losses(target), strict=True))
        loss = curve.mean(target) if loss is None else loss
        self.leader = Leader(contender.candidate, contender.order, curve, losses, loss, complete)
        self.version += 1

    def compete(self, contender: Contender, end: End) -> bool:
        """Note the loss that a contender ended with; tell whether there is another one to beat."""
        loss = end.loss if isinstance(end, Complete) else getattr(end, "estimate", math.nan)
        if not math.isfinite(loss):
            return False
        version = self.version
        if self.best is None or (loss, contender.order) < (self.best_loss, self.best.order):
            self.best, self.best_loss = contender, loss
        if self.leader is None or self.leads(contender):
            self.lead(self.best, complete=True, loss=self.best_loss)
        elif self.best is contender and self._beats_leader(contender, loss, self.leader):
            self.lead(contender, complete=True, loss=loss)
        return self.version > version

    def dethrone(self) -> None:
        """Forget a leader that will not get its score; the best complete one takes its place."""
        self.leader = None
        self.version += 1
        if self.best is not None:
            self.lead(self.best, complete=True, loss=self.best_loss)

    def record(self, contender: Contender, observation: Observation) -> None:
        """Add an observation to a contender's curve and to the shared statistics."""
        contender.curve.add(observation)
        if observation.task.anchor == self.target:
            self._price(contender)
            if self.leads(contender):
                self.lead(contender, complete=False)

    def remember(self, curve: LearningCurve) -> None:
        """Let the curve of an earlier candidate count in what evaluations cost and losses are.

        It stands among the contenders as one that has ended, with its mean at its last anchor.
        """
        anchor = curve.anchors[-1]
        candidate = curve.cells(anchor)[0].task.candidate
        mean = Observation(
            Task(candidate, anchor, 0), curve.mean(anchor), seconds=curve.seconds(anchor)
        )
        contender = Contender(candidate, len(self.contenders), status=Status.PRUNED)
        self.contenders[candidate] = contender
        self.record(contender, mean)
        self.settle(contender)

    def settle(self, contender: Contender) -> None:
        """Note that all evaluations of a contender have answered.

        The unit of an unknown scale is taken here and not at each observation, so that it does
        not depend on the order in which a contender's outcomes arrive.
        """
        if self.scale.unit is None and len(contender.curve):
            self._seen.add(contender.order)
            if len(self._seen) * 8 > self._unit_based_on * 9 or self._unit_based_on < 3:
                curves = [c.curve for c in self.contenders.values() if c.order in self._seen]
                self._unit = spread(curve.mean(curve.anchors[-1]) for curve in curves)
                self._unit_based_on = len(self._seen)

    def _beats_leader(self, contender: Contender, loss: float, leader: Leader) -> bool:
        """Compare one that has ended with the leader, on the folds that the leader has."""
        target = self.target
        if leader.complete:
            return (loss, contender.order) < (leader.loss, leader.order)
        pairs = zip(contender.curve.folds(target), contender.curve.losses(target), strict=True)
        return (
            math.fsum(loss - leader.losses[fold] for fold, loss in pairs if fold in leader.losses)
            < 0
        )

    def _price(self, contender: Contender) -> None:
        seconds = 1.0 if self.count_rows else contender.curve.seconds(self.target)
        self._sum_of_seconds += _exact(seconds) - _exact(contender.seconds_at_target or 0.0)
        self._n_priced += contender.seconds_at_target is None
        contender.seconds_at_target = seconds


def _exact(seconds: float) -> int:
    """Give a float as a whole number of its smallest parts."""
    numerator, denominator = seconds.as_integer_ratio()
    return numerator << (EXACT_BITS + 1 - denominator.bit_length())
