"""The fit of the best candidate on all rows.

Rules:

1. Without limits it takes place in this process, as in scikit-learn's searches, and what it raises
   goes through.
2. With limits, or after Ctrl-C, it is a task like every other: in a worker, with the search's
   limits of memory and of seconds, and within what is left of a budget that counts it. A learner
   that exits, hangs or takes too much costs itself. A model that cannot leave its worker is fitted
   here.
3. Who cannot be fitted, or would take longer than there is time for, is passed over: the next best
   is taken, and it is said. If there is time for none, the quickest is taken.
4. If none can be fitted, that is a `NoResultError`; what the search has found is kept.
"""

from __future__ import annotations

import math
import pickle
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from curvewise._evaluation.final_fit import ALL_ROWS, FinalFit, FittedOnAll
from curvewise._selection.best_candidate import FRAMES
from curvewise._selection.candidates import Candidates
from curvewise._selection.experiment import Experiment
from curvewise._selection.kept_predictions import PredictionKeeper
from curvewise._selection.run_notes import RunNotes
from curvewise._selection.search_contract import limits_of
from curvewise._selection.search_listeners import Tasks
from curvewise._selection.search_run import CarriedOut, SearchExtras
from curvewise._text import describe_error
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Candidate, Failure, Outcome, Reason, Task
from curvewise.core._portfolio import Status
from curvewise.core._ranks import Rank, rank
from curvewise.core._result import ValidationResult
from curvewise.core._run_time import predict_seconds
from curvewise.errors import NoResultError
from curvewise.executors import Ending, LiveRun
from curvewise.executors._protocol import Executor, cancelled_after

if TYPE_CHECKING:
    from curvewise._selection.search_cv import CurveSearchCV

# The final fit has more rows than any before; it may take longer than its kind on fewer.
GROWTH = 1.2
MARGIN = 1.25
# A fit may take so many seconds longer than there are: a late answer is better than none.
GRACE = 4.0
# So many candidates are tried at the most.
MOST = 5
# Where a run's store says who was fitted on all rows in the place of the best, and why.
TAKEN = "taken"
# The limit of one fit holds for a fold; all rows are more.
MORE_ROWS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Refit:
    """Fits the best that can be fitted; see the rules above.

    Parameters
    ----------
    given
        The search, with its results.
    experiment
        The data and the folds.
    candidates
        The unfitted estimators, by name.
    params
        What ``fit`` takes besides.
    executor, extras
        Who has carried out the search, and until when this may take.
    tasks
        Who hears of it.
    notes
        What readers of the run are told.
    record
        Where the run is kept; None if it is not.
    keeper
        Who has kept predictions; None if nobody has.
    """

    given: CurveSearchCV
    experiment: Experiment
    candidates: Candidates
    params: Mapping[str, Any]
    executor: Executor
    extras: SearchExtras
    tasks: Tasks
    notes: RunNotes
    record: LiveRun | None = None
    keeper: PredictionKeeper | None = None

    @classmethod
    def after(
        cls,
        carried: CarriedOut,
        *,
        given: CurveSearchCV,
        experiment: Experiment,
        candidates: Candidates,
        params: Mapping[str, Any],
        extras: SearchExtras,
        tasks: Tasks,
    ) -> Self:
        """Make it after a search, with the search's workers, notes, store and predictions."""
        return cls(
            given=given,
            experiment=experiment,
            candidates=candidates,
            params=params,
            executor=carried.executor,
            extras=extras,
            tasks=tasks,
            notes=carried.notes,
            record=carried.record,
            keeper=carried.keeper,
        )

    def row_weights(self) -> np.ndarray[Any, Any] | None:
        """Give how much each row counts in the scores of the best; None if all count alike."""
        best = self.given.results_[self.given.best_index_].candidate
        return self.experiment.evaluate.score_weights(self.candidates[best])

    def note(self, key: str, value: object) -> None:
        """Write something down for the readers of the run; None takes it back."""
        self.notes.note(key, value)

    def fit(self, best: int, *, alternatives: bool = True) -> tuple[int, Any, float]:
        """Fit the best, or who takes its place: where it stands, the model, and the seconds."""
        limits = limits_of(self.given)
        limited = limits.timed or limits.n_bytes is not None
        # Another Ctrl-C ends a worker at once; here it would wait for compiled code.
        limited = limited or self.given.ending_ is Ending.INTERRUPTED
        if not (limited and self.executor.promises.isolation):
            return best, *self._fit_here(self._final_fit(best))
        with self.tasks.refit():
            return self._fit_best_in_worker(best, alternatives=alternatives)

    def _fit_best_in_worker(self, best: int, *, alternatives: bool) -> tuple[int, Any, float]:
        """Fit in a worker, one after the other until one can be fitted (rules 2 to 4)."""
        reasons: dict[int, str] = {}
        for index in self._order(best) if alternatives else [best]:
            fit = self._final_fit(index)
            outcome = self._fit_in_worker(fit, self.given.results_[index].candidate)
            model, reason = _model_of(outcome)
            if reason:
                reasons[index] = reason
                continue
            if index != best:
                self._say_who_was_passed_over(best, index, reasons.get(best))
            if model is None:
                return index, *self._carried_out(fit)
            return index, model, outcome.seconds
        tried = (f"{self.given.results_[index].candidate}: {why}" for index, why in reasons.items())
        raise NoResultError(f"No candidate could be fitted on all rows. {'; '.join(tried)}")

    def fit_several(self, indexes: Sequence[int]) -> dict[int, Any]:
        """Fit others on all rows as well, several at once; who cannot be fitted is left out.

        When the time is over, no further fit begins.
        """
        if not self.executor.promises.isolation:
            return self._fit_several_here(indexes)
        n_rows = self.experiment.folds.n_rows
        waiting = {
            Task(self.given.results_[index].candidate, n_rows, ALL_ROWS): index for index in indexes
        }
        under_way: dict[Task, int] = {}
        fitted: dict[int, Any] = {}
        with cancelled_after(self.executor, under_way):
            while True:
                while self._seconds_left() > 0 and waiting and self._has_room(under_way):
                    task, index = waiting.popitem()
                    under_way[task] = index
                    self.executor.submit(task, self._final_fit(index), seconds=self._allowance())
                if not under_way:
                    return fitted
                for outcome in self.executor.wait():
                    index = under_way.pop(outcome.task)
                    model, _ = _model_of(outcome)
                    if model is not None:
                        fitted[index] = model

    def _has_room(self, under_way: Mapping[Task, int]) -> bool:
        return len(under_way) < self.executor.n_slots

    def _fit_several_here(self, indexes: Sequence[int]) -> dict[int, Any]:
        """Fit others in this process, one after the other."""
        fitted: dict[int, Any] = {}
        for index in indexes:
            if self._seconds_left() > 0:
                with suppress(Exception):
                    fitted[index] = self._carried_out(self._final_fit(index))[0]
        return fitted

    def _final_fit(self, index: int) -> FinalFit:
        result = self.given.results_[index]
        return FinalFit(
            candidate=self.candidates[result.candidate],
            params=self.params,
            found=settled(result.curve),
            preprocess=self.given.preprocess,
            n_threads=self.extras.refit_threads,
        )

    def _fit_here(self, fit: FinalFit) -> tuple[Any, float]:
        """Fit in this process, with the callbacks that the estimator should have (rule 1)."""
        estimator = fit.prepared()
        with self.tasks.refit(estimator):
            return self._carried_out(fit, estimator)

    def _carried_out(self, fit: FinalFit, estimator: Any = None) -> tuple[Any, float]:
        """Fit in this process: the estimator, or one that is made ready for it."""
        estimator = fit.prepared() if estimator is None else estimator
        return fit.carry_out(estimator, self.experiment.X, self.experiment.y)

    def _fit_in_worker(self, fit: FinalFit, candidate: Candidate) -> Outcome:
        """Fit in a worker, which is ended when it takes too long; once more if it was lost."""
        task = Task(candidate, self.experiment.folds.n_rows, ALL_ROWS)
        outcome: Outcome = Failure(task, Reason.LOST)
        for _ in range(2):
            with cancelled_after(self.executor, [task]):
                self.executor.submit(task, fit, seconds=self._allowance())
                (outcome,) = self.executor.wait()
            if not isinstance(outcome, Failure) or outcome.reason is not Reason.LOST:
                break
        return outcome

    def _allowance(self) -> float | None:
        """Give the seconds that a fit may take; None for no limit."""
        per_fit, per_candidate = self.given.timeout_per_fit, self.given.timeout_per_candidate
        left = max(0.0, self._seconds_left()) + GRACE
        known = [per_candidate, per_fit and per_fit * MORE_ROWS, left]
        shortest = min(seconds for seconds in known if seconds is not None)
        return shortest if math.isfinite(shortest) else None

    def _seconds_left(self) -> float:
        deadline = self.extras.deadline
        return math.inf if deadline is None else deadline - monotonic()

    def _order(self, best: int) -> Iterator[int]:
        """Give whom to fit: the best for whom there is time, again and again; else the quickest."""
        left = [
            index
            for index, result in enumerate(self.given.results_)
            if result.curve.anchors and result.status is not Status.FAILED
        ]
        left.sort(key=lambda index: (index != best, self._rank(index)))
        for _ in range(min(MOST, len(left))):
            seconds = self._seconds_left() + GRACE / 2
            affordable = (index for index in left if self._foreseen(index) <= seconds)
            index = next(affordable, None)
            yield (taken := min(left, key=self._foreseen) if index is None else index)
            left.remove(taken)

    def _rank(self, index: int) -> Rank:
        return rank(self.given.results_[index], self.given.results_[index].curve)

    def _foreseen(self, index: int) -> float:
        folds = self.experiment.folds
        curve = self.given.results_[index].curve
        return final_seconds(curve, target=folds.target, n_rows=folds.n_rows)

    def _say_who_was_passed_over(self, best: int, taken: int, reason: str | None) -> None:
        why = reason or f"it would take about {self._foreseen(best):.0f} s, and there are fewer"
        passed, chosen = (self.given.results_[index].candidate for index in (best, taken))
        reason = (
            f"{passed}, could not be fitted on all rows ({why}): {chosen} was taken in its place."
        )
        self.note(TAKEN, {"candidate": str(chosen), "reason": f"The choice, {reason}"})
        # Two frames below where the best is chosen.
        warnings.warn(f"The best candidate, {reason}", stacklevel=FRAMES + 2)


def _model_of(outcome: Outcome) -> tuple[Any, str]:
    """Give the model of a final fit, or None and why there is none.

    None and nothing is a model that could not leave its worker. Unpickling one runs the code of its
    class in this process.
    """
    if isinstance(outcome, Failure):
        return None, outcome.headline
    if not isinstance(outcome, FittedOnAll):
        return None, "its fit gave no model"
    if outcome.pickled is None:
        return None, ""
    try:
        return pickle.loads(outcome.pickled), ""
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return None, f"its model cannot be unpickled: {describe_error(error).splitlines()[0]}"


def final_seconds(curve: LearningCurve, *, target: int, n_rows: int) -> float:
    """Foresee what the fit on all rows will take, from the fits on fewer."""
    seconds = predict_seconds(curve, target)
    if seconds is None:
        last = curve.anchors[-1]
        seconds = curve.seconds(last) * (target / last)
    return MARGIN * seconds * (n_rows / target) ** GROWTH


def known_score(result: ValidationResult) -> float:
    """Give a candidate's score; of one that has none, the mean where it came furthest."""
    if math.isfinite(result.score):
        return result.score
    return float(result.scale.score(result.curve.mean(result.curve.anchors[-1])))


def settled(curve: LearningCurve) -> dict[str, int]:
    """Give what the fits at the largest anchor have found: of each parameter the median."""
    cells = curve.cells(curve.anchors[-1]) if curve.anchors else []
    found = [cell.found for cell in cells if cell.found]
    names = set.intersection(*map(set, found)) if found else set()
    middle = {name: median(one[name] for one in found) for name in sorted(names)}
    return {name: round(count) for name, count in middle.items() if math.isfinite(count)}
