"""The table ``cv_results_``: scikit-learn's columns, and what only we can tell.

Rules:

1. ``mean_test_*``, ``std_test_*`` and ``rank_test_*`` belong to candidates that were completed. A
   pruned, stopped or failed candidate has NaN there, never a number that cannot be compared, and
   shares the last rank. ``split*_test_*`` has whatever was measured at the target.
2. Times are means over the fits at the target.
3. With a number as ``error_score``, the folds that a failed candidate lacks count as that number.
4. Our own columns: ``status``, ``reason`` (a sentence), ``anchor`` (the largest that was reached,
   in rows), ``n_folds`` (at the target), ``bound`` (what a pruned one could reach, or had reached,
   as a score), ``estimate`` (the partial result of a stopped one), ``training_rows``, ``seconds``,
   ``rank`` (one for everybody, by the metric that decides), ``rank_estimated``.
5. A single metric is called "score", whatever its name is. Several have their own names. What a
   callable measures is known only once it has been called.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.ma import MaskedArray

from curvewise._evaluation.scorers import Scoring
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Prune, Stop
from curvewise.core._outcome import Observation
from curvewise.core._portfolio import Status
from curvewise.core._ranks import is_estimated, places, shared_ranks
from curvewise.core._result import ValidationResult

Column = np.ndarray[Any, Any]


def may_be_several(scoring: Any) -> bool:
    """Whether there may be several metrics; a callable tells only when it is called."""
    return scoring is not None and not isinstance(scoring, str)


def metric_names(
    curves: Iterable[LearningCurve], scoring: Scoring, given: Any
) -> tuple[dict[str, str], str, Any, bool]:
    """Name the metrics, from what was measured and what the user gave as ``scoring``.

    Columns by metric, which column decides, ``scorer_``, and whether there are several.
    """
    measured = next((cell.scores for curve in curves for cell in curve if cell.scores), {})
    several = may_be_several(given) and (not callable(given) or list(measured) != ["score"])
    columns = {name: name if several else "score" for name in measured}
    deciding = columns[scoring.deciding(measured)] if columns else "score"
    scorer: Any = scoring.scorers
    if not may_be_several(given) or callable(given):
        (scorer,) = scoring.scorers.values()
    return columns, deciding, scorer, several


def tabulate(
    results: Sequence[ValidationResult],
    params: Sequence[Mapping[str, Any]],
    *,
    target: int,
    n_folds: int,
    metrics: Mapping[str, str],
    train_scores: bool = False,
    error_score: float = math.nan,
) -> dict[str, Any]:
    """Make the table."""
    folds = range(n_folds)
    cells = [[result.curve.at(target, fold) for fold in folds] for result in results]
    table: dict[str, Any] = {}
    for name in ("fit", "score"):
        seconds = [_seconds(result, target, f"{name}_seconds") for result in results]
        for statistic in (np.mean, np.std):
            values = [statistic(each) if each else math.nan for each in seconds]
            table[f"{statistic.__name__}_{name}_time"] = np.array(values)
    table |= _parameters(params)
    table["params"] = [dict(each) for each in params]
    complete = np.array([result.status is Status.COMPLETED for result in results])
    failed = np.array([result.status is Status.FAILED for result in results])
    shape = len(results), n_folds
    seen = np.array([[cell is not None for cell in row] for row in cells], bool).reshape(shape)
    replaced = failed & (not math.isnan(error_score))
    seen[replaced] = True
    for kind in ("test", "train") if train_scores else ("test",):
        for metric, column in metrics.items():
            scores = np.array([[_score(cell, metric, kind) for cell in row] for row in cells])
            scores = scores.reshape(shape)
            scores[replaced] = np.nan_to_num(scores[replaced], nan=error_score)
            name = f"{kind}_{column}"
            table |= _summary(name, scores, seen, complete | replaced, ranked=kind == "test")
    return table | _own_columns(results, target)


def _summary(
    name: str, scores: Column, seen: Column, counts: Column, *, ranked: bool
) -> dict[str, Column]:
    """Give the splits, and of those that count the mean, deviation and rank."""
    columns = {f"split{fold}_{name}": scores[:, fold] for fold in range(scores.shape[1])}
    means = np.full(len(scores), np.nan)
    deviations = np.full(len(scores), np.nan)
    for i in np.flatnonzero(counts):
        # LCCV completes a candidate once its interval is narrow enough, perhaps before all folds.
        known = scores[i][seen[i]]
        means[i], deviations[i] = np.mean(known), np.std(known)
    columns[f"mean_{name}"] = means
    columns[f"std_{name}"] = deviations
    if ranked:
        columns[f"rank_{name}"] = np.array(shared_ranks((-means).tolist()), dtype=np.int32)
    return columns


def _score(cell: Observation | None, metric: str, kind: str) -> float:
    scores = None if cell is None else cell.scores if kind == "test" else cell.train_scores
    return math.nan if scores is None else scores.get(metric, math.nan)


def _seconds(result: ValidationResult, target: int, what: str) -> list[float]:
    """List the seconds at the target; a fit that failed took its time too."""
    seconds = [getattr(cell, what) or 0.0 for cell in result.curve.cells(target)]
    failed = [failure.seconds for failure in result.failures if failure.task.anchor == target]
    return seconds + (failed if what == "fit_seconds" else [0.0] * len(failed))


def _own_columns(results: Sequence[ValidationResult], target: int) -> dict[str, Column]:
    ends = [(result, result.decisions[-1] if result.decisions else None) for result in results]
    bounds = [
        result.scale.score(end.bound) if isinstance(end, Prune) else math.nan
        for result, end in ends
    ]
    estimates = [
        result.scale.score(end.estimate) if isinstance(end, Stop) else math.nan
        for result, end in ends
    ]
    ranks = places([(result, result.curve) for result in results])
    reasons = ["" if end is None else end.explain(result.scale) for result, end in ends]
    return {
        "status": np.array([result.status.value for result in results], dtype=object),
        "reason": np.array(reasons, dtype=object),
        "anchor": np.array([max(result.curve.anchors, default=0) for result in results]),
        "n_folds": np.array([result.curve.n(target) for result in results]),
        "bound": np.array(bounds),
        "estimate": np.array(estimates),
        "training_rows": np.array([result.training_rows for result in results]),
        "seconds": np.array([result.seconds for result in results]),
        "rank": np.array(ranks, dtype=np.int32),
        "rank_estimated": np.array([is_estimated(result) for result in results]),
    }


def _parameters(params: Sequence[Mapping[str, Any]]) -> dict[str, MaskedArray[Any, Any]]:
    """Give a masked column per parameter; not every candidate has every parameter."""
    names = dict.fromkeys(name for each in params for name in each)
    columns = {}
    for name in names:
        values = [each[name] for each in params if name in each]
        column: MaskedArray[Any, Any] = MaskedArray(
            np.empty(len(params), dtype=_type_of(values)), mask=True
        )
        for index, each in enumerate(params):
            if name in each:
                column[index] = each[name]
        columns[f"param_{name}"] = column
    return columns


def _type_of(values: Iterable[Any]) -> Any:
    """Find a type for a column: numbers and truth values keep theirs, all else are objects."""
    try:
        array = np.array(list(values))
    except ValueError:  # sequences of different lengths
        return np.dtype(object)
    return array.dtype if array.ndim == 1 and array.dtype.kind != "U" else np.dtype(object)
