"""What a run's notes say of the score that is expected on new rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curvewise._report.candidate_facts import number
from curvewise._selection.honest_score import COUNTS, SCORES, honest_of


def honest_facts(notes: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give it for the page."""
    honest = honest_of(notes)
    if honest is None:
        return None
    facts = honest.facts()
    rounded = {name: number(facts[name]) for name in (*SCORES, "level")}
    return {**rounded, **{name: facts[name] for name in (*COUNTS, "how")}}
