"""Where a portfolio stands: its best loss now, how far that fell on the last step, and by chance.

The *envelope* of a portfolio is the best mean loss at each anchor, whoever has it. What more rows
bring is the fall of the envelope, not of one curve: a runner-up may take the lead (Mohr & van Rijn
2023, Sec. V-B). Rules:

1. The best loss now is the leader's mean (`curvewise.advice._evidence`).
2. The last step goes from an earlier anchor to the largest. Both ends are compared on the same
   folds, and among the candidates that have all of them at both ends: a candidate that was pruned
   before or skipped the anchor would make the step look smaller or larger than it was.
3. The earlier anchor is the largest that is at least a third smaller. Anchors that are closer tell
   nothing: chance would be multiplied.
4. A step that was seen on fewer folds than the leader has carries the noise of the missing ones.

How much chance there is in a loss, and in a fall:

5. The variance of a loss is that over folds, with the variance of its test rows as four further
   observations where that is known (p(1 - p)/m for rates).
6. The fewer there are, the less is known about the variance itself: the standard error grows as
   Student's quantiles do.
7. Folds that are all the same do not make a loss certain. Rates of unknown test rows then vary as
   if a fold had as many test rows as training rows. About negative losses nothing is known.
8. The noise of a fall is that of its differences over folds, for both ends have the same folds. A
   single fold has no differences: then it is the noise of both ends together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scipy.special import ndtri, stdtrit

from curvewise._text import counted
from curvewise.advice._evidence import CandidateCurve, Evidence, find_leader, losses_on
from curvewise.core._curve import LearningCurve
from curvewise.core._intervals import variance_of_rate
from curvewise.core._outcome import Candidate, Observation
from curvewise.core._scale import Scale

# What test rows say about the noise counts as so many folds (rule 5).
PRIOR_WEIGHT = 4
# Intervals of 90% are what errors are made for.
TAIL = 0.95
# A step to an anchor that is closer than this factor would multiply chance (rule 3).
NEAREST = 1.5
BasisKind = Literal["full", "partial", "one size"]


class Noise(NamedTuple):
    """How a loss varies from fold to fold: its standard deviation, infinite if it is unknown.

    ``freedom`` is how many observations stand behind it.
    """

    deviation: float
    freedom: int

    def error_of_mean(self, n: int) -> float:
        """The standard error of a mean over n folds, as if its variance were known (rule 6)."""
        if not self.freedom:
            return math.inf
        student = float(stdtrit(self.freedom, TAIL) / ndtri(TAIL))
        return student * self.deviation / math.sqrt(n)


def fold_noise(cells: Sequence[Observation], scale: Scale) -> Noise:
    """How a loss varies from fold to fold (rules 5 and 7)."""
    losses = [cell.loss for cell in cells]
    mean = math.fsum(losses) / len(losses)
    known = [noise for cell in cells if (noise := _noise(cell, mean, scale)) is not None]
    if not known and len(losses) > 1 and min(losses) == max(losses):
        if scale.unit is not None:
            known = [variance_of_rate(mean, cells[0].task.anchor)]
        elif mean < 0:
            return Noise(math.inf, 0)
    if not known:
        return _noise_around(losses, [], freedom=len(losses) - 1)
    prior = math.sqrt(PRIOR_WEIGHT) * math.sqrt(math.fsum(known) / len(known))
    return _noise_around(losses, [prior], freedom=len(losses) - 1 + PRIOR_WEIGHT)


def _noise_around(values: Sequence[float], others: Sequence[float], *, freedom: int) -> Noise:
    """The noise of values around their mean, and of other deviations that are known."""
    mean = math.fsum(values) / len(values)
    # Where squares would overflow, this does not.
    deviation = math.hypot(*(value - mean for value in values), *others)
    return Noise(deviation / math.sqrt(freedom) if freedom else math.inf, freedom)


def _noise(cell: Observation, mean: float, scale: Scale) -> float | None:
    """The variance of a loss that comes from its test rows alone; None if it is unknown."""
    if cell.noise is not None:
        return cell.noise
    if cell.n_test is None or scale.unit is None:
        return None
    return variance_of_rate(mean, cell.n_test)


def error_of_fall(before: Sequence[float], after: Sequence[float], noise: Noise) -> float:
    """The standard error of a mean fall (rule 8)."""
    falls = [first - last for first, last in zip(before, after, strict=True)]
    n = len(falls)
    if n == 1:
        return math.sqrt(2) * noise.error_of_mean(1)
    return _noise_around(falls, [], freedom=n - 1).error_of_mean(n)


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

    ``error`` is the standard error of the leader's mean loss there, infinite if it is unknown.
    There is no step if no candidate was seen at two anchors that are far enough apart.
    """

    leader: Candidate
    rows: int
    loss: float
    error: float
    n_folds: int
    step: Step | None


def stand(entries: Sequence[CandidateCurve], scale: Scale) -> Standing:
    """See where a portfolio stands."""
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


def _last_step(
    entries: Sequence[CandidateCurve], leader: CandidateCurve, noise: Noise, n_folds: int
) -> Step | None:
    """The fall from the nearest earlier anchor (rules 2 to 4)."""
    rows = leader.curve.anchors[-1]
    earlier = {anchor for entry in entries for anchor in entry.curve.anchors if anchor < rows}
    far = [anchor for anchor in earlier if anchor * NEAREST <= rows]
    for anchor in sorted(far, reverse=True):
        seen = _seen_at_both(entries, leader, anchor, rows)
        if seen is not None:
            curves, folds = seen
            # Those of the best curve at each end.
            before, after = (
                min((losses_on(curve, place, folds) for curve in curves), key=math.fsum)
                for place in (anchor, rows)
            )
            missing = 1 / len(folds) - 1 / n_folds
            return Step(
                anchor,
                rows,
                math.fsum(before) / len(folds) - math.fsum(after) / len(folds),
                n_folds=len(folds),
                n_candidates=len(curves),
                n_others=len(entries) - len(curves),
                extra=math.sqrt(missing) * noise.deviation if missing > 0 else 0.0,
                error=error_of_fall(before, after, noise),
            )
    return None


def _seen_at_both(
    entries: Sequence[CandidateCurve], leader: CandidateCurve, before: int, after: int
) -> tuple[list[LearningCurve], set[int]] | None:
    """The curves that have the same folds at both anchors, and these folds; None if none has."""
    common = {
        entry.candidate: set(entry.curve.folds(before)) & set(entry.curve.folds(after))
        for entry in entries
    }
    # The leader's folds, else those of the best that has the most.
    folds = common[leader.candidate]
    if not folds:
        best = min(entries, key=lambda each: (-len(common[each.candidate]), each.curve.mean(after)))
        folds = common[best.candidate]
    if not folds:
        return None
    return [entry.curve for entry in entries if common[entry.candidate] >= folds], folds


@dataclass(frozen=True, slots=True)
class Basis:
    """What an advice rests on.

    Parameters
    ----------
    kind
        ``"full"`` if all candidates have the last step to the target, ``"partial"`` if some have
        it or it ends earlier, ``"one size"`` if none was seen at two sizes.
    n_candidates
        How many candidates have any observation.
    n_compared
        How many of them the last step was seen on.
    n_folds
        The folds of the last step; of the leader, if there is none.
    n_without
        How many more candidates there were, without any observation.
    rows, target
        The largest training set that was seen, and that of the search.
    by_experience
        Whether recorded portfolios take the place of the last step; None if nothing does.
    same_folds
        Whether chance is unknown because the leader's folds are all the same.

    Examples
    --------
    >>> print(Basis("partial", n_candidates=30, n_compared=4, n_folds=1).explain())
    This rests on partial curves: 4 of 30 candidates have both ends of the last step, on 1 fold.
    """

    kind: BasisKind
    n_candidates: int
    n_compared: int
    n_folds: int
    n_without: int = 0
    rows: int = 0
    target: int = 0
    by_experience: bool | None = False
    same_folds: bool = False

    def explain(self) -> str:
        """Say it in a sentence."""
        folds = counted(self.n_folds, "fold")
        ends = f" They end at {self.rows:,} of {self.target:,} training rows."
        ends = ends if self.rows < self.target else ""
        if self.kind == "one size" or self.by_experience is not False:
            return self._without_step() + ends
        if self.kind == "full":
            who = counted(self.n_candidates, "candidate")
            return f"This rests on the full learning curves of {who}, on {folds}."
        have = "has" if self.n_compared == 1 else "have"
        return (
            f"This rests on partial curves: {self.n_compared} of {self.n_candidates} candidates "
            f"{have} both ends of the last step, on {folds}.{ends}"
        )

    def _without_step(self) -> str:
        why = "No candidate was measured at two sizes that are far enough apart"
        if self.kind != "one size":
            same = "because all folds are the same" if self.same_folds else "with a single fold"
            why = f"The noise is unknown {same}"
        if self.by_experience:
            return f"{why}, so the answer rests on other recorded searches alone."
        return f"{why}, so nothing can be predicted."


def basis_of(evidence: Evidence, standing: Standing, *, by_experience: bool | None) -> Basis:
    """Find out what an advice rests on."""
    step = standing.step
    kind: BasisKind = "full"
    if step is None:
        kind = "one size"
    elif step.n_others or standing.rows < evidence.target:
        kind = "partial"
    return Basis(
        kind,
        n_candidates=len(evidence.entries),
        n_compared=step.n_candidates if step else 0,
        n_folds=(step or standing).n_folds,
        n_without=evidence.n_without,
        rows=standing.rows,
        target=evidence.target,
        by_experience=by_experience,
        same_folds=standing.n_folds > 1 and math.isinf(standing.error),
    )
