"""What each test row loses: what a race compares candidates by, and what recordings keep.

Rows come from the scorers (`curvewise._evaluation.row_scores`). Those of error rates are truth
values, others 32-bit floats. A race needs no more than a sample of them to know how much chance
there is in a difference: the same rows for all candidates, evenly spaced, so that what is sent,
kept and compared is bounded for any number of test rows.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError

Array = np.ndarray[Any, Any]
KeepRows = Literal["none", "sample", "all"]

# The rows of a sample: eight kilobytes of either. Candidates may differ in few truth values.
MOST_ERRORS = 8_192
MOST_NUMBERS = 2_048
# Metrics that are means over rows, by the name of scikit-learn's scorer: those that are recorded.
ROW_METRICS = (
    "accuracy",
    "neg_log_loss",
    "neg_mean_squared_error",
    "neg_mean_absolute_error",
)


def check_row_metric(scoring: str) -> str:
    """Refuse a metric that is no mean over rows."""
    if scoring not in ROW_METRICS:
        raise InvalidParameterError(
            f"The metric {scoring} has no losses by row: it must be a mean over rows, one of "
            f"{', '.join(ROW_METRICS)}."
        )
    return scoring


def row_losses(rows: Array | None, scale: Scale, keep: KeepRows) -> Array | None:
    """Turn the scores of test rows into losses, of all or of a sample; None if they are unknown."""
    if rows is None or keep == "none":
        return None
    if keep == "sample":
        rows = _sampled(rows)
    if rows.dtype == np.bool_:
        return ~rows
    return np.asarray(scale.best - rows, dtype=np.float32)


def _sampled(rows: Array) -> Array:
    most = MOST_ERRORS if rows.dtype == np.bool_ else MOST_NUMBERS
    if len(rows) <= most:
        return rows
    return rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)]
