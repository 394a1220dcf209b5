"""The protocol of a policy: a rule set with its knobs, and no state of its own.

A policy looks at the state of the whole portfolio and says what should happen to one contender of
which no evaluation is under way. `Search` asks it when a contender's last answer has come in and
again, if the leader has changed meanwhile, when the contender's turn comes: decisions are always
taken against the newest leader.

Rules that look at one candidate only (`KFoldCV`, `LCCV`) have this form as they stand: they order
contenders by their arrival, so that early ones are finished first.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from curvewise.core._decisions import Decision, Stop
from curvewise.core._intervals import UNKNOWN, Interval
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._schedule import Schedule


class Estimate(NamedTuple):
    """A partial result: a loss, NaN if there is none, what it rests on, and its interval."""

    loss: float
    based_on: str
    interval: Interval = UNKNOWN

    def stop(self, reason: str) -> Stop:
        """Turn it into the decision that ends a candidate."""
        return Stop(reason, self.loss, self.based_on, *self.interval)


class Policy(Protocol):
    """What every policy offers."""

    @property
    def name(self) -> str:
        """The name by which tables and the command line call it."""

    def schedule(self, target: int) -> Schedule:
        """Choose the anchors for a target size."""

    def opening(self, *, listed: bool) -> float:
        """Say how many candidates enter together; later ones enter when workers would idle.

        Parameters
        ----------
        listed
            Whether all candidates are known in advance.
        """

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Say what should happen to a contender that waits for nothing."""

    def estimate(self, portfolio: Portfolio, contender: Contender) -> Estimate:
        """Give the partial result of a contender that is stopped now."""


def target_so_far(portfolio: Portfolio, contender: Contender) -> Estimate:
    """Average the target folds that have finished: the partial result of k-fold CV."""
    n = contender.curve.n(portfolio.target)
    loss = contender.curve.mean(portfolio.target)
    interval = contender.curve.interval(portfolio.target, kind="t")
    return Estimate(loss, f"{n} of {portfolio.n_folds} folds at the target", interval)


def last_anchor(portfolio: Portfolio, contender: Contender) -> Estimate:
    """Average the largest anchor that has been observed."""
    curve = contender.curve
    if curve.n(portfolio.target):
        return target_so_far(portfolio, contender)
    if not curve.anchors:
        return Estimate(math.nan, "nothing")
    anchor = curve.anchors[-1]
    interval = curve.interval(anchor, kind="t")
    return Estimate(curve.mean(anchor), f"the last anchor, {anchor:,} rows", interval)


def next_folds(portfolio: Portfolio, contender: Contender, anchor: int, n: int) -> list[int]:
    """List the next n folds that a contender has not had at an anchor, in their order."""
    had = contender.failed_folds(anchor).union(contender.curve.folds(anchor))
    return [fold for fold in range(portfolio.n_folds) if fold not in had][:n]
