"""A run that is read from memory: what a search without a store still knows of itself.

It answers what a stored run answers (`curvewise.executors.StoredRun`), so that a report and advice
need not know whether there is a file. The order in which outcomes came back is remembered by their
tasks; the outcomes themselves are in the curves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from curvewise._selection.experiment import Experiment
from curvewise._selection.run_notes import clock_seconds
from curvewise._text import plain_repr
from curvewise.core._decisions import Decision
from curvewise.core._outcome import Candidate, Outcome, Task
from curvewise.core._policy import Policy
from curvewise.core._result import ValidationResult
from curvewise.core._schedule import Schedule
from curvewise.executors import RunStatus, RunSummary, StoredResult
from curvewise.executors._listener import Ending
from curvewise.executors._store.json_values import from_json, to_json
from curvewise.executors._store.live_run import algorithm_name
from curvewise.executors._store.settings import Terms
from curvewise.executors._store.stored_run import summary_of

if TYPE_CHECKING:
    from curvewise._selection.search_cv import CurveSearchCV

# A run in memory has no number of its own.
ONLY = 1


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is kept of a search besides its results, to report on it later."""

    terms: Terms
    told: Sequence[Task]
    notes: Mapping[str, Any]
    created: datetime
    updated: datetime
    ending: Ending = Ending.FINISHED

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        policy: Policy,
        *,
        told: Sequence[Task],
        notes: Mapping[str, Any],
        ending: Ending,
    ) -> Self:
        """Keep what there is after a search."""
        folds = experiment.folds
        n_columns = getattr(experiment.X, "shape", (0, 0))[-1]
        terms = Terms(
            from_json(to_json({"policy": policy, **experiment.evaluate.describe()})),
            f"{folds.n_rows}x{n_columns}-",
            policy.schedule(folds.target),
            len(folds),
            experiment.scoring.scale,
            folds.n_rows,
        )
        now = datetime.now(UTC)
        return cls(terms, told, notes, now - timedelta(seconds=clock_seconds(notes)), now, ending)


@dataclass(frozen=True, slots=True)
class RememberedResults:
    """What `compare` and `validate` keep besides their results: of the run, and of candidates."""

    kept: Remembered
    made: Mapping[Candidate, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class RememberedRun:
    """A run in memory, with the questions that a stored run answers."""

    entries: Sequence[ValidationResult]
    terms: Terms
    status: RunStatus = RunStatus.FINISHED
    told: Sequence[Task] = ()
    noted: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[Candidate, Mapping[str, Any]] = field(default_factory=dict)
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    updated: datetime = field(default_factory=lambda: datetime.now(UTC))
    id: int = ONLY
    name: str | None = None

    def outcomes(self) -> list[Outcome]:
        """What each evaluation gave, as it came back; what came after the search is last."""
        known: dict[Task, Outcome] = {}
        for result in self.entries:
            known |= {cell.task: cell for cell in result.curve}
            known |= {failure.task: failure for failure in result.failures}
        order = dict.fromkeys(task for task in self.told if task in known)
        return [known[task] for task in (*order, *(task for task in known if task not in order))]

    def decisions(self) -> list[tuple[Candidate, Decision]]:
        """Every decision, after the candidate it is about."""
        return [(each.candidate, decision) for each in self.entries for decision in each.decisions]

    def notes(self) -> dict[str, Any]:
        """What readers of the run are told."""
        return dict(self.noted)

    def results(self) -> list[StoredResult]:
        """What came of each candidate, in the order in which they came."""
        return [
            StoredResult(
                each.candidate,
                "",
                self.parameters.get(each.candidate),
                each.status,
                each.loss,
                each.interval,
                len(each.curve),
                len(each.failures),
                each.seconds,
            )
            for each in self.entries
        ]

    def summary(self) -> RunSummary:
        """The run in one line."""
        return summary_of(
            self.results(),
            self.terms,
            self.id,
            self.name,
            status=self.status,
            created=self.created,
            updated=self.updated,
        )


def run_of_search(search: CurveSearchCV) -> RememberedRun:
    """Remember the run of a fitted search."""
    kept = search._remembered  # noqa: SLF001 - a search and its memory are one
    describe = search._extras.describe  # noqa: SLF001
    begun = [result for result in search.results_ if result.candidate in search.candidates_]
    made = {each.candidate: made_of(search.candidates_, each.candidate, describe) for each in begun}
    return _run_of(begun, kept, made)


def _run_of(
    results: Sequence[ValidationResult],
    kept: Remembered,
    made: Mapping[Candidate, Mapping[str, Any]],
) -> RememberedRun:
    return RememberedRun(
        results,
        kept.terms,
        RunStatus(kept.ending.value),
        kept.told,
        kept.notes,
        made,
        kept.created,
        kept.updated,
    )


def made_of(
    estimators: Mapping[Any, Any],
    candidate: Candidate,
    describe: Callable[[Any], Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Say what a candidate is made of, as a store does."""
    estimator = estimators.get(candidate)
    if estimator is None:
        return {}
    described = {} if describe is None else describe(estimator)
    return {
        "algorithm": algorithm_name(estimator),
        **described,
        "estimator": plain_repr(estimator),
    }


def run_of_results(
    results: Sequence[ValidationResult],
    *,
    memory: RememberedResults | None = None,
    partial_results: bool = False,
) -> RememberedRun:
    """Remember results that were not kept together by a search, as one run."""
    if memory is not None:
        return _run_of(results, memory.kept, memory.made)
    anchors = sorted({anchor for each in results for anchor in each.curve.anchors})
    folds = {cell.task.fold for each in results for cell in each.curve}
    sizes = [cell.n_test for each in results for cell in each.curve if cell.n_test is not None]
    n_rows = anchors[-1] + max(sizes) if anchors and sizes else None
    terms = Terms(
        {"policy": {"partial_results": partial_results}},
        "",
        Schedule(tuple(anchors) or (1,)),
        max(folds, default=0) + 1,
        results[0].scale,
        n_rows,
    )
    return RememberedRun(results, terms)
