"""What each column is worth to the best of a search: permutation importance on out-of-fold rows.

The models of the folds are gone when a search is over. So the best is fitted once more on the
training rows of a fold, in a worker, and the fold's test rows are scored with one column after the
other shuffled (`curvewise._evaluation.permuted_columns`). Rules:

1. One fold after the other, as many as there is time for: each shuffles every column once. So the
   number of folds is the number of repeats, and rows of several folds were looked at.
2. All together take at most a twentieth of the seconds that the fits of the search took, or
   `FEWEST_SECONDS` if that is more, and what is left of the budget. A fold begins only if what it
   will take fits into that; one that runs out of time leaves the columns that tell least.
3. Nothing that the search has found changes. What fails, or takes too long, costs importances only.
4. It is about the best candidate, also where an ensemble predicts.
"""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any

from curvewise._evaluation.permuted_columns import (
    ColumnsPermuted,
    PermutedColumns,
    column_names,
    why_not,
)
from curvewise._selection.best_candidate import FRAMES
from curvewise._selection.refit import Refit
from curvewise.core._intervals import mean_interval
from curvewise.core._outcome import Outcome, Task
from curvewise.executors._listener import Ending
from curvewise.executors._protocol import cancelled_after

# What importances may take, as a share of what the search's fits took, and at least these seconds.
SHARE = 1 / 20
FEWEST_SECONDS = 1.5
MARGIN = 1.25
GRACE = 1.0
# Fewer repeats say nothing about their spread.
FEWEST_REPEATS = 3
# What differs by less is the same number.
ROUNDING = 1e-12
# So many columns are noted in a run's store.
MOST_NOTED = 50
# Where a run's store has the importances.
NOTE = "importance"


@dataclass(frozen=True, slots=True)
class ColumnImportance:
    """What one column is worth.

    Parameters
    ----------
    column
        Its name.
    importance
        By how much the score is lower when the column is shuffled, on average.
    low, high
        The 95% interval of that over the repeats; NaN for fewer than three and for those that are
        all the same, which may agree by chance.
    n_repeats
        How often it was shuffled, each time on the test rows of another fold.
    """

    column: str
    importance: float
    low: float
    high: float
    n_repeats: int


@dataclass(frozen=True, slots=True)
class Importances:
    """What columns are worth to a candidate.

    Parameters
    ----------
    candidate
        Who it is about.
    metric
        What is measured; greater is better.
    columns
        Those that were measured, the most important first.
    n_columns
        How many columns there are.
    n_rows
        How many test rows were looked at.
    seconds
        What it took, the fits included.
    why
        Why there are none, or fewer than there are columns; empty if nothing is missing.
    """

    candidate: str
    metric: str
    columns: tuple[ColumnImportance, ...] = ()
    n_columns: int = 0
    n_rows: int = 0
    seconds: float = 0.0
    why: str = ""

    @property
    def table(self) -> list[dict[str, Any]]:
        """Give a dictionary per column."""
        return [asdict(each) for each in self.columns]

    def facts(self) -> dict[str, Any]:
        """Give what a store notes: the first columns."""
        return {**asdict(self), "columns": self.table[:MOST_NOTED]}


def add_importance(refit: Refit) -> None:
    """Measure what columns are worth to the best of a search, and note it."""
    search = refit.given
    if not hasattr(search, "best_index_") or search.ending_ is Ending.INTERRUPTED:
        return
    spent = math.fsum(result.seconds for result in search.results_)
    measuring = _Measuring(refit, seconds=max(FEWEST_SECONDS, SHARE * spent))
    reason = why_not(refit.experiment.X)
    if reason is None:
        try:
            with warnings.catch_warnings():
                # What learners complain of they did before.
                warnings.simplefilter("ignore")
                measuring.carry_out()
        except KeyboardInterrupt:
            warnings.warn("Interrupted: importances are not complete.", stacklevel=FRAMES)
    found = measuring.found(reason)
    search.importances_ = found.table
    refit.note(NOTE, found.facts())


@dataclass(slots=True)
class _Measuring:
    """Importances that are being measured, in at most so many seconds."""

    refit: Refit
    seconds: float
    under_way: dict[Task, float] = field(default_factory=dict)
    done: list[ColumnsPermuted] = field(default_factory=list)
    taken: float = 0.0
    until: float = math.inf
    failed: str = ""

    def carry_out(self) -> None:
        """Begin what fits into the time, and wait for it."""
        deadline, enough = self.refit.extras.deadline, monotonic() + self.seconds + GRACE
        self.until = enough if deadline is None else min(deadline, enough)
        waiting = self._tasks()
        with cancelled_after(self.refit.executor, self.under_way):
            while waiting or self.under_way:
                waiting = self._begin(waiting)
                if not self.under_way:
                    return
                for outcome in self.refit.executor.wait():
                    self._take(outcome)
                if self.failed:
                    waiting = []

    def _tasks(self) -> list[Task]:
        search, folds = self.refit.given, self.refit.experiment.folds
        best = search.results_[search.best_index_]
        # Folds that are known to work, in their order.
        return [Task(best.candidate, folds.target, i) for i in best.curve.folds(folds.target)]

    def _begin(self, waiting: list[Task]) -> list[Task]:
        """Begin as many folds as there is room and time for; give those that may come later."""
        executor, search = self.refit.executor, self.refit.given
        while waiting and len(self.under_way) < executor.n_slots:
            most = min(executor.n_slots - len(self.under_way), len(waiting))
            shares = (self._left() / n for n in range(most, 0, -1))
            seconds = next((one for one in shares if one >= self._foreseen()), None)
            if seconds is None:
                break
            task = waiting.pop(0)
            wanted = PermutedColumns(
                candidate=self.refit.candidates[task.candidate],
                seconds=seconds,
                seed=self.refit.experiment.folds.seed,
            )
            limit = None
            if executor.promises.time_limit:
                ends = (seconds + GRACE, search.timeout_per_fit)
                limit = min(end for end in ends if end is not None)
            self.under_way[task] = seconds
            executor.submit(task, wanted, seconds=limit)
        return waiting

    def _left(self) -> float:
        """Give the seconds that further folds may take (rule 2)."""
        promised = math.fsum(self.under_way.values())
        return min(self.seconds - self.taken - promised, self.until - monotonic())

    def _foreseen(self) -> float:
        """Foresee what a fold takes: as long as the longest before, the first at least its fit."""
        if self.done:
            return max(each.seconds for each in self.done)
        search, target = self.refit.given, self.refit.experiment.folds.target
        return MARGIN * search.results_[search.best_index_].curve.seconds(target)

    def _take(self, outcome: Outcome) -> None:
        del self.under_way[outcome.task]
        self.taken += outcome.seconds
        if isinstance(outcome, ColumnsPermuted):
            self.done.append(outcome)
        else:
            self.failed = getattr(outcome, "headline", "it failed")

    def found(self, reason: str | None) -> Importances:
        """Put together what was measured."""
        search, experiment = self.refit.given, self.refit.experiment
        names = column_names(experiment.X) if reason is None else []
        drops: defaultdict[int, list[float]] = defaultdict(list)
        for each in sorted(self.done, key=lambda one: one.task.fold):
            for column, drop in each.drops:
                if math.isfinite(drop):
                    drops[column].append(drop)
        columns = [_importance(names[column], drops[column]) for column in sorted(drops)]
        columns.sort(key=lambda one: -one.importance)
        scoring = experiment.scoring
        return Importances(
            str(search.results_[search.best_index_].candidate),
            scoring.decide_by or next(iter(scoring.scorers)),
            tuple(columns),
            len(names),
            sum(each.n_test or 0 for each in self.done),
            self.taken,
            reason or self._why(len(columns), len(names)),
        )

    def _why(self, n_measured: int, n_columns: int) -> str:
        """Say why columns are missing."""
        if n_measured == n_columns:
            return ""
        if n_measured:
            return (
                f"There was time for {n_measured:,} of {n_columns:,} columns, those first that "
                "tell most of the target by themselves."
            )
        if self.failed:
            return f"Columns could not be shuffled: {self.failed}."
        if not self._tasks():
            return "Columns were not shuffled: the best was never fitted on all rows of a fold."
        left = max(0.0, min(self.seconds, self.until - monotonic()))
        return (
            f"There was no time to shuffle columns: a fit of the best takes about "
            f"{self._foreseen() / MARGIN:.1f} s, and {left:.1f} s were left for it."
        )


def _importance(column: str, drops: list[float]) -> ColumnImportance:
    low, high = mean_interval(drops, kind="t")
    # Repeats that are all the same, as error rates on few rows may be, say nothing of chance.
    differ = max(drops) - min(drops) > ROUNDING
    known = len(drops) >= FEWEST_REPEATS and differ
    return ColumnImportance(
        column,
        math.fsum(drops) / len(drops),
        low if known else math.nan,
        high if known else math.nan,
        len(drops),
    )
