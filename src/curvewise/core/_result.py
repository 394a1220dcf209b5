"""What the validation of one candidate came to."""

from __future__ import annotations

import math
from dataclasses import dataclass

from curvewise._sketch import describe_html
from curvewise.core._checks import real_number
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Complete, Decision, Stop
from curvewise.core._intervals import Interval
from curvewise.core._outcome import Candidate, Failure
from curvewise.core._picture import picture_of
from curvewise.core._portfolio import Contender, Leader, Portfolio, Status
from curvewise.core._scale import Scale


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
        The 95% interval (Student's t) of the mean loss at the target, or of the partial result.
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
    loss, interval = math.nan, contender.curve.interval(portfolio.target, kind="t")
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
