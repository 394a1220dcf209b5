"""Pictures of a model as plain numbers: what a run's store notes of them, and a report draws.

A store has predictions, and neither the table nor what is true of its rows. So what a report is to
show is worked out when the search is over, and noted: counts, curves at fixed places, a bounded
sample of points, and a short list of rows. No feature of any row is in it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from curvewise._selection.diagnosis.class_scores import class_scores, confusion
from curvewise._selection.diagnosis.hardest_rows import hard_rows
from curvewise._selection.diagnosis.level_scores import ScoresByLevel
from curvewise._selection.diagnosis.predicted_rows import (
    Array,
    PredictedRows,
    predicted_rows,
)
from curvewise._selection.diagnosis.ranking_curves import RankingCurve, class_rankings
from curvewise._selection.diagnosis.residuals import residuals
from curvewise._selection.refit import Refit
from curvewise._selection.reliability import reliability_bins
from curvewise._text import cut, one_line
from curvewise.core._outcome import Candidate

# Where a run's store has them.
NOTE = "model pictures"
LONGEST = 60
DIGITS = 5
MOST_CLASSES = 30


@dataclass(frozen=True, slots=True)
class RowNames:
    """What rows are called: their numbers in the file, and the values of a column that names them.

    Parameters
    ----------
    numbers
        The number of each row, the first is 1; by default rows are counted.
    ids
        The value of each row in the column that identifies rows; None if there is none.
    id_column
        What that column is called.
    """

    numbers: Sequence[int] | Array | None = None
    ids: Sequence[Any] | Array | None = None
    id_column: str = ""


def note_pictures(
    refit: Refit,
    *,
    weights: Mapping[Candidate, float] | None = None,
    names: RowNames | None = None,
    by: ScoresByLevel | None = None,
) -> None:
    """Note the pictures of the model that a search has found, if its run is kept."""
    search = refit.given
    if refit.record is None or not hasattr(search, "best_index_"):
        return
    best = search.results_[search.best_index_].candidate
    weights = weights or {best: 1.0}
    kept = getattr(search, "oof_predictions_", None)
    found: PredictedRows | str = "No predictions were kept (keep_predictions)."
    if kept is not None:
        found = predicted_rows(kept, weights, refit.experiment.y)
    model = {
        "candidate": _text(best),
        "n_members": len(weights),
        # Pictures count rows, and their readers should know that the scores do not.
        "weighted": refit.row_weights() is not None,
    }
    facts = {"why": found} if isinstance(found, str) else pictures(found, names or RowNames())
    levels = {} if by is None else {"by": _levels(by)}
    refit.note(NOTE, {"model": model, **facts, **levels})


def pictures(rows: PredictedRows, names: RowNames) -> dict[str, Any]:
    """Give the pictures of a model as plain values."""
    facts: dict[str, Any] = {
        "n_rows": rows.n_rows,
        "n_predicted": len(rows.y),
        "method": rows.method,
        "hardest": _hardest(rows, names),
    }
    if rows.classes is None:
        return {**facts, "residuals": _residuals(rows)}
    counted = confusion(rows)
    return {
        **facts,
        "confusion": {
            "labels": [_text(label) for label in counted.labels],
            "counts": counted.counts.ravel().tolist(),
            "n_merged": counted.n_merged,
        },
        "classes": [
            {**_plain(asdict(each)), "label": _text(each.label)}
            for each in class_scores(rows)[:MOST_CLASSES]
        ],
        "rankings": [
            {
                "label": _text(each.label),
                "n_rows": each.n_rows,
                "share": _number(each.share),
                "roc": _curve(each.roc),
                "precision_recall": _curve(each.precision_recall),
            }
            for each in class_rankings(rows)
        ],
        "reliability": _reliability(rows),
    }


def _hardest(rows: PredictedRows, names: RowNames) -> dict[str, Any]:
    listed = []
    for each in hard_rows(rows):
        number = each.row + 1 if names.numbers is None else int(names.numbers[each.row])
        entry = {
            "row": number,
            "true": _value(each.true),
            "predicted": _value(each.predicted),
            "probability": _number(each.probability),
            "residual": _number(each.residual),
        }
        if names.ids is not None:
            entry["id"] = _text(names.ids[each.row])
        listed.append(entry)
    wrong = 0 if rows.places is None else int(np.count_nonzero(rows.places != rows.truth))
    return {"rows": listed, "n_wrong": wrong, "id_column": _text(names.id_column)}


def _residuals(rows: PredictedRows) -> dict[str, Any]:
    found = residuals(rows)
    facts = asdict(found)
    return {
        **{name: _number(value) for name, value in facts.items() if np.ndim(value) == 0},
        "n_rows": found.n_rows,
        "n_beyond": found.n_beyond,
        "points": [[_number(end) for end in point] for point in found.points.tolist()],
        "bins": [_plain(asdict(each)) for each in found.bins],
        "edges": [_number(edge) for edge in found.edges.tolist()],
        "counts": found.counts.tolist(),
    }


def _reliability(rows: PredictedRows) -> dict[str, Any] | None:
    if rows.method != "predict_proba" or rows.classes is None:
        return None
    subject, bins = reliability_bins(rows.values, np.asarray(rows.truth), rows.classes)
    return {"subject": _text(subject), "bins": [_plain(asdict(each)) for each in bins]}


def _curve(curve: RankingCurve) -> dict[str, Any]:
    """Give a curve at its places, which are the same for all."""
    facts: dict[str, Any] = {
        "y": [_number(value) for value in curve.y.tolist()],
        "area": _number(curve.area),
        "area_low": _number(curve.area_low),
        "area_high": _number(curve.area_high),
    }
    if curve.low is not None and curve.high is not None:
        facts["low"] = [_number(value) for value in curve.low.tolist()]
        facts["high"] = [_number(value) for value in curve.high.tolist()]
    return facts


def _levels(by: ScoresByLevel) -> dict[str, Any]:
    return {
        "column": _text(by.column),
        "metric": by.metric,
        "score": _number(by.score),
        "levels": [{**_plain(asdict(each)), "level": _text(each.level)} for each in by.levels],
    }


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _number(value) if isinstance(value, float) else value
        for name, value in values.items()
    }


def _number(value: float | None) -> float | None:
    """Round a number; None if it is none."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{DIGITS}g}")


def _value(value: Any) -> str | float | None:
    """Give a true or predicted value: a number as it is, a class as text."""
    return _number(value) if isinstance(value, float) else _text(value)


def _text(value: Any) -> str:
    return cut(one_line(str(value)), LONGEST)
