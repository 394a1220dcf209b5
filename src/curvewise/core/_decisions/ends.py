"""Decisions that end a candidate: out, complete, stopped or failed, each with what it rests on."""

from __future__ import annotations

import math
from dataclasses import dataclass

from curvewise._text import counted
from curvewise.core._outcome import Failure
from curvewise.core._scale import Scale

# What the rules of prunes say, in a few words; LCCV's bound needs none.
IN_WORDS = {
    "aggressive": "no better than the mean of the best",
    "analysis of variance": "behind by more than the noise of the folds",
    "behind at the same anchor": "too far behind",
    "bootstrap": "worse in nearly all bootstrap samples",
    "chance": "too little chance to win",
    "expected gain": "not worth its time",
    "forgiving": "no better than the worst fold of the best",
    "rank": "not among the best of its round",
    "robust": "no better than the best few",
    "signed rank": "behind on nearly all folds",
    "tie": "behind the other one that is left",
    "training": "no better on its own training rows",
}


@dataclass(frozen=True, slots=True)
class Prune:
    """Out: it cannot win, or finishing it is not worth its cost.

    Parameters
    ----------
    anchor, n_folds
        Where, in rows, and on how many folds there.
    bound, threshold
        The loss that it could reach or has reached, and the one that it had to beat.
    target
        The rows at which candidates are compared.
    rule
        The name of the rule: ``"bound"`` for the convex bound of LCCV.
    gain, min_gain, chance
        Of a race: by how much finishing it was expected to improve on the leader, what gain would
        have been worth it, both in losses, and its chance to win. None for other policies.

    Examples
    --------
    >>> Prune(256, 0.31, 0.28, 900, "bound", 5).explain(Scale())
    'pruned at 256 rows: at best 0.69 at 900, to beat 0.72'
    >>> Prune(900, 0.31, 0.28, 900, "chance", 2, chance=0.012).explain(Scale())
    'pruned at 900 rows after 2 folds (too little chance to win): 0.69, to beat 0.72; its chance \
to win was 1.2%'
    """

    anchor: int
    bound: float
    threshold: float
    target: int
    rule: str
    n_folds: int
    gain: float | None = None
    min_gain: float | None = None
    chance: float | None = None

    @property
    def headline(self) -> str:
        """Say where and by which rule, without the evidence."""
        text = f"pruned at {self.anchor:,} rows"
        if self.rule == "bound":
            return text
        rule = IN_WORDS.get(self.rule, self.rule)
        return f"{text} after {counted(self.n_folds, 'fold')} ({rule})"

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        bound, threshold = (f"{scale.score(loss):.4g}" for loss in (self.bound, self.threshold))
        if self.rule == "bound":
            return f"{self.headline}: at best {bound} at {self.target:,}, to beat {threshold}"
        return f"{self.headline}: {bound}, to beat {threshold}{self._evidence()}"

    def _evidence(self) -> str:
        """Say what the rule that decided has looked at, and nothing else."""
        if self.rule == "behind at the same anchor":
            return " at the same size"
        if self.rule == "expected gain" and self.gain is not None and self.min_gain is not None:
            return (
                f"; finishing it was expected to gain {self.gain:.2g}, and would be worth its time "
                f"from {self.min_gain:.2g} on"
            )
        if self.chance is None:
            return ""
        if self.rule == "signed rank":
            return f"; p = {self.chance:.2g} in the signed-rank test"
        if self.rule == "bootstrap":
            return f"; no worse in {100 * self.chance:.2g}% of the samples"
        return f"; its chance to win was {100 * self.chance:.2g}%"


@dataclass(frozen=True, slots=True)
class Complete:
    """Fully evaluated: it has its score.

    Parameters
    ----------
    anchor, n_folds
        The target, in rows, and on how many folds.
    loss
        The mean loss there.

    Examples
    --------
    >>> Complete(900, 0.1, 5).explain(Scale())
    'completed: 0.9 on 5 folds of 900 rows'
    """

    anchor: int
    loss: float
    n_folds: int

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        score = f"{scale.score(self.loss):.4g}"
        return f"completed: {score} on {counted(self.n_folds, 'fold')} of {self.anchor:,} rows"


@dataclass(frozen=True, slots=True)
class Stop:
    """Ended early by a limit or by the user.

    Parameters
    ----------
    reason
        What ended it, in a few words.
    estimate
        The partial result, as a loss; NaN if there is none.
    based_on
        What that rests on.
    low, high
        Its 95% interval.

    Examples
    --------
    >>> Stop("time limit", 0.2, "2 of 5 folds at the target").explain(Scale())
    'stopped (time limit): 0.8 from 2 of 5 folds at the target'
    """

    reason: str
    estimate: float
    based_on: str = ""
    low: float = -math.inf
    high: float = math.inf

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        if math.isnan(self.estimate):
            return f"stopped ({self.reason}) before any result"
        return f"stopped ({self.reason}): {scale.score(self.estimate):.4g} from {self.based_on}"


@dataclass(frozen=True, slots=True)
class Fail:
    """No result.

    Parameters
    ----------
    failure
        The failure that ended it.
    n_failures
        How many there were in all.

    Examples
    --------
    >>> from curvewise.core import Reason, Task
    >>> Fail(Failure(Task("svc", 64, 0), Reason.ERROR, "no rows"), 1).explain(Scale())
    'failed at 64 rows: no rows'
    """

    failure: Failure
    n_failures: int

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        return f"failed at {self.failure.task.anchor:,} rows: {self.failure.headline}"
