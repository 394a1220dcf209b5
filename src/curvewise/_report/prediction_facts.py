"""What a run's notes say of its predictions, in sentences: the threshold, the reliability.

A store may come from a stranger. So nothing is taken over but numbers that are finite, and short
text on one line; notes of any other form are as if there were none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curvewise._selection.reliability_result import reliability_sentence
from curvewise._selection.tuned_threshold import DEFAULTS, TunedThreshold
from curvewise._text import cut, one_line
from curvewise.core._checks import finite_or_none

LONGEST = 60
# No score has more digits than this; a threshold may lie at the very end of all numbers.
LARGEST_SCORE = 1e12
METHODS = ("isotonic", "sigmoid", "temperature")


def prediction_sentences(notes: Mapping[str, Any]) -> list[str]:
    """Give a sentence for the threshold and one for the reliability, as far as they were noted."""
    found = (_threshold(notes.get("threshold")), _reliability(notes.get("calibration")))
    return [f"{sentence}." for sentence in found if sentence is not None]


def _threshold(note: Any) -> str | None:
    """Say what the threshold is."""
    if not isinstance(note, dict) or note.get("method") not in list(DEFAULTS):
        return None
    names = ("threshold", "default_threshold", "score", "default_score")
    numbers = {name: finite_or_none(note.get(name)) for name in names}
    metric, label = _text(note.get("metric")), _label(note.get("pos_label"))
    if metric is None or label is None or not isinstance(note.get("tuned"), bool):
        return None
    known = {name: value for name, value in numbers.items() if value is not None}
    if len(known) < len(names) or max(abs(known[name]) for name in names[1:]) > LARGEST_SCORE:
        return None
    return TunedThreshold(
        metric=metric, pos_label=label, method=note["method"], tuned=note["tuned"], **known
    ).sentence()


def _reliability(note: Any) -> str | None:
    """Say whether the probabilities are reliable."""
    if not isinstance(note, dict):
        return None
    log_loss, error = (
        finite_or_none(note.get("log_loss")),
        finite_or_none(note.get("calibration_error")),
    )
    if log_loss is None or error is None or max(abs(log_loss), abs(error)) > LARGEST_SCORE:
        return None
    method = note.get("recommended")
    if method is None:
        return reliability_sentence(log_loss, error, method=None, calibrated=None)
    gains = note.get("gains")
    calibrated = [
        finite_or_none(one.get("log_loss"))
        for one in (gains if isinstance(gains, list) else [])
        if isinstance(one, dict) and one.get("method") == method
    ]
    if method not in METHODS or not calibrated or calibrated[0] is None:
        return None
    if abs(calibrated[0]) > LARGEST_SCORE:
        return None
    done = note.get("calibrated") is True
    return reliability_sentence(log_loss, error, method=method, calibrated=calibrated[0], done=done)


def _text(value: Any) -> str | None:
    return cut(one_line(value), LONGEST) if isinstance(value, str) and value else None


def _label(value: Any) -> str | float | None:
    """Give a class: text, a truth value or a number."""
    if isinstance(value, bool):
        return value
    return _text(value) if isinstance(value, str) else finite_or_none(value)
