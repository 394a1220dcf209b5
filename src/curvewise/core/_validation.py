"""The validation of one candidate, as ask and tell: a search with one contender."""

from __future__ import annotations

from curvewise.core._outcome import Candidate
from curvewise.core._policy import Policy
from curvewise.core._portfolio import Contender
from curvewise.core._result import ValidationResult, result_of
from curvewise.core._scale import Scale
from curvewise.core._schedule import Schedule
from curvewise.core._search import Search
from curvewise.core._time_limit import TimeLimit


class Validation(Search):
    """Validate one candidate, perhaps against what it has to beat.

    It is asked and told as any `Search` is.

    Parameters
    ----------
    candidate
        Its name.
    schedule
        The anchors, or just the target: then the policy chooses the anchors.
    policy
        The rules; by default `Race`.
    n_folds
        How many folds there are.
    scale
        How losses are to be read; by default as error rates.
    best_loss
        What has to be beaten: a loss, or an earlier result, which allows paired comparisons.
    limit
        The time that it may take; by default there is no limit.

    Examples
    --------
    >>> from curvewise.core import LCCV, Observation
    >>> validation = Validation("svc", schedule=9000, policy=LCCV(), best_loss=0.09)
    >>> while not validation.done:
    ...     for task in validation.ask():
    ...         _ = validation.tell(Observation(task, loss=0.12 + 8 / task.anchor))
    >>> print(validation.result.explain())
    svc pruned at 2,048 rows: at best 0.9026 at 9,000, to beat 0.91
    """

    def __init__(
        self,
        candidate: Candidate = "candidate",
        *,
        schedule: Schedule | int,
        policy: Policy | None = None,
        n_folds: int = 5,
        scale: Scale | None = None,
        best_loss: ValidationResult | float | None = None,
        limit: TimeLimit | None = None,
    ) -> None:
        self.candidate = candidate
        super().__init__(
            [candidate],
            schedule=schedule,
            policy=policy,
            n_folds=n_folds,
            scale=scale,
            best_loss=best_loss,
            limit=limit,
        )

    @property
    def result(self) -> ValidationResult:
        """What is known so far."""
        contender = self.portfolio.contenders.get(self.candidate) or Contender(self.candidate, 0)
        return result_of(self.portfolio, contender)
