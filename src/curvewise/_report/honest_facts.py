"""What a run's notes say of the score that is expected on new rows.

A store may come from a stranger: a note is taken for what it says only if all of its numbers are
finite, small enough to be scores, and in their order. Any other is as if there were none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curvewise._report.candidate_facts import number
from curvewise._selection.honest_score import NOTE, HonestScore
from curvewise.core._checks import finite_or_none
from curvewise.core._intervals import Interval

LARGEST = 1e12
SCORES = ("score", "low", "high", "raw", "optimism", "growth")
COUNTS = ("n_candidates", "n_rows")
HOWS = ("rows", "folds")


def honest_of(notes: Mapping[str, Any]) -> HonestScore | None:
    """Read the note; None if there is none."""
    noted = notes.get(NOTE)
    if not isinstance(noted, Mapping) or noted.get("how") not in HOWS:
        return None
    scores = {name: _score(noted.get(name)) for name in SCORES}
    known = {name: value for name, value in scores.items() if value is not None}
    counts = {name: noted.get(name) for name in COUNTS}
    level = _score(noted.get("level"))
    if len(known) < len(SCORES) or not all(_count(value) for value in counts.values()):
        return None
    if level is None or not 0 < level < 1 or min(known["optimism"], known["growth"]) < 0:
        return None
    low, high = known.pop("low"), known.pop("high")
    if not low <= known["score"] <= high:
        return None
    interval = Interval(low, high)
    numbers: dict[str, Any] = {**known, **counts}
    return HonestScore(**numbers, interval=interval, how=str(noted["how"]), level=level)


def honest_facts(notes: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give it for the page."""
    honest = honest_of(notes)
    if honest is None:
        return None
    facts = honest.facts()
    rounded = {name: number(facts[name]) for name in (*SCORES, "level")}
    return {**rounded, **{name: facts[name] for name in (*COUNTS, "how")}}


def _score(value: object) -> float | None:
    found = finite_or_none(value)
    return found if found is not None and abs(found) <= LARGEST else None


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST
