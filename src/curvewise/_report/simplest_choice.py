"""Who would be taken as the simplest of those that are as good as the winner.

That is what ``refit="simplest"`` takes: the cheapest to predict with of the candidates whose losses
exceed the winner's by no more than a standard error (`curvewise._selection.simplest`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from curvewise._report.candidate_facts import name_of
from curvewise._report.loaded_run import CandidateRecord, Reading
from curvewise._selection.simplest import costs, simplest
from curvewise.core._curve import LearningCurve
from curvewise.core._portfolio import Status


@dataclass(frozen=True, slots=True)
class _Named:
    """A candidate under a name that tells it from the others."""

    candidate: str
    status: Status
    curve: LearningCurve


def simplest_of(reading: Reading, winner: CandidateRecord) -> dict[str, Any] | None:
    """Name the simplest, and the reason; None if the winner is not complete, or nothing is timed.

    ``place`` is the winner's own if nobody who is as good is simpler.
    """
    if winner.status is not Status.COMPLETED or not winner.curve.n(reading.target):
        return None
    if not costs(winner)[0] > 0:
        return None
    records = [each for each in reading.records if each.curve.n(reading.target)]
    named = [_Named(_name(each), each.status, each.curve) for each in records]
    best = next(i for i, each in enumerate(records) if each.place == winner.place)
    place, reason = simplest(named, best)
    return {"place": records[place].place, "reason": reason}


def _name(record: CandidateRecord) -> str:
    key = record.candidate
    return key if isinstance(key, str) and key else name_of(record.result)
