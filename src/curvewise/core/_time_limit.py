"""The time a candidate may take, and who cannot finish within it.

Rules:

1. A limit holds for all evaluations of a candidate together (as in the paper), and another one for
   each single evaluation.
2. At the target an evaluation may take what is left of the candidate's limit, shared among those
   of its evaluations that can be under way at once. At an inner anchor, who needs longer than a
   fold at the target may take on average cannot finish: with foresight, it ends there.
3. A candidate is *hopeless* if the folds that it still needs at the target would take longer than
   what is left. Their seconds are known once it has been at the target; folds differ, so that a
   quarter more is borne with. Before that they are predicted from its last two anchors
   (`curvewise.core._run_time`); since such predictions err, it is stopped only if they exceed what
   is left by a factor of two. On recorded pipelines that stops half of those that time out and none
   of the others (``benchmarks/foresight.py``).
   A fold at the target after which the candidate will be looked at again ends where it would be
   found hopeless: a learner that never ends costs one fold's share of its limit, not all of it.
   While nobody leads, a partial result is better than none, and it may take what is left.
4. A hopeless candidate is STOPPED with its partial result: that says nothing about its quality.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from curvewise.core._checks import real_number
from curvewise.core._flight import granted_to_others
from curvewise.core._outcome import Task
from curvewise.core._portfolio import Contender, Portfolio
from curvewise.core._run_time import predict_seconds

# Predictions err by a factor of 3 at the 95th percentile, hence no smaller margin: with 2, none of
# the recorded pipelines that would have finished is stopped.
MARGIN = 2.0
# Folds of one candidate differ by less: their seconds were measured, on other rows.
MARGIN_AT_TARGET = 1.25


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """Seconds that may be spent on a candidate.

    Parameters
    ----------
    per_candidate
        For all evaluations of a candidate together; None for no limit.
    per_fit
        For each evaluation; None for no limit.
    foresee
        Whether candidates are stopped that cannot finish within their limit, before they meet it.

    Examples
    --------
    >>> TimeLimit(per_candidate=0)
    Traceback (most recent call last):
    ...
    curvewise.errors.InvalidParameterError: The time limit per candidate must be above 0, got 0.
    """

    per_candidate: float | None = None
    per_fit: float | None = None
    foresee: bool = True

    def __post_init__(self) -> None:
        limits = {"candidate": self.per_candidate, "fit": self.per_fit}
        for name, seconds in limits.items():
            if seconds is not None:
                real_number(f"The time limit per {name}", seconds, above=0)

    def allowance(self, portfolio: Portfolio, contender: Contender, task: Task) -> float | None:
        """Give the seconds that an evaluation of a contender may take (rules 1 and 2).

        Parameters
        ----------
        portfolio, contender, task
            The state of the search, whose evaluation it is, and the evaluation.
        """
        if self.per_candidate is None:
            return self.per_fit
        granted = granted_to_others(contender, task).values()
        left = max(0.0, self.per_candidate - contender.seconds_spent - math.fsum(granted))
        n_to_come = min(len(contender.pending), portfolio.n_workers) - len(granted)
        left /= max(1, n_to_come)
        n_left = portfolio.n_folds - contender.curve.n(portfolio.target)
        if self.foresee and task.anchor < portfolio.target:
            left = min(left, self.per_candidate / portfolio.n_folds)
        elif self.foresee and portfolio.leader is not None and len(contender.pending) < n_left:
            left *= min(1.0, MARGIN_AT_TARGET / n_left)
        return left if self.per_fit is None else min(left, self.per_fit)

    def objection(self, portfolio: Portfolio, contender: Contender) -> str | None:
        """Say why a contender cannot finish within its limit; None if it may (rule 3).

        Parameters
        ----------
        portfolio, contender
            The state of the search, and whom it is about.
        """
        if self.per_candidate is None:
            return None
        left = self.per_candidate - contender.seconds_spent
        if left <= 0:
            return f"its {self.per_candidate:g} s are used up"
        # Deviates: 18. In the paper a candidate runs until its time is up.
        if not self.foresee:
            return None
        curve, target = contender.curve, portfolio.target
        n_left = portfolio.n_folds - curve.n(target)
        predicted = predict_seconds(curve, target)
        margin = MARGIN_AT_TARGET if curve.n(target) else MARGIN
        if predicted is None or n_left * predicted <= margin * left:
            return None
        return f"{n_left} folds of about {predicted:.3g} s do not fit into the {left:.3g} s left"
