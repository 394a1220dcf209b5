"""The metrics of a search as its attributes name them: scikit-learn's rules.

A single metric is called "score" in ``cv_results_``, whatever its name is. Several have their own
names. What a callable measures is known only once it has been called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from curvewise._evaluation.scorers import Scoring
from curvewise._selection.search_parameters import may_be_several
from curvewise.core._curve import LearningCurve


class MetricNames(NamedTuple):
    """What was measured: columns by metric, which column decides, ``scorer_``, and how many."""

    columns: dict[str, str]
    deciding: str
    scorer: Any
    several: bool


def metric_names(curves: Iterable[LearningCurve], scoring: Scoring, given: Any) -> MetricNames:
    """Name the metrics, from what was measured and what the user gave as ``scoring``."""
    measured = next((cell.scores for curve in curves for cell in curve if cell.scores), {})
    several = may_be_several(given) and (not callable(given) or list(measured) != ["score"])
    columns = {name: name if several else "score" for name in measured}
    deciding = columns[scoring.deciding(measured)] if columns else "score"
    scorer: Any = scoring.scorers
    if not may_be_several(given) or callable(given):
        (scorer,) = scoring.scorers.values()
    return MetricNames(columns, deciding, scorer, several)
