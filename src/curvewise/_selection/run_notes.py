"""What readers of a run are told besides its outcomes: in its store, and in memory.

A run store keeps notes for whoever reads it, such as a report. A search without a store can be
reported as well, so its notes are kept here in any case. Notes change nothing about the run: one
that cannot be written (the disk is full, another process has the run) costs no answer.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from numbers import Integral
from typing import Any

from sklearn.base import is_classifier, is_regressor

from curvewise._selection.experiment import Experiment
from curvewise.core._checks import finite_or_none
from curvewise.errors import StoreError
from curvewise.executors import LiveRun
from curvewise.executors._execution import Execution, resolve_n_jobs

# Where a store says what the user has set: metric, budget, jobs, seed, number of candidates.
GIVEN = "given"
# Where it says how long the search took by the clock, over all of its sittings.
CLOCK = "clock"
# Where it says that somebody works on the run: also when the search is over and its best is fitted.
UNDER_WAY = "under way"


class RunNotes:
    """Notes for readers of a run; those of a store are written there as well."""

    def __init__(self, record: LiveRun | None, notes: Mapping[str, Any]) -> None:
        self._record = record
        # What an earlier sitting of the run had noted, and what holds now.
        self.earlier: Mapping[str, Any] = {} if record is None else record.notes()
        self.kept: dict[str, Any] = dict(self.earlier)
        for key, value in notes.items():
            self.note(key, value)

    def note(self, key: str, value: object) -> None:
        """Write something down; None takes back what was noted before."""
        # A run that is only read again is told nothing new, and stays as it is.
        if self.kept.get(key) == value:
            return
        self.kept[key] = value
        if self._record is None:
            return
        try:
            self._record.note(key, value)
        except StoreError as error:
            self._record = None
            warnings.warn(f"What comes now is not noted in the store: {error}", stacklevel=2)

    def add_seconds(self, seconds: float) -> None:
        """Add what this sitting of the search took by the clock."""
        self.note(CLOCK, {"seconds": clock_seconds(self.kept) + seconds})


def is_under_way(notes: Mapping[str, Any]) -> bool:
    """Whether somebody works on a run, if only on what comes after its search."""
    return notes.get(UNDER_WAY) == "yes"


def clock_seconds(notes: Mapping[str, Any]) -> float:
    """Read how long a run took by the clock; 0 if that was not noted."""
    noted = notes.get(CLOCK)
    seconds = finite_or_none(noted.get("seconds")) if isinstance(noted, Mapping) else None
    return max(0.0, seconds or 0.0)


def given_for_readers(
    experiment: Experiment,
    first: Any,
    *,
    scoring: Any,
    execution: Execution,
    seed: Any,
    budget: float | None = None,
    candidates: int | None = None,
) -> dict[str, Any]:
    """Say what the user has set, as plain values; what was not set is left out."""
    settings = {
        "metric": metric_name(experiment, first, scoring=scoring),
        "budget": budget,
        "jobs": execution.dask or resolve_n_jobs(execution.n_jobs),
        "seed": int(seed) if isinstance(seed, Integral) else None,
        "candidates": candidates,
    }
    return {name: value for name, value in settings.items() if value is not None}


def metric_name(experiment: Experiment, first: Any, *, scoring: Any) -> str:
    """Name the metric that decides; of an estimator's own score, what that is."""
    name = experiment.scoring.decide_by or next(iter(experiment.scoring.scorers), "score")
    if scoring is not None or name != "score":
        return str(name)
    if not hasattr(first, "__sklearn_tags__"):
        return "score"
    return "accuracy" if is_classifier(first) else "r2" if is_regressor(first) else "score"
