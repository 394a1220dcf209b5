"""Which candidate is the best, and how sure one can be that there is one."""

from __future__ import annotations

import numbers
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from curvewise.core._decisions import Fail, Stop
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.errors import NoResultError, UnfitDataError

# The stack level of who called fit, for warnings of functions that a method of the search calls;
# one frame is that of callbacks.
FRAMES = 5


def choose(
    results: Sequence[ValidationResult],
    table: Mapping[str, Any],
    metric: str,
    *,
    best: ValidationResult,
    choose_by: Callable[[Mapping[str, Any]], Any] | None = None,
) -> tuple[int, float | None]:
    """Choose the first of the completed candidates with the best mean: its place, and its score.

    Who was chosen by a callable has no score.
    """
    if choose_by is not None:
        index = _checked(choose_by(table), len(results))
        chosen = results[index]
        if chosen.status is not Status.COMPLETED:
            warnings.warn(
                f"refit chose {chosen.candidate}, which was {chosen.status.value} and has no mean "
                "score. Candidates without one have NaN: numpy.nanargmax leaves them out, argmax "
                "does not.",
                stacklevel=FRAMES,
            )
        return index, None
    if best.status is Status.COMPLETED:
        completed = [result.status is Status.COMPLETED for result in results]
        ranks = np.where(completed, table[f"rank_test_{metric}"], len(results) + 1)
        index = int(ranks.argmin())
        return index, table[f"mean_test_{metric}"][index]
    if not any(result.status is Status.COMPLETED for result in results):
        warnings.warn(
            "No candidate has all of its folds: the best partial result was chosen.",
            stacklevel=FRAMES,
        )
    return [result.candidate for result in results].index(best.candidate), best.score


def check_results(
    results: Sequence[ValidationResult],
    best: ValidationResult | None,
    *,
    time_budget: float | None = None,
    params: Sequence[str] = (),
) -> ValidationResult:
    """Give the best result; warn of candidates that failed."""
    if best is None:
        within = "" if time_budget is None else f" within time_budget={time_budget:g} s"
        reason, error = commonest(results)
        # Whoever expects the error of an estimator finds it in the search as well.
        kind = UnfitDataError if error == "TypeError" else NoResultError
        besides = f" (fitted with {', '.join(params)})" if params else ""
        raise kind(f"No candidate gave a result{within}{besides}; the commonest reason, {reason}")
    warn_of_failed(results, stacklevel=FRAMES + 1)
    return best


def warn_of_failed(
    results: Sequence[ValidationResult], *, kind: str = "candidates", stacklevel: int
) -> None:
    """Warn if some failed."""
    failed = [result for result in results if result.status is Status.FAILED]
    if failed:
        warnings.warn(
            f"{len(failed)} of {len(results)} {kind} failed; the commonest reason, "
            f"{commonest(failed)[0]}",
            FitFailedWarning,
            stacklevel=stacklevel,
        )


def commonest(results: Iterable[ValidationResult]) -> tuple[str, str]:
    """Say how most of those ended that gave no result; and the error's type, if it was one."""
    reasons: Counter[tuple[str, str]] = Counter()
    for result in results:
        last = result.decisions[-1] if result.decisions else None
        if isinstance(last, Fail):
            reasons[last.failure.headline, last.failure.error] += 1
        elif isinstance(last, Stop):
            reasons[f"stopped, {last.reason}", ""] += 1
    if not reasons:
        return "there was no candidate", ""
    (((reason, error), n),) = reasons.most_common(1)
    return f"{n} of {reasons.total()}: {reason}", error


def _checked(index: Any, n: int) -> int:
    """Check what a callable gave; with scikit-learn's own words and errors."""
    if not isinstance(index, numbers.Integral):
        raise TypeError("best_index_ returned is not an integer")
    if not 0 <= int(index) < n:
        raise IndexError("best_index_ index out of range")
    return int(index)
