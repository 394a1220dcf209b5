"""What the validation of one candidate came to, and what there is to see of it.

`curvewise._sketch` draws its picture as a small SVG for notebooks, `CurveDisplay` with matplotlib.
Rules of the picture:

1. Everything is a score, greater is better. What is not finite is not drawn.
2. Means have 95% intervals (`curvewise.core._fold_noise`); a single observation has one where the
   noise of its test rows is known.
3. The threshold is the last one that a decision named. Races name what the leader had at the same
   anchor and on the same folds, so it comes with the anchor that it belongs to.
4. The optimistic line is how the bound of a prune by convexity came about. It is straight in rows
   (Mohr & van Rijn 2023, Sec. IV-B), hence bent on an axis of their logarithm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from curvewise._sketch import CurvePoint, Picture, describe_html
from curvewise.core._checks import real_number
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Advance, Complete, Decision, Prune, Skip, Stop
from curvewise.core._fold_noise import loss_interval
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate, Failure
from curvewise.core._portfolio import Contender, Leader, Portfolio, Status
from curvewise.core._scale import Scale

N_STEPS = 32


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """The result of one candidate.

    Parameters
    ----------
    candidate
        Which one.
    status
        COMPLETED, PRUNED, STOPPED, FAILED, or RUNNING while it is under way.
    loss
        The mean loss at the target if COMPLETED, the partial result if STOPPED, NaN otherwise: a
        pruned candidate has no loss that could be compared.
    interval
        The 95% interval of the mean loss at the target, or of the partial result: Student's, with
        at least the noise of the test rows; infinite where nothing is known.
    curve
        Every observation.
    decisions
        What was decided, in order, each with its evidence.
    failures
        The tasks that failed.
    scale
        How losses read as scores.
    folds
        A text that is the same for results that can be compared fold by fold; empty if unknown.

    Examples
    --------
    >>> from curvewise.core._search import Search
    >>> from curvewise.core._policies.kfold import KFoldCV
    >>> from curvewise.core._outcome import Observation
    >>> search = Search(["svc"], schedule=900, policy=KFoldCV(), n_folds=2)
    >>> for task in search.ask(2):
    ...     _ = search.tell(Observation(task, loss=0.1))
    >>> print(search.results["svc"].explain())
    svc completed: 0.9 on 2 folds of 900 rows
    """

    candidate: Candidate
    status: Status
    loss: float
    interval: Interval
    curve: LearningCurve
    decisions: tuple[Decision, ...]
    failures: tuple[Failure, ...]
    scale: Scale
    folds: str = ""

    @property
    def score(self) -> float:
        """The loss as the score that the user knows: greater is better."""
        return self.scale.score(self.loss)

    @property
    def n_folds(self) -> int:
        """How many folds its score and its interval rest on; those of the largest training set."""
        return self.curve.n(self.curve.anchors[-1]) if self.curve.anchors else 0

    @property
    def seconds(self) -> float:
        """What all of its evaluations took, the failed ones included."""
        spent = math.fsum(observation.seconds for observation in self.curve)
        return spent + math.fsum(failure.seconds for failure in self.failures)

    @property
    def training_rows(self) -> int:
        """The training rows of all of its successful fits together."""
        return sum(observation.task.anchor for observation in self.curve)

    def explain(self) -> str:
        """Say in a sentence how it ended."""
        if not self.decisions:
            return f"{self.candidate} has not begun"
        return f"{self.candidate} {self.decisions[-1].explain(self.scale)}"

    def __str__(self) -> str:
        return self.explain()

    def history(self) -> list[str]:
        """Say each decision in a sentence."""
        return [decision.explain(self.scale) for decision in self.decisions]

    def _repr_html_(self) -> str:
        """Show it in a notebook: a small picture, the facts and the decisions."""
        known = math.isfinite(self.score)
        facts = {
            "status": self.status.value,
            "score": f"{self.score:.6g}" if known else "none",
            "seconds": f"{self.seconds:.3g}",
            "training rows": f"{self.training_rows:,}",
        }
        picture, headline = picture_of(self), self.explain()
        return describe_html(picture, headline=headline, facts=facts, steps=self.history())


def result_of(portfolio: Portfolio, contender: Contender) -> ValidationResult:
    """Freeze what is known about a contender."""
    last = contender.trace[-1] if contender.trace else None
    loss, interval = math.nan, loss_interval(contender.curve, portfolio.target, portfolio.scale)
    if isinstance(last, Complete):
        loss = last.loss
    elif isinstance(last, Stop):
        loss, interval = last.estimate, Interval(last.low, last.high)
    return ValidationResult(
        contender.candidate,
        contender.status,
        loss,
        interval,
        LearningCurve(contender.curve),
        tuple(contender.trace),
        tuple(sorted(contender.failures, key=lambda failure: failure.task[1:])),
        portfolio.scale,
    )


def as_leader(best_loss: ValidationResult | float, target: int) -> Leader:
    """Turn what has to be beaten from the start into a leader."""
    if not isinstance(best_loss, ValidationResult):
        return Leader(None, -1, None, {}, real_number("best_loss", best_loss), complete=True)
    curve, loss = best_loss.curve, real_number("best_loss", best_loss.loss)
    losses = dict(zip(curve.folds(target), curve.losses(target), strict=True))
    return Leader(best_loss.candidate, -1, curve, losses, loss, complete=True)


def picture_of(result: ValidationResult) -> Picture:
    """Gather what there is to see of a result."""
    scale, curve = result.scale, result.curve
    points = []
    for anchor in curve.anchors:
        score = scale.score(curve.mean(anchor))
        if math.isfinite(score):
            low, high = loss_interval(curve, anchor, scale)
            points.append(CurvePoint(anchor, score, scale.score(high), scale.score(low)))
    folds = [(each.task.anchor, scale.score(each.loss)) for each in curve]
    threshold, threshold_anchor = _threshold(result)
    failures = tuple(failure.task.anchor for failure in result.failures)
    decided = [
        decision.target if isinstance(decision, Prune) else decision.anchor
        for decision in result.decisions
        if isinstance(decision, (Advance, Complete, Prune, Skip))
    ]
    return Picture(
        points=tuple(points),
        folds=tuple((anchor, score) for anchor, score in folds if math.isfinite(score)),
        threshold=threshold,
        threshold_anchor=threshold_anchor,
        optimistic=_optimistic_line(result),
        failures=failures,
        target=max((*curve.anchors, *failures, *decided), default=None),
        ending=_ending(result),
        bounded=scale.unit is not None,
    )


def _threshold(result: ValidationResult) -> tuple[float | None, int | None]:
    """The score that had to be beaten, and where."""
    for decision in reversed(result.decisions):
        if isinstance(decision, (Prune, Advance, Skip)) and decision.threshold is not None:
            score = result.scale.score(decision.threshold)
            if math.isfinite(score):
                here = isinstance(decision, Prune) and decision.rule != "bound"
                return score, decision.anchor if here else None
    return None, None


def _optimistic_line(result: ValidationResult) -> tuple[tuple[float, float], ...]:
    """The way from the last anchor to the bound at the target."""
    last = result.decisions[-1] if result.decisions else None
    if not isinstance(last, Prune) or last.rule != "bound" or not last.anchor < last.target:
        return ()
    # The narrower interval: whatever kind the policy used, the line does not begin above its end.
    low = result.curve.interval(last.anchor, kind="normal").low
    begin = result.scale.score(low if math.isfinite(low) else result.curve.mean(last.anchor))
    end = result.scale.score(last.bound)
    if not (math.isfinite(begin) and math.isfinite(end)):
        return ()
    shares = [i / N_STEPS for i in range(N_STEPS + 1)]
    rows = last.target - last.anchor
    return tuple((last.anchor + t * rows, (1 - t) * begin + t * end) for t in shares)


def _ending(result: ValidationResult) -> str:
    last = result.decisions[-1] if result.decisions else None
    if isinstance(last, Prune) and result.status is Status.PRUNED:
        return f"pruned at {last.anchor:,}"
    if last is None:
        return "not begun"
    known = math.isfinite(result.score)
    return f"{result.status.value}: {result.score:.4g}" if known else result.status.value
