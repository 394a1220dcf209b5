"""Decisions: what a policy says about one candidate, each with its evidence.

A candidate's trace is the list of decisions that were carried out. Explanations, logs, reports and
tests all read the same facts.

::

    goes on   Sample   more folds at this anchor
              Repair   the curve is not convex yet: one more fold where it bends
              Advance  to the next anchor
              Skip     straight to the target
    waits     Hold     until others have answered
    leads     Lead     this candidate is the one to beat, before it is complete
    revives   Revive   the leader that pruned it has failed
    ends      Prune    cannot win, or finishing it is not worth its cost
              Complete it has its score
              Stop     a limit was met, or the search was stopped: a partial result
              Fail     no result

Decisions that go on carry the evaluations they want (``wants``: pairs of anchor and fold) and a
``priority``: the search serves the smallest first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from curvewise._text import counted
from curvewise.core._outcome import Candidate, Failure
from curvewise.core._scale import Scale

Wants = tuple[tuple[int, int], ...]
Priority = tuple[float, ...]

# What the rules of prunes say, in a few words; LCCV's bound needs none.
IN_WORDS = {
    "behind at the same anchor": "too far behind",
    "chance": "too little chance to win",
    "expected gain": "not worth its time",
    "rank": "not among the best of its round",
    "signed rank": "behind on nearly all folds",
    "training": "no better on its own training rows",
}


@dataclass(frozen=True, slots=True)
class Sample:
    """More folds at an anchor.

    Parameters
    ----------
    anchor
        Where, in rows.
    wants
        The evaluations, as pairs of anchor and fold.
    priority
        When it is served: the search takes the smallest first.
    width, max_width
        How wide the interval of the mean was, and may be, in losses; None if that did not matter.

    Examples
    --------
    >>> Sample(64, ((64, 0), (64, 1))).explain(Scale())
    'evaluated 2 folds at 64 rows'
    """

    anchor: int
    wants: Wants
    priority: Priority = ()
    width: float | None = None
    max_width: float | None = None

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        text = f"evaluated {counted(len(self.wants), 'fold')} at {self.anchor:,} rows"
        if self.width is not None and self.max_width is not None:
            text += f": the interval was {self.width:.3g} wide, wanted {self.max_width:.3g}"
        return text


@dataclass(frozen=True, slots=True)
class Repair:
    """Back to an earlier anchor for one more fold, because no convex curve fits.

    Parameters
    ----------
    anchor, wants, priority
        As of `Sample`; the anchor is the earlier one.
    later
        The anchor from which it went back, in rows.
    excess
        By how much the intervals miss a convex curve, in losses.

    Examples
    --------
    >>> Repair(64, ((64, 3),), (), later=128, excess=0.02).explain(Scale())
    'went back to 64 rows: no convex curve fits up to 128, by 0.02'
    """

    anchor: int
    wants: Wants
    priority: Priority
    later: int
    excess: float

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        text = f"went back to {self.anchor:,} rows: no convex curve fits up to {self.later:,}"
        return f"{text}, by {self.excess:.3g}"


@dataclass(frozen=True, slots=True)
class Advance:
    """On to the next anchor.

    Parameters
    ----------
    anchor, wants, priority
        As of `Sample`.
    bound, threshold
        The loss that it could still reach, and the one to beat; None if nothing was compared.
    shape
        Why it was not pruned although the bound is worse: a rise, a bend or a plateau.

    Examples
    --------
    >>> Advance(128, ((128, 0),), ()).explain(Scale())
    'went on to 128 rows'
    >>> Advance(256, ((256, 0),), (), 0.5, 0.4, "rise").explain(Scale())
    'went on to 256 rows: not pruned at 0.5, to beat 0.6, because of a rise'
    """

    anchor: int
    wants: Wants
    priority: Priority
    bound: float | None = None
    threshold: float | None = None
    shape: str | None = None

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        text = f"went on to {self.anchor:,} rows"
        if self.bound is None or self.threshold is None:
            return text
        bound = f"{min(scale.best, scale.score(self.bound)):.4g}"
        to_beat = f"to beat {scale.score(self.threshold):.4g}"
        if self.shape is not None:
            return f"{text}: not pruned at {bound}, {to_beat}, because of a {self.shape}"
        return f"{text}: could still reach {bound}, {to_beat}"


@dataclass(frozen=True, slots=True)
class Skip:
    """Straight to the target.

    Parameters
    ----------
    anchor, wants, priority
        As of `Sample`.
    because
        ``"first"`` if there was nothing to beat, ``"mean"`` if the mean beats it already, the curve
        model that expects it to, or that no anchor before is expected to pay.
    estimate, threshold
        The loss that is expected at the target, and the one to beat; None if there is none.

    Examples
    --------
    >>> Skip(900, ((900, 0),), (), "ipl", estimate=0.1, threshold=0.2).explain(Scale())
    'jumped to 900 rows: expected 0.9 (ipl), to beat 0.8'
    """

    anchor: int
    wants: Wants
    priority: Priority
    because: str
    estimate: float | None = None
    threshold: float | None = None

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        if self.estimate is None or self.threshold is None:
            return f"went straight to {self.anchor:,} rows: nothing to beat yet"
        return (
            f"jumped to {self.anchor:,} rows: expected {scale.score(self.estimate):.4g} "
            f"({self.because}), to beat {scale.score(self.threshold):.4g}"
        )


@dataclass(frozen=True, slots=True)
class Hold:
    """Nothing yet: others have to answer first.

    Parameters
    ----------
    priority
        When it is looked at again, after what can be done meanwhile.

    Examples
    --------
    >>> Hold().explain(Scale())
    'waits for the others'
    """

    priority: Priority = ()

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        return "waits for the others"


@dataclass(frozen=True, slots=True)
class Lead:
    """From now on this candidate is the one to beat, before it is complete.

    Parameters
    ----------
    loss, n_folds
        Its mean loss at the target so far, and on how many folds.
    over
        The loss of the one that it replaces, on those folds; None if there is none.

    Examples
    --------
    >>> Lead(0.1, 1).explain(Scale())
    'takes the lead with 0.9 on 1 fold'
    """

    loss: float
    n_folds: int
    over: float | None = None

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        folds = counted(self.n_folds, "fold")
        text = f"takes the lead with {scale.score(self.loss):.4g} on {folds}"
        return text if self.over is None else f"{text}, against {scale.score(self.over):.4g}"


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


@dataclass(frozen=True, slots=True)
class Revive:
    """Back in: the leader against which it was pruned gave no result in the end.

    Parameters
    ----------
    leader
        Who that was.

    Examples
    --------
    >>> Revive("svc").explain(Scale())
    'revived: svc, against which it was pruned, gave no result'
    """

    leader: Candidate

    def explain(self, scale: Scale) -> str:
        """Say it in a sentence."""
        return f"revived: {self.leader}, against which it was pruned, gave no result"


Step = Sample | Repair | Advance | Skip
End = Prune | Complete | Stop | Fail
# The same as tuples: looking a type up in a union takes ten times as long.
STEPS = (Sample, Repair, Advance, Skip)
ENDS = (Prune, Complete, Stop, Fail)
WAITS = (*STEPS, Hold)
Decision = Step | Hold | Lead | Revive | End
