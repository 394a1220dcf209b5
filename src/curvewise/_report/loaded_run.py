"""A stored run, read once: what the report's facts are made of.

A run may be written while it is read, and the store is asked several times. Outcomes are read
before candidates, so that every outcome finds its candidate; what came in between is left for the
next report. A store holds what an evaluation said; here a loss that cannot be compared is a
failure, as it was for the search, and seconds that are no number count as 0.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from curvewise._selection.remembered_run import RememberedRun
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Decision
from curvewise.core._lead_changes import LeaderChange, who_led
from curvewise.core._outcome import Candidate, Failure, Observation, Outcome, as_outcome
from curvewise.core._portfolio import Status
from curvewise.executors import RunSummary, StoredResult, StoredRun
from curvewise.executors._store.settings import Terms

# A run of a store, or one that a search remembers.
ReadableRun = StoredRun | RememberedRun


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """All that is known about one candidate.

    ``place`` is its number in the order in which candidates came.
    """

    place: int
    result: StoredResult
    curve: LearningCurve
    failures: Sequence[Failure]
    decisions: Sequence[Decision]

    @property
    def candidate(self) -> Candidate:
        """Its key in the search."""
        return self.result.candidate

    @property
    def status(self) -> Status:
        """How it ended."""
        return self.result.status

    @property
    def last(self) -> Decision | None:
        """The decision that ended it, or the latest; None before the first."""
        return self.decisions[-1] if self.decisions else None


@dataclass(frozen=True, slots=True)
class Reading:
    """All that is known about a run.

    ``outcomes`` are in the order in which they came back, ``records`` in the order in which the
    candidates came. ``notes`` are what was noted at its start: the data's profile, versions.
    """

    terms: Terms
    summary: RunSummary
    records: Sequence[CandidateRecord]
    outcomes: Sequence[Outcome]
    notes: Mapping[str, Any]

    @property
    def target(self) -> int:
        """The training rows of a whole fold."""
        return self.terms.schedule.target

    @property
    def leaders(self) -> list[LeaderChange]:
        """Who led when.

        Outcomes carry no clock that could be compared between workers, so time is the sum of their
        seconds in the order in which they came back: on one worker the time since the search began,
        on several the work done by then.
        """
        seconds = accumulate(outcome.seconds for outcome in self.outcomes)
        return who_led(
            zip(seconds, self.outcomes, strict=True),
            target=self.target,
            scale=self.terms.scale,
            statuses={record.candidate: record.result.status for record in self.records},
        )

    def record_of(self, candidate: Candidate | None) -> CandidateRecord | None:
        """Find a candidate; None if there is none."""
        return next((each for each in self.records if each.candidate == candidate), None)


def read(run: ReadableRun) -> Reading:
    """Read a run."""
    outcomes = [_checked(outcome) for outcome in run.outcomes()]
    decided = run.decisions()
    results = run.results()
    curves: defaultdict[Candidate, LearningCurve] = defaultdict(LearningCurve)
    failures: defaultdict[Candidate, list[Failure]] = defaultdict(list)
    decisions: defaultdict[Candidate, list[Decision]] = defaultdict(list)
    for outcome in outcomes:
        if isinstance(outcome, Observation):
            curves[outcome.task.candidate].add(outcome)
        else:
            failures[outcome.task.candidate].append(outcome)
    for candidate, decision in decided:
        decisions[candidate].append(decision)
    records = [
        CandidateRecord(place, result, curves[key], failures[key], decisions[key])
        for place, result in enumerate(results)
        for key in [result.candidate]
    ]
    return Reading(run.terms, run.summary(), records, outcomes, run.notes())


def _checked(outcome: Outcome) -> Outcome:
    if not 0 <= outcome.seconds < math.inf:
        outcome = replace(outcome, seconds=0.0)
    return as_outcome(outcome)


def kind_of(outcome: Outcome) -> str:
    """Say in a word what an evaluation came to: scored, or the reason of its failure."""
    return "scored" if isinstance(outcome, Observation) else outcome.reason.value
