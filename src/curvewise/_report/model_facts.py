"""Pictures of the model, as a run's store notes them: what the section on the model shows.

Every picture is read by itself, and checked: one that has another form than it should is left out,
and the others stay. If there is nothing at all, a sentence says why.
"""

from __future__ import annotations

from typing import Any

from curvewise._report.checked_notes import (
    UnexpectedNoteError,
    count,
    fields,
    items,
    mapping,
    number,
    numbers,
    optional,
    optional_share,
    or_none,
    same_length,
    sentence,
    share,
    text,
)
from curvewise._report.loaded_run import Reading
from curvewise._selection.diagnosis.class_scores import MOST_CLASSES
from curvewise._selection.diagnosis.hardest_rows import MOST_ROWS
from curvewise._selection.diagnosis.importance import MOST_NOTED
from curvewise._selection.diagnosis.importance import NOTE as IMPORTANCE
from curvewise._selection.diagnosis.level_scores import MOST_LEVELS
from curvewise._selection.diagnosis.picture_note import MOST_CLASSES as MOST_LISTED
from curvewise._selection.diagnosis.picture_note import NOTE as PICTURES
from curvewise._selection.diagnosis.ranking_curves import MOST_CURVES, N_RESAMPLES, PLACES
from curvewise._selection.diagnosis.residuals import MOST_POINTS, N_BARS, N_BINS
from curvewise._selection.run_notes import is_under_way
from curvewise.core._intervals import share_interval
from curvewise.executors import RunStatus

# Notes that have their place in the section.
PLACED = (PICTURES, IMPORTANCE)
METHODS = ("predict_proba", "decision_function", "predict")
NOTHING = (
    "The store has no pictures of a model: they are made when a search that keeps predictions "
    "(keep_predictions, --keep-predictions) has fitted its best on all rows."
)
UNFINISHED = "Pictures of the model come when the search is over and its best is fitted."

Facts = dict[str, Any]


def model_of(reading: Reading) -> Facts:
    """Gather what the section on the model shows."""
    noted = reading.notes.get(PICTURES)
    importance = or_none(_importance, reading.notes.get(IMPORTANCE))
    try:
        head = _head(mapping(noted))
    except UnexpectedNoteError:
        running = reading.summary.status is RunStatus.RUNNING or is_under_way(reading.notes)
        why = UNFINISHED if running and noted is None else NOTHING
        return {"why": why, "importance": importance}
    threshold = reading.notes.get("threshold")
    tuned = isinstance(threshold, dict) and threshold.get("tuned") is True
    calibration = reading.notes.get("calibration")
    calibrated = isinstance(calibration, dict) and calibration.get("calibrated") is True
    pictures = mapping(noted)
    found = {
        "confusion": or_none(_confusion, pictures.get("confusion")),
        "classes": or_none(_classes, pictures.get("classes")),
        "rankings": or_none(_rankings, pictures.get("rankings")),
        "reliability": or_none(_reliability, pictures.get("reliability")),
        "residuals": or_none(_residuals, pictures.get("residuals")),
        "hardest": or_none(_hardest, pictures.get("hardest")),
        "by": or_none(_by, pictures.get("by")),
        "importance": importance,
    }
    return {**head, "tuned": tuned, "calibrated": calibrated, **found}


def _head(noted: Any) -> Facts:
    """Say whose pictures they are, and of how many rows."""
    model = fields(noted.get("model"), candidate=text, n_members=count)
    model["weighted"] = noted["model"].get("weighted") is True
    if "why" in noted:
        return {**model, "why": sentence(noted["why"])}
    head = fields(noted, n_rows=count, n_predicted=count)
    if noted.get("method") not in METHODS or not 0 < head["n_predicted"] <= head["n_rows"]:
        raise UnexpectedNoteError
    return {**model, **head, "method": noted["method"], "why": None}


def _confusion(noted: Any) -> Facts:
    labels = items(mapping(noted).get("labels"), text, most=MOST_CLASSES, fewest=2)
    n = len(labels)
    counts = items(noted.get("counts"), count, most=n * n, fewest=n * n)
    return {"labels": labels, "counts": counts, "n_merged": count(noted.get("n_merged"))}


def _classes(noted: Any) -> list[Facts]:
    return items(
        noted,
        lambda each: fields(
            each,
            label=text,
            precision=optional_share,
            recall=optional_share,
            f1=optional_share,
            n_rows=count,
        ),
        most=MOST_LISTED,
        fewest=1,
    )


def _rankings(noted: Any) -> Facts | None:
    curves = items(noted, _ranking, most=MOST_CURVES)
    if not curves:
        return None
    places = PLACES.tolist()
    recalls = [round(1 - place, 6) for place in reversed(places)]
    return {"curves": curves, "rates": places, "recalls": recalls, "n_resamples": N_RESAMPLES}


def _ranking(noted: Any) -> Facts:
    return fields(noted, label=text, n_rows=count, share=share, roc=_curve, precision_recall=_curve)


def _curve(noted: Any) -> Facts:
    n = len(PLACES)
    found = fields(noted, area=share, area_low=optional_share, area_high=optional_share)
    found["y"] = items(noted.get("y"), share, most=n, fewest=n)
    band = [noted.get(end) for end in ("low", "high")]
    if None not in band:
        found["low"], found["high"] = (items(end, share, most=n, fewest=n) for end in band)
    return found


def _reliability(noted: Any) -> Facts:
    bins = items(
        mapping(noted).get("bins"),
        lambda each: fields(
            each, low=share, high=share, predicted=share, observed=share, n_rows=count
        ),
        most=N_BINS,
        fewest=1,
    )
    return {"subject": text(noted.get("subject")), "bins": [_with_interval(one) for one in bins]}


def _with_interval(one: Facts) -> Facts:
    """Add the 95% interval of an observed share."""
    least, most = share_interval(one["observed"], one["n_rows"])
    return {**one, "least": least, "most": most}


def _residuals(noted: Any) -> Facts:
    found = fields(
        noted,
        n_rows=count,
        n_beyond=count,
        r2=optional,
        mean_absolute_error=number,
        root_mean_squared_error=number,
        bias=number,
        half_within=number,
        most_within=number,
    )
    found["points"] = items(noted.get("points"), lambda pair: numbers(pair, 2), most=MOST_POINTS)
    found["bins"] = items(
        noted.get("bins"),
        lambda each: fields(
            each,
            low=number,
            high=number,
            predicted=number,
            residual=number,
            residual_low=optional,
            residual_high=optional,
            spread=optional,
            n_rows=count,
        ),
        most=N_BINS,
    )
    found["edges"] = items(noted.get("edges"), number, most=N_BARS + 1, fewest=2)
    found["counts"] = items(noted.get("counts"), count, most=N_BARS, fewest=1)
    same_length(found["edges"][1:], found["counts"])
    return found


def _hardest(noted: Any) -> Facts:
    rows = items(
        mapping(noted).get("rows"),
        lambda each: fields(
            each,
            row=count,
            true=_value,
            predicted=_value,
            probability=optional_share,
            residual=optional,
            id=lambda value: None if value is None else text(value),
        ),
        most=MOST_ROWS,
    )
    return {"rows": rows, **fields(noted, n_wrong=count, id_column=text)}


def _value(value: Any) -> str | float:
    return text(value) if isinstance(value, str) else number(value)


def _by(noted: Any) -> Facts:
    levels = items(
        mapping(noted).get("levels"),
        lambda each: fields(
            each, level=text, n_rows=count, score=optional, low=optional, high=optional
        ),
        most=MOST_LEVELS + 1,
        fewest=1,
    )
    return {"levels": levels, **fields(noted, column=text, metric=text, score=optional)}


def _importance(noted: Any) -> Facts:
    found = fields(
        noted, candidate=text, metric=text, n_columns=count, n_rows=count, seconds=number,
        why=sentence,
    )  # fmt: skip
    found["columns"] = items(
        noted.get("columns"),
        lambda each: fields(
            each, column=text, importance=number, low=_end, high=_end, n_repeats=count
        ),
        most=MOST_NOTED,
    )
    return found


def _end(value: Any) -> float | None:
    """Give an end of an interval, which may not be known."""
    return None if value is None or value != value else number(value)
