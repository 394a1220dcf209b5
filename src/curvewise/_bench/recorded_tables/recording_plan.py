"""What is to be recorded of a table: which candidates, at which anchors, on which folds.

Candidates are those that `curvewise select` would try: the portfolio of the space first, then
random draws from it. They are evaluated as there, on the same folds for the same seed, with the
same views of the table and the same seconds.

Evaluations come anchor by anchor, then fold by fold: candidates with the same view of the table
find it made, and who takes too long is known before larger anchors are begun.

What a candidate is really worth is measured on rows that are set aside
(`curvewise._bench.recorded_tables.test_rows`). Seconds are the processor's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

from curvewise._bench.recorded_tables.test_rows import (
    BesideTestRows,
    choose_test_rows,
    default_test_rows,
)
from curvewise._evaluation.row_losses import check_row_metric
from curvewise._selection.candidates import gather
from curvewise._selection.experiment import Experiment
from curvewise._text import plain_repr
from curvewise.automl._pipeline_search import proposer_for, space_for, versions
from curvewise.automl._space.search_space import SearchSpace
from curvewise.automl._table_preparation import TablePreparation
from curvewise.automl._tables.table import Table
from curvewise.core._outcome import Task
from curvewise.core._schedule import Schedule
from curvewise.errors import InvalidParameterError
from curvewise.executors._packed_rows import PACKING_OF
from curvewise.executors._store.fingerprint import fingerprint

# What is measured by default: a mean over rows.
METRICS = {"classification": "accuracy", "regression": "neg_mean_squared_error"}
DIVISORS = (64.0, 16.0, 4.0, 1.0)
# Below so many rows folds are noisy, and cheap.
SMALL_TABLE = 10_000
FOLDS, FOLDS_OF_SMALL = 5, 10


@dataclass(frozen=True, slots=True, eq=False)
class RecordingPlan:
    """Candidates by name, with what they are made of, and the data that they are evaluated on."""

    table: str
    scoring: str
    random_state: int
    schedule: Schedule
    experiment: Experiment
    # How many rows are set aside, at the end of every fold's test part.
    n_test_rows: int
    estimators: Mapping[str, Any]
    # As JSON: a candidate that is found in a file has to be the same one.
    configurations: Mapping[str, str]

    @property
    def packing(self) -> str:
        """How losses by row are written."""
        return PACKING_OF[self.scoring]

    @property
    def n_folds(self) -> int:
        """How many folds there are."""
        return len(self.experiment.folds)

    def n_test(self, fold: int) -> int:
        """Count the test rows of a fold that policies may see."""
        return len(self.experiment.folds.test(fold)) - self.n_test_rows

    def tasks(self) -> Iterator[Task]:
        """Give all evaluations, in the order in which they are made."""
        for anchor in self.schedule.anchors:
            for fold in range(self.n_folds):
                for name in self.estimators:
                    yield Task(name, anchor, fold)

    def identity(self) -> dict[str, Any]:
        """Say what evaluations depend on besides their candidate: a file has one of these."""
        folds = self.experiment.folds
        # A file that sets no rows aside says nothing of them.
        aside = {"test_rows": self.n_test_rows} if self.n_test_rows else {}
        return {
            "table": self.table,
            "scoring": self.scoring,
            "seed": self.random_state,
            "anchors": list(self.schedule.anchors),
            "rows": folds.n_rows,
            "data": fingerprint(self.experiment.X, self.experiment.y),
            "splitter": plain_repr(folds.splitter),
            "folds": folds.digest(),
            **aside,
        }

    def notes(self) -> dict[str, Any]:
        """Say what else readers of a recording may want to know."""
        return {"seconds": "processor", "versions": versions()}


def plan_recording(
    table: Table,
    cv: Any,
    *,
    n_candidates: int,
    space: Any = None,
    leave_out: Sequence[str] = (),
    divisors: Sequence[float] = DIVISORS,
    scoring: str | None = None,
    test_rows: int | None = None,
    random_state: int = 0,
) -> RecordingPlan:
    """Draw candidates, and put data, folds and metric together."""
    if table.weights is not None:
        raise InvalidParameterError("Weighted rows have no losses by row: leave out the weights.")
    scoring = check_row_metric(scoring or METRICS[table.task])
    drawn_from = space_for(table.task, space, leave_out=leave_out)
    proposer = proposer_for(table.task, drawn_from, "portfolio", random_state=random_state)
    candidates = gather(proposer, n_iter=n_candidates, random_state=random_state)
    estimators = {name: candidates[name] for name in candidates.names}
    proposals = candidates.proposals
    n_aside = default_test_rows(table) if test_rows is None else test_rows
    if n_aside:
        aside = choose_test_rows(table, n_aside, random_state=random_state)
        cv, n_aside = BesideTestRows(cv, aside), len(aside)
    views = isinstance(drawn_from, SearchSpace) and drawn_from.has_views
    experiment = Experiment(
        candidates.first(),
        table.X,
        table.y,
        cv=cv,
        scoring=scoring,
        groups=table.groups,
        random_state=random_state,
        preprocess="first step" if views else TablePreparation(),
    )
    experiment.evaluate.keep_row_losses = "all"
    # The processor's seconds are the same whatever else the machine does.
    experiment.evaluate.measure_by(process_time)
    return RecordingPlan(
        table.name,
        scoring,
        random_state,
        Schedule.fractions(experiment.folds.target, divisors),
        experiment,
        n_aside,
        estimators,
        {
            name: plain_repr(one)
            if proposals is None
            else json.dumps(proposals.configuration(one), sort_keys=True)
            for name, one in estimators.items()
        },
    )


def default_folds(n_rows: int) -> int:
    """Say how many folds a table of so many rows gets."""
    return FOLDS if n_rows >= SMALL_TABLE else FOLDS_OF_SMALL


def parse_divisors(text: str) -> list[float]:
    """Read the divisors of the target, such as 64,16,4,1."""
    try:
        divisors = [float(part) for part in text.split(",")]
    except ValueError:
        divisors = []
    if not divisors or not all(1 <= divisor < float("inf") for divisor in divisors):
        raise InvalidParameterError(
            f"--anchors needs numbers of at least 1, separated by commas, such as 64,16,4,1: the "
            f"target is divided by each of them; got {text!r}."
        )
    return divisors
