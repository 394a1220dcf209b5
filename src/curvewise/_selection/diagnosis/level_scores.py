"""How good a model is on the levels of a column: by region, by year, by age.

Rules:

1. Numbers and dates with more than `MOST_SINGLE` different values are put into `N_BINS` bins with
   about as many rows each. Everything else has a level per value, the most frequent first; beyond
   `MOST_LEVELS` the rest is one level. Rows without a value are a level of their own.
2. The score is that of the metric of the search, on the out-of-fold predictions of the rows of the
   level, with their weights if the search scores with weights. Where the metric needs an estimator,
   or the model gives no probabilities, it is accuracy, or R².
3. Its 95% interval is made of the noise of the metric over these rows, where that is known
   (`curvewise._evaluation.row_scores`): not of weighted scores.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from curvewise._evaluation.prediction_scores import deciding_scorer, prediction_score
from curvewise._evaluation.row_scores import score_noise
from curvewise._evaluation.scales import name_of
from curvewise._evaluation.scorers import Scoring, own_score, resolve_scoring
from curvewise._packages import require
from curvewise._selection.diagnosis.predicted_rows import Array, PredictedRows
from curvewise.errors import InvalidParameterError

MOST_LEVELS = 30
MOST_SINGLE = 12
N_BINS = 6
NORMAL = 1.96
MISSING = "(missing)"


@dataclass(frozen=True, slots=True)
class LevelScore:
    """How good a model is on the rows of one level.

    Parameters
    ----------
    level
        The value, or the range of values.
    n_rows
        How many of its rows have a prediction.
    score
        NaN where the metric cannot judge these rows, such as the area under the ROC curve of a
        single class.
    low, high
        The 95% interval of the score; NaN where it is not known.
    """

    level: str
    n_rows: int
    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ScoresByLevel:
    """How good a model is on the levels of a column.

    Parameters
    ----------
    column
        What the column is called.
    metric
        What is measured; greater is better.
    score
        That of all rows together.
    levels
        One for each.
    """

    column: str
    metric: str
    score: float
    levels: tuple[LevelScore, ...]


def scores_by_level(
    rows: PredictedRows,
    values: Any,
    *,
    column: str = "column",
    scoring: Scoring | None = None,
    weights: Array | None = None,
) -> ScoresByLevel:
    """Score the rows of each level of a column, which has a value for each row of the table.

    So have the weights, if rows count as much as these in the scores of the search.
    """
    if len(values) != rows.n_rows:
        raise InvalidParameterError(
            f"Levels need a value for each of the {rows.n_rows} rows, got {len(values)}."
        )
    labels, codes = levels_of(values)
    measure = _Measure(rows, scoring, None if weights is None else weights[rows.rows])
    codes = codes[rows.rows]
    found = []
    for code, label in enumerate(labels):
        inside = np.flatnonzero(codes == code)
        if len(inside):
            found.append(LevelScore(label, len(inside), *measure.score(inside)))
    score, _, _ = measure.score(np.arange(len(codes)))
    return ScoresByLevel(column, measure.name, score, tuple(found))


def levels_of(values: Any) -> tuple[list[str], Array]:
    """Give the levels of a column, and which of them each row has (rule 1)."""
    pd = require("pandas", "Scores by the levels of a column")
    series = pd.Series(values).reset_index(drop=True)
    missing = series.isna().to_numpy()
    known = series[~missing]
    kind = "number" if pd.api.types.is_numeric_dtype(series.dtype) else "other"
    if pd.api.types.is_bool_dtype(series.dtype):
        kind = "other"
    if pd.api.types.is_datetime64_any_dtype(series.dtype):
        kind = "date"
    binned = kind != "other" and known.nunique() > MOST_SINGLE
    labels, inner = _bins(known, kind) if binned else _single(known, kind)
    codes = np.full(len(series), len(labels))
    codes[~missing] = inner
    return ([*labels, MISSING] if missing.any() else labels), codes


def _bins(known: Any, kind: str) -> tuple[list[str], Array]:
    """Put numbers or dates into bins with about as many rows each."""
    numbers = known.astype("int64").to_numpy() if kind == "date" else known.to_numpy(dtype=float)
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, N_BINS + 1)[1:-1]))
    which = np.searchsorted(edges, numbers, side="left")
    places, which = np.unique(which, return_inverse=True)
    labels = []
    for place in range(len(places)):
        inside = known[which == place]
        ends = [_shown(end, kind) for end in (inside.min(), inside.max())]
        labels.append(ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}")
    return labels, which


def _shown(value: Any, kind: str) -> str:
    return value.date().isoformat() if kind == "date" else f"{value:.4g}"


def _exactly(value: Any, kind: str) -> str:
    """Show a value so that no other is shown alike; numbers without a fraction as such."""
    if kind == "number":
        return f"{value:.0f}" if float(value).is_integer() and abs(value) < 1e15 else f"{value!s}"
    return str(value) if kind == "other" else _shown(value, kind)


def _single(known: Any, kind: str) -> tuple[list[str], Array]:
    """Give each value a level; the rest of many is one."""
    # A category that no row has is no level.
    text = known.astype(object).map(lambda value: _exactly(value, kind))
    counts = text.value_counts()
    ordered = list(counts.index)
    if kind == "number":
        ordered.sort(key=float)
    if len(ordered) > MOST_LEVELS:
        rest = len(ordered) - (MOST_LEVELS - 1)
        ordered = ordered[: MOST_LEVELS - 1]
        labels = [*ordered, f"{rest:,} others"]
    else:
        labels = ordered
    place = {value: i for i, value in enumerate(ordered)}
    return labels, np.array([place.get(value, len(ordered)) for value in text], dtype=np.int64)


class _Measure:
    """Scores rows by their predictions (rules 2 and 3)."""

    def __init__(self, rows: PredictedRows, scoring: Scoring | None, weights: Array | None) -> None:
        self._rows, self._weights = rows, weights
        plain = "r2" if rows.classes is None else "accuracy"
        graded = rows.classes is None or rows.method == "predict_proba"
        own = prediction_score(scoring, rows.classes) if scoring is not None and graded else None
        scorer = deciding_scorer(scoring) if own and scoring else own_score
        # Noise is known of metrics with a name; one of the user's own has another meaning.
        self._known_as = plain if scorer is own_score else name_of(scorer)
        self.name = self._known_as or _own_name(scorer)
        self._score = own or prediction_score(resolve_scoring(plain), rows.classes)
        self._best = 1.0 if scoring is None or own is None else scoring.scale.best

    def score(self, inside: Array) -> tuple[float, float, float]:
        """Give the score of some rows, and both ends of its interval."""
        y, values = self._rows.y[inside], self._predictions(inside)
        weights = None if self._weights is None else self._weights[inside]
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                # What cannot be measured here is NaN, which says it all.
                warnings.simplefilter("ignore")
                found = float(self._score(y, values, sample_weight=weights))  # type: ignore[misc]
        except Exception:
            # The metric may be the user's own, and fail in any way.
            found = math.nan
        if not math.isfinite(found):
            return math.nan, math.nan, math.nan
        noise = None
        if weights is None:
            noise = score_noise(self._known_as, y, values, self._rows.classes)
        if noise is None:
            return found, math.nan, math.nan
        away = NORMAL * math.sqrt(noise)
        return found, found - away, min(found + away, self._best)

    def _predictions(self, inside: Array) -> Array:
        """Give probabilities, or numbers; predicted classes as if they were certain."""
        rows = self._rows
        if rows.classes is None or rows.method == "predict_proba":
            return rows.values[inside]
        return np.eye(len(rows.classes))[np.asarray(rows.places)[inside]]


def _own_name(scorer: Any) -> str:
    """Name the metric of a scorer that has no name; errors are negated, and say so."""
    name = str(getattr(scorer._score_func, "__name__", "score"))  # noqa: SLF001
    return name if scorer._sign > 0 else f"neg_{name}"  # noqa: SLF001
