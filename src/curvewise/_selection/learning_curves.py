"""The learning curve of the best, made after a search: how it does with fewer training rows.

A race on a small table looks only at full training sets, and on a large one the winner was hardly
looked at below the target. So the best gets its curve afterwards, and the closest rivals while
there is time. Rules:

1. Anchors are half of the target, a quarter of it and so on, six times at the most and no fewer
   than 32 rows, each with the test rows of the search.
2. The cheapest that tells most comes first: the best on its first fold, from the largest anchor to
   the smallest, then its other folds, anchor by anchor. Then one rival after the other, each
   anchor only if there is time for all folds: one fold is no comparison.
3. All together take at most a twentieth of the seconds that the fits of the search took, and what
   is left of the budget. A fit begins only if what it will take, by larger fits of its kind, fits
   into that. One that takes longer is the last. Where workers can be ended, they are when it is
   over; a second more is granted for what is no fit.
4. Nothing that the search has found changes: no decision, no score, no row of ``cv_results_``. What
   a fit gives becomes a point of its candidate's curve and of the run's store, which is not fitted
   again when the run goes on. One that fails is no point, and nobody is the worse for it.
5. Ctrl-C ends it, with the points that there are. After a search that was itself interrupted there
   is none.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from time import monotonic

from curvewise._selection.best_candidate import FRAMES
from curvewise._selection.refit import Refit
from curvewise.core._checks import finite_or_none
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Observation, Outcome, Task, as_outcome
from curvewise.core._portfolio import Status
from curvewise.core._ranks import rank
from curvewise.executors._listener import Ending
from curvewise.executors._protocol import cancelled_after

# What the curves may take, as a share of what the search's fits took.
SHARE = 1 / 20
SMALLEST_ANCHOR = 32
N_HALVINGS = 6
# How many get a curve, the best included.
N_BEST = 3
# Seconds grow at least so much with rows: half of them take at most 0.7 of the time.
GROWTH = 0.5
MARGIN = 1.25
# Seconds for handing tasks over and preparing their rows.
GRACE = 1.0
# Where a run's store says what the curves took.
NOTE = "learning curves"


def halves(target: int) -> list[int]:
    """Give half of the target, a quarter of it and so on (rule 1)."""
    anchors = (round(target / 2**n) for n in range(1, N_HALVINGS + 1))
    return [anchor for anchor in anchors if SMALLEST_ANCHOR <= anchor < target]


def add_learning_curves(refit: Refit) -> None:
    """Give the best candidates of a search their curves."""
    search = refit.given
    if search.ending_ is Ending.INTERRUPTED:
        return
    spent = math.fsum(result.seconds for result in search.results_)
    making = _Making(refit, seconds=SHARE * spent)
    try:
        with warnings.catch_warnings():
            # What learners complain of on fewer rows, they did before or need not.
            warnings.simplefilter("ignore")
            making.carry_out()
    except KeyboardInterrupt:
        warnings.warn("Interrupted: learning curves are not complete.", stacklevel=FRAMES)
    finally:
        making.keep()


@dataclass(slots=True)
class _Making:
    """Curves that are being made, in at most so many seconds of fits."""

    refit: Refit
    seconds: float
    curves: dict[int, LearningCurve] = field(default_factory=dict)
    under_way: dict[Task, float] = field(default_factory=dict)
    failed: set[tuple[int, int]] = field(default_factory=set)
    held_back: set[int] = field(default_factory=set)
    places: dict[Task, int] = field(default_factory=dict)
    n_fits: int = 0
    taken: float = 0.0
    known: float = 0.0
    until: float = math.inf

    def carry_out(self) -> None:
        """Begin what fits into the time, and wait for it."""
        deadline = self.refit.extras.deadline
        enough = monotonic() + self.seconds + GRACE
        self.until = enough if deadline is None else min(deadline, enough)
        waiting = list(self._wanted())
        with cancelled_after(self.refit.executor, self.under_way):
            while waiting or self.under_way:
                waiting = self._begin(waiting)
                if not self.under_way:
                    return
                for outcome in self.refit.executor.wait():
                    self._take(outcome)

    def _wanted(self) -> Iterator[Task]:
        """Give the tasks in their order (rule 2); points that are known become points."""
        folds, results = self.refit.experiment.folds, self.refit.given.results_
        for index in _leading(self.refit):
            curve = self.curves[index] = LearningCurve(results[index].curve)
            for anchor, fold in _in_order(halves(folds.target), curve.folds(folds.target)):
                task = Task(results[index].candidate, anchor, fold)
                self.places[task] = index
                if curve.at(anchor, fold) is None and not self._remember(task):
                    yield task

    def _remember(self, task: Task) -> bool:
        """Take a point that an earlier life of the run has made; whether there is one."""
        record = self.refit.record
        known = None if record is None else record.known(task)
        if isinstance(known, Observation):
            self.curves[self.places[task]].add(known)
            self.known += known.seconds
        return known is not None

    def _begin(self, waiting: list[Task]) -> list[Task]:
        """Begin tasks while there are free workers; give those that may come later."""
        executor, later = self.refit.executor, []
        for place, task in enumerate(waiting):
            left = self._left()
            if (
                len(self.under_way) == executor.n_slots
                or self._needed(task, waiting[place:]) > left
            ):
                later.append(task)
                # A rival's smaller anchors are no use without its larger ones.
                self.held_back.add(self.places[task])
                continue
            estimator = self.refit.candidates[task.candidate]
            self.under_way[task] = self._foreseen(task)
            executor.submit(task, estimator, seconds=self._allowance(left))
        self.held_back.clear()
        return later

    def _needed(self, task: Task, waiting: list[Task]) -> float:
        """Give the seconds that there must be to begin a task: of a rival, for all folds."""
        place = self.places[task]
        if place == next(iter(self.curves)):
            return self._foreseen(task)
        if place in self.held_back:
            return math.inf
        return self._foreseen(task) * sum(each[:2] == task[:2] for each in waiting)

    def _left(self) -> float:
        """Give the seconds that a further task may take (rule 3)."""
        promised = math.fsum(self.under_way.values())
        fits = self.seconds - self.known - self.taken - promised
        return min(fits, self.until - monotonic())

    def _foreseen(self, task: Task) -> float:
        """Foresee what a task takes, from the fits of its candidate on more rows."""
        place = self.places[task]
        if (place, task.anchor) in self.failed:
            return math.inf
        curve = self.curves[place]
        larger = min(anchor for anchor in curve.anchors if anchor >= task.anchor)
        return MARGIN * curve.seconds(larger) * (task.anchor / larger) ** GROWTH

    def _allowance(self, left: float) -> float | None:
        """Give the seconds after which a worker is ended; None if it cannot be."""
        if not self.refit.executor.promises.time_limit:
            return None
        limits = (left + GRACE, self.until - monotonic(), self.refit.given.timeout_per_fit)
        return min(limit for limit in limits if limit is not None)

    def _take(self, outcome: Outcome) -> None:
        """Make a point of what a task gave; one that failed is not tried on another fold."""
        outcome, task = as_outcome(outcome), outcome.task
        del self.under_way[task]
        self.n_fits += 1
        self.taken += outcome.seconds
        if not isinstance(outcome, Observation):
            self.failed.add((self.places[task], task.anchor))
            return
        self.curves[self.places[task]].add(outcome)
        if self.refit.record is not None:
            self.refit.record.record(outcome)

    def keep(self) -> None:
        """Let the search have the curves, and readers of its store know what they took."""
        search = self.refit.given
        for index, curve in self.curves.items():
            search.results_[index] = replace(search.results_[index], curve=curve)
            search.curves_[index] = curve
        search.curve_seconds_ = self.known + self.taken
        if self.refit.record is not None and self.n_fits:
            before = curves_taken(self.refit.record.notes())
            took = {"seconds": before[0] + self.taken, "n_fits": before[1] + self.n_fits}
            self.refit.note(NOTE, took)


def curves_taken(notes: Mapping[str, object]) -> tuple[float, int]:
    """Read from a run's notes what its learning curves took: seconds, and a number of fits."""
    noted = notes.get(NOTE)
    if not isinstance(noted, Mapping):
        return 0.0, 0
    seconds, n_fits = finite_or_none(noted.get("seconds")), finite_or_none(noted.get("n_fits"))
    if seconds is None or n_fits is None or min(seconds, n_fits) < 0:
        return 0.0, 0
    return seconds, int(n_fits)


def _in_order(anchors: Sequence[int], folds: Sequence[int]) -> list[tuple[int, int]]:
    """Give the first fold at all anchors, then the other folds anchor by anchor (rule 2)."""
    first, others = folds[:1], folds[1:]
    return [*product(anchors, first), *product(anchors, others)]


def _leading(refit: Refit) -> list[int]:
    """Say who gets a curve: who was taken, and who was scored at the target, the best first."""
    results, target = refit.given.results_, refit.experiment.folds.target
    best = getattr(refit.given, "best_index_", None)
    known = [
        index
        for index, result in enumerate(results)
        if result.curve.n(target) and result.status is not Status.FAILED
    ]
    known.sort(key=lambda index: (index != best, rank(results[index], results[index].curve)))
    return known[:N_BEST]
