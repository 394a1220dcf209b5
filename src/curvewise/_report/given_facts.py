"""What a run's notes say of how it was begun, how long it took, and what its score is worth.

A store may come from a stranger: nothing is taken over but finite numbers and short text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from curvewise._report.candidate_facts import number
from curvewise._report.loaded_run import Reading
from curvewise._selection.run_notes import CLOCK, GIVEN, UNDER_WAY, clock_seconds
from curvewise._text import cut, one_line
from curvewise.automl._default_model import NOTE as DEFAULT_MODEL
from curvewise.automl._default_model import sentence

CONSTANT = "score of a constant prediction"
# Notes that have a place of their own on the page.
PLACED = (CLOCK, CONSTANT, DEFAULT_MODEL, GIVEN, UNDER_WAY)
LONGEST = 60
NUMBERS = ("budget", "seed", "candidates")


def given_of(reading: Reading) -> dict[str, Any]:
    """Say what the user has set: metric, budget, jobs, seed, number of candidates."""
    noted = reading.notes.get(GIVEN)
    if not isinstance(noted, Mapping):
        return {}
    found: dict[str, Any] = {name: _finite(noted.get(name)) for name in NUMBERS}
    jobs = noted.get("jobs")
    found["jobs"] = _text(jobs) if isinstance(jobs, str) else _finite(jobs)
    found["metric"] = _text(noted.get("metric"))
    return {name: value for name, value in found.items() if value is not None}


def clock_of(reading: Reading) -> float | None:
    """Say how long the search took by the clock; while it runs, how long ago it was begun."""
    seconds = clock_seconds(reading.notes)
    if not seconds:
        seconds = (reading.summary.updated - reading.summary.created).total_seconds()
    return number(max(0.0, seconds))


def baselines_of(reading: Reading) -> dict[str, Any] | None:
    """Say what a constant prediction and a default model score; None if neither is known."""
    constant = _finite(reading.notes.get(CONSTANT))
    default = _default(reading.notes.get(DEFAULT_MODEL))
    if constant is None and default is None:
        return None
    return {"constant": number(constant), "default": default}


def _default(noted: object) -> dict[str, Any] | None:
    if not isinstance(noted, Mapping):
        return None
    names = ("score", "gain", "low", "high", "n_folds")
    facts: dict[str, Any] = {name: _finite(noted.get(name)) for name in names}
    facts["reason"] = _text(noted.get("reason"), longest=200)
    if facts["score"] is None and facts["reason"] is None:
        return None
    if facts["score"] is not None and None in (facts["gain"], facts["n_folds"]):
        return None
    if None in (facts["low"], facts["high"]):
        facts["low"] = facts["high"] = None
    return {"sentence": f"{sentence(facts)}.", "score": number(facts["score"])}


def _finite(value: object) -> float | int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) < 1e300 and math.isfinite(value) else None


def _text(value: object, *, longest: int = LONGEST) -> str | None:
    return cut(one_line(value), longest) if isinstance(value, str) and value else None
