"""What came after a search, as its store notes it: who was fitted on all rows, ensembles, curves.

A store may come from anywhere: what does not look as it should is left out, and so are candidates
that the run does not have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from curvewise._report.candidate_facts import number
from curvewise._report.loaded_run import Reading
from curvewise._selection.learning_curves import NOTE, curves_taken
from curvewise._selection.refit import TAKEN
from curvewise.automl._ensemble import ENSEMBLE
from curvewise.core._checks import finite_or_none

# Notes that have a place of their own on the page.
PLACED = (NOTE, TAKEN, ENSEMBLE)
ROUNDING = 1e-6


def curve_seconds(reading: Reading) -> float:
    """Give what learning curves took after the search, at most what all evaluations did."""
    total = math.fsum(outcome.seconds for outcome in reading.outcomes)
    seconds, _ = curves_taken(reading.notes)
    return min(seconds, total)


def curves_after(reading: Reading) -> dict[str, Any] | None:
    """Say what learning curves took after the search; None if there were none."""
    _, n_fits = curves_taken(reading.notes)
    if not n_fits:
        return None
    return {"seconds": number(curve_seconds(reading)), "n_fits": n_fits}


def taken_of(reading: Reading) -> dict[str, Any] | None:
    """Say who was fitted on all rows if that had a reason of its own; None if there is no word."""
    noted = reading.notes.get(TAKEN)
    if not isinstance(noted, Mapping):
        return None
    place = _places(reading).get(str(noted.get("candidate")))
    reason = noted.get("reason")
    if place is None or not isinstance(reason, str) or not reason:
        return None
    return {"place": place, "reason": reason}


def ensemble_of(reading: Reading) -> dict[str, Any] | None:
    """Say who predicts together, what that brings and costs; None if nobody does."""
    noted = reading.notes.get(ENSEMBLE)
    if not isinstance(noted, Mapping):
        return None
    members = _members(noted.get("weights"), _places(reading))
    names = ("score", "single_score", "prediction_cost")
    figures = {name: finite_or_none(noted.get(name)) for name in names}
    if not members or any(value is None for value in figures.values()):
        return None
    gain = (figures["score"] or 0.0) - (figures["single_score"] or 0.0)
    rounded = {name: number(value) for name, value in figures.items()}
    return {"members": members, **rounded, "gain": number(gain)}


def _places(reading: Reading) -> dict[str, int]:
    return {str(record.candidate): record.place for record in reading.records}


def _members(weights: object, places: Mapping[str, int]) -> list[dict[str, Any]]:
    """List the members, the weightiest first; nobody if weights are none."""
    if not isinstance(weights, Mapping) or not weights.keys() <= places.keys():
        return []
    known = {name: finite_or_none(weight) or 0.0 for name, weight in weights.items()}
    if not all(0 < weight <= 1 for weight in known.values()):
        return []
    if abs(math.fsum(known.values()) - 1) > ROUNDING:
        return []
    ranked = sorted(known.items(), key=lambda member: -member[1])
    return [{"place": places[name], "weight": number(weight)} for name, weight in ranked]
