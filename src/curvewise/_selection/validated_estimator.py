"""What `validate` gives: the result of one estimator, which can write its own report."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Self

from curvewise._selection.compare import Comparison
from curvewise._selection.remembered_run import RememberedResults, RememberedRun, run_of_results
from curvewise._selection.short_ways import ShortWays
from curvewise.core._result import ValidationResult

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class ValidatedEstimator(ShortWays, ValidationResult):
    """The result of one estimator: a `ValidationResult` with a report, advice and a table.

    Parameters
    ----------
    candidate, status, loss, interval, curve, decisions, failures, scale, folds
        As for `ValidationResult`.
    memory
        What its report says of how it was validated; `validate` fills it in.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> import curvewise as cw
    >>> result = cw.validate(SVC(), *load_iris(return_X_y=True))
    >>> [round(score, 3) for score in result.leaderboard()["score"]]
    [0.967]
    """

    memory: RememberedResults | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, result: ValidationResult, memory: RememberedResults) -> Self:
        """Give a result its short ways.

        Parameters
        ----------
        result
            What came of the estimator.
        memory
            What is remembered of its validation.
        """
        known = {each.name: getattr(result, each.name) for each in fields(ValidationResult)}
        return cls(**known, memory=memory)

    def leaderboard(self) -> DataFrame:
        """Give its score, interval and costs as a pandas data frame with a single row.

        The columns are those of `Comparison.table`.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        return Comparison([self]).to_frame()

    def _run_to_read(self) -> RememberedRun:
        return run_of_results([self], memory=self.memory)

    def _results_to_read(self) -> list[ValidationResult]:
        return [self]
